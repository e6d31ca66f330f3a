// SPDX-License-Identifier: GPL-2.0-only
/* QEMU's -device arguments: the emulated devices, their ports and the options of mon-vm that set properties. */
#include <stdlib.h>
#include <string.h>

#include "vm/vm.h"

struct device {
	const char *name;	/* the device as a PCI function */
	const char *fixed;	/* the device at the hardware's own addresses, or "" */
	const char *options;	/* the properties that mon-vm sets, separated by spaces */
};

static const struct device devices[] = {
#define MON_SYSTEM(name, pmu, prefix, vendor, product, device, fixed, options, ...) \
	{ device, fixed, options },
#include "events/built.def"
#undef MON_SYSTEM
};

/* The devices that ./configure --with-systems left out. */
static const struct {
	const char *system, *name, *fixed;
} not_built[] = {
#define MON_SYSTEM(...)
#define MON_SYSTEM_NOT_BUILT(system, pmu, prefix, vendor, product, device, fixed, ...) { #system, device, fixed },
#include "events/built.def"
#undef MON_SYSTEM
	{ NULL, "", "" }
};

/* Slots of the ports; QEMU gives lower ones to devices without a slot of their own. */
#define FIRST_SLOT 0x10
#define FUNCTIONS 8

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool is_type(const char *spec, const char *name)
{
	size_t len = strlen(name);

	return len && strcspn(spec, ",") == len && !strncmp(spec, name, len);
}

static void check_built(const char *spec)
{
	for (size_t i = 0; not_built[i].system; i++) {
		if (is_type(spec, not_built[i].name) || is_type(spec, not_built[i].fixed))
			fail("--device %s: this mon-vm was built without it: run ./configure with %s in --with-systems",
			     spec, not_built[i].system);
	}
}

/* NULL: one of QEMU's own devices. */
static const struct device *device_of(const char *spec)
{
	for (size_t i = 0; i < COUNT(devices); i++) {
		if (is_type(spec, devices[i].name) || is_type(spec, devices[i].fixed))
			return &devices[i];
	}
	return NULL;
}

/* A device that is no PCI function is at its hardware's address and cannot be unplugged. */
static bool is_fixed(const char *spec)
{
	const struct device *device = device_of(spec);

	return device && is_type(spec, device->fixed);
}

static size_t count_before(const struct strv *specs, size_t index)
{
	const char *spec = specs->item[index];
	size_t len = strcspn(spec, ","), n = 0;

	for (size_t i = 0; i < index; i++)
		n += strcspn(specs->item[i], ",") == len && !strncmp(specs->item[i], spec, len);
	return n;
}

/* The device's id for QMP: "espmon" for the first of a type, "espmon-2" for the second. */
static char *device_id(const struct strv *specs, size_t index)
{
	size_t before = count_before(specs, index);
	int len = (int)strcspn(specs->item[index], ",");

	return before ? format("%.*s-%zu", len, specs->item[index], before + 1) :
	       format("%.*s", len, specs->item[index]);
}

static bool takes(const char *spec, const char *property)
{
	const struct device *device = device_of(spec);
	AUTO_FREE char *words = format(" %s ", device ? device->options : "");
	AUTO_FREE char *word = format(" %s ", property), *given = format(",%s=", property);

	return strstr(words, word) && !strstr(spec, given);
}

/* Adds ,PROPERTY=VALUE to *spec; without a value nothing. Frees the value. */
static void give(char **spec, const char *property, char *value)
{
	AUTO_FREE char *own = value, *quoted = value ? quote(value) : NULL;

	if (value)
		extend(spec, ",%s=%s", property, quoted);
}

/* The items of a list as one property; NULL: the list is empty. */
static char *joined(const struct strv *list)
{
	char *all = NULL;

	for (size_t i = 0; i < list->n; i++)
		extend(&all, "%s%s", i ? ";" : "", list->item[i]);
	return all;
}

/* Each PCI device has a port of its own, which hot-unplug needs. A slot holds eight ports. */
static void add_device(struct strv *v, const struct options *o, const struct strv *specs, size_t n,
		       bool hexagon, const struct strv *more)
{
	AUTO_FREE char *spec = format("%s", specs->item[n]), *id = device_id(specs, n);
	size_t port = 0;

	for (size_t i = 0; i < n; i++)
		port += !is_fixed(specs->item[i]);
	if (!is_fixed(spec)) {
		option(v, "-device", "pcie-root-port,id=mon-port%zu,chassis=%zu,slot=%zu,multifunction=on,addr=0x%zx.%zu",
		       port + 1, port + 1, port + 1, FIRST_SLOT + port / FUNCTIONS, port % FUNCTIONS);
		give(&spec, "bus", format("mon-port%zu", port + 1));
	}
	if (!strstr(spec, ",id="))
		give(&spec, "id", format("%s", id));
	if (o->soc && takes(spec, "soc"))
		give(&spec, "soc", format("%s", o->soc));
	if (takes(spec, "accelerators"))
		give(&spec, "accelerators", joined(&o->accelerators));
	/* there is one connection, and the first core gets it */
	if (hexagon && !count_before(specs, n) && takes(spec, "chardev"))
		give(&spec, "chardev", format("hexagon-host"));
	if (o->upmem_profile && takes(spec, "profile"))
		give(&spec, "profile", format("%s/%s", o->upmem_profile, id));
	for (size_t i = 0; more && is_fixed(spec) && i < more->n; i++)
		extend(&spec, ",%s", more->item[i]);
	option(v, "-device", "%s", spec);
}

void devices_add(struct strv *v, const struct options *o, bool hexagon, const struct strv *more)
{
	struct strv all = { 0 };
	const struct strv *specs = o->devices.n ? &o->devices : &all;
	AUTO_FREE char *plugin = NULL;

	if (strv_has(&o->devices, "none"))
		return;
	if (!exists(o->places.plugin))
		fail("%s not found: run make, or pass --device none", o->places.plugin);
	plugin = quote(o->places.plugin);
	option(v, "-plugin", "%s%s%s%s", plugin, o->cpu ? ",cpu=on" : "", o->plugin_args ? "," : "",
	       o->plugin_args ? o->plugin_args : "");
	for (size_t i = 0; i < COUNT(devices); i++) {
		if (o->bare_metal && !*devices[i].fixed)
			continue;
		strv_add(&all, "%s", o->esp && *devices[i].fixed ? devices[i].fixed : devices[i].name);
	}
	for (size_t i = 0; i < specs->n; i++) {
		check_built(specs->item[i]);
		add_device(v, o, specs, i, hexagon, more);
	}
	strv_free(&all);
}
