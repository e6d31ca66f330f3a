/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test/test.h - the frame of ESP's older programs, source compatible (-ltest): a program fills a struct
 * test_info and calls test_main(). Unlike libmon-esp this ends the program where ESP's does.
 */
#ifndef TEST_TEST_H
#define TEST_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "contig.h"
#include "esp.h"
#include "esp_accelerator.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef container_of
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#endif

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#endif

#ifndef NORETURN
#define NORETURN __attribute__((noreturn))
#endif

struct test_info {
	const char *name;
	const char *devname;		/* with the folder: "/dev/sort_stratus.0" */
	const char *cmd;		/* set by test_main() */
	/* called in this order; those that may be NULL are left out then */
	void (*alloc_buf)(struct test_info *info);
	void (*alloc_contig)(struct test_info *info);	/* sets contig */
	void (*init_bufs)(struct test_info *info);
	void (*to_sc_fixed)(struct test_info *info);	/* or NULL */
	void (*set_access)(struct test_info *info);	/* or NULL */
	void (*comp)(struct test_info *info);		/* the software's version, or NULL */
	void (*to_float)(struct test_info *info);	/* or NULL */
	bool (*diff_ok)(struct test_info *info);
	struct esp_access *esp;		/* argument of the access ioctl */
	contig_handle_t contig;
	int cm;				/* the access ioctl */
	int fd;				/* 0: test_main() opens devname */
};

/*
 * coh: "coh" (fully coherent), "llc-coh-dma", "coh-dma" (recall), or anything else (none). cmd: "test"
 * runs software and accelerator and compares; "hw" runs the accelerator; "config" passes the arguments
 * alone; "run" starts what "config" has described; "flush". Returns 0, or 1 if the results differ or cmd
 * is unknown; what fails otherwise ends the program.
 */
int test_main(struct test_info *info, const char *coh, const char *cmd);
/* "fatal: ..." on standard error, and the end of the program; die_errno() adds errno's text. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void die_errno(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

static inline void *malloc0_check(size_t size)
{
	void *buf = calloc(1, size);

	if (!buf)
		die_errno("cannot allocate %zu bytes", size);
	return buf;
}

#ifdef __cplusplus
}
#endif
#endif
