/* SPDX-License-Identifier: GPL-2.0-only */
/* What all of monctl's commands share. */
#ifndef MONCTL_H
#define MONCTL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <mon.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define NS_PER_S 1000000000ull
/* A counter that counted in less of the time took turns: its count is an estimate. The kernel switches
 * counters on and off one after the other, so an exact one may have a little less than 1. */
#define SHARE_OF_EXACT 0.9999

/* The commands; argv[0] is the command's name. They return the exit status. */
int cmd_list(int argc, char **argv);
int cmd_topology(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_mark(int argc, char **argv);
int cmd_diff(int argc, char **argv);

/* message.c */
/* The command's name in messages. */
void set_command_name(const char *name);
/* Prints "monctl: ..." and ends the program with status 1 (2: wrong usage). */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);
/* The same with what mon_error() says. */
__attribute__((noreturn)) void die_mon(void);
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);
__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);
/* Memory: zeros, or room for one element more in an array that only grew so. The program ends if there is none. */
void *zeros(size_t count, size_t size);
void *grow(void *array, size_t count, size_t size);
/* A stream into a text, which is complete when it has been closed. */
FILE *text_open(char **text, size_t *size);
void text_close(FILE *out);
/* argp_parse() for one command, whose name is in the messages. */
void parse_arguments(const struct argp *argp, int argc, char **argv, void *input);
uint64_t now_ns(void);
/* "500us", "10ms", "5s", "2m", "1h", or a number alone in units of plain nanoseconds. 0: not a time. */
uint64_t parse_time(const char *text, double plain);
/* The name in the list that is most like a word that is not in it; NULL: none is. */
const char *closest_name(const char *word, const char *const *names, size_t count);

/* "-o FILE" and one argument, for an argp parser; input begins with the default. */
struct files {
	const char *input, *output;
	bool has_input;
};

error_t parse_files(int key, char *arg, struct files *files);

/* output.c */
/* Columns of the terminal on standard output; 80 in a pipe. */
int terminal_width(void);
/* "1.23 M", "257 ": four digits at most and the SI prefix; in a static buffer of a few. */
const char *with_prefix(double value);
/* What a count of a unit is a second: "1.2 MB/s", "3.4 kflits/s". In a static buffer of a few. */
const char *rate_text(double value, const char *unit, double seconds);
/* A JSON string with its quotes; NULL is null. */
void json_string(FILE *out, const char *text);
/*
 * Writes JSON: of %s a string as json_string(), of %c true or false, of %g null if the number is not finite, of %u and %d
 * the number, which may be %zu or one of 64 bits; there are no other conversions.
 */
__attribute__((format(printf, 2, 3))) void json_print(FILE *out, const char *format, ...);
/* Digits without a format, as a long recording has hundreds of millions of counts. */
void print_count(FILE *out, uint64_t value);
/* The text, broken at spaces; lines after the first begin with that many spaces. */
void print_wrapped(FILE *out, const char *text, int indent, int width);
/* Progress of long work, on standard error if that is a terminal. share is 0 to 1; 1 removes it. */
void progress(const char *what, double share);

/* workload.c: the program that is measured. */
struct workload {
	int pid;
	int go;				/* it starts when this is closed */
	int status;			/* of waitpid(), when it has ended */
	bool ended;
	int interrupts;			/* that it has been told of */
	int process;			/* descriptor of a process that is not ours; else -1 */
};

/* For the argp parser of a command that ends with "-- COMMAND [ARG...]". */
error_t parse_command(int key, struct argp_state *state, char ***command);
/*
 * Forks; the child waits. command ends with NULL. Ends the program with a shell's status if there is no such
 * command. From here on SIGINT, SIGTERM and SIGHUP go to the workload, and monctl ends when it does.
 */
void workload_prepare(struct workload *workload, char **command);
void workload_start(struct workload *workload);
/* In place of both: a process that runs already. It gets no signals: an interrupt ends the waiting. */
void workload_attach(struct workload *workload, int pid);
/* What runs in a process, "?" if that is not known; to be freed. */
char *process_name(int pid);
/* False while it runs. */
bool workload_poll(struct workload *workload);
/* Sleeps for that long, or until it ends or a signal comes. */
void workload_wait(struct workload *workload, uint64_t ns);
/* As a shell says it. */
int workload_status(const struct workload *workload);

#endif
