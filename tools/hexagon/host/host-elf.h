/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks of a Hexagon program's file. */
#ifndef HEXAGON_HOST_ELF_H
#define HEXAGON_HOST_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* True if the emulator, which has the core V73 or V67 alone, can run it. If not, writes one line about `name` into why. */
bool elf_check(int fd, const char *name, bool has_v73, char *why, size_t size);

/* HEXAGON_OPERATES_CACHES, HEXAGON_READS_CLOCK (hexagon/packet.h) if its code may do so. Call it after elf_check(). */
unsigned int elf_operations(int fd);

#endif
