/* SPDX-License-Identifier: GPL-2.0-only */
/* An accelerator that breaks the protocol in a way that register 0x40 selects. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "mon_esp_client.h"

#define RANDOM	100	/* from here on: the number of random messages, and the seed */

extern char **environ;

/* Number of names in a folder that count. */
static unsigned int others(const char *folder, bool (*counts)(const char *))
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned int n = 0;

	while (dir && (entry = readdir(dir)))
		n += counts(entry->d_name);
	if (dir)
		closedir(dir);
	return n;
}

static bool is_unexpected(const char *name)
{
	static const char *const expected[] = { ".", "..", "usr", "lib", "lib64", "proc", "accelerator" };

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		if (!strcmp(name, expected[i]))
			return false;
	return true;
}

/* Neither it nor the first of its namespace, which is the sandbox's. */
static bool is_other_process(const char *name)
{
	return isdigit(name[0]) && atoi(name) != 1 && atoi(name) != getpid();
}

/* Reports its namespaces, and what it sees of the host but /usr. */
static void tell_where(void)
{
	char net[64] = "", pid[64] = "", text[192];
	unsigned int variables = 0;

	if (readlink("/proc/self/ns/net", net, sizeof(net) - 1) < 0 ||
	    readlink("/proc/self/ns/pid", pid, sizeof(pid) - 1) < 0)
		_exit(1);
	for (char **variable = environ; *variable; variable++)
		variables += strncmp(*variable, "PWD=", 4) != 0;
	snprintf(text, sizeof(text), "%s %s files %u, processes %u, variables %u, /usr %s", net, pid, others("/", is_unexpected),
		 others("/proc", is_other_process), variables, access("/usr", W_OK) && errno == EROFS ? "read-only" : "");
	mon_esp_give_up(text);
}

static void *idle(void *unused)
{
	return unused;
}

/* Reports whether it can make processes, and threads. */
static void tell_children(void)
{
	char text[96];
	pthread_t thread;
	pid_t fork1 = fork(), fork2;
	bool threads;

	if (!fork1)
		pause();
	fork2 = vfork();
	if (!fork2)
		_exit(0);
	threads = !pthread_create(&thread, NULL, idle, NULL) && !pthread_join(thread, NULL);
	snprintf(text, sizeof(text), "fork %d, vfork %d, threads %d", fork1 > 0, fork2 > 0, threads);
	mon_esp_give_up(text);
}

static void say(uint32_t kind, uint64_t cycle, uint32_t length, uint32_t bytes)
{
	static uint8_t data[MON_ESP_LINK_BYTES];
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = kind;
	head.cycle = cycle;
	head.length = length;
	head.bytes = bytes;
	mon_esp_send(head, data);
}

static void random_messages(uint32_t seed)
{
	struct { struct mon_esp_link head; uint8_t data[256]; } message;
	uint32_t i, j, *words = (uint32_t *)&message;

	srand(seed);
	for (i = 0; i < RANDOM; i++) {
		size_t size = rand() % sizeof(message);

		for (j = 0; j < sizeof(message) / 4; j++)
			words[j] = rand();
		if (rand() % 4) {	/* a valid message with small changes */
			message.head.kind = rand() % 32;
			message.head.run = mon_esp_run;
			message.head.cycle = rand() % 1000;
			message.head.length = rand() % 64;
			message.head.user = 0;	/* the run would wait for a partner */
			message.head.bytes = rand() % 2 ? rand() % 256 : 0;
			size = sizeof(message.head) + message.head.bytes;
		}
		if (send(MON_ESP_LINK_FD, &message, size, MSG_NOSIGNAL) < 0)
			_exit(0);
	}
	_exit(0);
}

int main(void)
{
	struct esp_acc_row row;
	uint64_t cycle;

	memset(&row, 0, sizeof(row));
	strcpy(row.name, "NONSENSE");
	row.chunks = 4;
	row.device = 0x666;
	row.beat = 8;
	row.members = 1;
	row.member[0].offset = 0x40;
	mon_esp_hello(&row);
	for (;;) {
		uint32_t what = mon_esp_run_data()->regs[0];

		switch (what) {
		case 0:
			send(MON_ESP_LINK_FD, "hello", 5, MSG_NOSIGNAL);
			break;
		case 1:
			say(77, 10, 0, 0);
			break;
		case 2:
			say(MON_ESP_LINK_READ, 0, 4, 0);
			break;
		case 3:
			say(MON_ESP_LINK_READ, 10, 0xffffffff, 0);
			break;
		case 4:
			say(MON_ESP_LINK_READ, 10, 0, 0);
			break;
		case 5:
			say(MON_ESP_LINK_WORDS, 10, 0, 64);
			break;
		case 6:
			say(MON_ESP_LINK_MORE, 10, 0, 0);
			break;
		case 7:
			say(MON_ESP_LINK_DONE, ~0ull, 0, 0);
			break;
		case 8:
			mon_esp_give_up("the matrix is singular");
			break;
		case 9:		/* waits, for ever */
			break;
		case 10:
			tell_where();
			break;
		case 11:
			for (;;)
				say(MON_ESP_LINK_PROGRESS, 1, 0, 0);
		case 12:	/* computes for ever and looks at no message; its name says so */
			prctl(PR_SET_NAME, "computes");
			for (cycle = 0;; cycle += 100) {
				say(MON_ESP_LINK_PROGRESS, cycle, 0, 0);
				usleep(100);
			}
		case 13:
			for (;;)
				;
		case 14:
			tell_children();
			break;
		default:
			random_messages(what);
		}
		mon_esp_expect(MON_ESP_LINK_START);
	}
}
