/* SPDX-License-Identifier: GPL-2.0-only */
/* The program's memory. QEMU maps it at a constant distance, which the address of an instruction tells. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

static uint64_t base;
static bool known;

void guest_learn(const struct qemu_plugin_insn *insn)
{
	uint64_t at = (uintptr_t)qemu_plugin_insn_haddr(insn);

	if (known || !at)
		return;
	base = at - qemu_plugin_insn_vaddr(insn);
	known = true;
}

/* The kernel copies, so that an address that is not mapped is an error and no crash. */
static bool guest_copy(uint32_t address, void *own, size_t size, bool write)
{
	struct iovec here = { own, size }, there = { (void *)(uintptr_t)(base + address), size };
	ssize_t n;

	if (!known)
		return false;
	n = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0) :
	    process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	return n == (ssize_t)size;
}

bool guest_read(uint32_t address, void *to, size_t size)
{
	return guest_copy(address, to, size, false);
}

bool guest_write(uint32_t address, const void *from, size_t size)
{
	return guest_copy(address, (void *)from, size, true);
}

/* A requeue from an address to itself moves no waiter and returns their number. */
unsigned int guest_sleepers(uint32_t address, bool private)
{
	int op = FUTEX_REQUEUE | (private ? FUTEX_PRIVATE_FLAG : 0);
	long n = known ? syscall(SYS_futex, base + address, op, 0, (long)INT_MAX, base + address, 0) : -1;

	return n > 0 ? n : 0;
}
