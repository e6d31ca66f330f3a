/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests in the guest: perf events, sysfs and an accelerator that produces known counts. A
 * function that cannot do its work fails the running test.
 */
#ifndef TESTS_GUEST_PMU_H
#define TESTS_GUEST_PMU_H

#include <check.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define SYSFS_PMU "/sys/bus/event_source/devices/"
#define PMU "espmon"
#define ESPMON_DRIVER "/sys/bus/pci/drivers/espmon/"
#define ESPMON_DEVICE "0000:01:00.0"	/* the first */

#define BYTILE(tile) (1ULL << 16 | (uint64_t)(tile) << 8)
/* Monitor indexes and codes, as the catalogue has them. */
#define DDR_ACCESSES 0
#define DMA_REQS 5
#define ACC_TOT_LO 16
#define ACC_INVOCATIONS 18
#define CYCLES 22	/* dvfs_op3 counts every cycle of the tile */
#define INJECTS_P5 27	/* register accesses travel on plane 5, which has index 4 */
#define INJECTS_P6 28	/* requests of accelerators that are not coherent travel on plane 6 */
#define ACC_MEM_CYCLES 0x80
#define ACC_TOT_CYCLES 0x81
/* The default design: fft_stratus.0 to .2 in tiles 0, 3 and 4, memory in 2. */
#define TILES 6
#define TILE_FFT 0
#define TILE_MEM 2

/*
 * The condition of a loop after done rounds: it has total rounds, or those that fit into
 * MON_SECONDS of the environment. Ten times in a long loop it reports progress and the kernel's
 * memory, on the descriptor that in-guest names in TEST_PROGRESS. After a quarter it stores the
 * memory for nothing_leaks().
 */
bool another_round(unsigned int done, unsigned int total);
/* MON_SECONDS, 0 if it is not given. */
unsigned int round_seconds(void);
/* After such a loop: if it was long, the kernel has no more memory than then. */
void nothing_leaks(unsigned int rounds);

/* The content of a file without the newline; NULL if it cannot be read. Memory of the thread. */
const char *file_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Its number; the test fails if there is none. */
unsigned long file_number(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void file_write(const char *path, const char *text);

/* Removes the first device of espmon from its bus, as if it were unplugged; finds it again, and its PMU. */
void espmon_remove(void);
void espmon_find(void);

/* Since Linux 6.16 a PMU goes with its device, and an event that is open then counts no more. */
bool pmu_goes(void);
/* The event is of a PMU that has gone so. */
void check_revoked(int event);

/* The PMU's perf type, and the CPU that its events live on. */
uint32_t pmu_type(const char *pmu);
int pmu_cpu(const char *pmu);
/*
 * The file that takes a CPU offline; the next call changes it. NULL if this kernel keeps the CPU:
 * a line says so.
 */
const char *cpu_switch(int cpu);

struct perf_event_attr attr_of(const char *pmu, uint64_t config);
/* perf_event_open() for all processes; the descriptor or a negative errno. */
int sys_open(struct perf_event_attr *attr, int cpu, int group);
/* An event of espmon on its CPU, counting from now; with group, a further member of that. */
int event_open(uint64_t config);
int event_open_on(const char *pmu, uint64_t config, int group, uint64_t read_format);

struct reading {
	uint64_t count, enabled, running;
};

/* read(2) of an event with both times in its read_format; the errno, 0 is success. */
int event_try_read(int fd, struct reading *r);
uint64_t event_count(int fd);
/* Group read without times: n counts. */
int group_try_read(int fd, uint64_t *counts, unsigned int n);

#define TRACING "/sys/kernel/tracing/"
/* Does the last tracepoint in the trace tell that a run begins? */
bool trace_ends_with_begin(void);

/* Runs this process on one CPU. */
void stay_on(int cpu);
uint64_t now_ns(void);
void sleep_ms(unsigned int ms);
/* Waits until all other threads of this process wait for something. */
void others_wait(void);
/* All devices are suspended for a second and resumed, as the kernel's own test does it. */
void machine_sleep(void);

/*
 * An FFT of 128 points on /dev/fft_stratus.N, not coherent: 1 word of page table, 128 words in and 128
 * out (64-bit words, 2 of 32 bits a point) are 257 accesses to DRAM. Asking for each of the three
 * takes three flits, and the words out follow theirs.
 */
#define FFT_DDR_OF(batches) (1UL + 256 * (batches))
#define FFT_DDR FFT_DDR_OF(1)
#define FFT_FLITS (3 + 3 + 3 + 128)
struct fft;
struct fft *fft_new(unsigned int n);
/* With buffers of another SoC. */
struct fft *fft_new_on(const char *contig, unsigned int n);
/* So many of them in a run, some 60 us each at 78 MHz. */
struct fft *fft_new_long(unsigned int n, unsigned int batches);
/* NULL and errno if that does not work. */
struct fft *fft_try_new(const char *contig, unsigned int n, unsigned int batches);
/* 0 or an errno. */
int fft_run(struct fft *fft);
/*
 * The same with an input that comes from accelerator source, for which it waits, or with an output for
 * another accelerator that does so.
 */
int fft_receive(struct fft *fft, unsigned int source);
int fft_send(struct fft *fft);
/* Physical address of its buffer. */
unsigned long fft_address(const struct fft *fft);
void fft_free(struct fft *fft);

#endif
