/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hexagon-host with this test as its device: programs that it runs and refuses, how it ends them;
 * it never runs one unconfined.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events/hexagon/regs.h"
#include "hexagon/feed.h"
#include "hexagon/host.h"
#include "tests/main.h"

#define HOST "./hexagon-host"
#define PROGRAMS "examples/hexagon"

static pid_t pid;
static int device = -1;
static int last_feed = -1;
static char output[3][8192];	/* of both streams, and its marks */
static size_t output_size[3];

/* Starts hexagon-host with one more option; its own messages go to *complaints if not NULL. */
static void start(const char *option, const char *path, int *complaints)
{
	int link[2], text[2] = { -1, -1 };
	char fd[16];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link), 0);
	if (complaints)
		ck_assert_int_eq(pipe2(text, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		if (complaints)
			dup2(text[1], STDERR_FILENO);
		if (path)
			setenv("PATH", path, 1);
		fcntl(link[1], F_SETFD, 0);
		snprintf(fd, sizeof(fd), "%d", link[1]);
		execl(HOST, HOST, "--fd", fd, option, PROGRAMS, (char *)NULL);
		_exit(127);
	}
	close(link[1]);
	device = link[0];
	if (complaints) {
		close(text[1]);
		*complaints = text[0];
	}
}

static int finish(void)
{
	int status;

	if (device >= 0)
		close(device);
	device = -1;
	while (waitpid(pid, &status, 0) < 0)
		ck_assert_int_eq(errno, EINTR);
	return status;
}

static void setup(void)
{
	start("--timeout=30", NULL, NULL);
}

static void teardown(void)
{
	ck_assert_int_eq(finish(), 0);
}

static void say(uint32_t type, const void *data, uint32_t size)
{
	struct hexagon_message header = { type, size };

	ck_assert_int_eq(send(device, &header, sizeof(header), MSG_NOSIGNAL), sizeof(header));
	if (size)
		ck_assert_int_eq(send(device, data, size, MSG_NOSIGNAL), size);
}

/* A program is given as a command line, words separated by spaces. */
static void request(const char *words)
{
	struct hexagon_setup setup = { .version = 69, .threads = 6, .clusters = 2, .cycles = 3, .contexts = 4 };
	char data[sizeof(setup) + 1024] = "";
	size_t size = sizeof(setup) + strlen(words) + 1;

	hexagon_memory_usual(&setup.memory, 69);
	memcpy(data, &setup, sizeof(setup));
	strcpy(data + sizeof(setup), words);
	for (size_t i = sizeof(setup); i < size; i++)
		if (data[i] == ' ')
			data[i] = '\0';
	output_size[0] = output_size[1] = output_size[2] = 0;
	memset(output, 0, sizeof(output));
	if (last_feed >= 0)
		close(last_feed);
	last_feed = -1;
	say(HEXAGON_RUN, data, size);
}

/* Reads one message and returns its type. Collects output; the status of an end goes to *status. */
static uint32_t hear(uint32_t *status)
{
	struct hexagon_message header;
	struct iovec iov = { &header, sizeof(header) };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	char data[HEXAGON_MESSAGE_MAX];
	int stream;

	ck_assert_int_eq(recvmsg(device, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC), sizeof(header));
	ck_assert_uint_le(header.size, sizeof(data));
	if (header.size)
		ck_assert_int_eq(recv(device, data, header.size, MSG_WAITALL), header.size);
	switch (header.type) {
	case HEXAGON_FEED:
		ck_assert_ptr_nonnull(CMSG_FIRSTHDR(&message));
		memcpy(&last_feed, CMSG_DATA(&control.header), sizeof(int));
		break;
	case HEXAGON_STDOUT:
	case HEXAGON_STDERR:
	case HEXAGON_MARKS:
		stream = header.type == HEXAGON_MARKS ? 2 : header.type == HEXAGON_STDERR;
		ck_assert_uint_lt(output_size[stream] + header.size, sizeof(output[0]));
		memcpy(output[stream] + output_size[stream], data, header.size);
		output_size[stream] += header.size;
		break;
	case HEXAGON_END:
		memcpy(status, data, sizeof(*status));
	}
	return header.type;
}

