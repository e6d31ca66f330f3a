/* SPDX-License-Identifier: MIT */
#error "HAP_dcvs.h: the modelled core has one clock; HAP_power.h accepts requests"
