// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

/** A variable of a DPU program: address and size in bytes. */
public final class DpuSymbol {
	final int address;
	final int size;

	public DpuSymbol(int address, int size) {
		this.address = address;
		this.size = size;
	}

	/** name: for the reader. */
	public DpuSymbol(int address, int size, String name) {
		this(address, size);
	}
}
