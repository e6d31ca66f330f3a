/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of dpu-dbg share. */
#ifndef MON_TOOLS_DPU_DBG_H
#define MON_TOOLS_DPU_DBG_H

#include <stdio.h>

#include "events/upmem/memory.h"
#include "formats/dpu_isa.h"
#include "formats/dpu_lines.h"
#include "formats/dpu_program.h"
#include "upmem/debug.h"

#define MAX_STOPS 64
#define MAX_WATCHED 64
#define NO_THREAD DPU_MAX_THREADS

/* A breakpoint or a watchpoint. */
struct stop {
	unsigned int number;		/* 0: none */
	bool watch, temporary;
	unsigned int thread;		/* NO_THREAD: any */
	char *text;			/* what the user said */
	uint64_t hits;
	unsigned int pc[DPU_MAX_THREADS], places;	/* of a breakpoint: instruction indexes */
	uint32_t address, size;		/* of a watchpoint, as linked, and what is there */
	uint8_t old[MAX_WATCHED];
};

struct line {
	const char *file;		/* NULL: no line information */
	unsigned int number;
};

struct dbg;

/* What is debugged. Each says what went wrong and is false then. */
struct target {
	const char *why_not;		/* it cannot run; NULL: it can */
	bool launches;			/* it runs again by itself */
	/* Sets the DPU and its program, so that the program is about to execute its first instruction. */
	bool (*start)(struct dbg *d);
	void (*ended)(struct dbg *d);	/* the program has ended or faulted */
	void (*close)(struct dbg *d);
};

struct dbg {
	const struct target *target;
	const char *path;
	void *opaque;			/* the target's */
	struct dpu *dpu;		/* NULL: nothing was started yet */
	struct dpu_program *program;	/* NULL: not known yet */
	struct dpu_lines *dwarf;
	struct line lines[DPU_IRAM_WORDS + 1];
	struct dpu_insn code[DPU_IRAM_WORDS + 1];	/* encoding NULL: no instruction */
	struct stop stops[MAX_STOPS];
	unsigned int last_number;	/* of a stop */
	bool marked[DPU_IRAM_WORDS + 1];	/* a breakpoint is there */
	unsigned int thread;		/* that commands are about */
	unsigned int passed;		/* goes on from where it stands, also from a breakpoint; or NO_THREAD */
	uint8_t holder[DPU_ATOMIC_BITS];	/* 1 + the tasklet that has acquired a bit; 0: not known */
	const char *list_file;		/* where list goes on */
	unsigned int list_line;
	bool failed;			/* a command was wrong */
	bool quit;
};

/*
 * The files from below: a file calls those above it in this list, never one further down.
 *
 *	where.c		the program: lines, functions, variables; places that users name
 *	frames.c	who called whom
 *	waits.c		what a tasklet is doing
 *	show.c		where the DPU stands
 *	print.c		registers, variables and memory
 *	stops.c		breakpoints and watchpoints
 *	go.c		stepping and running
 *	info.c		tables
 *	commands.c	what users type
 *	alone.c core.c host.c	targets
 *	dpu-dbg.c	the command line
 */

/* where.c: an error, said to the user; false. */
__attribute__((format(printf, 2, 3)))
bool wrong(struct dbg *d, const char *format, ...);
/* The program is another one from now on; it belongs to d. */
void take_program(struct dbg *d, struct dpu_program *program);
/* The function that an instruction is part of, or NULL. */
const struct dpu_program_symbol *function_at(const struct dbg *d, unsigned int pc);
/* The smallest variable that an address is in, or NULL. */
const struct dpu_program_symbol *variable_at(const struct dbg *d, uint32_t address);
/* Is there a line at an instruction, and is it one's first? */
bool has_line(const struct dbg *d, unsigned int pc);
bool same_line(const struct dbg *d, unsigned int pc, unsigned int other);
/* FUNCTION, LINE, FILE:LINE or *ADDRESS: its instructions; the number of them, 0 where there is none. */
unsigned int find_places(struct dbg *d, const char *text, unsigned int pc[DPU_MAX_THREADS]);
/* A number, a register, a variable, each with [INDEX] or + NUMBER: address and size of what it names. */
struct thing {
	uint32_t address, size;		/* size 0: only a number or an address */
	uint32_t element;		/* bytes of one of several */
	int reg;			/* -1: in memory */
	bool is_value;			/* address is the value */
};
bool find_thing(struct dbg *d, const char *text, struct thing *thing);
bool parse_number(const char *text, uint64_t *number);
/* The base name of a path. */
const char *base_of(const char *path);

