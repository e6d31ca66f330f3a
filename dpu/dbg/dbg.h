/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of dpu-dbg share. */
#ifndef DPU_DBG_H
#define DPU_DBG_H

#include <stdio.h>

#include "dpu/include/dpu_memory.h"
#include "dpu/isa/dpu_isa.h"
#include "common/elf_lines.h"
#include "dpu/include/dpu_program.h"
#include "dpu/include/debug.h"

#define MAX_STOPS 64
#define MAX_WATCHED 64
#define MAX_DISPLAYS 32
#define NO_THREAD DPU_MAX_THREADS

/* A breakpoint or a watchpoint. */
struct stop {
	unsigned int number;		/* 0: none */
	bool watch, temporary;
	unsigned int thread;		/* NO_THREAD: any */
	char *text;			/* as the user typed it */
	uint64_t hits;
	unsigned int pc[DPU_MAX_THREADS], places;	/* of a breakpoint: instruction indexes */
	uint32_t address, size;		/* for a watchpoint: address as linked, and the value there */
	uint8_t old[MAX_WATCHED];
};

struct line {
	const char *file;		/* NULL: no line information */
	unsigned int number;
};

struct dbg;

/* A target. On failure its functions print a message and return false. */
struct target {
	const char *why_not;		/* NULL: it can run; else the reason why not */
	bool launches;			/* it can be started again */
	/* Sets the DPU and its program, before the program's first instruction. */
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
	struct elf_lines *dwarf;
	struct line lines[DPU_IRAM_WORDS + 1];
	struct dpu_insn code[DPU_IRAM_WORDS + 1];	/* encoding NULL: no instruction */
	struct stop stops[MAX_STOPS];
	unsigned int last_number;	/* at the last stop */
	bool marked[DPU_IRAM_WORDS + 1];	/* a breakpoint is there */
	unsigned int thread;		/* the selected one */
	unsigned int frame;		/* its selected frame; 0: the innermost */
	unsigned int passed;		/* tasklet that continues although it is at a breakpoint; or NO_THREAD */
	uint8_t holder[DPU_ATOMIC_BITS];	/* 1 + the tasklet that has acquired a bit; 0: unknown */
	char *displays[MAX_DISPLAYS];	/* "FORMAT EXPRESSION"; NULL: none */
	const char *list_file;		/* where list continues */
	unsigned int list_line;
	bool failed;			/* a command was wrong */
	bool quit;
};

/*
 * The files, from the lowest; a file may call only those before it in this list.
 *
 * 	where.c         the program: lines, functions, symbols; registers and memory
 * 	frames.c        stack frames
 * 	types.c         types of the debug information
 * 	variables.c     its variables
 * 	expressions.c   expressions about them
 * 	places.c        places that users name
 * 	waits.c         state of a tasklet
 * 	values.c        numbers, and values by their types
 * 	arguments.c     functions with their arguments
 * 	show.c          where the DPU stopped
 * 	print.c         registers, variables and memory
 * 	display.c       expressions that each stop shows
 * 	stops.c         breakpoints and watchpoints
 * 	go.c            stepping and running
 * 	info.c          tables
 * 	commands.c      commands
 * 	alone.c core.c host.c   targets
 * 	dpu-dbg.c       the command line
 */

/* where.c: prints an error; returns false. */
__attribute__((format(printf, 2, 3)))
bool wrong(struct dbg *d, const char *format, ...);
/* Replaces the program; d owns the new one. */
void take_program(struct dbg *d, struct dpu_program *program);
bool parse_number(const char *text, uint64_t *number);
/* The function that an instruction is part of, or NULL. */
const struct dpu_program_symbol *function_at(const struct dbg *d, unsigned int pc);
/* The smallest variable that contains an address, or NULL. */
const struct dpu_program_symbol *variable_at(const struct dbg *d, uint32_t address);
/* Does an instruction have a line, and is it the line's first? */
bool has_line(const struct dbg *d, unsigned int pc);
bool same_line(const struct dbg *d, unsigned int pc, unsigned int other);
/* A register's value: r0, sp, pc and so on, without $. */
struct thing;
bool find_dollar(struct dbg *d, const char *name, struct thing *thing);
/* A number of up to 8 bytes at an address as linked; false if there is no memory, as no_memory() then says. */
bool peek(const struct dbg *d, uint32_t address, uint64_t *value, uint32_t size);
bool no_memory(struct dbg *d, uint32_t address);
/* "<main+16>", or nothing. */
void put_symbol(const struct dbg *d, uint32_t address);
/* The base name of a path. */
const char *base_of(const char *path);

