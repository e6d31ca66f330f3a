/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The board of an ESP SoC, for bare-metal programs.
 *
 * ESP's programs poll the APBUART, read the device tree in the boot ROM, whose address is compiled into them, and
 * end with a store to the word "tohost".
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/log.h"

#include "esp/esp-board.h"

/* Registers of the APBUART. */
#define UART_DATA 0x0
#define UART_STATUS 0x4
#define UART_CONTROL 0x8
#define UART_SCALER 0xc
#define UART_STATUS_EMPTY 0x6   /* shift register and holding register are empty: output takes no time */
#define UART_CONTROL_BOOT 0x80000003    /* transmitter and receiver FIFOs, as the boot ROM leaves it */

/* ESP's boot ROM, between the machine's own and its test device. */
#define ROM_AT 0x10000
#define ROM_END 0x100000

#define TOHOST_SIZE 8
#define MAX_STATUS 255

/* ---- APBUART ---- */

static uint64_t uart_read(void *opaque, hwaddr addr, unsigned size)
{
    EspBoard *b = opaque;

    esp_core_read(b->core, ESP_UART + addr);
    switch (addr) {
    case UART_STATUS:
        return UART_STATUS_EMPTY;
    case UART_CONTROL:
        return b->uart_control;
    case UART_SCALER:
        return b->uart_scaler;
    default:
        return 0;
    }
}

static void uart_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    EspBoard *b = opaque;
    uint8_t byte = value;

    esp_core_write(b->core, ESP_UART + addr, value);
    switch (addr) {
    case UART_DATA:
        qemu_chr_fe_write_all(&b->serial, &byte, 1);
        break;
    case UART_CONTROL:
        b->uart_control = value;
        break;
    case UART_SCALER:
        b->uart_scaler = value;
        break;
    }
}

static const MemoryRegionOps uart_ops = {
    .read = uart_read,
    .write = uart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- totals ---- */

/* Accepts perf's notation, too: espmon/NAME/. */
static bool add_total(EspBoard *b, const char *given, Error **errp)
{
    static const struct { const char *name; unsigned int code; } events[] = {
#define MON_EVENT(name, code, ...) \
    { #name, code },
#include "events/esp/events.def"
#undef MON_EVENT
    };
    g_autofree char *name = g_strdup(g_str_has_prefix(given, "espmon/") ? given + 7 : given);
    EspTotal *t = &b->totals[b->ntotals];

    if (g_str_has_suffix(name, "/")) {
        name[strlen(name) - 1] = '\0';
    }
    if (b->ntotals == ESP_BOARD_MAX_TOTALS) {
        error_setg(errp, "counters: more than %d", ESP_BOARD_MAX_TOTALS);
        return false;
    }
    for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
        unsigned int code = events[i].code;

        if (strcmp(events[i].name, name)) {
            continue;
        }
        t->name = events[i].name;
        t->pair = code == ESPMON_acc_mem_cycles || code == ESPMON_acc_tot_cycles;
        if (t->pair) {
            code = code == ESPMON_acc_mem_cycles ? ESPMON_acc_mem_lo : ESPMON_acc_tot_lo;
        }
        t->reg = espmon_register_of(b->core->layout, code);
        if (t->reg < 0) {
            error_setg(errp, "counters: layout %u has no %s", b->core->layout, name);
            return false;
        }
        b->ntotals++;
        return true;
    }
    error_setg(errp, "counters: there is no event %s: give names such as ddr_accesses, whole "
               "SoC, without tile=", name);
    return false;
}

static uint64_t monitor(EspBoard *b, const EspTotal *t, unsigned int tile)
{
    uint64_t value = esp_core_monitor(b->core, tile, t->reg);

    return t->pair ? value | (uint64_t)esp_core_monitor(b->core, tile, t->reg + 1) << 32 : value;
}

/* Adds the counts since the last call; first: starts from here. */
static void add_up(EspBoard *b, bool first)
{
    const struct esp_design *design = esp_soc_design(b->core->soc);

    for (unsigned int i = 0; i < b->ntotals; i++) {
        EspTotal *t = &b->totals[i];

        for (unsigned int tile = 0; tile < design->rows * design->cols; tile++) {
            uint64_t now = monitor(b, t, tile), more = now - t->last[tile];

            t->sum += first ? 0 : t->pair ? more : (uint32_t)more;
            t->last[tile] = now;
        }
    }
}

static void arm(EspBoard *b)
{
    /* a quarter of the cycles in which a monitor can wrap */
    int64_t ns = muldiv64(1u << 30, NANOSECONDS_PER_SECOND, b->core->clock_hz);

    if (b->ntotals) {
        timer_mod(&b->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + ns);
    }
}

static void tick(void *opaque)
{
    EspBoard *b = opaque;

    add_up(b, false);
    arm(b);
}

/* ---- end of the program ---- */

static void at_exit(Notifier *notifier, void *data)
{
    EspBoard *b = container_of(notifier, EspBoard, exit);
    FILE *out = b->report ? fopen(b->report, "w") : stderr;

    if (!out) {
        error_report("espmon: %s: %s", b->report, strerror(errno));
        return;
    }
    if (b->ended) {
        fprintf(out, "%18" PRIu64 "      exit\n", b->status);
    }
    add_up(b, false);
    for (unsigned int i = 0; i < b->ntotals; i++) {
        if (esp_soc_has_lost(b->core->soc)) {
            fprintf(out, "%18s      espmon/%s/\n", "<not counted>", b->totals[i].name);
        } else {
            fprintf(out, "%18" PRIu64 "      espmon/%s/\n", b->totals[i].sum, b->totals[i].name);
        }
    }
    fflush(out);
    if (b->report) {
        fclose(out);
    }
}

static uint64_t tohost_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

/* Protocol of riscv-tests: 2 n + 1 ends the run with status n; other values are requests to a host. */
static void tohost_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    EspBoard *b = opaque;

    if (addr) {
        return;         /* the high word */
    }
    if (!(value & 1)) {
        qemu_log_mask(LOG_GUEST_ERROR, "espmon: tohost = 0x%" PRIx64 " asks for a host's service: "
                      "there is none, print to the APBUART\n", value);
        return;
    }
    b->ended = true;
    b->status = value >> 1;
    if (b->status > MAX_STATUS) {
        warn_report("espmon: the program ended with %" PRIu64 " (1337: a trap that it does not "
                    "handle)", b->status);
    }
    exit(MIN(b->status, MAX_STATUS));
}

