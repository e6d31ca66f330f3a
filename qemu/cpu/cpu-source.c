/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gets the virtual CPUs' memory accesses from TCG.
 *
 * A callback after each access reads the entry of the softmmu TLB that the access used. Virtual
 * address + addend is the byte's address in the host; its distance from the start of main memory is
 * the physical address. The usual access thus costs a call, a TLB entry, a comparison with the
 * filter and an addition. Other memory (devices, ROM, TLB entries that have just been replaced)
 * takes a slow path.
 *
 * This file depends on the target's CPUState and is compiled for each target.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/memopidx.h"
#include "hw/core/cpu.h"
#include "qemu/memalign.h"
#include "qemu/plugin-memory.h"
#include "qemu/rcu.h"

#include "compat.h"
#include "cpu/cpu-source.h"
#include "cpu/trace.h"

/* Flags of an entry that is invalid, of a device, or of ROM that is written. */
#define NOT_MEMORY (TLB_INVALID_MASK | TLB_MMIO | TLB_DISCARD_WRITE)

/* Low bits of the callback's info: the MMU index, and three of the size. */
#define KINDS_OF_ACCESS (8 * MON_MMU_INDICES)

struct vcpu {
    struct cpu_filter *filter[CPU_SINKS];
    CPUState *cpu;
    unsigned char shift[CPU_SINKS];         /* log2 of the line size */
    const CPUTLBDescFast *fast[KINDS_OF_ACCESS];
    uint64_t span[KINDS_OF_ACCESS];         /* distance of an access's last byte from its first */
} QEMU_ALIGNED(64);

/* The lines of a translation block, for fetches. */
struct block {
    struct block *next;
    unsigned int n;
    uint32_t line[];
};

static struct cpu_source_options options;
static qemu_plugin_id_t id;
static struct vcpu *vcpus[CPU_MAX_VCPUS];     /* entries stay when a virtual CPU is unplugged */
static struct cpu_filter empty_filter;       /* always misses; in use after a sink is gone */
static struct cpu_sink *sinks[CPU_SINKS];
static bool armed[CPU_SINKS];
static uint64_t ram_start;             /* physical address of main memory */
static uint64_t ram_span[CPU_SINKS];   /* bytes of it that the sink takes */
static uintptr_t ram;                  /* host address that physical address 0 would have */
static struct block *blocks;
static struct cpu_trace *trace;

const char *cpu_source_target(void)
{
    return MON_TARGET;
}

const struct cpu_source_options *cpu_source_options(void)
{
    return &options;
}

void cpu_source_cache(enum cpu_source_cache which, unsigned int *bytes, unsigned int *ways)
{
    if (options.cache[which].given) {
        *bytes = options.cache[which].bytes;
        *ways = options.cache[which].ways;
    }
}

/* Gives an access to the sink; ignores addresses outside main memory. */
static void deliver(enum cpu_sink_kind kind, unsigned int index, enum cpu_access what,
                    uint64_t addr)
{
    struct cpu_sink *sink = qatomic_rcu_read(&sinks[kind]);
    uint32_t line;

    if (!sink || addr - ram_start >= ram_span[kind]) {
        return;
    }
    if (trace && kind == CPU_SINK_TILES) {
        cpu_trace_add(trace, index, what, addr);
    }
    line = addr >> sink->line_shift;
    if (!cpu_filter_hit(sink->filter[index], what, line)) {
        sink->access(sink, index, what, line);
    }
}

static unsigned int is_store(qemu_plugin_meminfo_t info)
{
    return info >> 17 & 1;      /* QEMU_PLUGIN_MEM_W */
}

static inline QEMU_ALWAYS_INLINE const CPUTLBEntry *tlb_entry_of(const struct vcpu *v,
                                                                 unsigned int access,
                                                                 uint64_t vaddr)
{
    const CPUTLBDescFast *fast = v->fast[access];
    uintptr_t at = (vaddr >> (TARGET_PAGE_BITS - CPU_TLB_ENTRY_BITS)) & fast->mask;

    return (const void *)((uintptr_t)fast->table + at);
}

/*
 * The slow path. It has the callback's parameters, so that the registers need not change. Looks up
 * line by line with QEMU's own functions.
 */
