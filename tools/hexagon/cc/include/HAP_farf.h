/* SPDX-License-Identifier: MIT */
/* Messages. A level is on if FARF_level is 1 where this is included; HIGH, ERROR, FATAL and ALWAYS are. */
#ifndef HAP_FARF_H
#define HAP_FARF_H

#ifndef FARF_LOW
#define FARF_LOW 0
#endif
#ifndef FARF_MEDIUM
#define FARF_MEDIUM 0
#endif
#ifndef FARF_HIGH
#define FARF_HIGH 1
#endif
#ifndef FARF_ERROR
#define FARF_ERROR 1
#endif
#ifndef FARF_FATAL
#define FARF_FATAL 1
#endif
#ifndef FARF_ALWAYS
#define FARF_ALWAYS 1
#endif
/* On the DSP these levels change while a program runs. */
#define FARF_RUNTIME_LOW 0
#define FARF_RUNTIME_MEDIUM 0
#define FARF_RUNTIME_HIGH 1
#define FARF_RUNTIME_ERROR 1

#define FARF(level, ...) ((void)(FARF_##level && (__farf(#level, __FILE__, __LINE__, __VA_ARGS__), 0)))

void __farf(const char *level, const char *file, int line, const char *format, ...) __attribute__((__format__(__printf__, 4, 5)));

#endif