/* places.c: FUNCTION, LINE, FILE:LINE or *ADDRESS: the instructions there. Returns their number, 0 if there is no such place. */
unsigned int find_places(struct dbg *d, const char *text, unsigned int pc[DPU_MAX_THREADS]);
/* Address and size of a number, a register or a variable, each with optional [INDEX] or + NUMBER. */
struct thing {
	uint32_t address, size;		/* size 0: only a number or an address */
	uint32_t element;		/* bytes of one element */
	int reg;			/* -1: in memory */
	bool is_value;			/* address is the value */
	bool points;			/* in memory there is a pointer */
};
bool find_thing(struct dbg *d, const char *text, struct thing *thing);
/* The same, or *THING: the word that it points to. */
bool find_object(struct dbg *d, const char *text, struct thing *thing);

/* frames.c: a tasklet's frames, from the innermost; returns their number. */
struct frame {
	unsigned int pc;		/* for a caller: the address of the call */
	uint32_t stack;			/* r22 there */
};
#define MAX_FRAMES 64
unsigned int find_frames(const struct dbg *d, unsigned int thread, struct frame frames[MAX_FRAMES]);
/* The stack pointer of the function's body, from which its variables are found, also where r22 is not yet there. */
bool frame_slots(const struct dbg *d, const struct frame *frame, uint32_t *base);

/* waits.c */
#define WAIT_TEXT 160
void wait_text(const struct dbg *d, unsigned int thread, char text[WAIT_TEXT]);
/* True if every tasklet waits for another one: a deadlock. */
bool is_stuck(const struct dbg *d);
/* Has it been started, and not ended? */
bool is_under_way(const struct dbg *d, unsigned int thread);
/* The atomic bit of an acquire or release instruction. */
unsigned int bit_of(const struct dbg *d, unsigned int thread, const struct dpu_insn *insn);

/* show.c */
/* Function and place, with the values of its arguments where the frame is a tasklet's. */
void put_frame(struct dbg *d, const struct frame *frame, bool arguments);
/* A tasklet's place: function and source line, or instruction. */
void put_place(struct dbg *d, unsigned int thread, bool with_function);
/* The source line of an instruction, and the place for list; false if there is none. */
bool put_line(struct dbg *d, unsigned int pc);
void put_instruction(const struct dbg *d, unsigned int pc, const char *mark);
void put_backtrace(struct dbg *d, unsigned int thread);
/* The selected tasklet's selected frame. */
bool put_selected(struct dbg *d);
bool put_source(const char *path, unsigned int first, unsigned int last);
/* values.c */
#define MOST_PRINTED 200	/* as many elements of a variable as gdb prints */
void put_value(uint64_t value, uint32_t size, char letter);

/* print.c: arguments as typed; format is the text after the command's slash */
bool command_print(struct dbg *d, const char *format, char *text);
bool command_examine(struct dbg *d, const char *format, char *text);
bool command_set(struct dbg *d, char *text);
/* ptype and whatis; info locals and info args */
bool command_ptype(struct dbg *d, char *text);
bool command_whatis(struct dbg *d, char *text);
bool put_locals(struct dbg *d, bool arguments);
void put_registers(struct dbg *d, const char *names);

/* stops.c */
bool add_break(struct dbg *d, char *text, bool temporary);
bool add_watch(struct dbg *d, char *text);
bool delete_stops(struct dbg *d, const char *text);
void put_stops(struct dbg *d);
/* The program has changed: looks breakpoints up again. */
void renew_stops(struct dbg *d);
/* The breakpoint that stops a tasklet at an instruction, or NULL. */
struct stop *stop_at(struct dbg *d, unsigned int thread, unsigned int pc);
/* Saves the watched bytes; returns the first watchpoint whose bytes have changed, or NULL. */
void watch_begin(struct dbg *d);
struct stop *watch_changed(struct dbg *d);
void put_change(struct dbg *d, struct stop *s);

/* go.c */
enum way { WAY_GO, WAY_STEP, WAY_NEXT, WAY_STEPI, WAY_NEXTI, WAY_FINISH, WAY_TURN, WAY_UNTIL };
bool go(struct dbg *d, enum way way, uint64_t count);
/* until: to a place, or to the caller of this function. */
bool go_to(struct dbg *d, const char *place);
bool start(struct dbg *d);

/* info.c */
bool command_info(struct dbg *d, char *text);

/* display.c */
bool command_display(struct dbg *d, char *text);
bool command_undisplay(struct dbg *d, char *text);
void put_displays(struct dbg *d);

/* commands.c: reads and runs commands to the end of input. */
void read_commands(struct dbg *d);

/* targets: false after a message */
#define MAX_ITEMS 64
struct alone {
	const struct dpu_arch *arch;	/* NULL: as the program says */
	const char *sets[MAX_ITEMS + 1], *mrams[MAX_ITEMS + 1];	/* ended by NULL */
};
bool target_alone(struct dbg *d, struct alone *alone);
bool target_core(struct dbg *d, const char *path);
bool target_host(struct dbg *d, const char *dpu, char **command);

#endif
