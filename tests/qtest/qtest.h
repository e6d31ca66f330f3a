/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drives the registers of an emulated device through QEMU's qtest protocol, without a guest.
 *
 * A failure of QEMU or of the protocol fails the running Check test. Time only advances by
 * qtest_clock_step().
 */
#ifndef QTEST_H
#define QTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qtest;

/* Further arguments for mon-qemu.so in machines that start from now on, ",cpu=on"; "" at first. */
void qtest_plugin_args(const char *args);

/* Starts QEMU (q35, 256 MiB, mon-qemu.so loaded) with one "-device" and further arguments. */
struct qtest *qtest_start(const char *device, ...) __attribute__((sentinel));
void qtest_stop(struct qtest *q);
/*
 * Saves the machine, ends it and continues in a second QEMU with the same device, which is
 * returned.
 */
struct qtest *qtest_migrate(struct qtest *q, const char *device);

/* Runs QEMU with arguments that it must refuse; returns its error output, to be freed. */
char *qtest_refused(const char *device);

uint32_t qtest_inl(struct qtest *q, uint16_t port);
void qtest_outl(struct qtest *q, uint16_t port, uint32_t value);
/* size is 1, 2, 4 or 8 bytes; any alignment. */
uint64_t qtest_read(struct qtest *q, unsigned int size, uint64_t addr);
void qtest_write(struct qtest *q, unsigned int size, uint64_t addr, uint64_t value);
uint32_t qtest_readl(struct qtest *q, uint64_t addr);
void qtest_writel(struct qtest *q, uint64_t addr, uint32_t value);
void qtest_memread(struct qtest *q, uint64_t addr, void *buf, size_t len);
void qtest_memwrite(struct qtest *q, uint64_t addr, const void *buf, size_t len);
/* Moves virtual time on by ns nanoseconds; timers on the way fire. */
void qtest_clock_step(struct qtest *q, uint64_t ns);

/* One QMP command as JSON; the answer, to be freed. */
char *qtest_qmp(struct qtest *q, const char *json);
/* Memory that QEMU has in use, KiB. */
long qtest_resident(struct qtest *q);
/* What QEMU logged (-d guest_errors) so far, to be freed. */
char *qtest_log(struct qtest *q);

struct qtest_pci {
	unsigned int devfn;
	uint64_t bar[6];	/* physical address, 0: no such BAR */
};

/* Finds the device on bus 0, places its 32-bit BARs and enables memory and bus master. */
struct qtest_pci qtest_pci_setup(struct qtest *q, uint16_t vendor, uint16_t device);
uint32_t qtest_pci_read(struct qtest *q, unsigned int devfn, unsigned int offset);
void qtest_pci_write(struct qtest *q, unsigned int devfn, unsigned int offset, uint32_t value);

#endif
