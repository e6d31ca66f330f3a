/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mrfld_visa in a guest: agents of the emulated device move memory, perf counts it through iosf_mbi.
 * not on riscv64 arm64: mrfld_visa uses iosf_mbi, an x86 driver
 * Every expected count is bytes / request size, or bytes / 32 for the DRAM channels.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "examples/mrfld/mrfld-agents.h"
#include "mon_mrfld.h"
#include "events/mrfld/regs.h"
#include "tests/main.h"

#define MIB (1u << 20)
#define WINDOW (256u << 10)
#define PRELOAD "/sys/module/mrfld_visa/parameters/preload"

static struct mrfld_agents *agents;

static void setup(void)
{
	agents = mrfld_agents_new(WINDOW);
	ck_assert_msg(agents, "%s", mon_error());
}

static void fault(unsigned int which, unsigned int value)
{
	const struct mrfld_fault f = { which, value };

	ck_assert_msg(!mrfld_agents_fault(agents, &f), "%s", mon_error());
}

static void preload(const char *value)
{
	FILE *file = fopen(PRELOAD, "w");

	ck_assert_ptr_nonnull(file);
	fputs(value, file);
	ck_assert_int_eq(fclose(file), 0);
}

/* Also after a failed test. */
static void teardown(void)
{
	for (unsigned int i = 0; i < MRFLD_NFAULTS; i++)
		fault(4 * i, 0);
	mrfld_agents_free(agents);
	preload("0");
}

static void move(unsigned int agent, bool write, unsigned int request, uint64_t bytes, bool snoop)
{
	struct mrfld_agent_move job = {
		.agent = agent,
		.flags = (write ? MRFLD_MOVE_WRITE : 0) | (snoop ? MRFLD_MOVE_SNOOP : 0),
		.request = request,
		.bytes = bytes,
	};

	ck_assert_msg(!mrfld_agents_move(agents, &job), "%s", mon_error());
	ck_assert_uint_eq(job.moved, bytes);
}

static struct mon_mrfld *start(const char *name)
{
	struct mon_mrfld *group = mon_mrfld_new(name);

	ck_assert_msg(group, "%s", mon_error());
	ck_assert_msg(!mon_mrfld_start(group), "%s", mon_error());
	return group;
}

static struct mon_mrfld_counts get(struct mon_mrfld *group)
{
	struct mon_mrfld_counts counts;

	ck_assert_msg(!mon_mrfld_read(group, &counts), "%s", mon_error());
	return counts;
}

/* Ends the group: exactly one counter has the count. */
static void expect_only(struct mon_mrfld *group, unsigned int counter, double count)
{
	struct mon_mrfld_counts counts = get(group);
	unsigned int clock = mon_mrfld_get_event_count(counts.group) - 1;

	for (unsigned int i = 0; i < clock; i++)
		ck_assert_msg(counts.count[i] == (i == counter ? count : 0),
			      "group %d counter %u: %.0f", counts.group, i, counts.count[i]);
	ck_assert_double_gt(counts.count[clock], 0);
	mon_mrfld_free(group);
}

static const char *const agent_groups[] = {
	"UNC_VISA_Graphics_BW", "UNC_VISA_Display_BW", "UNC_VISA_Imaging_BW",
	"UNC_VISA_LowSpeedPF_BW"
};
static const unsigned int requests[] = { 16, 32, 64 };

#define GROUP "/tmp/mrfld-groups"

static void write_group(const char *file, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), GROUP "/%s", file);
	f = fopen(path, "w");
	ck_assert_msg(f, "%s: %s", path, strerror(errno));
	fputs(text, f);
	ck_assert_msg(!fclose(f), "%s: %s", path, strerror(errno));
}

/* Bytes that the kernel accounts to the control group of this process. */
static uint64_t group_memory(void)
{
	FILE *f = fopen(GROUP "/test/memory.current", "r");
	uint64_t bytes;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%" SCNu64, &bytes), 1);
	fclose(f);
	return bytes;
}

SUITE("guest: mrfld_visa", .timeout = 30, .setup = setup, .teardown = teardown);

/* 4 agents, 2 directions, 3 sizes */
LOOP_TEST(each_agent_direction_and_size, 0, 24)
{
	unsigned int agent = _i / 6, write = _i / 3 % 2, size = _i % 3;
	struct mon_mrfld *group = start(agent_groups[agent]);

	move(agent, write, requests[size], MIB, false);
	expect_only(group, 3 * write + size, MIB / requests[size]);
}