static void __attribute__((noinline)) slow(unsigned int index, qemu_plugin_meminfo_t info,
                                           uint64_t vaddr, enum cpu_sink_kind kind)
{
    struct cpu_sink *sink = qatomic_rcu_read(&sinks[kind]);
    unsigned int left = 1u << (get_memop(info) & MO_SIZE), access = info % KINDS_OF_ACCESS;
    struct qemu_plugin_hwaddr data;

    if (!sink) {
        return;
    }
    while (left) {
        unsigned int line = 1u << sink->line_shift, n = line - (vaddr & (line - 1));

        n = MIN(n, left);
        if (tlb_plugin_lookup(vcpus[index]->cpu, vaddr, get_mmuidx(info), is_store(info), &data) &&
            !data.is_io) {
            deliver(kind, index, is_store(info),
                    vaddr + tlb_entry_of(vcpus[index], access, vaddr)->addend - ram);
        }
        vaddr += n;
        left -= n;
    }
}

/*
 * The distance from the start of main memory is the physical address, provided the TLB entry is one
 * of memory. An address before main memory wraps to a large distance.
 */
static void __attribute__((noinline)) missed(unsigned int index, qemu_plugin_meminfo_t info,
                                             uint64_t vaddr, enum cpu_sink_kind kind)
{
    struct cpu_sink *sink = qatomic_rcu_read(&sinks[kind]);
    const struct vcpu *v = vcpus[index];
    unsigned int access = info % KINDS_OF_ACCESS;
    const CPUTLBEntry *entry = tlb_entry_of(v, access, vaddr);
    uint64_t tag = (&entry->addr_read)[is_store(info)];
    uint64_t addr = vaddr + entry->addend - ram;

    if (!sink) {
        return;
    }
    if (unlikely((tag & (TARGET_PAGE_MASK | NOT_MEMORY)) != (vaddr & TARGET_PAGE_MASK)) ||
        unlikely(addr >> sink->line_shift != (addr + v->span[access]) >> sink->line_shift)) {
        slow(index, info, vaddr, kind);
    } else if (likely(addr - ram_start < ram_span[kind])) {
        sink->access(sink, index, is_store(info), addr >> sink->line_shift);
    }
}

/*
 * The fast path: a hit without a change of state, in main memory and within one line. Everything else goes to
 * missed().
 */
static inline QEMU_ALWAYS_INLINE void access_memory(unsigned int index, qemu_plugin_meminfo_t info,
                                                    uint64_t vaddr, enum cpu_sink_kind kind,
                                                    unsigned int shift)
{
    const struct vcpu *v = vcpus[index];
    unsigned int access = info % KINDS_OF_ACCESS;
    const CPUTLBEntry *entry = tlb_entry_of(v, access, vaddr);
    uint64_t addr = vaddr + entry->addend - ram;

    if (unlikely((&entry->addr_read)[is_store(info)] != (vaddr & TARGET_PAGE_MASK)) ||
        unlikely(!cpu_filter_hit_within(qatomic_read(&v->filter[kind]), is_store(info),
                                        addr >> shift, (addr + v->span[access]) >> shift))) {
        missed(index, info, vaddr, kind);
    }
}

/* The usual line size as a constant, for a constant shift. */
static void access_tiles_16(unsigned int index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                            void *opaque)
{
    access_memory(index, info, vaddr, CPU_SINK_TILES, 4);
}

static void access_tiles(unsigned int index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                         void *opaque)
{
    access_memory(index, info, vaddr, CPU_SINK_TILES, vcpus[index]->shift[CPU_SINK_TILES]);
}

static void access_module(unsigned int index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                          void *opaque)
{
    access_memory(index, info, vaddr, CPU_SINK_MODULE, 6);
}

static void access_traced(unsigned int index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                          void *opaque)
{
    slow(index, info, vaddr, CPU_SINK_TILES);
}

static void source_fetch(enum cpu_sink_kind kind, unsigned int index, const struct block *b)
{
    const struct cpu_sink *sink = qatomic_rcu_read(&sinks[kind]);

    for (unsigned int i = 0; sink && i < b->n; i++) {
        deliver(kind, index, CPU_FETCH, (uint64_t)b->line[i] << sink->line_shift);
    }
}

static void fetch_tiles(unsigned int index, void *opaque)
{
    source_fetch(CPU_SINK_TILES, index, opaque);
}

static void fetch_module(unsigned int index, void *opaque)
{
    source_fetch(CPU_SINK_MODULE, index, opaque);
}

