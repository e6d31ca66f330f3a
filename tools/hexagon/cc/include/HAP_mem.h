/* SPDX-License-Identifier: MIT */
/* VTCM, as HAP_compute_res.h has it: ordinary memory, which the model caches. */
#ifndef HAP_MEM_H
#define HAP_MEM_H

void *HAP_request_VTCM(unsigned int size, unsigned int single_page);
int HAP_release_VTCM(void *memory);
int HAP_query_avail_VTCM(unsigned int *size, unsigned int *page_size, unsigned int *pages);
int HAP_query_total_VTCM(unsigned int *page_size, unsigned int *pages);

#endif
