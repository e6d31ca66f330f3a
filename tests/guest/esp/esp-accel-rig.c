// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/esp/esp-accel.h"

int contig = -1, acc = -1;
int32_t input[2 << ESP_FFT_LOG_LEN_MOST];

void setup(void)
{
	contig = open("/dev/contig_alloc", O_RDWR);
	acc = open("/dev/fft_stratus.0", O_RDWR);
	ck_assert_int_ge(contig, 0);
	ck_assert_int_ge(acc, 0);
	fft_input(input, 1 << ESP_FFT_LOG_LEN_MOST);
}

void teardown(void)
{
	close(acc);
	close(contig);
}

int try_alloc(struct buffer *b, size_t size, enum contig_alloc_policy policy, int node)
{
	memset(b, 0, sizeof(*b));
	b->req.size = size;
	b->req.arr = b->arr;
	b->req.n_max = 64;
	b->req.params.policy = policy;
	b->req.params.pol.first.ddr_node = node;
	return ioctl(contig, CONTIG_IOC_ALLOC, &b->req) ? -errno : 0;
}

void *map(const struct buffer *b, size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, contig, b->arr[0]);
}

void alloc(struct buffer *b, size_t size)
{
	ck_assert_int_eq(try_alloc(b, size, CONTIG_ALLOC_PREFERRED, 0), 0);
	b->map = map(b, (size_t)b->req.n * CHUNK, MAP_SHARED);
	ck_assert_ptr_ne(b->map, MAP_FAILED);
}

int release(const struct buffer *b)
{
	return ioctl(contig, CONTIG_IOC_FREE, &b->req.khandle) ? -errno : 0;
}

struct fft_stratus_access fft_of(const struct buffer *b, unsigned int log_len)
{
	struct fft_stratus_access access = {
		.esp = { .contig = b->req.khandle, .run = 1 },
		.batch_size = 1, .log_len = log_len, .do_bitrev = 1,
	};

	return access;
}

int run(int fd, struct fft_stratus_access *access)
{
	return ioctl(fd, FFT_STRATUS_IOC_ACCESS, access) ? -errno : 0;
}

void expect_fft(const struct buffer *b, unsigned int dst, unsigned int log_len)
{
	ck_assert_uint_le(fft_errors(input, b->map + dst / 4, log_len, true),
			  (2u << log_len) / 100);
}

void set_timeout(const char *ms)
{
	int fd = open("/sys/module/esp_accel/parameters/run_timeout_ms", O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, ms, strlen(ms)), (int)strlen(ms));
	close(fd);
}