TEST(dram_sees_32_byte_accesses_in_both_channels)
{
	struct mon_mrfld *group = start("UNC_SOC_Memory_DDR_BW");
	struct mon_mrfld_counts counts;

	move(MRFLD_AGENT_IMAGING, false, 64, MIB, false);
	move(MRFLD_AGENT_GFX, true, 32, MIB, false);
	counts = get(group);
	ck_assert_double_eq(counts.count[0] + counts.count[2], MIB / 32);
	ck_assert_double_eq(counts.count[1] + counts.count[3], MIB / 32);
	/* interleaving every 64 bytes splits whole pages evenly */
	ck_assert_double_eq(counts.count[0], MIB / 64);
	ck_assert_double_eq(counts.count[1], MIB / 64);
	mon_mrfld_free(group);
}

TEST(all_requests_in_one_window)
{
	struct mon_mrfld *group = start("UNC_VISA_All_Reqs");
	struct mon_mrfld_counts counts;

	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	move(MRFLD_AGENT_DISP, false, 32, MIB, false);
	move(MRFLD_AGENT_IMAGING, true, 16, MIB, false);
	move(MRFLD_AGENT_LOWSPEEDPF, true, 64, 2 * MIB, false);
	counts = get(group);
	ck_assert_double_eq(counts.count[0], 0);
	ck_assert_double_eq(counts.count[1], MIB / 32);
	ck_assert_double_eq(counts.count[2], MIB / 64);
	ck_assert_double_eq(counts.count[3], MIB / 16);
	ck_assert_double_eq(counts.count[4], 2 * MIB / 64);
	mon_mrfld_free(group);
}

TEST(snoops)
{
	struct mon_mrfld *group = start("UNC_VISA_Module0_Snoops");
	struct mon_mrfld_counts counts;

	move(MRFLD_AGENT_GFX, false, 64, MIB, true);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	counts = get(group);
	ck_assert_double_eq(counts.count[0], MIB / 64);
	ck_assert_double_eq(counts.count[1], MIB / 64);
	mon_mrfld_free(group);
}

/* A frame of 64 x 64 pixels of 4 bytes is 256 requests of 64 bytes. */
TEST(a_stopped_display_reads_no_more)
{
	const struct mrfld_scanout scanout = { .width = 64, .height = 64, .cpp = 4, .refresh = 60000 };
	struct mon_mrfld *group = start("UNC_VISA_Display_BW");
	struct mrfld_scanout_status status;

	ck_assert_int_eq(mrfld_agents_scanout(agents, &scanout), 0);
	do {
		ck_assert_int_eq(mrfld_agents_status(agents, &status), 0);
		ck_assert(status.running);
	} while (status.frames < 3);
	ck_assert_int_eq(mrfld_agents_stop(agents), 0);
	ck_assert_int_eq(mrfld_agents_status(agents, &status), 0);
	ck_assert(!status.running);
	ck_assert_double_ge(get(group).count[2], 3 * 256);
	usleep(100000);
	ck_assert_double_eq(get(group).count[2], 0);
	ck_assert_int_eq(mrfld_agents_stop(agents), -1);	/* nothing to stop */
	mon_mrfld_free(group);
}

static void nothing(int number)
{
	(void)number;
}

/*
 * A signal aborts a job. It may still use the buffer as long as its engine says that it runs, so the driver asks it
 * again before the call returns, a thousand times at most: here it never stops. In the 20 ms until the signal the
 * driver has looked at most each 100 us, that is 200 times.
 */
TEST(an_aborted_job_is_waited_for)
{
	struct mrfld_agent_move job = { .agent = MRFLD_AGENT_GFX, .request = 64, .bytes = MIB };
	struct sigaction action = { .sa_handler = nothing };
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	char command[256], text[16] = "";
	FILE *reads;

	snprintf(command, sizeof(command), "insmod build/pmu/$(uname -r)/tests/guest/modules/topo_change.ko "
		 "offset=%u mask=%u value=%u right=0", MRFLD_ENGINE(MRFLD_AGENT_GFX, MRFLD_ENG_STATUS), MRFLD_BAR_SIZE - 1,
		 MRFLD_STATUS_RUN);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
	ck_assert_int_eq(mrfld_agents_move(agents, &job), -1);
	ck_assert_int_eq(errno, EINTR);
	reads = fopen("/sys/module/topo_change/parameters/reads", "r");
	ck_assert_ptr_nonnull(reads);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), reads));
	fclose(reads);
	ck_assert_int_ge(atoi(text), 1000);
	ck_assert_int_eq(system("rmmod topo_change"), 0);
}

