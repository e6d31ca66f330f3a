/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device hexagon-pmu, driven without a guest and with this test as its host: identity, mailbox,
 * counting from a feed, and hosts that misbehave. What the counters count is tested on the model
 * (tests/unit/hexagon).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "events/hexagon/regs.h"
#include "hexagon/feed.h"
#include "hexagon/host.h"
#include "tests/main.h"
#include "tests/qtest/qtest.h"

#define PKT_ANY 0x003
#define DCACHE_DEMAND_MISS 0x013
#define ALL_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static struct qtest *q;
static struct qtest_pci pci;
static int listener, host;
static char path[64];
static struct hexagon_feed *feed;

static uint32_t get(unsigned int offset)
{
	return qtest_readl(q, pci.bar[0] + offset);
}

static void set(unsigned int offset, uint32_t value)
{
	qtest_writel(q, pci.bar[0] + offset, value);
}

static void start(const char *properties)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char chardev[128], device[128];

	snprintf(path, sizeof(path), "/tmp/hexagon-dev-test-%d", (int)getpid());
	unlink(path);
	strcpy(address.sun_path, path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	snprintf(chardev, sizeof(chardev), "socket,id=host,path=%s", path);
	snprintf(device, sizeof(device), "hexagon-pmu,chardev=host%s", properties);
	q = qtest_start(device, "-chardev", chardev, NULL);
	host = accept(listener, NULL, NULL);
	ck_assert_int_ge(host, 0);
	pci = qtest_pci_setup(q, HEXAGON_PCI_VENDOR, HEXAGON_PCI_DEVICE);
}

static void setup(void)
{
	feed = NULL;
	start("");
}

static void teardown(void)
{
	if (host >= 0)
		close(host);
	close(listener);
	unlink(path);
	qtest_stop(q);
	if (feed)
		munmap(feed, sizeof(*feed));
}

/* ---- the host's side */

static void say(uint32_t type, const void *data, uint32_t size, int fd)
{
	struct hexagon_message header = { type, size };
	struct iovec iov[2] = { { &header, sizeof(header) }, { (void *)data, size } };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct msghdr message = { .msg_iov = iov, .msg_iovlen = size ? 2 : 1 };

	if (fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	}
	ck_assert_int_eq(sendmsg(host, &message, MSG_NOSIGNAL), sizeof(header) + size);
}

static void end(uint32_t status)
{
	say(HEXAGON_END, &status, sizeof(status), -1);
}

static void hear(uint32_t type, void *data, size_t size)
{
	struct hexagon_message header;

	ck_assert_int_eq(recv(host, &header, sizeof(header), MSG_WAITALL), sizeof(header));
	ck_assert_uint_eq(header.type, type);
	ck_assert_uint_eq(header.size, size);
	if (size)
		ck_assert_int_eq(recv(host, data, size, MSG_WAITALL), size);
}

static int make_feed(size_t size, int seals)
{
	int fd = memfd_create("feed", MFD_ALLOW_SEALING);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, size), 0);
	if (size >= sizeof(*feed)) {
		feed = mmap(NULL, sizeof(*feed), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		ck_assert_ptr_ne(feed, MAP_FAILED);
		hexagon_feed_init(feed, 6);
	}
	if (seals)
		ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* The device's main loop takes what the host sends in its own time. */
static void await(uint32_t mask, uint32_t state)
{
	for (int i = 0; i < 5000; i++) {
		if ((get(HEXAGON_STATE) & mask) == state)
			return;
		poll(NULL, 0, 1);
	}
	ck_abort_msg("state is 0x%x, not 0x%x", get(HEXAGON_STATE), state);
}

static void await_count(unsigned int counter, uint32_t value)
{
	for (int i = 0; i < 5000; i++) {
		if (get(HEXAGON_PMUCNT(counter)) == value)
			return;
		poll(NULL, 0, 1);
	}
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(counter)), value);
}

/* "prog\0arg\0" and its answer: the feed. */
static uint32_t setup_features;

