// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;

/** Copies, runs and calls that wait in a queue for each rank, in order. */
public final class DpuSetAsync {
	private final DpuSetBase base;

	DpuSetAsync(DpuSetBase base) {
		this.base = base;
	}

	public void copy(String to, byte[] from) throws DpuException {
		base.copy(to, null, from, true);
	}

	public void copy(DpuSymbol to, byte[] from) throws DpuException {
		base.copy(null, to, from, true);
	}

	public void copy(String to, byte[][] from) throws DpuException {
		base.copy(to, null, from, false, true);
	}

	public void copy(DpuSymbol to, byte[][] from) throws DpuException {
		base.copy(null, to, from, false, true);
	}

	/** The buffers are filled when sync() returns. */
	public void copy(byte[][] to, String from) throws DpuException {
		base.copy(from, null, to, true, true);
	}

	public void copy(byte[][] to, DpuSymbol from) throws DpuException {
		base.copy(null, from, to, true, true);
	}

	public void exec() throws DpuException {
		exec(base.logStream);
	}

	public void exec(PrintStream stream) throws DpuException {
		NativeSet.launch(base.set, true);
		if (stream != null)
			call((set, index) -> set.log(stream));
	}

	/**
	 * Calls a function when the jobs before it are done: for each rank, or once for the set. Later
	 * jobs wait for it if isBlocking. An exception in it is printed, and an error of sync().
	 */
	public void call(DpuCallback callback, boolean isBlocking, boolean singleCall)
			throws DpuException {
		boolean whole = singleCall || base instanceof Dpu;
		DpuSet[] sets = whole ? new DpuSet[] { base } : base.ranks().toArray(new DpuSet[0]);

		NativeSet.call(base.set, callback, sets, isBlocking, whole);
	}

	public void call(DpuCallback callback) throws DpuException {
		call(callback, true, false);
	}

	/** Waits for everything; throws the first error. */
	public void sync() throws DpuException {
		NativeSet.sync(base.set);
	}
}
