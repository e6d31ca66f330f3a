/* SPDX-License-Identifier: MIT */
/*
 * Resources of the core. VTCM is HAP_VTCM_SIZE bytes of ordinary memory, which the model caches. There is no HMX. Nothing waits:
 * what is not free is not acquired.
 */
#ifndef HAP_COMPUTE_RES_H
#define HAP_COMPUTE_RES_H

#define HAP_VTCM_SIZE (4u << 20)

typedef struct {
	unsigned int size, least;	/* of VTCM that is asked for */
	int hmx;
	void *memory;
} compute_res_attr_t;
typedef struct {
	unsigned int page_list_len;
	struct {
		unsigned int page_size, num_pages;
	} page_list[8];
} compute_res_vtcm_page_t;

int HAP_compute_res_attr_init(compute_res_attr_t *attr);
#define HAP_compute_res_attr_set_serialize(attr, on) ((void)(attr), 0)
#define HAP_compute_res_attr_set_cache_mode(attr, on) ((void)(attr), 0)
#define HAP_compute_res_attr_set_release_callback(attr, call, arg) ((void)(attr), (void)(call), (void)(arg), 0)
#define HAP_compute_res_attr_set_hmx_param(attr, on) ((attr)->hmx = (on), 0)
#define HAP_compute_res_attr_set_vtcm_param(attr, bytes, single_page) ((attr)->size = (attr)->least = (bytes), 0)
#define HAP_compute_res_attr_set_vtcm_param_v2(attr, bytes, page, fewest) ((attr)->size = (bytes), (attr)->least = (fewest), 0)
/* The number of a context, or 0. */
unsigned int HAP_compute_res_acquire(compute_res_attr_t *attr, unsigned int timeout_us);
int HAP_compute_res_release(unsigned int context);
#define HAP_compute_res_acquire_cached(context, timeout_us) 0
#define HAP_compute_res_release_cached(context) 0
#define HAP_compute_res_check_release_request(context) 0
#define HAP_compute_res_attr_get_vtcm_ptr(attr) ((attr)->memory)
int HAP_compute_res_attr_get_vtcm_ptr_v2(compute_res_attr_t *attr, void **memory, unsigned int *size);
int HAP_compute_res_query_VTCM(unsigned int application, unsigned int *total, compute_res_vtcm_page_t *total_pages,
			       unsigned int *free, compute_res_vtcm_page_t *free_pages);

#endif
