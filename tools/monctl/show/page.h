/* SPDX-License-Identifier: GPL-2.0-only */
/* The HTML page: page/ of this folder and dygraphs, put together when monctl is built, with data. */
#ifndef MONCTL_PAGE_H
#define MONCTL_PAGE_H

#include "tools/monctl/answer/page-data.h"

void page_write(const struct page *page, FILE *out);

#endif