static uint32_t run(const char *words)
{
	uint32_t status;

	request(words);
	while (hear(&status) != HEXAGON_END)
		;
	return status;
}

/* False if the counters are not there yet, or change faster than they can be read. */
static bool read_packets(uint64_t *sum)
{
	struct hexagon_totals totals;
	struct hexagon_feed *feed;
	enum hexagon_feed_error error;

	ck_assert_int_ge(last_feed, 0);
	feed = mmap(NULL, sizeof(*feed), PROT_READ, MAP_SHARED, last_feed, 0);
	ck_assert_ptr_ne(feed, MAP_FAILED);
	error = hexagon_feed_check(feed, sizeof(*feed));
	if (error == HEXAGON_FEED_OK)
		error = hexagon_feed_read(feed, &totals);
	munmap(feed, sizeof(*feed));
	if (error == HEXAGON_FEED_MAGIC_BAD || error == HEXAGON_FEED_BUSY)
		return false;
	ck_assert_int_eq(error, HEXAGON_FEED_OK);
	*sum = 0;
	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		*sum += totals.count[i][HEXAGON_PACKETS];
	return true;
}

static bool has_begun(void)
{
	struct hexagon_feed *feed = mmap(NULL, sizeof(*feed), PROT_READ, MAP_SHARED, last_feed, 0);
	bool began;

	ck_assert_ptr_ne(feed, MAP_FAILED);
	began = feed->began;
	munmap(feed, sizeof(*feed));
	return began;
}

/* Of a program that has ended. */
static uint64_t packets(void)
{
	uint64_t sum;

	ck_assert(read_packets(&sum));
	return sum;
}

static bool prepare(void)
{
	if (access(PROGRAMS "/hand", X_OK) < 0) {
		puts("skipped: the Hexagon programs were not built: install clang and lld, then configure");
		return false;
	}
	return true;
}

SUITE("hexagon host", .timeout = 60, .setup = setup, .teardown = teardown, .prepare = prepare);

TEST(programs_run_one_after_the_other)
{
	/* 36 packets on paper, see test-programs.c */
	ck_assert_uint_eq(run("hand"), 0);
	ck_assert_uint_eq(packets(), 36);
	ck_assert_uint_eq(run("six-threads"), 0);
	ck_assert_str_eq(output[0], "the threads agree\n");
	ck_assert_uint_eq(run("hand with arguments"), 0);
	ck_assert_uint_eq(packets(), 36);
}

/* inside.S marks a phase after 18 packets, and its end after 126. */
TEST(marks_come_apart_from_output)
{
	ck_assert_uint_eq(run("inside"), 0);
	ck_assert_uint_eq(output_size[0], 3 * sizeof(uint32_t));
	ck_assert_uint_eq(output_size[1], 0);
	ck_assert_str_eq(output[2], "54 0 hot \"loop\"\n378 0 \n");
}

TEST(the_feed_cannot_shrink)
{
	run("hand");
	ck_assert_int_eq(fcntl(last_feed, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	ck_assert_int_eq(ftruncate(last_feed, 0), -1);
}

/* A file of the user's, in the home folder if that can be written. */
static void make_own_file(char path[128])
{
	const char *home = getenv("HOME");
	int fd;

	snprintf(path, 128, "%s/.hexagon-sees-XXXXXX", home && strncmp(home, "/usr", 4) ? home : "/tmp");
	fd = mkstemp(path);
	if (fd < 0) {
		strcpy(path, "/tmp/hexagon-sees-XXXXXX");
		fd = mkstemp(path);
	}
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "own", 3), 3);
	ck_assert_int_eq(fchmod(fd, 0644), 0);
	close(fd);
}

/* A socket that takes connections, at a port or at an abstract name. */
static int listen_at(int family, void *address, socklen_t size)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(bind(fd, address, size), 0);
	ck_assert_int_eq(listen(fd, 4), 0);
	ck_assert_int_eq(getsockname(fd, address, &size), 0);
	return fd;
}

