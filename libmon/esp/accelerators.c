// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compile-time checks: the public headers agree with the rows of accelerators.def in the members' places, sizes and
 * the numbers of the ioctls. A difference is a compile error.
 */
#include <stddef.h>

#include "events/esp/accelerators.h"
/* the headers to check; Makefile.inc makes the list from the rows */
#include "libmon/esp/acc-headers.h"

/* The structures that the rows describe. */
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	struct name##_row { struct esp_access esp; registers };
#define ESP_ACC_REG(name, offset, member, ...) unsigned int member;
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/esp/accelerators.def"

#define MEMBERS_0(name, registers)
#define MEMBERS_1(name, registers) \
	static inline void members_of_##name(void) \
	{ \
		typedef struct name##_access access; \
		typedef struct name##_row row; \
		registers \
	}
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	MEMBERS_##header(name, registers)
#define ESP_ACC_REG(name, offset, member, ...) \
	_Static_assert(offsetof(access, member) == offsetof(row, member), #member " is elsewhere");
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/esp/accelerators.def"

#define SIZES_0(NAME, name)
#define SIZES_1(NAME, name) \
	_Static_assert(sizeof(struct name##_access) == ESP_ACC_ACCESS_SIZE(ESP_##NAME##_WORDS), \
		       "another size of struct " #name "_access"); \
	_Static_assert(NAME##_IOC_ACCESS == ESP_ACC_ACCESS_CMD(ESP_##NAME##_WORDS), \
		       "another number of " #NAME "_IOC_ACCESS");
#define ESP_ACC(NAME, name, device, chunks, header, ...) SIZES_##header(NAME, name)
#include "events/esp/accelerators.def"
