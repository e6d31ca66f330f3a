// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The DPUs that were allocated; close() gives them back. */
public final class DpuSystem extends DpuSetBase implements AutoCloseable {
	public static final int ALLOCATE_ALL = -1;

	private final List<DpuRank> ranks = new ArrayList<>();
	private final List<Dpu> dpus = new ArrayList<>();
	private boolean closed;

	private DpuSystem(long set, PrintStream logStream) {
		super(set, logStream);
		for (long handle : NativeSet.parts(set, true)) {
			DpuRank rank = new DpuRank(handle, logStream);

			ranks.add(rank);
			dpus.addAll(rank.dpus());
		}
	}

	public static DpuSystem allocate() throws DpuException {
		return allocate(ALLOCATE_ALL, "");
	}

	public static DpuSystem allocate(int dpus, String profile) throws DpuException {
		return allocate(dpus, profile, null);
	}

	/** logStream: where exec() prints what the DPUs' programs have printed. */
	public static DpuSystem allocate(int dpus, String profile, PrintStream logStream)
			throws DpuException {
		return new DpuSystem(NativeSet.alloc(dpus, profile, false), logStream);
	}

	public static DpuSystem allocateRanks(int ranks, String profile) throws DpuException {
		return allocateRanks(ranks, profile, null);
	}

	public static DpuSystem allocateRanks(int ranks, String profile, PrintStream logStream)
			throws DpuException {
		return new DpuSystem(NativeSet.alloc(ranks, profile, true), logStream);
	}

	@Override
	public List<Dpu> dpus() {
		return Collections.unmodifiableList(dpus);
	}

	@Override
	public List<DpuRank> ranks() {
		return Collections.unmodifiableList(ranks);
	}

	public void free() throws DpuException {
		close();
	}

	@Override
	public void close() throws DpuException {
		if (closed)
			return;
		closed = true;
		for (Dpu dpu : dpus)
			NativeSet.drop(dpu.set);
		for (DpuRank rank : ranks)
			NativeSet.drop(rank.set);
		NativeSet.free(set);
	}
}
