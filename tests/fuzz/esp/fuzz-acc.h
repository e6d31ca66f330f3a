/* SPDX-License-Identifier: GPL-2.0-only */
/* Both ends of mon_esp_link.h in one process, against messages that are right, wrong or absent. */
#ifndef FUZZ_ACC_H
#define FUZZ_ACC_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "esp/mon_esp_link.h"

struct fuzz_message {
	struct mon_esp_link head;
	uint8_t data[MON_ESP_LINK_BYTES];
};

/* A number below n, from the driver's seed. */
uint64_t fuzz_random(uint64_t n);
void fuzz_wrong(const char *what);

/* Changes a message, or in most cases leaves it; returns the size that arrives, 0: the end. */
size_t fuzz_change(struct fuzz_message *m);

/* Messages that arrive at the accelerator's end, and those that it sends. */
ssize_t fuzz_client_recv(void *to, size_t size);
void fuzz_client_sent(const struct mon_esp_link *head, const uint8_t *data);
/* A process of an accelerator, from its hello to its end; how many messages it took. */
unsigned long long fuzz_client(void);

/* The linker's --wrap=: replacements of the calls of both ends. */
ssize_t __wrap_recv(int fd, void *to, size_t size, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void __wrap__exit(int status);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg);

#endif
