/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A made-up kernel for the library's unit tests: a folder that looks like sysfs, procfs and /dev, and
 * stand-ins (linked with ld's --wrap) for the system calls through which the library meets perf and
 * the device files.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the folder and lets the library look there; fake_exit() removes it. */
void fake_init(void);
void fake_exit(void);
/* Writes a file below the folder, parents included. */
__attribute__((format(printf, 2, 3))) void fake_file(const char *path, const char *format, ...);
void fake_remove(const char *path);

/* A PMU on CPU 0 without anything, a file of its format/ and of its events/. */
void fake_pmu(const char *name, unsigned int type);
void fake_format(const char *pmu, const char *name, const char *bits);
void fake_event(const char *pmu, const char *name, const char *terms);

/* A file of the folder tiles for each line. */
void fake_tiles(const char *pmu, const char *lines);

/* An espmon PMU like the default SoC's (3x2, three FFTs) on CPU 0, type 42. */
void fake_espmon(void);
/* espmon_1, type 43, of 1x4: mem, cpu, dummy_stratus, io. */
void fake_second_espmon(void);
/* One of rows x cols: tile 0 cpu, tile 1 io, the next nmem mem, all others fft_stratus with an L2. */
void fake_espmon_sized(unsigned int rows, unsigned int cols, unsigned int nmem);

/* What an event counts: the value of its counter when it is read, less that of when it was reset. */
extern uint64_t (*fake_counter)(uint64_t config);
/* errno of the next perf_event_open calls, 0: they work. */
extern int fake_open_error;
/* Of these many opens the last fails with fake_open_error; 0: the first one does. */
extern unsigned int fake_open_good;
/* What a read of an event gives instead of values: -1 with that errno, or 0 bytes if it is -1. */
extern int fake_read_error;

/* What the library did. */
extern unsigned int fake_opens, fake_reads, fake_open_events;
extern int fake_last_cpu, fake_last_pid;
extern bool fake_cloexec;
/* attr of the last event: type, config. */
extern uint32_t fake_last_type;
extern uint64_t fake_last_config;
/* Size of the largest group. */
extern unsigned int fake_largest_group;

/* /dev/contig_alloc: chunks of 1 MiB. */
extern unsigned int fake_handles;
extern uint64_t fake_last_handle;
/* /dev/fft_stratus.N: errno of the access ioctl; runs that worked. */
extern int fake_run_error;
extern unsigned int fake_runs;

#endif
