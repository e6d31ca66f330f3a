/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Reading counters without a system call: the character device /dev/<pmu>.
 *
 * Whoever holds an event of the PMU may map its counters, because opening that event needed the
 * right to see the whole system. MON_PMU_IOC_ATTACH shows the event's file descriptor; after it
 * mmap() gives, read only and shared,
 *
 *	offset MON_PMU_MAP_VALUES	an array of struct mon_pmu_value, one a counter
 *	offset MON_PMU_MAP_REGS		the device's page of live counter registers
 *
 * The sizes are those of MON_PMU_IOC_INFO, whole pages. Which counters make up an event, and where
 * their registers lie, is a matter of the PMU (pmu/espmon/ABI-espmon.txt).
 *
 * A counter's value is acc + ((register - last) modulo 2^width) with seq even and the same before
 * and after reading acc, last and the register. An event's count is the sum of its counters' values
 * plus the offset of its perf_event_mmap_page, while that page's index is not 0 and its lock has
 * not changed meanwhile; otherwise read(2) it.
 *
 * After the device has gone the registers read as zeros; the event's index is 0 before that.
 */
#ifndef MON_PMU_UAPI_H
#define MON_PMU_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct mon_pmu_value - one counter
 * @seq: odd while the kernel changes the others
 * @width: bits of the hardware counter
 * @acc: counts up to @last
 * @last: raw value of the hardware counter that @acc belongs to
 * @reserved: 0
 */
struct mon_pmu_value {
	__u32 seq;
	__u32 width;
	__u64 acc;
	__u64 last;
	__u64 reserved;
};

/**
 * struct mon_pmu_info - what can be mapped
 * @counters: entries of the array of values
 * @values_size: bytes to map at MON_PMU_MAP_VALUES
 * @regs_size: bytes to map at MON_PMU_MAP_REGS
 */
struct mon_pmu_info {
	__u32 counters;
	__u32 values_size;
	__u32 regs_size;
	__u32 reserved;
};

#define MON_PMU_IOC_INFO	_IOR('m', 0xe0, struct mon_pmu_info)
/* The argument is the file descriptor. EBADF: not an open file; EINVAL: no event of this PMU. */
#define MON_PMU_IOC_ATTACH	_IO('m', 0xe1)

#define MON_PMU_MAP_VALUES	0x00000000
#define MON_PMU_MAP_REGS	0x40000000

#endif
