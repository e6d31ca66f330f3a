// SPDX-License-Identifier: GPL-2.0-only
/* The HTML page: template and data. */
#include "tools/monctl/show/page.h"

/* What page/assemble made of a file of page/, between name and name_end. */
#define EMBED(name, file) \
	__asm__(".section .rodata\n" #name ":\n.incbin \"" file "\"\n" #name "_end:\n.previous\n"); \
	extern const char name[], name##_end[] __attribute__((visibility("hidden")))

/* page/page.html before and after the data */
EMBED(page_head, PAGE_HEAD);
EMBED(page_tail, PAGE_TAIL);

void page_write(const struct page *page, FILE *out)
{
	fwrite(page_head, 1, page_head_end - page_head, out);
	page_write_data(page, out);
	fwrite(page_tail, 1, page_tail_end - page_tail, out);
}
