/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI device `hexagon-pmu`: the performance counters of a Hexagon core beside the guest's processor, and a mailbox
 * through which the guest runs programs on that core.
 *
 * The core is qemu-hexagon, started by hexagon-host at the other end of a character device. Its counts arrive in
 * shared memory (models/hexagon/feed.h). This file has the bus, the mailbox and the life cycle; registers and
 * counts are in models/hexagon/.
 */
#include "qemu/osdep.h"
#include "chardev/char-fe.h"
#include "hw/pci/msi.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/module.h"

#include <sys/mman.h>

#include "events/hexagon/regs.h"
#include "compat.h"
#include "hexagon/host.h"
#include "hexagon/pmu.h"
#include "mon-devices.h"

#define TYPE_HEXAGON_PMU "hexagon-pmu"
OBJECT_DECLARE_SIMPLE_TYPE(HexagonPmuState, HEXAGON_PMU)

QEMU_BUILD_BUG_ON(HEXAGON_OUTPUT_MAX < HEXAGON_MESSAGE_MAX);

struct HexagonPmuState {
    PCIDevice parent_obj;

    MemoryRegion bar;
    CharFrontend host;
    struct hexagon_pmu pmu;
    struct hexagon_totals ended;    /* sum of the finished programs */
    struct hexagon_totals now;      /* that and the current program */

    /* the current program */
    const struct hexagon_feed *feed;
    bool feed_bad;
    bool busy;                      /* from the request until the host reports the end */
    bool program_ended;
    uint32_t status;
    uint32_t features;              /* features that the current program is instrumented for */
    uint32_t wanted;                /* features that events need which were selected after its start */

    /* the message that is being received, and the output that the guest has to read */
    struct hexagon_message header;
    uint32_t received;
    uint8_t data[HEXAGON_MESSAGE_MAX];
    uint32_t output_size;
    uint32_t output_stream;

    uint8_t request[HEXAGON_REQUEST_MAX];
    uint32_t request_size;

    /* properties */
    struct hexagon_core core;
    struct hexagon_memory_shape memory;
    struct hexagon_timing timing;
    uint32_t quantum;   /* packets of a software thread's turn */
    uint32_t clock_hz;
};

static uint32_t hexagon_state(HexagonPmuState *s)
{
    return (qemu_chr_fe_backend_open(&s->host) ? HEXAGON_STATE_HOST : 0) |
           (s->busy || s->output_size ? HEXAGON_STATE_BUSY : 0) |
           (s->output_size ? HEXAGON_STATE_OUTPUT : 0) |
           (s->program_ended && !s->output_size ? HEXAGON_STATE_ENDED : 0);
}

static void hexagon_notify(HexagonPmuState *s)
{
    PCIDevice *pdev = PCI_DEVICE(s);

    if (msi_enabled(pdev)) {
        msi_notify(pdev, 0);
    }
}

/* Updates the totals. If the feed cannot be read now, they stay as they are. */
static void hexagon_sync(HexagonPmuState *s, bool ended)
{
    enum hexagon_feed_error error;
    struct hexagon_totals program;

    if (!s->feed || s->feed_bad) {
        return;
    }
    error = hexagon_feed_check(s->feed, sizeof(*s->feed));
    if (error == HEXAGON_FEED_MAGIC_BAD && !ended) {
        return; /* the plugin has not started yet */
    }
    if (error == HEXAGON_FEED_OK && s->feed->threads != s->core.threads) {
        error = HEXAGON_FEED_THREADS_BAD;
    }
    if (error == HEXAGON_FEED_OK) {
        error = hexagon_feed_read(s->feed, &program);
    }
    if (error == HEXAGON_FEED_OK) {
        s->now = s->ended;
        hexagon_totals_add(&s->now, &program);
    } else if (error != HEXAGON_FEED_BUSY && error != HEXAGON_FEED_MAGIC_BAD) {
        s->feed_bad = true;
        qemu_log("hexagon-pmu: the program is not counted: %s\n", hexagon_feed_strerror(error));
    }
}

