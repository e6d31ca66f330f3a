/* SPDX-License-Identifier: MIT */
/* Counters, memory and power of Qualcomm's SDK, as far as the modelled core has them. */
#include <AEEStdErr.h>
#include <HAP_compute_res.h>
#include <HAP_mem.h>
#include <HAP_power.h>
#include <HAP_user_pmu.h>
#include <qurt.h>
#include <stddef.h>
#include <stdlib.h>

#include "events/hexagon/services.h"
#include "system.h"

/* ---- counters 4 to 7 */

#define COUNTERS 4
static struct {
	int owner;	/* a group's number; ALONE; 0: free */
	unsigned short event;
} counters[COUNTERS];
#define ALONE (-1)
static int pmu_lock, groups;

static int find_counter(int owner, unsigned short event)
{
	for (int i = 0; i < COUNTERS; i++)
		if (counters[i].owner == owner && (!owner || counters[i].event == event))
			return i;
	return -1;
}

static void free_counters(int owner, unsigned short event, int all)
{
	for (int i = 0; i < COUNTERS; i++)
		if (counters[i].owner == owner && (all || counters[i].event == event))
			counters[i].owner = 0;
}

/* Bits of a register that hold a counter's part of its event's number. */
static void set_bits(int reg, int at, unsigned int mask, unsigned int bits)
{
	qurt_pmu_set(reg, (qurt_pmu_get(reg) & ~(mask << at)) | (bits & mask) << at);
}

static int use_counter(int owner, unsigned short event)
{
	int i = find_counter(0, 0);

	if (i < 0)
		return -1;
	counters[i].owner = owner;
	counters[i].event = event;
	set_bits(QURT_PMUEVTCFG1, 8 * i, 0xff, event);
	set_bits(QURT_PMUCFG, 2 * (COUNTERS + i), 3, event >> 8);
	qurt_pmu_set(QURT_PMUCNT4 + i, 0);
	qurt_pmu_enable(1);
	return 0;
}

int HAP_register_pmu_group(HAP_pmu_group_config_t *group)
{
	int failed = group->num_events > COUNTERS;

	__lock(&pmu_lock);
	group->contextId = ++groups;
	for (unsigned int i = 0; !failed && i < group->num_events; i++)
		failed = use_counter(groups, group->pmu_events[i]) < 0;
	if (failed)
		free_counters(groups, 0, 1);
	__unlock(&pmu_lock);
	return failed ? (int)HAP_USER_PMU_READ_FAILED : 0;
}

int HAP_read_pmu_group(HAP_pmu_group_config_t *group)
{
	int failed = group->num_events > COUNTERS;

	for (unsigned int i = 0; !failed && i < group->num_events; i++) {
		int counter = find_counter(group->contextId, group->pmu_events[i]);

		failed = counter < 0;
		group->pmu_value[i] = failed ? HAP_USER_PMU_READ_FAILED : qurt_pmu_get(QURT_PMUCNT4 + counter);
	}
	return failed ? (int)HAP_USER_PMU_READ_FAILED : 0;
}

int HAP_deregister_pmu_group(HAP_pmu_group_config_t *group)
{
	free_counters(group->contextId, 0, 1);
	return 0;
}

int HAP_register_pmu_event(unsigned short event)
{
	int failed;

	__lock(&pmu_lock);
	failed = use_counter(ALONE, event) < 0;
	__unlock(&pmu_lock);
	return failed ? (int)HAP_USER_PMU_READ_FAILED : 0;
}

unsigned int HAP_read_pmu_event(unsigned short event)
{
	int counter = find_counter(ALONE, event);

	return counter < 0 ? HAP_USER_PMU_READ_FAILED : qurt_pmu_get(QURT_PMUCNT4 + counter);
}

int HAP_deregister_pmu_event(unsigned short event)
{
	free_counters(ALONE, event, 0);
	return 0;
}

/* ---- VTCM: pieces by the number of their context */

