// SPDX-License-Identifier: GPL-2.0-only
package com.upmem.dpu;

/** Called with a rank, or the whole set, and the rank's index. */
public interface DpuCallback {
	void call(DpuSet set, int index) throws DpuException;
}