static void run(int fd)
{
	struct hexagon_setup setup;
	char request[sizeof(setup) + 9];
	static const uint32_t words[3] = { 0x676f7270, 0x67726100, 0 };	/* "prog", "\0arg", "\0" */

	for (int i = 0; i < 3; i++)
		set(HEXAGON_REQUEST + 4 * i, words[i]);
	set(HEXAGON_REQUEST_SIZE, 9);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_RUN);
	hear(HEXAGON_RUN, request, sizeof(request));
	memcpy(&setup, request, sizeof(setup));
	ck_assert_uint_eq(setup.threads, 6);
	ck_assert_ptr_null(hexagon_memory_check(&setup.memory));
	setup_features = setup.features;
	ck_assert_mem_eq(request + sizeof(setup), "prog\0arg\0", 9);
	ck_assert_uint_eq(get(HEXAGON_STATE), HEXAGON_STATE_HOST | HEXAGON_STATE_BUSY);
	if (fd >= 0) {
		say(HEXAGON_FEED, NULL, 0, fd);
		close(fd);
	}
}

static void count_packets(void)
{
	set(HEXAGON_PMUEVTCFG, PKT_ANY);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
}

static void select_misses(void)
{
	set(HEXAGON_PMUEVTCFG, DCACHE_DEMAND_MISS);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
}

static void expect_end(uint32_t status)
{
	await(HEXAGON_STATE_BUSY | HEXAGON_STATE_ENDED, HEXAGON_STATE_ENDED);
	ck_assert_uint_eq(get(HEXAGON_STATUS), status);
}

SUITE("hexagon-pmu", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(it_says_what_it_is)
{
	ck_assert_uint_eq(get(HEXAGON_ID), HEXAGON_ID_VALUE);
	ck_assert_uint_eq(get(HEXAGON_LAYOUT), HEXAGON_LAYOUT_VALUE);
	ck_assert_uint_eq(get(HEXAGON_CORE), 69);
	ck_assert_uint_eq(get(HEXAGON_THREADS), 6);
	ck_assert_uint_eq(get(HEXAGON_CLUSTERS), 2);
	ck_assert_uint_eq(get(HEXAGON_CYCLES), 3);
	ck_assert_uint_eq(get(HEXAGON_CLOCK_HZ), 1400000000);
	ck_assert_uint_eq(get(HEXAGON_STATE), HEXAGON_STATE_HOST);
	/* COMMITTED_PKT_ANY 0x003 is counted; NONE, the chain and COMMITTED_PKT_BSB 0x004 are not */
	ck_assert_uint_eq(get(HEXAGON_EVENTS(0)) & (1 << 0 | 1 << 1 | 1 << 3 | 1 << 4), 1 << 3);
	/* HVX_PKT 0x111 = 8 * 32 + 17 */
	ck_assert_uint_eq(get(HEXAGON_EVENTS(8)) >> 17 & 1, 1);
}

TEST(a_run_counts_live_and_at_its_end)
{
	count_packets();
	run(make_feed(sizeof(*feed), ALL_SEALS));
	feed->totals[0].count[0][HEXAGON_PACKETS] = 10;
	await_count(0, 10);
	feed->totals[0].count[2][HEXAGON_PACKETS] = 5;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 15);
	feed->totals[0].count[0][HEXAGON_PACKETS] = 36;
	end(7 << 8);
	expect_end(7 << 8);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 41);
	/* later changes of the memory do not matter */
	feed->totals[0].count[0][HEXAGON_PACKETS] = 1000;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 41);

	/* the next program goes on from there */
	munmap(feed, sizeof(*feed));
	run(make_feed(sizeof(*feed), ALL_SEALS));
	feed->totals[0].count[1][HEXAGON_PACKETS] = 9;
	await_count(0, 50);
	end(0);
	expect_end(0);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 50);
}

/* A program has the caches if an event needs them when it begins; a later event gets a message. */
TEST(programs_are_instrumented_for_what_is_open)
{
	uint32_t status = 0;

	count_packets();
	run(-1);
	ck_assert_uint_eq(setup_features, 0);
	select_misses();
	say(HEXAGON_END, &status, sizeof(status), -1);
	expect_end(HEXAGON_STATUS_LATE);
	/* the next one has them, though the event is gone again */
	count_packets();
	run(-1);
	ck_assert_uint_eq(setup_features, HEXAGON_FEATURE_MEMORY);
	say(HEXAGON_END, &status, sizeof(status), -1);
	expect_end(0);
	select_misses();
	run(-1);
	ck_assert_uint_eq(setup_features, HEXAGON_FEATURE_MEMORY);
	say(HEXAGON_END, &status, sizeof(status), -1);
	expect_end(0);
}

