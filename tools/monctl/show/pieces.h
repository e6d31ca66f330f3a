/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in pieces that a page loads as scripts, because a browser opens no other files of a folder without a server.
 * Level 0 has bins as long as the interval, each further level bins eight times as long, until the page itself is as
 * fine. pieces/L-N.js calls takePiece(L, N, [bins of counter 0, bins of counter 1, ...]), with bins as page.c has them.
 */
#ifndef MONCTL_PIECES_H
#define MONCTL_PIECES_H

#include "tools/monctl/record/recording.h"

#define PIECE_BINS 1024u
#define PIECE_FACTOR 8u

/* Levels that are finer than bins of that length. */
size_t pieces_levels(const struct recording *rec, uint64_t page_bin_ns);
/* Writes all of them to the folder, which is made if it is not there. Returns the bytes. */
uint64_t pieces_write(const struct recording *rec, size_t levels, const char *folder);

#endif
