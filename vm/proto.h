/* SPDX-License-Identifier: GPL-2.0-only */
/* The protocol between mon-vm and the guest's init. */
#ifndef VM_PROTO_H
#define VM_PROTO_H

#include <stdint.h>

/*
 * The protocol runs on one virtio-serial port.
 *
 * Frames keep standard output and standard error apart and carry any byte. They also tell the guest
 * that its last byte has arrived, so that it can power off. Both sides are little-endian.
 */
#define VM_PORT_NAME "mon-vm"
#define VM_FRAME_MAX 32760	/* a header and this payload fit the 32 KiB of one write to the port */

enum vm_frame_type {
	VM_STDIN = 1,	/* host: bytes for COMMAND; length 0 is end of file */
	VM_STDOUT,	/* guest: bytes from COMMAND */
	VM_STDERR,
	VM_LOG,	/* guest: one record of /dev/kmsg, as the kernel formats it */
	VM_EXIT,/* guest: struct vm_exit, the last frame */
	VM_ERROR,	/* guest: an error message; init powers off after it */
	VM_RESIZE,	/* host: struct winsize of its terminal */
	VM_CLOSE,	/* host: uint32_t, VM_STDOUT or VM_STDERR: the reader of that stream has gone */
	VM_ALIVE,	/* guest: no payload, every VM_ALIVE_MS while COMMAND runs */
};

#define VM_ALIVE_MS 1000

struct vm_frame {
	uint32_t type;
	uint32_t len;	/* bytes of payload */
};

struct vm_exit {
	int32_t status;	/* as in a shell: exit status, or 128 + signal number */
	int32_t signal;	/* that ended COMMAND, or 0 */
};

/*
 * init's configuration: /config in the initramfs, a sequence of NUL-terminated "KEY=VALUE".
 *
 * boot: a module file of the initramfs
 * module: path and parameters of a module in the host's tree, separated by a space
 * env, cwd, arg: of COMMAND; arg is repeated
 * pty: COMMAND gets a terminal instead of pipes
 * layer: TAG[:TAG...]=PATH; the 9p shares of these tags, the first on top, make the folder PATH
 * output: a writable folder of the host, VM_OUTPUT_TAG
 * network: an interface, VM_ADDRESS
 */
#define VM_CONFIG "/config"

#define VM_SHARE_NAME "share%zu"
#define VM_OUTPUT_TAG "output"
#define VM_ADDRESS "10.0.2.15"	/* the address that QEMU's user network gives to its first guest */

#endif
