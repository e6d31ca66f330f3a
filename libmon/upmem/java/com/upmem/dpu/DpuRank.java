// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A rank of DPUs. */
public final class DpuRank extends DpuSetBase {
	private final List<Dpu> dpus = new ArrayList<>();

	DpuRank(long set, PrintStream logStream) {
		super(set, logStream);
		for (long dpu : NativeSet.parts(set, false))
			dpus.add(new Dpu(dpu, this, logStream));
	}

	@Override
	public List<Dpu> dpus() {
		return Collections.unmodifiableList(dpus);
	}

	@Override
	public List<DpuRank> ranks() {
		return Collections.singletonList(this);
	}
}