TEST(idle_dram_is_in_deep_self_refresh)
{
	struct mon_mrfld *group = start("UNC_VISA_DDR_Self_Refresh");
	struct mon_mrfld_self_refresh r;
	struct mon_mrfld_counts counts;

	sleep(2);
	counts = get(group);
	ck_assert_int_eq(mon_mrfld_self_refresh(&counts, mon_mrfld_dram_hz(), &r), 0);
	/*
	 * at most 1 ms is not deep; the two clocks are not read at the same instant, on a busy host
	 * even less
	 */
	ck_assert_double_gt(r.deep[0], 97);
	ck_assert_double_lt(r.deep[0], 102);
	ck_assert_double_gt(r.deep[1], 97);
	mon_mrfld_free(group);
}

/* A counter that starts just below 2^32 wraps on the way. */
LOOP_TEST(counters_wrap, 0, 3)
{
	static const char *const first[] = { "0xffffffff", "0xffffff00", "0xffffc001" };
	struct mon_mrfld *group;

	preload(first[_i]);
	group = start("UNC_VISA_Graphics_BW");
	/* MIB / 64 = 0x4000 */
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	expect_only(group, 2, 0x4000);
}

/* Intermittent faults: the count is right. Arguments: which fault, every nth time */
static const unsigned int passing[][2] = {
	{ MRFLD_FAULT_ALL_ONES, 2 }, { MRFLD_FAULT_ALL_ONES, 3 }, { MRFLD_FAULT_ALL_ONES, 7 },
	{ MRFLD_FAULT_LOST_SAMPLE, 2 }, { MRFLD_FAULT_LOST_SAMPLE, 3 }, { MRFLD_FAULT_LOST_SAMPLE, 8 },
	{ MRFLD_FAULT_SLOW_US, 100 },
	{ MRFLD_FAULT_MCRX, 0x100 }, { MRFLD_FAULT_MCRX, 0xffffff00 },
};

LOOP_TEST(passing_faults_change_no_count, 0, sizeof(passing) / sizeof(passing[0]))
{
	struct mon_mrfld *group;

	fault(passing[_i][0], passing[_i][1]);
	group = start("UNC_VISA_Graphics_BW");
	for (int i = 0; i < 4; i++) {
		move(MRFLD_AGENT_GFX, true, 64, MIB, false);
		ck_assert_double_eq(get(group).count[5], MIB / 64);
	}
	move(MRFLD_AGENT_GFX, true, 64, MIB, false);
	expect_only(group, 5, MIB / 64);
}

/* Nothing can be read: an error. When the device answers again, the count is right. */
static const unsigned int outage[] = { MRFLD_FAULT_ALL_ONES, MRFLD_FAULT_LOST_SAMPLE };

LOOP_TEST(an_outage_is_an_error_and_then_forgotten, 0, 2)
{
	struct mon_mrfld *group = start("UNC_VISA_Graphics_BW");
	struct mon_mrfld_counts counts;

	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	fault(outage[_i], 1);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_int_eq(mon_mrfld_read(group, &counts), -1);
	ck_assert_int_eq(errno, EIO);
	fault(outage[_i], 0);
	expect_only(group, 2, 2 * MIB / 64);
}

/* Counting begins while nothing can be read: an error, and no made-up count afterwards. */
TEST(an_outage_at_the_start_is_an_error_once)
{
	struct mon_mrfld_counts counts;
	struct mon_mrfld *group;

	fault(MRFLD_FAULT_ALL_ONES, 1);
	group = start("UNC_VISA_Graphics_BW");
	fault(MRFLD_FAULT_ALL_ONES, 0);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_int_eq(mon_mrfld_read(group, &counts), -1);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	expect_only(group, 2, MIB / 64);
}

/* The first value of a freshly programmed counter is known without a sample. */
TEST(a_lost_sample_at_the_start_does_not_matter)
{
	struct mon_mrfld *group;

	fault(MRFLD_FAULT_LOST_SAMPLE, 1);
	group = start("UNC_VISA_Graphics_BW");
	fault(MRFLD_FAULT_LOST_SAMPLE, 0);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	expect_only(group, 2, MIB / 64);
}

TEST(lost_power_is_an_error_once)
{
	struct mon_mrfld *group = start("UNC_VISA_Graphics_BW");
	struct mon_mrfld_counts counts;

	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_double_eq(get(group).count[2], MIB / 64);
	fault(MRFLD_FAULT_POWER_NOW, 1);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_int_eq(mon_mrfld_read(group, &counts), -1);
	ck_assert_int_eq(errno, EIO);
	/* the next reading programs the group anew */
	ck_assert_double_eq(get(group).count[2], 0);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	expect_only(group, 2, MIB / 64);
}

