// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

/**
 * dpu.h. A set is the address of a struct dpu_set_t that free() and drop() give back. A variable is
 * its name, or without one address and size.
 */
final class NativeSet {
	static {
		System.loadLibrary("dpujni");
	}

	private NativeSet() {
	}

	static native long alloc(int count, String profile, boolean ranks) throws DpuException;

	static native void free(long set) throws DpuException;

	/** Of the set of a rank or a DPU, which were not allocated. */
	static native void drop(long set);

	static native long[] parts(long set, boolean ranks);

	static native long load(long set, String path) throws DpuException;

	static native int[] symbol(long program, String name) throws DpuException;

	static native void broadcast(long set, String name, int address, int size, byte[] data,
			boolean async) throws DpuException;

	static native void push(long set, String name, int address, int size, byte[][] buffers,
			boolean fromDpu, boolean async) throws DpuException;

	static native void launch(long set, boolean async) throws DpuException;

	static native void sync(long set) throws DpuException;

	static native byte[] log(long set) throws DpuException;

	static native void call(long set, DpuCallback callback, DpuSet[] sets, boolean blocking,
			boolean single) throws DpuException;

	/** The call of one of the sets, from a thread of the library; false: it threw. */
	private static boolean make(DpuCallback callback, DpuSet[] sets, int index) {
		try {
			callback.call(sets[index], index);
			return true;
		} catch (Throwable e) {
			e.printStackTrace();
			return false;
		}
	}
}
