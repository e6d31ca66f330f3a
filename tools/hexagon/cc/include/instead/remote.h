/* SPDX-License-Identifier: MIT */
#error "remote.h: a program is not called by a host processor; give it a main()"
