/* SPDX-License-Identifier: GPL-2.0-only */
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/esp/remote-rig.h"

static const struct variant variants[] = {
	{ "ADDER_C", "tests/unit/esp/adder.acc", 0x44, 0x48, false },
	{ "VADD_SC", "tests/unit/esp/vadd_sc.acc", 0x48, 0x4c, true },
	{ "VADD_V", "tests/unit/esp/vadd_v.acc", 0x48, 0x4c, true },
	{ "NONSENSE", "tests/unit/esp/nonsense.acc", 0x48, 0x4c, false },
	{ "GAPLESS", "tests/unit/esp/gapless.acc", 0x48, 0x4c, false },
	{ "OVERRUN", "tests/unit/esp/overrun.acc", 0x48, 0x4c, false },
	{ "PORTS", "tests/unit/esp/ports.acc", 0x48, 0x4c, true },
	{ "VADD_LATE", "tests/unit/esp/vadd_late.acc", 0x48, 0x4c, true },
	{ "SHAPES", "tests/unit/esp/shapes.acc", 0x48, 0x4c, false },
};

struct bench rig;
struct mon_esp_acc_type *type;
bool caches;
const struct variant *variant;
unsigned int silence;
bool clock_held;
uint64_t clock_ms;
unsigned int polls;

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (!clock_held)
		return syscall(SYS_clock_gettime, id, t);
	*t = (struct timespec) { clock_ms / 1000, clock_ms % 1000 * 1000000 };
	return 0;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const struct timespec t = { timeout / 1000, timeout % 1000 * 1000000l };
	int ready = ppoll(fds, n, timeout < 0 ? NULL : &t, NULL);

	polls++;
	if (!ready)
		clock_ms += timeout;
	return ready;
}

void open_variant_as(unsigned int number, bool confined)
{
	const struct mon_esp_acc_type *types[] = { NULL, NULL };
	static struct esp_design design;
	struct esp_params params = bench_params();
	char err[256] = "", text[1024];

	variant = &variants[number];
	type = esp_remote_type(variant->name, variant->file, confined, silence, err, sizeof(err));
	ck_assert_msg(type != NULL, "%s", err);
	types[0] = type;
	params.accelerators = types;
	snprintf(text, sizeof(text),
		 "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 3\nCONFIG_NOC_COLS = 3\n"
		 "CONFIG_COH_NOC_WIDTH = 64\nCONFIG_DMA_NOC_WIDTH = 64\n"
		 "%sCONFIG_HAS_SG = y\nTILE_0_0 = 0 cpu cpu\n"
		 "TILE_0_1 = 1 acc %s basic_dma64 0 0 sld\nTILE_0_2 = 2 mem mem\n"
		 "TILE_1_0 = 3 acc %s basic_dma64 0 0 sld\n"
		 "TILE_1_1 = 4 acc NOBODY_STRATUS basic_dma64 0 0 sld\nTILE_1_2 = 5 misc IO\n"
		 "TILE_2_0 = 6 acc FFT_STRATUS basic_fx32_dma64 0 0 sld\nTILE_2_1 = 7 empty empty\n"
		 "TILE_2_2 = 8 empty empty\n",
		 caches ? "CONFIG_CACHE_EN = y\n" : "", variant->name, variant->name);
	bench_design(&design, text);
	bench_open(&rig, &design, &params);
}

void open_variant(unsigned int number)
{
	open_variant_as(number, false);
}

void setup(void)
{
	silence = 10000;
	caches = false;
	open_variant(0);
}

void teardown(void)
{
	bench_close(&rig);
	esp_remote_type_free(type);
}

uint32_t buffer(unsigned int acc)
{
	return BUFFER + ((uint32_t)acc << 20);
}

void start_words(unsigned int acc, uint32_t words, uint32_t addend, uint32_t output)
{
	uint32_t table = MEM_BASE + 0x1000 * (1 + acc), i;

	for (i = 0; i < words; i++)
		put64(&rig, buffer(acc) + 8 * i, 3 * i);
	put64(&rig, table, buffer(acc));
	acc_write(&rig, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(&rig, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&rig, acc, ESP_ACC_PT_SHIFT, 20);
	acc_write(&rig, acc, 0x40, words);
	acc_write(&rig, acc, variant->addend, addend);
	acc_write(&rig, acc, variant->output, output);
	acc_write(&rig, acc, ESP_ACC_CMD, 1);
}

void start(unsigned int acc, uint32_t words, uint32_t addend)
{
	start_words(acc, words, addend, 4096);
}

void is_right(unsigned int acc, uint32_t words, uint32_t addend)
{
	uint32_t i;

	for (i = 0; i < words; i++) {
		ck_assert_uint_eq(get32(&rig, buffer(acc) + 8 * (4096 + i)), 3 * i + addend);
		ck_assert_uint_eq(get32(&rig, buffer(acc) + 8 * (4096 + i) + 4),
				  variant->halves ? addend : 0);
	}
	ck_assert_uint_eq(get32(&rig, buffer(acc) + 8 * (4096 + words)), 0);
}

void fails(unsigned int acc, const char *why)
{
	while (!rig.irqs[acc])
		esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
	ck_assert_uint_eq(acc_read(&rig, acc, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_msg(strstr(rig.error, why) != NULL, "%s", rig.error);
	ck_assert_ptr_nonnull(strstr(rig.error, variant->name));
	acc_write(&rig, acc, ESP_ACC_CMD, 0);
	settle(&rig);
	ck_assert_uint_eq(acc_read(&rig, acc, ESP_ACC_STATUS), 0);
}

pid_t pid_of_first(void)
{
	return esp_remote_pid(rig.soc->remote[0]);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

void open_silent(unsigned int number)
{
	teardown();
	silence = SILENCE_MS;
	open_variant(number);
	clock_ms = now_ms();
	clock_held = true;
}

void wait_for_failure(void)
{
	while (!rig.irqs[0]) {
		acc_read(&rig, 0, ESP_ACC_STATUS);
		esp_soc_try_advance(rig.soc, esp_soc_next_event(rig.soc));
		usleep(1000);
		clock_ms++;
	}
}