static void hexagon_drop_feed(HexagonPmuState *s)
{
    hexagon_sync(s, true);
    s->ended = s->now;
    if (s->feed) {
        munmap((void *)s->feed, sizeof(*s->feed));
        s->feed = NULL;
    }
}

static void hexagon_end_program(HexagonPmuState *s, uint32_t status)
{
    bool bad = s->feed_bad;

    if (!s->busy) {
        return;
    }
    hexagon_drop_feed(s);
    s->busy = false;
    s->program_ended = true;
    s->status = bad || s->feed_bad ? HEXAGON_STATUS_FAILED : status;
    if (s->wanted & ~s->features) {
        s->status |= HEXAGON_STATUS_LATE;
    }
    hexagon_notify(s);
}

/* Reject memory that can still shrink: a read beyond its end would kill QEMU. */
static void hexagon_take_feed(HexagonPmuState *s, int fd)
{
    struct stat st;
    void *memory;
    int seals;

    if (fd < 0) {
        s->feed_bad = true;
        return;
    }
    seals = fcntl(fd, F_GET_SEALS);
    if (!s->busy || s->feed || seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd, &st) < 0 ||
        st.st_size < (off_t)sizeof(*s->feed)) {
        qemu_log("hexagon-pmu: the host sent a feed that is truncated, not sealed or not due\n");
        s->feed_bad = true;
        close(fd);
        return;
    }
    memory = mmap(NULL, sizeof(*s->feed), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED) {
        s->feed_bad = true;
        return;
    }
    s->feed = memory;
    s->feed_bad = false;
}

static void hexagon_send(HexagonPmuState *s, uint32_t type, const void *data, uint32_t size)
{
    struct hexagon_message header = { .type = type, .size = size };

    qemu_chr_fe_write_all(&s->host, (uint8_t *)&header, sizeof(header));
    if (size) {
        qemu_chr_fe_write_all(&s->host, data, size);
    }
}

static void hexagon_message(HexagonPmuState *s)
{
    uint32_t status;

    switch (s->header.type) {
    case HEXAGON_STDOUT:
    case HEXAGON_STDERR:
    case HEXAGON_MARKS:
        s->output_size = s->header.size;
        s->output_stream = s->header.type == HEXAGON_STDOUT ? 1 : s->header.type == HEXAGON_STDERR ? 2 : 3;
        if (s->output_size) {
            hexagon_notify(s);
        }
        break;
    case HEXAGON_END:
        memcpy(&status, s->data, sizeof(status));
        hexagon_end_program(s, s->header.size == sizeof(status) ? status : HEXAGON_STATUS_FAILED);
        break;
    }
}

/* Unread output stops the host, and with it the program. */
static int hexagon_can_receive(void *opaque)
{
    HexagonPmuState *s = opaque;

    if (s->output_size) {
        return 0;
    }
    return s->received < sizeof(s->header) ? sizeof(s->header) - s->received :
           sizeof(s->header) + s->header.size - s->received;
}

static void hexagon_receive(void *opaque, const uint8_t *buf, int size)
{
    HexagonPmuState *s = opaque;

    if (s->received < sizeof(s->header)) {
        memcpy((uint8_t *)&s->header + s->received, buf, size);
    } else {
        memcpy(s->data + s->received - sizeof(s->header), buf, size);
    }
    s->received += size;
    if (s->received < sizeof(s->header)) {
        return;
    }
    if (s->header.size > sizeof(s->data)) {
        qemu_log("hexagon-pmu: the host sent a message of %u bytes\n", s->header.size);
        s->received = 0;
        qemu_chr_fe_disconnect(&s->host);
        return;
    }
    if (s->received == sizeof(s->header) && s->header.type == HEXAGON_FEED) {
        hexagon_take_feed(s, qemu_chr_fe_get_msgfd(&s->host));
    }
    if (s->received == sizeof(s->header) + s->header.size) {
        s->received = 0;
        hexagon_message(s);
    }
}

