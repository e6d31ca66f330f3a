/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VM_PROTO_H
#define VM_PROTO_H

#include <stdint.h>

/*
 * What mon-vm and the guest's init say to each other over one virtio-serial port. Frames keep
 * standard output and standard error apart, let any byte pass, and let the guest know that its
 * last byte has arrived before it powers off. Both sides are little-endian.
 */
#define VM_PORT_NAME "mon-vm"
#define VM_FRAME_MAX 32760 /* header and payload fit the 32 KiB of one port write in the kernel */

enum vm_frame_type {
	VM_STDIN = 1, /* host: bytes for COMMAND; length 0 is end of file */
	VM_STDOUT, /* guest: bytes from COMMAND */
	VM_STDERR,
	VM_LOG, /* guest: one record of /dev/kmsg, as the kernel formats it */
	VM_EXIT, /* guest: struct vm_exit, the last frame of all */
	VM_ERROR, /* guest: a sentence; init gives up after it */
	VM_RESIZE, /* host: struct winsize of its terminal */
	VM_CLOSE, /* host: uint32_t, VM_STDOUT or VM_STDERR: nobody reads that any more */
	VM_ALIVE, /* guest: nothing, every VM_ALIVE_MS while COMMAND runs */
};

#define VM_ALIVE_MS 1000

struct vm_frame {
	uint32_t type;
	uint32_t len; /* bytes of payload that follow */
};

struct vm_exit {
	int32_t status; /* as a shell reports it: exit status, or 128 + signal number */
};

/*
 * init's orders: /config in the initramfs, a sequence of NUL-terminated "KEY=VALUE". Keys:
 * boot (a module file of the initramfs), module (path and parameters of a module in the host's
 * tree, separated by a space), env, cwd, arg (repeated, COMMAND's vector), pty (a terminal for
 * COMMAND instead of pipes), layer (TAG[:TAG...]=PATH: the 9p shares of these names, the first on top,
 * make the folder PATH), output (a writable folder of the host, VM_OUTPUT_TAG), network (an interface,
 * VM_ADDRESS).
 */
#define VM_CONFIG "/config"

#define VM_SHARE_NAME "share%zu"
#define VM_OUTPUT_TAG "output"
#define VM_ADDRESS "10.0.2.15" /* what QEMU's user network gives to its first guest */

#endif