/* Each execution of a block fetches each of its lines once. */
static struct block *block_lines(enum cpu_sink_kind kind, unsigned int shift,
                                 struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    struct block *b = g_malloc(sizeof(*b) + 2 * n * sizeof(b->line[0]));

    b->n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t first = (uintptr_t)qemu_plugin_insn_haddr(insn) - ram;
        uint64_t last = first + qemu_plugin_insn_size(insn) - 1;

        if (last - ram_start >= ram_span[kind]) {
            continue;
        }
        for (uint64_t line = first >> shift; line <= last >> shift; line++) {
            if (!b->n || b->line[b->n - 1] != line) {
                b->line[b->n++] = line;
            }
        }
    }
    do {
        b->next = qatomic_read(&blocks);
    } while (qatomic_cmpxchg(&blocks, b->next, b) != b->next);
    return b;
}

/*
 * All translations are gone, and no virtual CPU runs. QEMU 7.2 does not reset plugin_mem_cbs when
 * an instruction with helpers leaves its block, so the pointer dangles now.
 */
static void flushed(MON_FLUSHED)
{
    CPUState *cpu;

    CPU_FOREACH(cpu) {
        mon_plugin_callbacks_of(cpu) = NULL;
    }
    while (blocks) {
        struct block *b = blocks;

        blocks = b->next;
        g_free(b);
    }
}

static void translated(MON_ID_FIRST struct qemu_plugin_tb *tb MON_POINTER_LAST)
{
    static const qemu_plugin_vcpu_udata_cb_t on_block[] = { fetch_tiles, fetch_module };
    const qemu_plugin_vcpu_mem_cb_t on_access[] = {
        trace ? access_traced : vcpus[0]->shift[CPU_SINK_TILES] == 4 ? access_tiles_16 : access_tiles,
        access_module
    };

    for (int kind = 0; kind < CPU_SINKS; kind++) {
        const struct cpu_sink *sink = qatomic_rcu_read(&sinks[kind]);

        if (!sink || !qatomic_read(&armed[kind])) {
            continue;
        }
        for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
            /*
             * One callback for loads and stores: for an access by a helper QEMU 7.2 checks only the
             * first callback's kind.
             */
            qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access[kind],
                                             QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
        }
        if (options.fetch) {
            qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block[kind], QEMU_PLUGIN_CB_NO_REGS,
                                                 block_lines(kind, sink->line_shift, tb));
        }
    }
}

static void add_vcpu(CPUState *cpu)
{
    struct vcpu *v = vcpus[cpu->cpu_index];

    if (!v) {
        v = qemu_memalign(__alignof__(*v), sizeof(*v));
        memset(v, 0, sizeof(*v));
    }
    v->cpu = cpu;
    g_assert(get_mmuidx(-1) == MON_MMU_INDICES - 1);
    for (int i = 0; i < KINDS_OF_ACCESS; i++) {
        v->fast[i] = &mon_tlb_of(cpu)->f[MIN(i % MON_MMU_INDICES, NB_MMU_MODES - 1)];
        v->span[i] = (1 << (i / MON_MMU_INDICES)) - 1;
    }
    for (int kind = 0; kind < CPU_SINKS; kind++) {
        if (sinks[kind]) {
            v->shift[kind] = sinks[kind]->line_shift;
            qatomic_set(&v->filter[kind], cpu_sink_add(sinks[kind], cpu->cpu_index));
            g_assert(v->filter[kind]);
        }
    }
    qatomic_rcu_set(&vcpus[cpu->cpu_index], v);
}

/* A hot-plugged virtual CPU runs its thread from here on. */
static void started(MON_ID_FIRST unsigned int index MON_POINTER_LAST)
{
    add_vcpu(qemu_get_cpu(index));
}

void cpu_source_arm(enum cpu_sink_kind kind, bool on)
{
    CPUState *cpu;

    if (armed[kind] == on || !sinks[kind]) {
        return;
    }
    CPU_FOREACH(cpu) {
        add_vcpu(cpu);
    }
    qatomic_set(&armed[kind], on);
    MON_REGISTER(vcpu_tb_trans, id, armed[CPU_SINK_TILES] || armed[CPU_SINK_MODULE] ? translated : NULL);
    tb_flush(current_cpu ? current_cpu : first_cpu);
}

