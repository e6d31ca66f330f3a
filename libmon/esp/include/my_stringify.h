/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* my_stringify.h - the text of an expanded macro, under ESP's file name. */
#ifndef MY_STRINGIFY_H
#define MY_STRINGIFY_H

#define my_stringify_l(...) #__VA_ARGS__
#define my_stringify(...) my_stringify_l(__VA_ARGS__)

#endif
