// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;
import java.util.Collections;
import java.util.List;

/** One DPU. */
public final class Dpu extends DpuSetBase {
	private final DpuRank rank;

	Dpu(long set, DpuRank rank, PrintStream logStream) {
		super(set, logStream);
		this.rank = rank;
	}

	@Override
	public List<Dpu> dpus() {
		return Collections.singletonList(this);
	}

	@Override
	public List<DpuRank> ranks() {
		return Collections.singletonList(rank);
	}

	public void copy(byte[] to, String from) throws DpuException {
		copy(new byte[][] { to }, from);
	}

	public void copy(byte[] to, DpuSymbol from) throws DpuException {
		copy(new byte[][] { to }, from);
	}
}
