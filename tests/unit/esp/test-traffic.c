/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random traffic on meshes from 2x2 to 16x16 (traffic.h says what is compared). ESP_TRAFFIC_OPS
 * sets the operations a design, for long runs: ESP_TRAFFIC_OPS=10000000 CK_RUN_CASE=concurrent.
 */
#include "tests/unit/esp/traffic.h"

static const char *const designs[] = {
	"dummy-2x2", "dummy-3x2", "dummy-4x4", "dummy-16x16", "fft-3x2", "leon3-2x2",
};
#define DESIGNS_N ((int)(sizeof(designs) / sizeof(*designs)))

static uint64_t operations(uint64_t normal)
{
	const char *text = getenv("ESP_TRAFFIC_OPS");

	return text ? strtoull(text, NULL, 10) : normal;
}

START_TEST(concurrent_traffic_keeps_data_and_directory)
{
	static struct traffic t;
	static struct esp_design design;
	uint64_t phase, total = operations(60000);

	bench_load(&design, designs[_i]);
	traffic_open(&t, &design, NULL);
	for (phase = 1; phase <= 4; phase++) {
		traffic_run(&t, total * phase / 4);
		traffic_check(&t);
	}
	traffic_close(&t);
}
END_TEST

START_TEST(one_access_at_a_time_reads_the_last_write)
{
	static struct traffic t;
	static struct esp_design design;

	bench_load(&design, designs[_i]);
	traffic_open(&t, &design, NULL);
	t.strict = true;
	traffic_run(&t, operations(20000));
	traffic_check(&t);
	traffic_close(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("esp traffic");
	TCase *concurrent = tcase_create("concurrent"), *single = tcase_create("single");

	tcase_set_timeout(concurrent, getenv("ESP_TRAFFIC_OPS") ? 0 : 120);
	tcase_set_timeout(single, getenv("ESP_TRAFFIC_OPS") ? 0 : 120);
	tcase_add_loop_test(concurrent, concurrent_traffic_keeps_data_and_directory, 0, DESIGNS_N);
	tcase_add_loop_test(single, one_access_at_a_time_reads_the_last_write, 0, DESIGNS_N);
	suite_add_tcase(s, concurrent);
	suite_add_tcase(s, single);
	return bench_main(s);
}
