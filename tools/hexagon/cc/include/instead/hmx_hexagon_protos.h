/* SPDX-License-Identifier: MIT */
#error "hmx_hexagon_protos.h: qemu-hexagon has no HMX instructions; use hvx_hexagon_protos.h"