static void hexagon_host_event(void *opaque, QEMUChrEvent event)
{
    HexagonPmuState *s = opaque;

    if (event == CHR_EVENT_CLOSED) {
        s->received = 0;
        hexagon_end_program(s, HEXAGON_STATUS_FAILED);
    }
}

static void hexagon_run(HexagonPmuState *s)
{
    g_autofree uint8_t *message = NULL;
    struct hexagon_setup setup = {
        .quantum = s->quantum,
        .features = s->wanted | hexagon_pmu_features(&s->pmu, &s->core) |
                    (s->core.stalls ? HEXAGON_FEATURE_MEMORY | HEXAGON_FEATURE_TIMING : 0),
        .clock_hz = s->clock_hz,
        .memory = s->memory,
        .timing = s->timing,
    };

    hexagon_setup_core(&setup, &s->core);
    if (hexagon_state(s) & HEXAGON_STATE_BUSY) {
        qemu_log_mask(LOG_GUEST_ERROR, "hexagon-pmu: a program runs already\n");
        return;
    }
    s->busy = true;
    s->program_ended = false;
    s->feed_bad = false;
    s->features = setup.features;
    s->wanted = 0;
    if (!qemu_chr_fe_backend_open(&s->host) || !s->request_size ||
        s->request_size > HEXAGON_WORDS_MAX ||
        s->request[s->request_size - 1] != 0) {
        hexagon_end_program(s, HEXAGON_STATUS_FAILED);
        return;
    }
    message = g_malloc(sizeof(setup) + s->request_size);
    memcpy(message, &setup, sizeof(setup));
    memcpy(message + sizeof(setup), s->request, s->request_size);
    hexagon_send(s, HEXAGON_RUN, message, sizeof(setup) + s->request_size);
}

static void hexagon_command(HexagonPmuState *s, uint32_t command)
{
    switch (command) {
    case HEXAGON_COMMAND_RUN:
        hexagon_run(s);
        break;
    case HEXAGON_COMMAND_CANCEL:
        if (s->busy) {
            hexagon_send(s, HEXAGON_CANCEL, NULL, 0);
        }
        break;
    case HEXAGON_COMMAND_TAKEN:
        s->output_size = 0;
        qemu_chr_fe_accept_input(&s->host);
        hexagon_notify(s);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "hexagon-pmu: unknown command %u\n", command);
    }
}

static uint32_t hexagon_events_word(HexagonPmuState *s, unsigned int word)
{
    uint32_t bits = 0;

    for (unsigned int i = 0; i < 32; i++) {
        bits |= (uint32_t)hexagon_event_supplied(&s->core, 32 * word + i) << i;
    }
    return bits;
}

static uint64_t hexagon_read(void *opaque, hwaddr addr, unsigned size)
{
    HexagonPmuState *s = opaque;

    if (addr >= HEXAGON_OUTPUT && addr < HEXAGON_OUTPUT + HEXAGON_OUTPUT_MAX) {
        return ldl_le_p(s->data + addr - HEXAGON_OUTPUT);
    }
    if (addr >= HEXAGON_REQUEST && addr < HEXAGON_REQUEST + HEXAGON_REQUEST_MAX) {
        return ldl_le_p(s->request + addr - HEXAGON_REQUEST);
    }
    if (addr >= HEXAGON_EVENTS(0) && addr < HEXAGON_EVENTS(HEXAGON_EVENT_CODES / 32)) {
        return hexagon_events_word(s, (addr - HEXAGON_EVENTS(0)) / 4);
    }
    switch (addr) {
    case HEXAGON_ID:
        return HEXAGON_ID_VALUE;
    case HEXAGON_LAYOUT:
        return HEXAGON_LAYOUT_VALUE;
    case HEXAGON_CORE:
        return s->core.version;
    case HEXAGON_THREADS:
        return s->core.threads;
    case HEXAGON_CLUSTERS:
        return s->core.clusters;
    case HEXAGON_CYCLES:
        return s->core.cycles;
    case HEXAGON_CLOCK_HZ:
        return s->clock_hz;
    case HEXAGON_STATE:
        return hexagon_state(s);
    case HEXAGON_STATUS:
        return s->status;
    case HEXAGON_REQUEST_SIZE:
        return s->request_size;
    case HEXAGON_OUTPUT_SIZE:
        return s->output_size;
    case HEXAGON_OUTPUT_STREAM:
        return s->output_stream;
    }
    hexagon_sync(s, false);
    return hexagon_pmu_read(&s->pmu, &s->core, &s->now, addr);
}