bool cpu_source_attach(enum cpu_sink_kind kind, struct cpu_sink *sink)
{
    MemoryRegion *mr = current_machine->ram;

    if (options.mode == CPU_SOURCE_OFF || sinks[kind] || !mr) {
        return false;
    }
    ram_start = mr->addr;
    ram = (uintptr_t)memory_region_get_ram_ptr(mr) - ram_start;
    ram_span[kind] = MIN(MAX(sink->size, ram_start) - ram_start, memory_region_size(mr));
    qatomic_rcu_set(&sinks[kind], sink);
    if (options.mode == CPU_SOURCE_ALWAYS) {
        cpu_source_arm(kind, true);
    }
    return true;
}

struct detached {
    struct rcu_head rcu;
    void (*done)(void *opaque);
    void *opaque;
};

static void detached(struct rcu_head *rcu)
{
    struct detached *d = container_of(rcu, struct detached, rcu);

    d->done(d->opaque);
    g_free(d);
}

/* Does not wait: a guest's own write may unplug the device, and then its virtual CPU is the caller. */
void cpu_source_detach(enum cpu_sink_kind kind, void (*done)(void *opaque), void *opaque)
{
    struct detached *d = g_new(struct detached, 1);

    *d = (struct detached){ .done = done, .opaque = opaque };
    cpu_source_arm(kind, false);
    cpu_filter_forget(&empty_filter);
    for (unsigned int i = 0; i < CPU_MAX_VCPUS; i++) {
        if (vcpus[i]) {
            qatomic_set(&vcpus[i]->filter[kind], &empty_filter);
        }
    }
    qatomic_rcu_set(&sinks[kind], NULL);
    /* virtual CPUs run code and callbacks inside RCU read-side critical sections */
    call_rcu1(&d->rcu, detached);
}

static void source_ended(MON_ID_FIRST void *opaque)
{
    cpu_trace_close(trace);
}

void cpu_source_start(uint64_t plugin_id)
{
    id = plugin_id;
    if (options.mode == CPU_SOURCE_OFF) {
        return;
    }
    MON_REGISTER(vcpu_init, id, started);
    MON_REGISTER(flush, id, flushed);
    if (trace) {
        qemu_plugin_register_atexit_cb(id, source_ended, NULL);
    }
}

static bool parse_cache(const char *name, const char *value, unsigned int *bytes,
                        unsigned int *ways)
{
    char *end;

    *bytes = strtoul(value, &end, 10);
    if (*value && !strcmp(value, "0")) {
        return true;
    }
    if (end != value && *end == ':') {
        value = end + 1;
        *ways = strtoul(value, &end, 10);
        if (end != value && !*end) {
            return true;
        }
    }
    fprintf(stderr, "mon-qemu: %s is BYTES:WAYS, as in %s=32768:8\n", name, name);
    return false;
}

static bool parse_option(const char *name, const char *value)
{
    static const char *const modes[] = { "off", "on", "always" };
    static const char *const caches[CPU_SOURCE_CACHES] = { "l1d", "l1i", "mod0" };

    if (!strcmp(name, "cpu")) {
        for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
            if (!strcmp(value, modes[i])) {
                options.mode = i;
                return true;
            }
        }
        fprintf(stderr, "mon-qemu: cpu=%s: it is off, on (while an event is open) or always\n",
                value);
        return false;
    }
    if (!strcmp(name, "fetch")) {
        if (qemu_plugin_bool_parse(name, value, &options.fetch)) {
            return true;
        }
        fprintf(stderr, "mon-qemu: fetch=%s: it is on or off\n", value);
        return false;
    }
    for (size_t i = 0; i < ARRAY_SIZE(caches); i++) {
        if (!strcmp(name, caches[i])) {
            options.cache[i].given = true;
            return parse_cache(name, value, &options.cache[i].bytes, &options.cache[i].ways);
        }
    }
    if (!strcmp(name, "trace")) {
        options.trace = g_strdup(value);
        return true;
    }
    fprintf(stderr, "mon-qemu: unknown argument '%s': there are cpu, fetch, l1d, l1i, mod0 and "
            "trace\n", name);
    return false;
}

bool cpu_source_parse(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        g_auto(GStrv) part = g_strsplit(argv[i], "=", 2);

        if (!parse_option(part[0], part[0] && part[1] ? part[1] : "")) {
            return false;
        }
    }
    if (options.trace) {
        trace = cpu_trace_create(options.trace);
        if (!trace) {
            fprintf(stderr, "mon-qemu: trace=%s: %s\n", options.trace, strerror(errno));
            return false;
        }
    }
    return true;
}
