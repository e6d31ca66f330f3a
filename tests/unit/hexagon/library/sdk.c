/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers of Qualcomm's SDK: counters, VTCM, power, and those parts of QuRT that threads.c does not have. */
#include <AEEStdErr.h>
#include <HAP_compute_res.h>
#include <HAP_mem.h>
#include <HAP_perf.h>
#include <HAP_power.h>
#include <HAP_user_pmu.h>
#include <qurt_alloc.h>
#include <qurt_anysignal.h>
#include <qurt_barrier.h>
#include <qurt_cond.h>
#include <qurt_cycles.h>
#include <qurt_futex.h>
#include <qurt_hvx.h>
#include <qurt_memory.h>
#include <qurt_mutex.h>
#include <qurt_pmu.h>
#include <qurt_rmutex.h>
#include <qurt_sem.h>
#include <qurt_signal.h>
#include <qurt_thread.h>
#include <qurt_timer.h>
#include <stdio.h>
#include <string.h>

/* n packets of two instructions */
static void loop(int n)
{
	int count = 0;

	__asm__ volatile ("	loop0(1f, %1)\n"
			  "1:	{ %0 = add(%0,#1)\n"
			  "	  nop }:endloop0\n": "+r" (count) : "r" (n) : "lc0", "sa0", "usr");
}

static int near(unsigned int value, unsigned int least)
{
	return value >= least && value < least + 2000;
}

static void counters(void)
{
	/* committed_pkt_any, committed_insts */
	HAP_pmu_group_config_t group = { .num_events = 2, .pmu_events = { 0x03, 0x2a } }, many = { .num_events = 4 };

	printf("%d", HAP_register_pmu_group(&group));
	loop(10000);
	printf(" %d", HAP_read_pmu_group(&group));
	printf(" %d %d", near(group.pmu_value[0], 10000), near(group.pmu_value[1], 20000));
	/* two counters are left; 0x37: committed_pkt_endloop, counts from now on */
	printf(" %d %d", HAP_register_pmu_group(&many) == (int)HAP_USER_PMU_READ_FAILED, HAP_register_pmu_event(0x03));
	loop(10000);
	printf(" %d %d %d", near(HAP_read_pmu_event(0x03), 10000), HAP_deregister_pmu_event(0x03),
	       HAP_read_pmu_event(0x03) == HAP_USER_PMU_READ_FAILED);
	printf(" %d %d\n", HAP_deregister_pmu_group(&group), HAP_register_pmu_group(&many));
}

static void vtcm(void)
{
	unsigned int total, left, size, context, pages;
	compute_res_vtcm_page_t layout;
	compute_res_attr_t attr;
	void *memory;

	printf("%d", HAP_compute_res_query_VTCM(0, &total, &layout, &left, NULL));
	printf(" %d %d", total == HAP_VTCM_SIZE && left == total, layout.page_list[0].page_size == total);
	HAP_compute_res_attr_init(&attr);
	HAP_compute_res_attr_set_vtcm_param_v2(&attr, total, total, total);
	context = HAP_compute_res_acquire(&attr, 1000);
	printf(" %d %d", context != 0, HAP_compute_res_attr_get_vtcm_ptr_v2(&attr, &memory, &size));
	memset(memory, 1, size);
	printf(" %d %d", (int)(size == total), HAP_request_VTCM(4096, 1) == NULL);
	printf(" %d %d", HAP_compute_res_release(context), HAP_compute_res_release(context) == (int)AEE_EBADPARM);
	memory = HAP_request_VTCM(5000, 1);
	HAP_query_avail_VTCM(&left, &size, &pages);
	printf(" %d %d %d", memory != NULL, (int)(total - left), HAP_release_VTCM(memory));
	HAP_compute_res_attr_set_hmx_param(&attr, 1);
	printf(" %d", HAP_compute_res_acquire(&attr, 0));
	/* the older names; nothing is cached, and nobody asks for it back */
	HAP_compute_res_attr_init(&attr);
	HAP_compute_res_attr_set_serialize(&attr, 0);
	HAP_compute_res_attr_set_cache_mode(&attr, 1);
	HAP_compute_res_attr_set_release_callback(&attr, NULL, NULL);
	HAP_compute_res_attr_set_vtcm_param(&attr, 4096, 1);
	context = HAP_compute_res_acquire(&attr, 0);
	printf(" %d %d", HAP_compute_res_acquire_cached(context, 0), HAP_compute_res_attr_get_vtcm_ptr(&attr) != NULL);
	printf(" %d %d", HAP_compute_res_check_release_request(context), HAP_compute_res_release_cached(context));
	HAP_compute_res_release(context);
	printf(" %d %d %u\n", HAP_query_total_VTCM(&size, &pages), size == total, pages);
}

static void power(void)
{
	HAP_power_request_t request = { .type = HAP_power_set_DCVS_v3 };

	request.dcvs_v3.set_core_params = TRUE;
	request.dcvs_v3.core_params.target_corner = HAP_DCVS_VCORNER_MAX;
	printf("%d", HAP_power_set(&request, &request));
	request.type = HAP_power_set_HMX;
	request.hmx.power_up = TRUE;
	printf(" %d\n", HAP_power_set(&request, &request) == HAP_POWER_ERR_UNSUPPORTED_API);
}

static unsigned int word;

static void waker(void *arg)
{
	(void)arg;
	qurt_timer_sleep(1000);
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	qurt_futex_wake(&word, 1);
	qurt_thread_exit(7);
}

