/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_sysfs_unc_priv.h: uncore PMUs that Linux describes in sysfs and no CPU model implies
 *
 * Such a PMU is a folder in /sys/bus/event_source/devices. It needs no code of its own: a table
 * says what its events are, and which attribute goes to which bits of perf_event_attr.config.
 */
#ifndef __PFMLIB_SYSFS_UNC_PRIV_H__
#define __PFMLIB_SYSFS_UNC_PRIV_H__

#define PFM_SYSFS_UNC_ATTR(n)	(1u << (n))

typedef struct {
	const char	*name;	/* lower case, [a-z0-9_]: safe in sysfs and in event strings */
	const char	*desc;
	uint64_t	code;	/* config without attributes */
	unsigned int	attrs;	/* mask of the table's attributes that the event takes */
	unsigned int	versions; /* mask of the tables that have the event, if tables share events */
} pfm_sysfs_unc_event_t;

typedef struct {
	unsigned int	lo;	/* lowest bit of the value in config */
	unsigned int	width;	/* bits of the value; larger values are PFM_ERR_ATTR_VAL */
	uint64_t	set;	/* further bits that go with the attribute, whatever its value */
} pfm_sysfs_unc_field_t;

/* A field of the catalogue's config.h; more: further bits that go with it. */
#define PFM_SYSFS_UNC_FIELD(field, more) \
	{ .lo = __builtin_ctzll(field), .width = __builtin_popcountll(field), .set = (more) }

typedef struct {
	const pfm_sysfs_unc_event_t	*events;
	int				num_events;
	unsigned int			version;	/* events must have one of these bits; 0: all */
	const pfm_sysfs_unc_field_t	*fields;	/* by index in pmu->atdesc */
	const char			*identifier;	/* what the sysfs file says, or NULL: anything */
} pfm_sysfs_unc_table_t;

#define this_sysfs_unc(p)	((const pfm_sysfs_unc_table_t *)(((pfmlib_pmu_t *)(p))->pe))

extern int pfm_sysfs_unc_detect(void *this);
extern int pfm_sysfs_unc_get_event_first(void *this);
extern int pfm_sysfs_unc_get_event_next(void *this, int idx);
extern int pfm_sysfs_unc_event_is_valid(void *this, int idx);
extern int pfm_sysfs_unc_get_event_info(void *this, int idx, pfm_event_info_t *info);
extern unsigned int pfm_sysfs_unc_get_event_nattrs(void *this, int idx);
extern int pfm_sysfs_unc_get_event_attr_info(void *this, int idx, int attr_idx,
					     pfmlib_event_attr_info_t *info);
extern int pfm_sysfs_unc_get_encoding(void *this, pfmlib_event_desc_t *e);
extern int pfm_sysfs_unc_validate_table(void *this, FILE *fp);

extern int pfm_sysfs_unc_get_perf_encoding(void *this, pfmlib_event_desc_t *e);
extern void pfm_sysfs_unc_perf_validate_pattrs(void *this, pfmlib_event_desc_t *e);

/*
 * Everything of a pfmlib_pmu_t that is the same for all of them. The kernel counts for the whole
 * machine at all privilege levels, and does not sample.
 */
#define PFM_SYSFS_UNC_PMU_COMMON \
	.type			= PFM_PMU_TYPE_UNCORE, \
	.max_encoding		= 1, \
	.supported_plm		= 0, \
	.flags			= PFMLIB_PMU_FL_NO_SMPL, \
	.pmu_detect		= pfm_sysfs_unc_detect, \
	.get_event_first	= pfm_sysfs_unc_get_event_first, \
	.get_event_next		= pfm_sysfs_unc_get_event_next, \
	.event_is_valid		= pfm_sysfs_unc_event_is_valid, \
	.get_event_info		= pfm_sysfs_unc_get_event_info, \
	.get_event_nattrs	= pfm_sysfs_unc_get_event_nattrs, \
	.get_event_attr_info	= pfm_sysfs_unc_get_event_attr_info, \
	.get_event_encoding[PFM_OS_NONE] = pfm_sysfs_unc_get_encoding, \
	PFMLIB_ENCODE_PERF(pfm_sysfs_unc_get_perf_encoding), \
	PFMLIB_VALID_PERF_PATTRS(pfm_sysfs_unc_perf_validate_pattrs), \
	.validate_table		= pfm_sysfs_unc_validate_table

#endif /* __PFMLIB_SYSFS_UNC_PRIV_H__ */
