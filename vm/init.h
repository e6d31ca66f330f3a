/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the guest's init share. */
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

/* Reports an error to the host, or on the console before the port is open, and powers off. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *fmt, ...);

/* Creates a folder and mounts a file system of that type on it. */
void mount_at(const char *type, const char *dir, unsigned long flags, const char *data);

/*
 * Makes the host's files the root, with n layers "TAG[:TAG...]=PATH" over them. Mounts the host's
 * writable folder at output unless that is NULL. Changes the text of layers.
 */
void mount_root(char *const *layers, int n, char *output);

#endif
