/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer target: the reader of .esp_config files. A design that it accepts must be valid for the
 * model, and a refusal must have a reason that names the file.
 */
#include <stdlib.h>
#include <string.h>

#include "models/esp/esp_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct esp_design design;
	char err[256] = "";

	if (esp_design_parse((const char *)data, size, "input", &design, err, sizeof(err)) < 0) {
		if (strncmp(err, "input", 5) != 0)
			abort();
		return 0;
	}
	if (!design.rows || !design.cols || design.rows * design.cols > ESP_MAX_TILES)
		abort();
	if (design.ncpu > ESP_MAX_CPUS || design.nmem > ESP_MAX_MEMS || design.nacc > ESP_MAX_ACCS)
		abort();
	for (unsigned int t = 0; t < design.rows * design.cols; t++)
		if (design.tiles[t].kind > ESP_TILE_ACC ||
		    !memchr(design.tiles[t].name, 0, sizeof(design.tiles[t].name)))
			abort();
	return 0;
}