static void hexagon_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    HexagonPmuState *s = opaque;

    if (addr >= HEXAGON_REQUEST && addr < HEXAGON_REQUEST + HEXAGON_REQUEST_MAX) {
        stl_le_p(s->request + addr - HEXAGON_REQUEST, value);
        return;
    }
    switch (addr) {
    case HEXAGON_COMMAND:
        hexagon_command(s, value);
        return;
    case HEXAGON_REQUEST_SIZE:
        s->request_size = MIN(value, HEXAGON_REQUEST_MAX);
        return;
    }
    hexagon_sync(s, false);
    hexagon_pmu_write(&s->pmu, &s->core, &s->now, addr, value);
    s->wanted |= hexagon_pmu_features(&s->pmu, &s->core);
}

static const MemoryRegionOps hexagon_ops = {
    .read = hexagon_read,
    .write = hexagon_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void hexagon_usual_cache(struct hexagon_cache_shape *cache,
                                const struct hexagon_cache_shape *usual)
{
    cache->size = cache->size ?: usual->size;
    cache->ways = cache->ways ?: usual->ways;
    cache->line = cache->line ?: usual->line;
}

static void hexagon_usual_memory(HexagonPmuState *s)
{
    struct hexagon_memory_shape usual;

    hexagon_memory_usual(&usual, s->core.version);
    hexagon_usual_cache(&s->memory.l1i, &usual.l1i);
    hexagon_usual_cache(&s->memory.l1d, &usual.l1d);
    hexagon_usual_cache(&s->memory.l2, &usual.l2);
}

/* The default of a property is what the documents say of the version. */
static bool hexagon_check_core(HexagonPmuState *s, Error **errp)
{
    struct hexagon_core usual;

    if (!hexagon_core_init(&usual, s->core.version)) {
        error_setg(errp, "core=%u is not known: use 65, 69, 73 or 79", s->core.version);
        return false;
    }
    s->core.threads = s->core.threads ?: usual.threads;
    s->core.clusters = s->core.clusters ?: usual.clusters;
    s->core.cycles = s->core.cycles ?: usual.cycles;
    s->core.contexts = s->core.contexts ?: usual.contexts;
    if (s->core.threads > HEXAGON_MAX_THREADS) {
        error_setg(errp, "threads=%u: a core has 1 to %u", s->core.threads, HEXAGON_MAX_THREADS);
        return false;
    }
    if (s->core.threads % s->core.clusters) {
        error_setg(errp, "threads=%u is not a multiple of clusters=%u", s->core.threads,
                   s->core.clusters);
        return false;
    }
    hexagon_usual_memory(s);
    if (hexagon_memory_check(&s->memory)) {
        error_setg(errp, "caches: %s", hexagon_memory_check(&s->memory));
        return false;
    }
    if (s->core.cycles > 16) {
        error_setg(errp, "cycles-per-packet=%u: use 1 to 16", s->core.cycles);
        return false;
    }
    if (!s->quantum) {
        error_setg(errp, "quantum=0: use 1 packet or more");
        return false;
    }
    return true;
}

static void hexagon_realize(PCIDevice *pdev, Error **errp)
{
    HexagonPmuState *s = HEXAGON_PMU(pdev);

    if (!hexagon_check_core(s, errp)) {
        return;
    }
    pdev->config[PCI_INTERRUPT_PIN] = 0;
    if (msi_init(pdev, 0, 1, true, false, errp)) {
        return;
    }
    memory_region_init_io(&s->bar, OBJECT(s), &hexagon_ops, s, "hexagon-pmu", HEXAGON_BAR_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar);
    qemu_chr_fe_set_handlers(&s->host, hexagon_can_receive, hexagon_receive, hexagon_host_event,
                             NULL, s, NULL, true);
}

static void hexagon_exit(PCIDevice *pdev)
{
    HexagonPmuState *s = HEXAGON_PMU(pdev);

    qemu_chr_fe_deinit(&s->host, false);
    hexagon_drop_feed(s);
    msi_uninit(pdev);
}

static void hexagon_reset(DeviceState *dev)
{
    HexagonPmuState *s = HEXAGON_PMU(dev);

    hexagon_pmu_reset(&s->pmu);
    s->request_size = 0;
    /* the program's last messages have not arrived; their output is lost */
    if (s->busy) {
        hexagon_send(s, HEXAGON_CANCEL, NULL, 0);
    }
    if (s->output_size) {
        s->output_size = 0;
        qemu_chr_fe_accept_input(&s->host);
    }
}

/* The program stays on its host. For the guest it ends when the guest arrives elsewhere. */
static int hexagon_pre_save(void *opaque)
{
    HexagonPmuState *s = opaque;

    hexagon_sync(s, false);
    return 0;
}

static int hexagon_post_load(void *opaque, int version_id)
{
    HexagonPmuState *s = opaque;

    s->ended = s->now;
    if (s->busy) {
        s->busy = false;
        s->program_ended = true;
        s->status = HEXAGON_STATUS_FAILED;
    }
    if (s->request_size > HEXAGON_REQUEST_MAX || s->output_size > HEXAGON_MESSAGE_MAX) {
        return -EINVAL;
    }
    return 0;
}

static const VMStateDescription hexagon_vmstate = {
    .name = TYPE_HEXAGON_PMU,
    .version_id = 3,
    .minimum_version_id = 3,
    .pre_save = hexagon_pre_save,
    .post_load = hexagon_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, HexagonPmuState),
        VMSTATE_UINT32_ARRAY(pmu.evtcfg, HexagonPmuState, 2),
        VMSTATE_UINT32_ARRAY(pmu.stid, HexagonPmuState, 2),
        VMSTATE_UINT32(pmu.cfg, HexagonPmuState),
        VMSTATE_UINT32(pmu.syscfg, HexagonPmuState),
        VMSTATE_UINT64_ARRAY(pmu.value, HexagonPmuState, HEXAGON_COUNTERS),
        VMSTATE_UINT64_ARRAY(pmu.origin, HexagonPmuState, HEXAGON_COUNTERS),
        VMSTATE_UINT64(pmu.pcycle, HexagonPmuState),
        VMSTATE_UINT64(pmu.pcycle_origin, HexagonPmuState),
        VMSTATE_UINT32_ARRAY(pmu.latched, HexagonPmuState, HEXAGON_COUNTERS),
        VMSTATE_UINT64_2DARRAY(now.count, HexagonPmuState, HEXAGON_MAX_THREADS, HEXAGON_COUNTS),
        VMSTATE_UINT64_ARRAY(now.cycles, HexagonPmuState, HEXAGON_THREAD_SETS),
        VMSTATE_UINT64_ARRAY(now.active, HexagonPmuState, HEXAGON_THREAD_SETS),
        VMSTATE_UINT64_ARRAY(now.shown, HexagonPmuState, HEXAGON_THREAD_SETS),
        VMSTATE_UINT64_2DARRAY(now.packets, HexagonPmuState, HEXAGON_THREAD_SETS,
                               HEXAGON_MAX_THREADS),
        VMSTATE_UINT64_ARRAY(now.contexts, HexagonPmuState, HEXAGON_MAX_THREADS + 1),
        VMSTATE_UINT64_2DARRAY(now.hidden, HexagonPmuState, HEXAGON_MAX_THREADS, HEXAGON_STALLS),
        VMSTATE_UINT64_2DARRAY(now.open, HexagonPmuState, HEXAGON_MAX_THREADS, HEXAGON_STALLS),
        VMSTATE_UINT64_2DARRAY(now.parts, HexagonPmuState, HEXAGON_MAX_THREADS, HEXAGON_STALLS),
        VMSTATE_BOOL(busy, HexagonPmuState),
        VMSTATE_BOOL(program_ended, HexagonPmuState),
        VMSTATE_UINT32(status, HexagonPmuState),
        VMSTATE_UINT8_ARRAY(data, HexagonPmuState, HEXAGON_MESSAGE_MAX),
        VMSTATE_UINT32(output_size, HexagonPmuState),
        VMSTATE_UINT32(output_stream, HexagonPmuState),
        VMSTATE_UINT8_ARRAY(request, HexagonPmuState, HEXAGON_REQUEST_MAX),
        VMSTATE_UINT32(request_size, HexagonPmuState),
        VMSTATE_END_OF_LIST()
    }
};

