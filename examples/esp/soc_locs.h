/* SPDX-License-Identifier: GPL-2.0-only */
/* Included inside of functions: where the tiles are, {row, column}, in the order of their ids. */
soc_loc_t cpu_locs[SOC_NCPU] = {{0, 1}};
soc_loc_t mem_locs[SOC_NMEM] = {{1, 0}};
soc_loc_t acc_locs[SOC_NACC] = {{0, 0}, {1, 1}, {2, 0}};
unsigned int acc_has_l2[SOC_NACC] = {1, 0, 0};