/* hexagon-host(1): without network, in namespaces of its own, and with nothing in sight but its folder and /usr, read-only. */
TEST(a_program_sees_its_folder_and_usr)
{
	struct sockaddr_in port = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	char own[128], self[16], host[16], number[16], words[1024] = "sees", expected[256] = "", line[16];
	int name = snprintf(local.sun_path + 1, sizeof(local.sun_path) - 1, "hexagon-sees-%d", (int)getpid());
	int sockets[] = {
		listen_at(AF_INET, &port, sizeof(port)),
		listen_at(AF_UNIX, &local, offsetof(struct sockaddr_un, sun_path) + 1 + name),
	};
	const struct {
		const char *kind, *what;
		int result;	/* as sees.c prints it */
	} tries[] = {
		{ "r", "sees", 0 }, { "r", "/usr/bin/env", 0 },
		{ "r", own, ENOENT }, { "r", "/etc/passwd", ENOENT }, { "r", "../../etc/passwd", ENOENT },
		{ "r", "way-out", ENOENT }, { "r", "/proc/1/environ", ENOENT }, { "r", "/dev/null", ENOENT },
		{ "w", own, ENOENT }, { "w", "sees", EROFS }, { "w", "new", EROFS }, { "w", "/usr/new", EROFS },
		{ "w", "/usr/bin/env", EROFS }, { "w", "/new", EROFS }, { "w", "/hexagon-feed.so", EROFS }, { "m", "/tmp", EROFS },
		{ "k", self, ESRCH }, { "k", host, ESRCH }, { "c", number, ECONNREFUSED }, { "u", local.sun_path + 1, ECONNREFUSED },
		/* bubblewrap sets PWD; hexagon-host's socket and folder are not inherited; RLIMIT_NOFILE */
		{ "v", "", 1 }, { "h", "", 0 }, { "d", "", 64 },
	};
	static const char *const root[] = { "usr\n", "lib\n", "lib64\n", "programs\n", "qemu-hexagon\n", "hexagon-feed.so\n" };
	uint32_t status;
	size_t seen = 0;

	make_own_file(own);
	snprintf(self, sizeof(self), "%d", (int)getpid());
	snprintf(host, sizeof(host), "%d", (int)pid);
	snprintf(number, sizeof(number), "%d", ntohs(port.sin_port));
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		strcat(strcat(strcat(words, " "), tries[i].kind), tries[i].what);
		snprintf(line, sizeof(line), "%d\n", tries[i].result);
		strcat(expected, line);
	}
	status = run(words);
	unlink(own);
	ck_assert_uint_eq(status, 0);
	ck_assert_msg(!strcmp(output[0], expected), "%s: expected\n%sgot\n%s", words, expected, output[0]);
	ck_assert_uint_eq(run("sees l/"), 0);
	for (size_t i = 0; i < sizeof(root) / sizeof(root[0]); i++) {
		ck_assert_msg(strstr(output[0], root[i]), "no %s in %s", root[i], output[0]);
		seen += strlen(root[i]);
	}
	ck_assert_msg(output_size[0] == seen, "more in %s", output[0]);
	close(sockets[0]);
	close(sockets[1]);
}

static void write_text(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "#!/bin/sh\n", 10), 10);
	close(fd);
}

LOOP_TEST(what_cannot_be_run_is_refused, 0, 8)
{
	static const struct {
		const char *name, *says;
	} bad[] = {
		{ "nosuch", "nosuch: No such file" },
		{ "../../bin/true", "outside the folder" },
		{ "../hexagon/hand", "outside the folder" },
		{ "/bin/true", "outside the folder" },
		{ "way-out", "outside the folder" },
		{ ".", "not a file" },
		{ "plain", "plain: not executable" },
		{ "script", "script: not a Hexagon program" },
	};

	write_text(PROGRAMS "/plain", 0644);
	write_text(PROGRAMS "/script", 0755);
	ck_assert_uint_eq(run(bad[_i].name), HEXAGON_STATUS_FAILED);
	ck_assert_msg(strstr(output[1], bad[_i].says), "'%s' does not say '%s'", output[1],
		      bad[_i].says);
	ck_assert_int_eq(last_feed, -1);
	/* and the next one runs */
	ck_assert_uint_eq(run("hand"), 0);
	unlink(PROGRAMS "/plain");
	unlink(PROGRAMS "/script");
}

