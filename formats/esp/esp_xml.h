/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader of an accelerator's description in ESP's XML: <accelerator> and its <param> elements. */
#ifndef ESP_XML_H
#define ESP_XML_H

#include <stddef.h>

#include "events/esp/acc_row.h"

#define ESP_XML_PARAMS	48	/* registers that a socket has */

struct esp_xml {
	char name[48];
	char desc[160];
	unsigned int device, chunks;
	unsigned int nparams;
	struct esp_xml_param {
		char name[48], desc[160];
		int fixed;		/* read-only */
		unsigned int value;
	} param[ESP_XML_PARAMS];
};

/* -1, after a message that names file and line. */
int esp_xml_read(const char *file, struct esp_xml *acc, char *err, size_t err_len);

#endif
