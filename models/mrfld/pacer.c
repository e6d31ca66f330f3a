// SPDX-License-Identifier: LGPL-2.1-or-later
/* Common to all streams of requests: the times of requests, and messages to the user. */
#include "mrfld/model.h"

void mrfld_guest_error(struct mrfld_soc *soc, const char *message)
{
	if (soc->ops.guest_error)
		soc->ops.guest_error(soc->opaque, message);
}

void mrfld_pacer_start(struct mrfld_pacer *pacer, uint64_t start, uint64_t num, uint64_t den)
{
	pacer->next_ns = start;
	pacer->q = num / den;
	pacer->r = num % den;
	pacer->den = den;
	pacer->err = 0;
	mrfld_pacer_step(pacer);
}

void mrfld_pacer_step(struct mrfld_pacer *pacer)
{
	pacer->next_ns += pacer->q;
	pacer->err += pacer->r;
	if (pacer->err >= pacer->den) {
		pacer->err -= pacer->den;
		pacer->next_ns++;
	}
}