/* examples/hexagon/hand with changed bytes, as program "changed". */
static size_t read_hand(uint8_t *bytes, size_t size)
{
	FILE *file = fopen(PROGRAMS "/hand", "r");
	size_t n;

	ck_assert_ptr_nonnull(file);
	n = fread(bytes, 1, size, file);
	fclose(file);
	ck_assert_uint_gt(n, sizeof(Elf32_Ehdr) + 2 * sizeof(Elf32_Phdr));
	return n;
}

static uint32_t run_changed(const uint8_t *bytes, size_t size)
{
	uint32_t status;
	int fd;

	unlink(PROGRAMS "/changed");
	fd = open(PROGRAMS "/changed", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), size);
	close(fd);
	status = run("changed");
	unlink(PROGRAMS "/changed");
	return status;
}

LOOP_TEST(what_the_emulator_cannot_run_is_refused, 0, 7)
{
	static uint8_t bytes[1 << 16];
	size_t size = read_hand(bytes, sizeof(bytes));
	Elf32_Ehdr *head = (Elf32_Ehdr *)bytes;
	Elf32_Phdr *segment = (Elf32_Phdr *)(bytes + head->e_phoff);
	const char *says = "";

	switch (_i) {
	case 0:
		head->e_flags = 0x81;
		says = "changed: built for V81: the emulator knows V";
		break;
	case 1:
		segment->p_type = PT_INTERP;
		says = "changed: needs a dynamic linker and libraries";
		break;
	case 2:
		/* a segment beyond the file's end */
		for (int i = 0; i < head->e_phnum; i++)
			segment[i].p_offset += 1 << 20;
		says = "changed: damaged: it ends before its last segment does";
		break;
	case 3:
		head->e_phnum = 0;
		says = "the emulator could not load the program: the file is damaged";
		break;
	case 4:
		size = sizeof(*head);
		says = "the emulator could not load the program: the file is damaged";
		break;
	case 5:
		/* no instruction behind the first loop: qemu-hexagon fails an assertion */
		for (size_t at = head->e_entry % 0x10000 + 0x40; at < size && at < 0x1a0; at += 4)
			memcpy(bytes + at, &(uint32_t){ 0xffffc000 }, 4);
		says = "the emulator failed: the file is damaged, or has an instruction";
		break;
	case 6:
		/* v0.qf32 = vadd(v1.sf,v2.sf) */
		head->e_flags = 0x68;
		memcpy(bytes + head->e_entry % 0x10000, &(uint32_t){ 0x1fa2e120 }, 4);
		says = "changed: has vector instructions of qfloat";
		break;
	}
	ck_assert_uint_eq(run_changed(bytes, size), HEXAGON_STATUS_FAILED);
	ck_assert_msg(strstr(output[1], says), "'%s' does not say '%s'", output[1], says);
}

/*
 * Every failure has a message. A program that ends with a signal has begun: the changed bytes
 * stopped the program, not the emulator.
 */
TEST(no_damage_ends_in_silence)
{
	static uint8_t bytes[1 << 16];
	unsigned int failed = 0;

	srand(3);
	for (int round = 0; round < 40; round++) {
		size_t size = read_hand(bytes, sizeof(bytes));
		uint32_t status;

		for (int i = rand() % 6; i >= 0; i--) {
			/* in the header and the segments, but still a Hexagon program */
			size_t at = 20 + rand() % (sizeof(Elf32_Ehdr) + 4 * sizeof(Elf32_Phdr) - 20);

			bytes[at] = rand();
		}
		status = run_changed(bytes, size);
		failed += status == HEXAGON_STATUS_FAILED;
		if (status == HEXAGON_STATUS_FAILED)
			ck_assert_msg(strstr(output[1], "hexagon-host: "), "'%s'", output[1]);
		else
			ck_assert(has_begun());
	}
	ck_assert_uint_gt(failed, 5);
}

TEST(a_crash_is_reported_as_the_signal)
{
	/* bubblewrap reports a signal as a shell does: 128 + 11 */
	ck_assert_uint_eq(run("crash"), 139 << 8);
	/* the three packets up to the last system call are counted */
	ck_assert_uint_ge(packets(), 3);
	ck_assert_uint_le(packets(), 5);
}

