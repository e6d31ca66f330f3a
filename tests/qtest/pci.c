/* SPDX-License-Identifier: GPL-2.0-only */
#include <check.h>

#include "tests/qtest/qtest.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA 0xcfc
#define FIRST_BAR 0xe0000000u	/* free on q35 before firmware runs */

uint32_t qtest_pci_read(struct qtest *q, unsigned int devfn, unsigned int offset)
{
	qtest_outl(q, CONFIG_ADDRESS, 0x80000000u | devfn << 8 | (offset & 0xfc));
	return qtest_inl(q, CONFIG_DATA);
}

void qtest_pci_write(struct qtest *q, unsigned int devfn, unsigned int offset, uint32_t value)
{
	qtest_outl(q, CONFIG_ADDRESS, 0x80000000u | devfn << 8 | (offset & 0xfc));
	qtest_outl(q, CONFIG_DATA, value);
}

struct qtest_pci qtest_pci_setup(struct qtest *q, uint16_t vendor, uint16_t device)
{
	struct qtest_pci pci = { 0 };
	uint32_t next = FIRST_BAR;
	unsigned int devfn, i;

	for (devfn = 0; devfn < 256; devfn++)
		if (qtest_pci_read(q, devfn, 0) == ((uint32_t)device << 16 | vendor))
			break;
	ck_assert_msg(devfn < 256, "no device %04x:%04x on bus 0", vendor, device);
	pci.devfn = devfn;
	for (i = 0; i < 6; i++) {
		uint32_t size;

		qtest_pci_write(q, devfn, 0x10 + 4 * i, ~0u);
		size = ~(qtest_pci_read(q, devfn, 0x10 + 4 * i) & ~0xfu) + 1;
		if (!size)
			continue;
		next = (next + size - 1) & ~(size - 1);
		qtest_pci_write(q, devfn, 0x10 + 4 * i, next);
		pci.bar[i] = next;
		next += size;
	}
	/* memory space and bus master */
	qtest_pci_write(q, devfn, 0x04, 0x6);
	return pci;
}
