// SPDX-License-Identifier: GPL-2.0-only
package com.upmem.dpu;

/** A program that was loaded. */
public final class DpuProgramInfo {
	private final long program;

	DpuProgramInfo(long program) {
		this.program = program;
	}

	public DpuSymbol get(String name) throws DpuException {
		int[] symbol = NativeSet.symbol(program, name);

		return new DpuSymbol(symbol[0], symbol[1], name);
	}
}