#define CONTEXTS 16
#define PAGE 4096
static struct {
	void *memory;
	unsigned int size;
} pieces[CONTEXTS];
static unsigned int used;
static int vtcm_lock;

/* The number of a new piece, or 0. */
static unsigned int take_vtcm(unsigned int size)
{
	unsigned int i = 0;

	size = (size + PAGE - 1) & -PAGE;
	__lock(&vtcm_lock);
	while (i < CONTEXTS && pieces[i].memory)
		i++;
	if (i < CONTEXTS && size <= HAP_VTCM_SIZE - used && (pieces[i].memory = aligned_alloc(PAGE, size + PAGE))) {
		pieces[i].size = size;
		used += size;
	} else {
		i = CONTEXTS;
	}
	__unlock(&vtcm_lock);
	return i < CONTEXTS ? i + 1 : 0;
}

int HAP_compute_res_release(unsigned int context)
{
	if (!context || context > CONTEXTS || !pieces[context - 1].memory)
		return AEE_EBADPARM;
	__lock(&vtcm_lock);
	free(pieces[context - 1].memory);
	pieces[context - 1].memory = NULL;
	used -= pieces[context - 1].size;
	__unlock(&vtcm_lock);
	return AEE_SUCCESS;
}

int HAP_compute_res_attr_init(compute_res_attr_t *attr)
{
	*attr = (compute_res_attr_t){ 0 };
	return AEE_SUCCESS;
}

unsigned int HAP_compute_res_acquire(compute_res_attr_t *attr, unsigned int timeout_us)
{
	unsigned int context;

	(void)timeout_us;
	if (attr->hmx)
		return 0;
	if (attr->size > HAP_VTCM_SIZE - used)
		attr->size = attr->least;
	context = take_vtcm(attr->size);
	if (context && attr->size)
		attr->memory = pieces[context - 1].memory;
	return context;
}

int HAP_compute_res_attr_get_vtcm_ptr_v2(compute_res_attr_t *attr, void **memory, unsigned int *size)
{
	*memory = attr->memory;
	*size = attr->size;
	return attr->memory ? AEE_SUCCESS : AEE_ENOMEMORY;
}

static void tell(unsigned int bytes, unsigned int *size, compute_res_vtcm_page_t *pages)
{
	if (size)
		*size = bytes;
	if (pages)
		*pages = (compute_res_vtcm_page_t){ 1, { { bytes, 1 } } };
}

int HAP_compute_res_query_VTCM(unsigned int application, unsigned int *total, compute_res_vtcm_page_t *total_pages,
			       unsigned int *free, compute_res_vtcm_page_t *free_pages)
{
	(void)application;
	tell(HAP_VTCM_SIZE, total, total_pages);
	tell(HAP_VTCM_SIZE - used, free, free_pages);
	return AEE_SUCCESS;
}

void *HAP_request_VTCM(unsigned int size, unsigned int single_page)
{
	unsigned int context = take_vtcm(size);

	(void)single_page;
	return context ? pieces[context - 1].memory : NULL;
}

int HAP_release_VTCM(void *memory)
{
	for (unsigned int i = 0; i < CONTEXTS; i++)
		if (memory && pieces[i].memory == memory)
			return HAP_compute_res_release(i + 1);
	return AEE_EBADPARM;
}

int HAP_query_avail_VTCM(unsigned int *size, unsigned int *page_size, unsigned int *pages)
{
	*size = *page_size = HAP_VTCM_SIZE - used;
	*pages = 1;
	return AEE_SUCCESS;
}

int HAP_query_total_VTCM(unsigned int *page_size, unsigned int *pages)
{
	*page_size = HAP_VTCM_SIZE;
	*pages = 1;
	return AEE_SUCCESS;
}

/* ---- power */

int HAP_power_set(void *context, HAP_power_request_t *request)
{
	(void)context;
	return request->type == HAP_power_set_HMX ? HAP_POWER_ERR_UNSUPPORTED_API : 0;
}
