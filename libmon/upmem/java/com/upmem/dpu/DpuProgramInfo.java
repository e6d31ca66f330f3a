// SPDX-License-Identifier: LGPL-2.1-or-later
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
