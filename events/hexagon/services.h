/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a Hexagon program asks of the model while it runs: a system call with a number that Linux
 * does not have. The plugin of qemu-hexagon answers in a struct hexagon_service; without the plugin
 * `done` stays 0. The call itself returns ENOSYS.
 *
 * r6: HEXAGON_SERVICE_CALL. r0: enum hexagon_service_number. r1: address of the struct. r2, r3: as
 * each service says.
 */
#ifndef HEXAGON_SERVICES_H
#define HEXAGON_SERVICES_H

#define HEXAGON_SERVICE_CALL 0x4d6f6e

enum hexagon_service_number {
	/* Time: cycles of the core (UPCYCLE) in value[0], ticks of UTIMER in value[1]. */
	HEXAGON_SERVICE_CLOCK = 1,
	/*
	 * System register r2 of the PMU (regs.h: SYSCFG 18, PCYCLE 30 and 31, PMUCNT 44-51,
	 * PMUEVTCFG 52 and 54, PMUSTID 53 and 55, PMUCFG 58), into value[0]; or r3 into it. A
	 * program has a bank of its own.
	 */
	HEXAGON_SERVICE_READ,
	HEXAGON_SERVICE_WRITE,
	/*
	 * A phase of the program begins. r2: its name, of which at most HEXAGON_MARK_MAX bytes are
	 * kept; "" ends the last one.
	 */
	HEXAGON_SERVICE_MARK,
};

struct hexagon_service {
	unsigned int done;	/* 1 if it was done */
	unsigned int reserved;
	unsigned long long value[2];
};

#define HEXAGON_MARK_MAX 63

/* Ticks a second of UTIMER, as of the QTimer of Qualcomm's chips. */
#define HEXAGON_UTIMER_HZ 19200000

#endif