static unsigned long losses(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/mrfld_visa/losses", "r");
	unsigned long n;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%lu", &n), 1);
	fclose(file);
	return n;
}

static int open_single(struct mon_pmu *pmu, unsigned int counter, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = mon_pmu_get_type(pmu),
		.config = 6 << 8 | counter,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, mon_pmu_get_cpu(pmu), leader, 0);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static uint64_t get_single(int fd)
{
	uint64_t count;

	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	return count;
}

/*
 * A read of a single event cannot report a failed reading: the event keeps its count from before
 * the loss, and continues from the first reading after it. The counter of losses reports it.
 */
TEST(lost_power_is_told_and_single_events_go_on)
{
	struct mon_pmu *pmu = mon_pmu_new("mrfld_visa");
	unsigned long before = losses();
	int fd = open_single(pmu, 2, -1);

	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_uint_eq(get_single(fd), MIB / 64);
	ck_assert_uint_eq(losses(), before);
	fault(MRFLD_FAULT_POWER_NOW, 1);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_uint_eq(get_single(fd), MIB / 64);
	ck_assert_uint_eq(losses(), before + 1);
	ck_assert_uint_eq(get_single(fd), MIB / 64);
	move(MRFLD_AGENT_GFX, false, 64, 2 * MIB, false);
	ck_assert_uint_eq(get_single(fd), 3 * MIB / 64);
	ck_assert_uint_eq(losses(), before + 1);
	close(fd);
	mon_pmu_free(pmu);
}

static const unsigned int last_faults[] = { MRFLD_FAULT_ALL_ONES, MRFLD_FAULT_POWER_NOW };

/*
 * Like perf stat: disabled, then read. If the reading at disabling fails, the count is that of the
 * last good reading, and the loss is counted. Another event continues if the counters do.
 */
LOOP_TEST(a_failed_last_reading_is_told, 0, 2)
{
	struct mon_pmu *pmu = mon_pmu_new("mrfld_visa");
	int leader = open_single(pmu, 2, -1), member = open_single(pmu, 3, leader);
	int alone = open_single(pmu, 2, -1), other = open_single(pmu, 2, -1);
	unsigned long before = losses();
	uint64_t count;

	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_uint_eq(get_single(alone), MIB / 64);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	fault(last_faults[_i], 1);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_uint_gt(losses(), before);
	ck_assert_int_eq(ioctl(alone, PERF_EVENT_IOC_DISABLE, 0), 0);
	fault(last_faults[_i], 0);
	/* what was read for another event of the same counter, or by a poll, is theirs, too */
	count = get_single(leader);
	ck_assert(count == MIB / 64 || count == 2 * MIB / 64);
	ck_assert_uint_eq(get_single(member), 0);
	ck_assert_uint_eq(get_single(alone), count);
	if (last_faults[_i] == MRFLD_FAULT_ALL_ONES)
		ck_assert_uint_eq(get_single(other), 2 * MIB / 64);
	close(other);
	ck_assert_int_eq(ioctl(alone, PERF_EVENT_IOC_RESET, 0), 0);
	ck_assert_int_eq(ioctl(alone, PERF_EVENT_IOC_ENABLE, 0), 0);
	move(MRFLD_AGENT_GFX, false, 64, MIB, false);
	ck_assert_int_eq(ioctl(alone, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_uint_eq(get_single(alone), MIB / 64);
	close(alone);
	close(member);
	close(leader);
	mon_pmu_free(pmu);
}

/* A buffer counts against the limit of whoever has it, like any other memory. */
TEST(a_buffer_is_its_users_memory)
{
	struct mrfld_agents *big;
	uint64_t before;

	ck_assert_int_eq(system("mkdir -p " GROUP " && mount -t cgroup2 none " GROUP), 0);
	write_group("cgroup.subtree_control", "+memory");
	ck_assert_int_eq(system("mkdir -p " GROUP "/test"), 0);
	write_group("test/cgroup.procs", "0");
	before = group_memory();
	big = mrfld_agents_new(16 * MIB);
	ck_assert_msg(big, "%s", mon_error());
	ck_assert_uint_ge(group_memory() - before, 16 * MIB);
	mrfld_agents_free(big);
	write_group("cgroup.procs", "0");
	ck_assert_int_eq(system("rmdir " GROUP "/test && umount " GROUP), 0);
}
