/* SPDX-License-Identifier: MIT */
/*
 * Four events of the PMU for the program: counters 4 to 7 of its own bank (qurt.h has all eight). They count the model's
 * events from their registration on, in a program that hexagon-run runs.
 */
#ifndef HAP_USER_PMU_H
#define HAP_USER_PMU_H

#define HAP_USER_PMU_READ_NOT_SUPPORTED 0x80000fff
#define HAP_USER_PMU_READ_FAILED 0xdeaddead

typedef struct {
	int contextId;
	unsigned int num_events;	/* at most 4 */
	unsigned short pmu_events[4];
	unsigned int pmu_value[4];
} HAP_pmu_group_config_t;

/* 0, or HAP_USER_PMU_READ_FAILED if so many counters are not free, or the event or group is not registered. */
int HAP_register_pmu_group(HAP_pmu_group_config_t *group);
int HAP_read_pmu_group(HAP_pmu_group_config_t *group);
int HAP_deregister_pmu_group(HAP_pmu_group_config_t *group);
int HAP_register_pmu_event(unsigned short event);
unsigned int HAP_read_pmu_event(unsigned short event);
int HAP_deregister_pmu_event(unsigned short event);

#endif
