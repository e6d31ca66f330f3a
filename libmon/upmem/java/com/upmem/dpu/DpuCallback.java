// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

/** Called with a rank, or the whole set, and the rank's index. */
public interface DpuCallback {
	void call(DpuSet set, int index) throws DpuException;
}