static const Property hexagon_properties[] = {
    DEFINE_PROP_CHR("chardev", HexagonPmuState, host),
    DEFINE_PROP_UINT32("core", HexagonPmuState, core.version, 69),
    /* 0: the core's default */
    DEFINE_PROP_UINT32("threads", HexagonPmuState, core.threads, 0),
    DEFINE_PROP_UINT32("clusters", HexagonPmuState, core.clusters, 0),
    DEFINE_PROP_UINT32("cycles-per-packet", HexagonPmuState, core.cycles, 0),
    DEFINE_PROP_UINT32("vector-contexts", HexagonPmuState, core.contexts, 0),
#define CACHE_PROPERTIES(name, cache)                                                   \
    DEFINE_PROP_UINT32(name "-size", HexagonPmuState, memory.cache.size, 0),            \
    DEFINE_PROP_UINT32(name "-ways", HexagonPmuState, memory.cache.ways, 0),            \
    DEFINE_PROP_UINT32(name "-line", HexagonPmuState, memory.cache.line, 0)
    CACHE_PROPERTIES("l1i", l1i),
    CACHE_PROPERTIES("l1d", l1d),
    CACHE_PROPERTIES("l2", l2),
    DEFINE_PROP_UINT32("vtcm", HexagonPmuState, memory.vtcm, 0),
    DEFINE_PROP_UINT32("vtcm-size", HexagonPmuState, memory.vtcm_size, 0),
    DEFINE_PROP_BOOL("stalls", HexagonPmuState, core.stalls, false),
    DEFINE_PROP_UINT32("l2-cycles", HexagonPmuState, timing.l2, HEXAGON_L2_CYCLES),
    DEFINE_PROP_UINT32("memory-cycles", HexagonPmuState, timing.memory,
                       HEXAGON_MEMORY_CYCLES),
    DEFINE_PROP_UINT32("redirect-cycles", HexagonPmuState, timing.redirect,
                       HEXAGON_REDIRECT_CYCLES),
    DEFINE_PROP_UINT32("quantum", HexagonPmuState, quantum, HEXAGON_QUANTUM),
    DEFINE_PROP_UINT32("clock-hz", HexagonPmuState, clock_hz, HEXAGON_USUAL_HZ),
    MON_PROPERTIES_END
};

static void hexagon_class_init(ObjectClass *klass, MON_CLASS_DATA *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = hexagon_realize;
    pc->exit = hexagon_exit;
    pc->vendor_id = HEXAGON_PCI_VENDOR;
    pc->device_id = HEXAGON_PCI_DEVICE;
    pc->class_id = PCI_CLASS_SYSTEM_OTHER;
    device_class_set_legacy_reset(dc, hexagon_reset);
    dc->vmsd = &hexagon_vmstate;
    dc->desc = "Qualcomm Hexagon performance counters";
    device_class_set_props(dc, hexagon_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo hexagon_type = MON_PCI_TYPE(TYPE_HEXAGON_PMU, HexagonPmuState, hexagon_class_init);

void hexagon_dev_register(void)
{
    type_register_static(&hexagon_type);
}