/* On a busy machine the first packets may come late. */
static void wait_for_packets(void)
{
	const struct timespec tick = { .tv_nsec = 10000000 };
	uint64_t sum = 0;

	for (int i = 0; i < 3000 && (!read_packets(&sum) || !sum); i++)
		nanosleep(&tick, NULL);
	ck_assert_uint_gt(sum, 0);
}

TEST(a_cancelled_program_is_killed)
{
	uint32_t status;

	request("endless");
	ck_assert_uint_eq(hear(&status), HEXAGON_FEED);
	wait_for_packets();
	say(HEXAGON_CANCEL, NULL, 0);
	ck_assert_uint_eq(hear(&status), HEXAGON_END);
	ck_assert_uint_eq(status, SIGKILL);
	ck_assert_uint_gt(packets(), 0);
}

/* The same at any moment of the start: no step of building the sandbox leaves a process behind. */
TEST(a_program_is_killed_while_it_starts)
{
	uint32_t status;

	for (int i = 0; i < 60; i++) {
		const struct timespec delay = { .tv_nsec = i * 500000 };

		request("endless");
		ck_assert_uint_eq(hear(&status), HEXAGON_FEED);
		nanosleep(&delay, NULL);
		say(HEXAGON_CANCEL, NULL, 0);
		while (hear(&status) != HEXAGON_END)
			;
		ck_assert_uint_eq(status, SIGKILL);
	}
	ck_assert_uint_eq(run("hand"), 0);
}

TEST(a_device_that_goes_takes_its_program_along)
{
	uint32_t status;
	uint64_t before = 0, now = 1;
	const struct timespec tick = { .tv_nsec = 300000000 };

	request("endless");
	ck_assert_uint_eq(hear(&status), HEXAGON_FEED);
	wait_for_packets();
	ck_assert_int_eq(finish(), 0);
	/* the kernel ends the processes in the sandbox after the sandbox itself */
	for (int i = 0; i < 100 && now != before; i++) {
		before = now;
		nanosleep(&tick, NULL);
		/* a record that cannot be read is still being written */
		if (!read_packets(&now))
			now = before + 1;
	}
	ck_assert_uint_eq(now, before);
	setup();
}

TEST(nonsense_ends_the_connection)
{
	char byte;

	/* no threads, no program */
	say(HEXAGON_RUN, "\6\0\0", 3);
	ck_assert_int_eq(recv(device, &byte, 1, 0), 0);
	ck_assert_int_eq(finish(), 0);
	setup();
	/* longer than any message */
	ck_assert_int_eq(send(device, &(struct hexagon_message){ HEXAGON_RUN, 1 << 20 }, 8, 0), 8);
	ck_assert_int_eq(recv(device, &byte, 1, 0), 0);
}

SUITE("hexagon host: start", .timeout = 60);

TEST(a_program_that_never_ends_is_killed_at_the_limit)
{
	start("--timeout=3", NULL, NULL);
	ck_assert_uint_eq(run("endless"), SIGKILL);
	ck_assert_str_eq(output[1],
			 "hexagon-host: killed after 3 s: raise --timeout of hexagon-host\n");
	ck_assert_uint_gt(packets(), 0);
	teardown();
}

TEST(memory_is_limited)
{
	/* 8 MiB are too few for qemu-hexagon's own code buffer */
	start("--memory=8", NULL, NULL);
	ck_assert_uint_ne(run("hand"), 0);
	teardown();
}

/* bwrap fails, as on kernels that deny namespaces, or is missing. */
LOOP_TEST(without_confinement_nothing_runs, 0, 2)
{
	char dir[] = "/tmp/hexagon-host-test-XXXXXX", bwrap[64], text[1024] = "";
	int complaints, status;
	FILE *script;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(bwrap, sizeof(bwrap), "%s/bwrap", dir);
	if (_i == 0) {
		script = fopen(bwrap, "w");
		ck_assert_ptr_nonnull(script);
		fputs("#!/bin/sh\nexit 1\n", script);
		fclose(script);
		chmod(bwrap, 0755);
	}
	start("--timeout=5", dir, &complaints);
	ck_assert_int_ge(read(complaints, text, sizeof(text) - 1), 0);
	status = finish();
	unlink(bwrap);
	rmdir(dir);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	ck_assert_msg(strstr(text, "cannot be confined: install bubblewrap"), "'%s'", text);
	close(complaints);
}
