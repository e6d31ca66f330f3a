/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The board around the SoC for a bare-metal program: APBUART, boot ROM with the device tree, a word that ends the
 * run, and totals of the monitors at the end.
 */
#ifndef ESP_BOARD_H
#define ESP_BOARD_H

#include "chardev/char-fe.h"
#include "qemu/notify.h"

#include "esp/esp-core.h"

#define ESP_BOARD_MAX_TOTALS 32

/* An event summed over all tiles, of any width. */
typedef struct EspTotal {
    const char *name;
    int reg;                    /* code in the tile, by its layout */
    bool pair;                  /* 64 bits: the next register has the high word */
    uint64_t sum, last[ESP_MAX_TILES];
} EspTotal;

typedef struct EspBoard {
    EspCore *core;
    MemoryRegion uart, rom, tohost;
    uint32_t uart_control, uart_scaler;
    EspTotal totals[ESP_BOARD_MAX_TOTALS];
    unsigned int ntotals;
    QEMUTimer timer;            /* time in which a monitor cannot wrap twice */
    Notifier exit;
    bool ended;
    uint64_t status;            /* of the program */

    /* properties */
    CharFrontend serial;
    uint64_t dtb_at, tohost_at; /* 0: none */
    char *counters;             /* names, with commas between them */
    char *report;               /* output file; NULL: standard error */
} EspBoard;

#define ESP_BOARD_PROPERTIES(STATE) \
    DEFINE_PROP_CHR("chardev", STATE, board.serial), \
    DEFINE_PROP_UINT64("dtb", STATE, board.dtb_at, 0), \
    DEFINE_PROP_UINT64("tohost", STATE, board.tohost_at, 0), \
    DEFINE_PROP_STRING("counters", STATE, board.counters), \
    DEFINE_PROP_STRING("report", STATE, board.report)

/* Call it after esp_core_realize() and before the device adds regions at apb_base. */
bool esp_board_realize(EspBoard *board, EspCore *core, uint64_t apb_base, Error **errp);
void esp_board_reset(EspBoard *board);

#endif
