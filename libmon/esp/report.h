/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports errors to programs that ignore return values. */
#ifndef LIBMON_ESP_REPORT_H
#define LIBMON_ESP_REPORT_H

/*
 * Prints mon_error() on standard error, each sentence once per program run, unless the environment
 * has LIBMON_QUIET=1. Keeps errno. Every function of the library calls it when it fails.
 */
void mon_esp_report(void);

#endif