TEST(output_comes_in_pieces_and_holds_the_host_back)
{
	char big[HEXAGON_MESSAGE_MAX];

	memset(big, 'b', sizeof(big));
	run(make_feed(sizeof(*feed), ALL_SEALS));
	say(HEXAGON_STDOUT, "hello", 5, -1);
	say(HEXAGON_STDERR, big, sizeof(big), -1);
	end(0);
	await(HEXAGON_STATE_OUTPUT, HEXAGON_STATE_OUTPUT);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT_SIZE), 5);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT_STREAM), 1);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT), 0x6c6c6568);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT + 4) & 0xff, 'o');
	/* the end does not overtake output */
	ck_assert_uint_eq(get(HEXAGON_STATE) & HEXAGON_STATE_ENDED, 0);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_TAKEN);
	await(HEXAGON_STATE_OUTPUT, HEXAGON_STATE_OUTPUT);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT_SIZE), sizeof(big));
	ck_assert_uint_eq(get(HEXAGON_OUTPUT_STREAM), 2);
	ck_assert_uint_eq(get(HEXAGON_OUTPUT + HEXAGON_OUTPUT_MAX - 4), 0x62626262);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_TAKEN);
	expect_end(0);
}

TEST(cancel_reaches_the_host)
{
	run(make_feed(sizeof(*feed), ALL_SEALS));
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_CANCEL);
	hear(HEXAGON_CANCEL, NULL, 0);
	end(9);
	expect_end(9);
}

TEST(a_host_that_dies_ends_the_run_and_keeps_the_counts)
{
	count_packets();
	run(make_feed(sizeof(*feed), ALL_SEALS));
	feed->totals[0].count[0][HEXAGON_PACKETS] = 123;
	await_count(0, 123);
	close(host);
	host = -1;
	expect_end(HEXAGON_STATUS_FAILED);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 123);
	ck_assert_uint_eq(get(HEXAGON_STATE) & HEXAGON_STATE_HOST, 0);
	/* the next attempt fails at once */
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_RUN);
	expect_end(HEXAGON_STATUS_FAILED);
}

/* 0: too short; 1: may still shrink; 2: no descriptor; 3: another version; 4: another core */
LOOP_TEST(a_bad_feed_is_refused, 0, 5)
{
	int fd;

	switch (_i) {
	case 0:
		fd = make_feed(sizeof(*feed) - 1, ALL_SEALS);
		break;
	case 1:
		fd = make_feed(sizeof(*feed), 0);
		break;
	case 2:
		fd = -1;
		break;
	default:
		fd = make_feed(sizeof(*feed), ALL_SEALS);
		if (_i == 3)
			feed->version++;
		else
			feed->threads = 4;
	}
	count_packets();
	run(fd);
	if (fd < 0)
		say(HEXAGON_FEED, NULL, 0, -1);
	if (feed)
		feed->totals[0].count[0][HEXAGON_PACKETS] = 99;
	end(0);
	expect_end(HEXAGON_STATUS_FAILED);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 0);
}

TEST(a_feed_full_of_nonsense_does_no_harm)
{
	count_packets();
	run(make_feed(sizeof(*feed), ALL_SEALS));
	memset(feed->totals, 0xff, sizeof(feed->totals));
	memset(feed->row, 0xff, sizeof(feed->row));
	feed->sequence = 0xffffffff;
	get(HEXAGON_PMUCNT(0));
	end(0);
	expect_end(0);
	ck_assert_uint_eq(get(HEXAGON_ID), HEXAGON_ID_VALUE);
}

TEST(a_message_too_long_ends_the_connection)
{
	struct hexagon_message header = { HEXAGON_STDOUT, HEXAGON_MESSAGE_MAX + 1 };

	run(make_feed(sizeof(*feed), ALL_SEALS));
	ck_assert_int_eq(send(host, &header, sizeof(header), 0), sizeof(header));
	expect_end(HEXAGON_STATUS_FAILED);
}

