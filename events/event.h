/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The columns of the catalogues events/<pmu>/events.def, and the fields of perf_event_attr.config.
 *
 * Define the macros that you need, include one or more catalogues (catalogues.def: all), and
 * undefine them. Entries of other macros are left out.
 *
 * MON_EVENT(name, config, places, variants, unit, scale, description, ...)
 *   name         as in sysfs, perf, libpfm4 and libmon: lower case, [a-z0-9_]
 *   config       attr.config of the event without any further field
 *   places       mask of MON_PLACE bits: where the event can count; 0: everywhere
 *   variants     mask of MON_IDENTIFIER bits: the hardware that has the event; 0: all
 *   unit         what one count is after scaling
 *   scale        text of the factor from counts to units; empty: 1
 *   description  what the hardware counts
 *   ...          further columns of one system, explained in its catalogue
 * MON_PLACE(bit, words)          a bit of the column places, in words:
 *   Kinds of the places that MON_TOPOLOGY lists, separated by spaces; kind+feature for those of a
 *   kind that have a feature. Other PMUs: whatever tells a reader where the event counts.
 * MON_TOPOLOGY(noun, field, select, first, file)     if an event can be counted in one place alone
 *   noun         what a place is called: "tile"
 *   field        of the config word, takes the number of a place
 *   select       field that is 1 then; "": there is none
 *   first        value of field for place 0; 1 if 0 means all places
 *   file         of the PMU in sysfs: the number of places; or a folder with a file for each, whose
 *                name is its number: ROW COLUMN KIND [DEVICE-FILE [FEATURE]]
 * MON_IDENTIFIER(text, mask)     content of the PMU's file identifier in sysfs, and its variants
 *
 * A file config.h beside the catalogue has the fields of config, each by its first and last bit:
 *   #define X_CONFIG_TILE MON_BITS(8, 15)
 * and all bits that mean something:
 *   #define X_CONFIG_ALL (X_CONFIG_EVENT | X_CONFIG_TILE)
 */
#ifndef MON_EVENT_H
#define MON_EVENT_H

/* The mask of a field of config. It is a constant, as the kernel's FIELD_GET() requires. */
#define MON_BITS(first, last)	(~0ULL >> (63 - (last)) & ~0ULL << (first))
/* The value of a field in config; a config with only that field. */
#define MON_GET(field, config)	\
	(((unsigned long long)(config) & (field)) >> __builtin_ctzll(field))
#define MON_PUT(field, value)	\
	((unsigned long long)(value) << __builtin_ctzll(field) & (field))

#endif
