/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry point of mon-qemu.so.
 *
 * The distribution's QEMU exports its symbols for its own modules and loads plugins before it
 * creates the machine, so a plugin may register device types. Structures differ between versions of
 * QEMU, so the plugin first checks that it runs in the version whose headers it was compiled with.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-control.h"
#include "qemu/qemu-plugin.h"

#include "cpu/cpu-source.h"
#include "mon-devices.h"
#include "turns.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* "QEMU emulator version 7.2.22 (Debian ...)", the output of --version. */
static char *running_version(void)
{
    g_autoptr(VersionInfo) info = qmp_query_version(NULL);
    const char *package = info->package;

    while (*package == ' ') {
        package++;
    }
    return g_strdup_printf("QEMU emulator version %" PRId64 ".%" PRId64 ".%" PRId64 "%s%s%s%s",
                           info->qemu->major, info->qemu->minor, info->qemu->micro,
                           *package ? " " : "", *package && *package != '(' ? "(" : "", package,
                           *package && *package != '(' ? ")" : "");
}

/* Debian's "+b3)" at the end: the same source was built once more, so structures are as they were. */
static char *without_rebuild(const char *version)
{
    const char *mark = g_strrstr(version, "+b");
    size_t digits = mark ? strspn(mark + 2, "0123456789") : 0;

    return digits && !strcmp(mark + 2 + digits, ")") ?
           g_strdup_printf("%.*s)", (int)(mark - version), version) : g_strdup(version);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
                                           int argc, char **argv)
{
    g_autofree char *version = running_version();
    g_autofree char *running = without_rebuild(version);
    g_autofree char *built = without_rebuild(MON_QEMU_VERSION);

    if (strcmp(running, built) != 0) {
        fprintf(stderr,
                "mon-qemu: this is %s, but the object was built for %s: rebuild it with make, or install the "
                "package mon-vm that belongs to this QEMU\n",
                version, MON_QEMU_VERSION);
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
