// SPDX-License-Identifier: GPL-2.0-only
/* libmon/esp/buffer.c, run.c and the layout of the device files' structures */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/libmon/fake.h"
#include "libmon/esp/include/fft_stratus.h"
#include "libmon/esp/include/libesp.h"

static void setup(void)
{
	fake_init();
	fake_handles = 0;
	fake_file("dev/contig_alloc", "%s", "");
	fake_file("dev/fft_stratus.0", "%s", "");
	fake_file("dev/fft_stratus.1", "%s", "");
}

SUITE("run", .setup = setup, .teardown = fake_exit);

/* Offsets, sizes and numbers of ESP's own headers on a 64-bit machine. */
TEST(structures_are_those_of_esps_drivers)
{
	ck_assert_uint_eq(sizeof(struct esp_access), 1192);
	ck_assert_uint_eq(offsetof(struct esp_access, run), 8);
	ck_assert_uint_eq(offsetof(struct esp_access, p2p_srcs), 11);
	ck_assert_uint_eq(offsetof(struct esp_access, p2p_mcast_dests), 267);
	ck_assert_uint_eq(offsetof(struct esp_access, acc_yx_table), 269);
	ck_assert_uint_eq(offsetof(struct esp_access, coherence), 1168);
	ck_assert_uint_eq(offsetof(struct esp_access, footprint), 1172);
	ck_assert_uint_eq(offsetof(struct esp_access, ddr_node), 1180);
	ck_assert_uint_eq(offsetof(struct esp_access, reuse_factor), 1188);
	ck_assert_uint_eq(sizeof(struct fft_stratus_access), 1216);
	ck_assert_uint_eq(offsetof(struct fft_stratus_access, batch_size), 1192);
	ck_assert_uint_eq(offsetof(struct fft_stratus_access, dst_offset), 1208);
	ck_assert_uint_eq(sizeof(struct contig_alloc_req), 64);
	ck_assert_uint_eq(offsetof(struct contig_alloc_req, size), 24);
	ck_assert_uint_eq(offsetof(struct contig_alloc_req, n_max), 56);
	ck_assert_uint_eq(CONTIG_IOC_ALLOC, 0xC0403100);
	ck_assert_uint_eq(CONTIG_IOC_FREE, 0x80083101);
	ck_assert_uint_eq(CONTIG_IOC_CHUNK_LOG, 0x40083102);
	ck_assert_uint_eq(ESP_IOC_RUN, 0x4500);
	ck_assert_uint_eq(ESP_IOC_FLUSH, 0x4501);
	ck_assert_uint_eq(FFT_STRATUS_IOC_ACCESS, 0x44C05300);
}

TEST(buffers_are_whole_zeroed_chunks)
{
	char *buf = esp_alloc(3 * 1024 * 1024 / 2), *second;

	ck_assert_msg(buf != NULL, "%s", mon_error());
	ck_assert_int_eq(buf[2 * 1024 * 1024 - 1], 0);
	buf[2 * 1024 * 1024 - 1] = 1;
	second = esp_alloc(1);
	ck_assert_ptr_nonnull(second);
	ck_assert_uint_eq(fake_handles, 2);
	/* the last buffer of the list, and one before others */
	ck_assert_int_eq(esp_free(buf), 0);
	ck_assert_int_eq(esp_free(second), 0);
	ck_assert_uint_eq(fake_handles, 0);
	ck_assert_int_eq(esp_free(second), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(esp_free(NULL), 0);
}

TEST(allocation_errors_are_told)
{
	ck_assert_ptr_null(esp_alloc(0));
	ck_assert_int_eq(errno, EINVAL);
}

TEST(a_missing_driver_is_told)
{
	fake_remove("dev/contig_alloc");
	ck_assert_ptr_null(esp_alloc(1));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "load the module esp_accel"));
}

static void describe(esp_thread_info_t *cfg, struct fft_stratus_access *access, void *buf,
		     const char *name)
{
	memset(access, 0, sizeof(*access));
	*cfg = (esp_thread_info_t){
		.run = true,
		.devname = (char *)name,
		.hw_buf = buf,
		.ioctl_req = FFT_STRATUS_IOC_ACCESS,
		.esp_desc = &access->esp,
	};
}

TEST(a_run_gets_the_buffers_handle_and_node)
{
	struct contig_alloc_params params = {
		.policy = CONTIG_ALLOC_BALANCED, .pol.balanced.cluster_size = 1,
	};
	struct fft_stratus_access access;
	esp_thread_info_t cfg;
	void *buf = esp_alloc_policy(params, 1);

	ck_assert_ptr_nonnull(buf);
	describe(&cfg, &access, buf, "fft_stratus.0");
	ck_assert_msg(!esp_run(&cfg, 1), "%s", mon_error());
	ck_assert_uint_eq(fake_runs, 1);
	/* the first handle of the fake is 1001, its balanced buffers are on node 3 */
	ck_assert_uint_eq(fake_last_handle, 1001);
	ck_assert_uint_eq(access.esp.ddr_node, 3);
	ck_assert_int_eq(access.esp.alloc_policy, CONTIG_ALLOC_BALANCED);
	ck_assert_uint_gt(cfg.hw_ns, 0);
	cfg.run = false;
	ck_assert_int_eq(esp_run(&cfg, 1), 0);
	ck_assert_uint_eq(fake_runs, 1);
	ck_assert_uint_eq(cfg.hw_ns, 0);
	esp_free(buf);
}

TEST(errors_of_any_accelerator_are_told)
{
	struct fft_stratus_access access[2];
	esp_thread_info_t cfg[2];
	void *buf = esp_alloc(1);
	char stranger;

	describe(&cfg[0], &access[0], buf, "fft_stratus.0");
	describe(&cfg[1], &access[1], buf, "fft_stratus.9");
	ck_assert_int_eq(esp_run(cfg, 2), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "fft_stratus.9 not found"));
	cfg[1].devname = (char *)"fft_stratus.1";
	cfg[1].hw_buf = &stranger;
	ck_assert_int_eq(esp_run(cfg, 2), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(mon_error(), "not a buffer of esp_alloc"));
	cfg[1].hw_buf = buf;
	cfg[1].devname = NULL;
	ck_assert_int_eq(esp_run(cfg, 2), -1);
	ck_assert_int_eq(errno, EINVAL);
	cfg[1].devname = (char *)"fft_stratus.1";
	fake_run_error = ETIMEDOUT;
	ck_assert_int_eq(esp_run(cfg, 2), -1);
	ck_assert_int_eq(errno, ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "ran for too long"));
	ck_assert_int_eq(esp_run(cfg, 0), 0);
	esp_free(buf);
}

TEST(parallel_chains_run_everything_once)
{
	struct fft_stratus_access access[6];
	esp_thread_info_t chain[2][3];
	esp_thread_info_t *cfg[2] = { chain[0], chain[1] };
	unsigned int nacc[2] = { 3, 2 }, i;
	void *buf = esp_alloc(1);

	for (i = 0; i < 6; i++)
		describe(&chain[i / 3][i % 3], &access[i], buf, i % 2 ? "fft_stratus.1" :
			 "fft_stratus.0");
	ck_assert_int_eq(esp_run_parallel(cfg, 2, nacc), 0);
	ck_assert_uint_eq(fake_runs, 5);
	/* p2p: the members of a chain run at the same time */
	access[0].esp.p2p_store = 1;
	access[1].esp.p2p_nsrcs = 1;
	nacc[1] = 0;
	ck_assert_int_eq(esp_run_parallel(cfg, 2, nacc), 0);
	ck_assert_uint_eq(fake_runs, 8);
	esp_free(buf);
}
