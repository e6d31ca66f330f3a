/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory accesses of a CPU tile, for any source of processor traffic. */
#include "esp/protocol.h"

/* Uncached requests of a CPU that may be under way before the next one waits. */
#define MAX_UNDER_WAY	64
/* A cache that takes no request for so many cycles is broken. */
#define MAX_WAIT	1000000

/*
 * Caches disabled: a load's request is header, address and length, a store is header, address and
 * the words. A load's answer is a header and the words; a store has none.
 */
static void cpu_uncached(struct esp_soc *soc, unsigned int cpu, enum esp_access what, uint64_t addr,
			 unsigned int size)
{
	unsigned int words = (addr % soc->word + size + soc->word - 1) / soc->word;
	unsigned int flits = what == ESP_STORE ? 2 + words : 3;
	struct esp_packet *p;

	while (soc->st->uncached[cpu] >= MAX_UNDER_WAY && soc->agenda.waiting)
		esp_soc_advance(soc, esp_soc_next_event(soc));
	p = esp_noc_packet(soc, ESP_PL_REQ, what == ESP_STORE ? ESP_MSG_STORE : ESP_MSG_LOAD,
			   soc->cpu_tile[cpu], soc->mem_tile[esp_mem_home(soc, addr)], flits);
	p->addr = addr;
	p->words = words;
	soc->st->uncached[cpu]++;
	esp_noc_send(soc, p, flits, 0);
}

/* The words of a load. */
void esp_cpu_receive(struct esp_soc *soc, unsigned int cpu, struct esp_packet *p)
{
	soc->st->uncached[cpu]--;
	esp_noc_free(soc, p);
}

bool esp_soc_l2_owns(const struct esp_soc *soc, unsigned int cpu, uint32_t line)
{
	const struct esp_l2_line *l = soc->design.caches ? esp_l2_lookup(soc, cpu, line) : NULL;

	return l && l->state == ESP_L2_M;
}

uint64_t esp_soc_memory_end(const struct esp_soc *soc)
{
	return soc->params.mem_base + soc->params.mem_size;
}

void esp_soc_l2_hits(struct esp_soc *soc, unsigned int cpu, uint32_t n)
{
	esp_l2_pulse(soc, cpu, true, n);
}

void esp_soc_on_l2_loss(struct esp_soc *soc,
			void (*loss)(void *opaque, unsigned int cpu, uint32_t line, bool whole),
			void *opaque)
{
	soc->l2_loss = loss;
	soc->l2_loss_opaque = opaque;
}

void esp_soc_cpu_access(struct esp_soc *soc, unsigned int cpu, enum esp_access what, uint64_t addr,
			unsigned int size)
{
	uint64_t limit;

	if (cpu >= soc->design.ncpu || !size || !esp_mem_holds(soc, addr, size))
		return;
	if (!soc->design.caches) {
		cpu_uncached(soc, cpu, what, addr, size);
		return;
	}
	/* The processor waits for its cache, and the model's time runs ahead of the caller's if it must. */
	limit = soc->st->now + MAX_WAIT;
	while (!esp_l2_ask(soc, cpu, what, addr >> soc->line_shift)) {
		if (esp_soc_next_event(soc) > limit) {
			esp_guest_error(soc, "cpu %u: its cache does not answer, an access is lost",
					cpu);
			return;
		}
		esp_soc_advance(soc, esp_soc_next_event(soc));
	}
}
