/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the model of the SoC from the design and the properties of a device. */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"

#include "esp/esp-core.h"
#include "esp/mon_esp_acc.h"
#include "models/esp/esp_tree.h"

/* 32-bit DMA reaches this much guest memory on every PC machine type. */
#define MAX_DRAM (2 * GiB)

void esp_core_free_design(EspCore *s)
{
    unsigned int i;

    for (i = 0; s->types[i]; i++) {
        esp_remote_type_free(s->types[i]);
        s->types[i] = NULL;
    }
    if (s->requests) {
        fclose(s->requests);
        s->requests = NULL;
    }
}

/* Makes the types of the property "accelerators". */
static bool esp_core_create_types(EspCore *s, Error **errp)
{
    g_auto(GStrv) list = g_strsplit(s->accelerators ? s->accelerators : "", ";", 0);
    char message[256];
    unsigned int i;

    for (i = 0; list[i]; i++) {
        char *file = strchr(list[i], '=');

        if (!file || i == ESP_CORE_MAX_TYPES) {
            error_setg(errp, "accelerators=%s: not NAME=FILE, or more than %d", list[i],
                       ESP_CORE_MAX_TYPES);
            return false;
        }
        *file++ = '\0';
        s->types[i] = esp_remote_type(list[i], file, s->confined, s->silence_ms, message,
                                      sizeof(message));
        if (!s->types[i]) {
            error_setg(errp, "accelerator %s: %s", list[i], message);
            return false;
        }
    }
    return true;
}

static bool esp_core_has_tile(const struct esp_design *design, const char *name)
{
    unsigned int tile;

    for (tile = 0; tile < design->rows * design->cols; tile++) {
        if (design->tiles[tile].kind == ESP_TILE_ACC &&
            !g_ascii_strcasecmp(design->tiles[tile].name, name)) {
            return true;
        }
    }
    return false;
}

/* Warns of accelerators without a model, which would only count zeros, and of models without a tile. */
static void esp_core_warn_unknown(EspCore *s)
{
    const struct esp_design *design = esp_soc_design(s->soc);
    unsigned int tile, i;
    Location none;

    /* not in front of each line the text of the whole -device option */
    loc_push_none(&none);
    for (i = 0; s->types[i]; i++) {
        if (!esp_core_has_tile(design, s->types[i]->row->name)) {
            warn_report("espmon: accelerator %s: no tile of the design has this name: write it as "
                        "the .esp_config does", s->types[i]->row->name);
        }
        if (g_ascii_strcasecmp(s->types[i]->row->name, esp_remote_own_name(s->types[i]))) {
            warn_report("espmon: accelerator %s: %s is %s: if its registers are others, programs of %s get ENOTTY",
                        s->types[i]->row->name, esp_remote_file(s->types[i]), esp_remote_own_name(s->types[i]),
                        s->types[i]->row->name);
        }
    }
    for (i = 0; i < design->nnotes; i++) {
        warn_report("espmon: %s", design->notes[i]);
    }
#define NOT(name, bit, text) \
    if (esp_design_not_modelled(design) & (bit)) { \
        warn_report("espmon: not modelled: " text); \
    }
    ESP_NOT_MODELLED(NOT)
#undef NOT
    for (tile = 0; tile < design->rows * design->cols; tile++) {
        const struct esp_tile *t = &design->tiles[tile];

        if (t->kind == ESP_TILE_ACC && !strcmp(t->vendor, "sld") &&
            !esp_soc_knows(s->soc, t->id)) {
            warn_report("espmon: tile %u: no model of %s, its runs fail: give one with "
                        "accelerators=%s=FILE (mon-vm --accelerator %s=FILE)", tile, t->name,
                        t->name, t->name);
        }
    }
    loc_pop(&none);
}

void esp_core_transaction(void *opaque, const struct esp_transaction *t)
{
    EspCore *s = opaque;

    if (s->requests &&
        fprintf(s->requests, "%" PRIu64 ",%u,%s.%u,%s,%u,0x%x,%u,%u\n", t->cycle, t->tile,
                esp_soc_design(s->soc)->tiles[t->tile].name, t->acc, t->what, t->offset, t->address, t->bytes,
                t->partner) < 0) {
        error_report("requests=%s: %s: no further request is written", s->requests_file, strerror(errno));
        fclose(s->requests);
        s->requests = NULL;
    }
}

static bool esp_core_open_requests(EspCore *s, Error **errp)
{
    if (!s->requests_file) {
        return true;
    }
    s->requests = fopen(s->requests_file, "w");
    if (!s->requests) {
        error_setg_errno(errp, errno, "requests=%s", s->requests_file);
        return false;
    }
    /* a line that cannot be written is known at once, not when QEMU ends */
    setvbuf(s->requests, NULL, _IOLBF, 0);
    fprintf(s->requests, "cycle,tile,accelerator,what,offset,address,bytes,partner\n");
    return true;
}

bool esp_core_create_soc(EspCore *s, const struct esp_soc_ops *ops, Error **errp)
{
    g_autofree struct esp_design *design = g_new0(struct esp_design, 1);
    struct esp_params params;
    char message[256];

    if (!s->soc_file) {
        esp_design_default(design);
    } else if (esp_design_read(s->soc_file, design, message, sizeof(message)) < 0) {
        error_setg(errp, "%s", message);
        return false;
    }
    if (!esp_core_create_types(s, errp) || !esp_core_open_requests(s, errp)) {
        esp_core_free_design(s);
        return false;
    }
    esp_params_init(&params);
    params.accelerators = (const struct mon_esp_acc_type *const *)s->types;
    params.mem_base = current_machine->ram->addr; /* DMA addresses are guest addresses */
    params.mem_size = s->mem_size ? s->mem_size : MIN(current_machine->ram_size, MAX_DRAM);
    if (s->layout_name) {
        params.layout = esp_layout_of(s->layout_name);
        if (!params.layout) {
            error_setg(errp, "layout=%s: give 2021, 2023, 2026 or vespa", s->layout_name);
            esp_core_free_design(s);
            return false;
        }
    }
    s->layout = params.layout;
    params.preset = s->preset;
    params.tlb_quirk = s->tlb_quirk;
    params.little_endian = true; /* the guest's processor is little-endian, even with a Leon3 design */
    s->soc = esp_soc_new(design, &params, ops, s, message, sizeof(message));
    if (!s->soc) {
        error_setg(errp, "%s", message);
        esp_core_free_design(s);
        return false;
    }
    esp_core_warn_unknown(s);
    return true;
}