TEST(a_bad_request_is_refused)
{
	set(HEXAGON_REQUEST_SIZE, 0);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_RUN);
	expect_end(HEXAGON_STATUS_FAILED);
	/* not ended by a zero byte */
	set(HEXAGON_REQUEST, 0x61616161);
	set(HEXAGON_REQUEST_SIZE, 4);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_RUN);
	expect_end(HEXAGON_STATUS_FAILED);
	set(HEXAGON_REQUEST_SIZE, 0xffffffff);
	ck_assert_uint_eq(get(HEXAGON_REQUEST_SIZE), HEXAGON_REQUEST_MAX);
	set(HEXAGON_COMMAND, HEXAGON_COMMAND_RUN);
	expect_end(HEXAGON_STATUS_FAILED);
	/* and nothing of it reached the host */
	ck_assert_int_eq(recv(host, &(char){ 0 }, 1, MSG_DONTWAIT), -1);
	ck_assert_int_eq(errno, EAGAIN);
}

TEST(reset_clears_the_registers_and_cancels)
{
	count_packets();
	run(make_feed(sizeof(*feed), ALL_SEALS));
	free(qtest_qmp(q, "{\"execute\": \"system_reset\"}"));
	hear(HEXAGON_CANCEL, NULL, 0);
	pci = qtest_pci_setup(q, HEXAGON_PCI_VENDOR, HEXAGON_PCI_DEVICE);
	ck_assert_uint_eq(get(HEXAGON_SYSCFG), 0);
	ck_assert_uint_eq(get(HEXAGON_PMUEVTCFG), 0);
	end(9);
	expect_end(9);
}

SUITE("hexagon-pmu: start", .timeout = 60);

LOOP_TEST(properties_are_checked, 0, 4)
{
	static const struct {
		const char *device, *says;
	} bad[] = {
		{ "hexagon-pmu,core=70", "core=70 is not known" },
		{ "hexagon-pmu,threads=9", "threads=9" },
		{ "hexagon-pmu,threads=5", "not a multiple of clusters=2" },
		{ "hexagon-pmu,cycles-per-packet=99", "cycles-per-packet=99" },
	};
	char *text = qtest_refused(bad[_i].device);

	ck_assert_msg(strstr(text, bad[_i].says), "'%s' does not say '%s'", text, bad[_i].says);
	free(text);
}

TEST(another_core_has_other_numbers)
{
	start(",core=65");
	ck_assert_uint_eq(get(HEXAGON_CORE), 65);
	ck_assert_uint_eq(get(HEXAGON_THREADS), 4);
	ck_assert_uint_eq(get(HEXAGON_CYCLES), 2);
	/* HVX_PKT is 0x113 there */
	ck_assert_uint_eq(get(HEXAGON_EVENTS(8)) >> 17 & 7, 4);
	teardown();
}

TEST(state_travels)
{
	q = qtest_start("hexagon-pmu", NULL);
	pci = qtest_pci_setup(q, HEXAGON_PCI_VENDOR, HEXAGON_PCI_DEVICE);
	set(HEXAGON_PMUEVTCFG, 0x2a03);
	set(HEXAGON_PMUSTID1, 0x04000000);
	set(HEXAGON_PMUCFG, 0x4001);
	set(HEXAGON_PMUCNT(7), 77);
	set(HEXAGON_PCYCLEHI, 5);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	set(HEXAGON_LATCH, 1);
	q = qtest_migrate(q, "hexagon-pmu");
	ck_assert_uint_eq(get(HEXAGON_PMUEVTCFG), 0x2a03);
	ck_assert_uint_eq(get(HEXAGON_PMUSTID1), 0x04000000);
	ck_assert_uint_eq(get(HEXAGON_PMUCFG), 0x4001);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(7)), 77);
	ck_assert_uint_eq(get(HEXAGON_LATCHED(7)), 77);
	ck_assert_uint_eq(get(HEXAGON_PCYCLEHI), 5);
	ck_assert_uint_eq(get(HEXAGON_SYSCFG), HEXAGON_SYSCFG_PM);
	ck_assert_uint_eq(get(HEXAGON_STATE), 0);
	qtest_stop(q);
}
