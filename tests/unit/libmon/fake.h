/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fake kernel for the library's unit tests: a folder that looks like sysfs, procfs and /dev, and
 * replacements (ld's --wrap) of the system calls that reach perf and the device files.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the folder and directs the library to it; fake_exit() removes it. */
void fake_init(void);
void fake_exit(void);
/* Writes a file below the folder, parents included. */
__attribute__((format(printf, 2, 3))) void fake_file(const char *path, const char *format, ...);
void fake_remove(const char *path);

/* An empty PMU on CPU 0; adds a file to its format/; to its events/. */
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

/* The count of an event: the value of its counter now, less the value at its reset. */
extern uint64_t (*fake_counter)(uint64_t config);
/* errno of the next perf_event_open calls, 0: they work. */
extern int fake_open_error;
/* The open with this number fails with fake_open_error; 0: the first one. */
extern unsigned int fake_open_good;
/* A read of an event fails with this errno; -1: it returns 0 bytes. */
extern int fake_read_error;
/* The PMU of the events is gone, as since Linux 6.16: poll() tells, read() gives the last counts. */
extern bool fake_gone;

/* Calls of the library. */
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
