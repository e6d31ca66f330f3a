/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry point of mon-qemu.so.
 *
 * The distribution's QEMU exports its symbols for its own modules and loads plugins before it
 * creates the machine, so a plugin may register device types. Structures differ between versions of
 * QEMU, so the plugin first checks that it runs in the version whose headers it was compiled with. mon-vm has
 * compared the names of the packages, too: symbols also differ, and then the plugin is not even loaded.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-control.h"

#include "compat.h"
#include "cpu/cpu-source.h"
#include "mon-devices.h"
#include "turns.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* What mon-vm looks for in this file before it starts QEMU. */
QEMU_PLUGIN_EXPORT const char mon_qemu_for[] = "mon-qemu for " MON_QEMU_VERSION;

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
                                           int argc, char **argv)
{
    g_autoptr(VersionInfo) running = qmp_query_version(NULL);
    g_autofree char *version = g_strdup_printf(" version %" PRId64 ".%" PRId64 ".%" PRId64, running->qemu->major,
                                               running->qemu->minor, running->qemu->micro);
    const char *built = strstr(mon_qemu_for, version);

    if (!built || g_ascii_isdigit(built[strlen(version)])) {
        fprintf(stderr, "mon-qemu: this is QEMU%s, but the object is %s: run make, or install the package mon-vm that "
                "belongs to this QEMU\n", version, mon_qemu_for);
        return -1;
    }
    if (!info->system_emulation || strcmp(info->target_name, cpu_source_target()) != 0) {
        fprintf(stderr, "mon-qemu: target %s is not what this object is for: use qemu-system-%s\n",
                info->target_name, cpu_source_target());
        return -1;
    }
    if (!cpu_source_parse(argc, argv)) {
        return -1;
    }
    cpu_source_start(id);
    turns_start();
#define MON_SYSTEM(name, ...) name##_dev_register();
#include "events/built.def"
#undef MON_SYSTEM
    return 0;
}