static void quiet(void)
{
	char *line = qurt_malloc(256);
	qurt_thread_attr_t attr;
	qurt_thread_t thread;
	int status = 0;

	memset(line, 3, 256);
	printf("%d", qurt_mem_cache_clean((qurt_addr_t)line, 256, QURT_MEM_CACHE_FLUSH_INVALIDATE, QURT_MEM_DCACHE));
	printf(" %d %d", qurt_mem_cache_clean(0, 0, QURT_MEM_CACHE_FLUSH_ALL, QURT_MEM_DCACHE) != QURT_EOK, line[255]);
	qurt_free(line);
	printf(" %d %d %d", qurt_hvx_lock(QURT_HVX_MODE_128B), qurt_hvx_get_mode() == QURT_HVX_MODE_128B, qurt_hvx_unlock());
	qurt_thread_attr_init(&attr);
	qurt_thread_attr_set_stack_size(&attr, 16384);
	qurt_thread_create(&thread, &attr, waker, NULL);
	while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE))
		qurt_futex_wait(&word, 0);
	qurt_thread_join(thread, &status);
	printf(" %d %d\n", status, (int)QURT_TIMER_TIMETICK_FROM_US(1000));
}

static qurt_mutex_t mutex, again;
static qurt_cond_t changed;
static qurt_sem_t ready, go;
static qurt_anysignal_t any;
static qurt_signal_t signals;
static int stage;

/* Main holds both mutexes at first, and then waits for each stage. */
static void other(void *arg)
{
	int *seen = arg;

	seen[0] = qurt_thread_get_id();
	seen[1] = qurt_mutex_try_lock(&mutex) != QURT_EOK;
	seen[2] = qurt_rmutex_try_lock(&again) != QURT_EOK;
	qurt_sem_up(&ready);
	qurt_mutex_lock(&mutex);
	stage = 1;
	qurt_cond_signal(&changed);
	qurt_mutex_unlock(&mutex);
	qurt_sem_down(&go);
	qurt_mutex_lock(&mutex);
	stage = 2;
	qurt_cond_broadcast(&changed);
	qurt_mutex_unlock(&mutex);
	seen[3] = qurt_anysignal_set(&any, 4);
	qurt_signal_set(&signals, 1);
}

static void locks(void)
{
	int seen[4], status = 0;
	qurt_thread_attr_t attr;
	qurt_thread_t thread;

	qurt_mutex_init(&mutex);
	qurt_rmutex_init(&again);
	qurt_cond_init(&changed);
	qurt_sem_init(&ready);
	qurt_sem_init_val(&go, 0);
	qurt_anysignal_init(&any);
	qurt_signal_init(&signals);
	printf("%d %d", qurt_sem_try_down(&ready), qurt_sem_try_down(&ready) != QURT_EOK);
	printf(" %d", qurt_mutex_try_lock(&mutex));
	qurt_rmutex_lock(&again);
	printf(" %d", qurt_rmutex_try_lock(&again));
	qurt_thread_attr_init(&attr);
	qurt_thread_attr_set_stack_size(&attr, 16384);
	qurt_thread_create(&thread, &attr, other, seen);
	qurt_sem_down(&ready);
	qurt_rmutex_unlock(&again);
	qurt_rmutex_unlock(&again);
	while (stage < 1)
		qurt_cond_wait(&changed, &mutex);
	qurt_sem_up(&go);
	while (stage < 2)
		qurt_cond_wait(&changed, &mutex);
	qurt_mutex_unlock(&mutex);
	printf(" %u %u", qurt_anysignal_wait(&any, 6), qurt_signal_wait_any(&signals, 3));
	qurt_thread_join(thread, &status);
	printf(" %u %u", qurt_anysignal_clear(&any, 4), qurt_anysignal_get(&any));
	printf(" %d %d %d %d %u\n", seen[0] == (int)thread, seen[1], seen[2], seen[3], qurt_thread_get_id());
	qurt_mutex_destroy(&mutex);
	qurt_rmutex_destroy(&again);
	qurt_cond_destroy(&changed);
	qurt_sem_destroy(&ready);
	qurt_sem_destroy(&go);
	qurt_anysignal_destroy(&any);
	qurt_signal_destroy(&signals);
}

/* 140,000 packets of 3 cycles at 1.4 GHz are 300 us, 5760 ticks of 19.2 MHz. */
static void clocks(void)
{
	unsigned long long cycles = qurt_get_core_pcycles(), ticks = qurt_timer_get_ticks();
	unsigned int packets, *values = qurt_calloc(4, sizeof(*values)), zero = 0;

	loop(140000);
	printf("%d", near(qurt_get_core_pcycles() - cycles, 420000));
	printf(" %d %d", near(qurt_timer_get_ticks() - ticks, 5760), near(HAP_perf_get_qtimer_count() - ticks, 5760));
	qurt_pmu_set(QURT_PMUEVTCFG, 0x03);
	qurt_pmu_enable(1);
	packets = qurt_pmu_get(QURT_PMUCNT0);
	loop(10000);
	printf(" %d", near(qurt_pmu_get(QURT_PMUCNT0) - packets, 10000));
	for (int i = 0; i < 4; i++)
		zero += !values[i];
	values[3] = 5;
	values = qurt_realloc(values, 4096);
	printf(" %u %u\n", zero, values[3]);
	qurt_free(values);
}

int main(void)
{
	counters();
	vtcm();
	power();
	quiet();
	locks();
	clocks();
	return 0;
}
