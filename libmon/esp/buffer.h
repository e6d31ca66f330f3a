/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of esp_alloc(), for the code that runs accelerators on them. */
#ifndef LIBMON_ESP_BUFFER_H
#define LIBMON_ESP_BUFFER_H

#include "libmon/esp/include/libesp.h"

/* Fills contig, ddr_node and alloc_policy; -1 with EINVAL if buf is not from esp_alloc(). */
int mon_esp_describe(const void *buf, struct esp_access *access);

/* Folder of the device files; unit tests point it elsewhere. */
extern const char *mon_esp_dev_root;

#endif
