/* SPDX-License-Identifier: MIT */
#error "dspqueue.h: a program has no queue to a host processor; give it a main()"