/* frames.c: a tasklet's callers, from the innermost on; the number of frames. */
struct frame {
	unsigned int pc;		/* of a caller: the call */
	uint32_t stack;			/* r22 there */
};
#define MAX_FRAMES 64
unsigned int find_frames(const struct dbg *d, unsigned int thread, struct frame frames[MAX_FRAMES]);

/* waits.c */
#define WAIT_TEXT 160
void wait_text(const struct dbg *d, unsigned int thread, char text[WAIT_TEXT]);
/* Does every tasklet wait for another one, so that none will go on? */
bool is_stuck(const struct dbg *d);
/* Has it been started and not come to its end? */
bool is_under_way(const struct dbg *d, unsigned int thread);
/* The bit that a word of acquire or release is about. */
unsigned int bit_of(const struct dbg *d, unsigned int thread, const struct dpu_insn *insn);

/* show.c */
void put_frame(const struct dbg *d, const struct frame *frame, FILE *out);
/* Where a tasklet stands: its function, and its source line or its instruction. */
void put_place(struct dbg *d, unsigned int thread, bool with_function);
/* The source line of an instruction, around which list goes on; false where there is none. */
bool put_line(struct dbg *d, unsigned int pc);
void put_instruction(const struct dbg *d, unsigned int pc, const char *mark);
void put_backtrace(struct dbg *d, unsigned int thread);
bool put_source(const char *path, unsigned int first, unsigned int last);
/* "<main+16>", or nothing. */
void put_symbol(const struct dbg *d, uint32_t address);

/* print.c: arguments as typed; format is what stands behind the command's slash */
bool command_print(struct dbg *d, const char *format, char *text);
bool command_examine(struct dbg *d, const char *format, char *text);
bool command_set(struct dbg *d, char *text);
/* The word that an address, a register or a pointer in memory points to. */
bool dereference(struct dbg *d, struct thing *thing);
void put_registers(struct dbg *d, const char *names);

/* stops.c */
bool add_break(struct dbg *d, char *text, bool temporary);
bool add_watch(struct dbg *d, char *text);
bool delete_stops(struct dbg *d, const char *text);
void put_stops(struct dbg *d);
/* The program is another one: breakpoints are looked up again. */
void renew_stops(struct dbg *d);
/* What stops a tasklet at an instruction, or NULL. */
struct stop *stop_at(struct dbg *d, unsigned int thread, unsigned int pc);
/* The watched bytes are as they are; the first one that has changed since, or NULL. */
void watch_begin(struct dbg *d);
struct stop *watch_changed(struct dbg *d);
void put_change(struct dbg *d, struct stop *s);

/* go.c */
enum way { WAY_GO, WAY_STEP, WAY_NEXT, WAY_STEPI, WAY_NEXTI, WAY_FINISH, WAY_TURN };
bool go(struct dbg *d, enum way way, uint64_t count);
bool start(struct dbg *d);

/* info.c */
bool command_info(struct dbg *d, char *text);

/* commands.c: reads commands until there are no more. */
void read_commands(struct dbg *d);

/* targets: true when it is one. */
#define MAX_ITEMS 64
struct alone {
	const struct dpu_arch *arch;	/* NULL: what the program says */
	const char *sets[MAX_ITEMS + 1], *mrams[MAX_ITEMS + 1];	/* ended by NULL */
};
bool target_alone(struct dbg *d, struct alone *alone);
bool target_core(struct dbg *d, const char *path);
bool target_host(struct dbg *d, const char *dpu, char **command);

#endif
