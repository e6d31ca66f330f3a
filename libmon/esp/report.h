/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors that programs ignore. */
#ifndef LIBMON_ESP_REPORT_H
#define LIBMON_ESP_REPORT_H

/*
 * Prints mon_error() on standard error, each sentence once in the life of the program, unless the
 * environment has LIBMON_QUIET=1. errno stays. The library's functions call it where they fail.
 */
void mon_esp_report(void);

#endif