static const MemoryRegionOps tohost_ops = {
    .read = tohost_read,
    .write = tohost_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 8 },
};

/* ---- realize and reset ---- */

/* The machine's tree is complete at the first reset. */
void esp_board_reset(EspBoard *b)
{
    void *fdt = current_machine->fdt;
    uint32_t size = fdt ? be32_to_cpu(((uint32_t *)fdt)[1]) : 0;

    b->uart_control = UART_CONTROL_BOOT;
    b->uart_scaler = 0;
    add_up(b, true);
    arm(b);
    if (!b->dtb_at) {
        return;
    }
    if (size > ROM_END - b->dtb_at) {
        error_report("espmon: dtb: the device tree of %u bytes does not fit at 0x%" PRIx64
                     ": give a lower address", size, b->dtb_at);
        exit(EXIT_FAILURE);
    }
    memcpy((uint8_t *)memory_region_get_ram_ptr(&b->rom) + b->dtb_at - ROM_AT, fdt, size);
}

bool esp_board_realize(EspBoard *b, EspCore *core, uint64_t apb_base, Error **errp)
{
    MemoryRegion *system = get_system_memory();
    Object *owner = OBJECT(core->dev);
    g_auto(GStrv) names = g_strsplit(b->counters ? b->counters : "", ",", 0);

    b->core = core;
    if (b->dtb_at && (b->dtb_at < ROM_AT || b->dtb_at >= ROM_END || b->dtb_at % 8)) {
        error_setg(errp, "dtb=0x%" PRIx64 ": ESP's boot ROM is at 0x%x to 0x%x", b->dtb_at, ROM_AT,
                   ROM_END - 1);
        return false;
    }
    for (char **name = names; *name; name++) {
        if (**name && !add_total(b, *name, errp)) {
            return false;
        }
    }
    if (b->dtb_at) {
        memory_region_init_rom(&b->rom, owner, "esp-boot-rom", ROM_END - ROM_AT, &error_fatal);
        memory_region_add_subregion(system, ROM_AT, &b->rom);
    }
    memory_region_init_io(&b->uart, owner, &uart_ops, b, "esp-apbuart", ESP_UART_SIZE);
    memory_region_add_subregion_overlap(system, apb_base + ESP_UART, &b->uart, 2);
    if (b->tohost_at) {
        memory_region_init_io(&b->tohost, owner, &tohost_ops, b, "esp-tohost", TOHOST_SIZE);
        memory_region_add_subregion_overlap(system, b->tohost_at, &b->tohost, 1);
    }
    timer_init_ns(&b->timer, QEMU_CLOCK_VIRTUAL, tick, b);
    if (b->ntotals || b->tohost_at) {
        b->exit.notify = at_exit;
        qemu_add_exit_notifier(&b->exit);
    }
    return true;
}
