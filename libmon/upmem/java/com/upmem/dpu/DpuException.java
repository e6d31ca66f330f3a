// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

/** What dpu_error_to_string() says, with the sentence about this failure. */
public class DpuException extends Exception {
	private static final long serialVersionUID = 1;

	public DpuException(String message) {
		super(message);
	}
}
