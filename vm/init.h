/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VM_INIT_H
#define VM_INIT_H

#include <stddef.h>

#include "vm/proto.h"

/* The port to the host, and the kernel's log; -1 before open_port(). */
extern int port, kmsg;

void open_port(void);
/* One frame to the host; blocks until the host's side of the port is there. */
void send_frame(enum vm_frame_type type, const void *data, size_t len);
__attribute__((noreturn)) void power_off(void);

/* Tells the host what failed, or the console where the port is not there yet, and ends the guest. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *fmt, ...);

/* Makes the folder, and mounts a file system of that type there. */
void mount_at(const char *type, const char *dir, unsigned long flags, const char *data);

/*
 * The host's files become the root, with the n layers "TAG[:TAG...]=PATH" over them, and the folder
 * output, unless NULL, takes what the guest writes. The text of a layer is changed.
 */
void mount_root(char *const *layers, int n, char *output);

#endif
