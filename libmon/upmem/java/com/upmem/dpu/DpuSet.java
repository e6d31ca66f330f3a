// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;
import java.util.List;

/**
 * DPUs: all that were allocated, a rank or one. Variables are named by a string or a DpuSymbol. A
 * byte[] goes to every DPU; of a byte[][] each DPU has its own, all of the same length.
 */
public interface DpuSet {
	List<Dpu> dpus();

	List<DpuRank> ranks();

	/** Copies and runs that wait in a queue. */
	DpuSetAsync async();

	DpuProgramInfo load(String path) throws DpuException;

	void copy(String to, byte[] from) throws DpuException;

	void copy(DpuSymbol to, byte[] from) throws DpuException;

	void copy(String to, byte[][] from) throws DpuException;

	void copy(DpuSymbol to, byte[][] from) throws DpuException;

	void copy(byte[][] to, String from) throws DpuException;

	void copy(byte[][] to, DpuSymbol from) throws DpuException;

	/** Runs the program; then prints the DPUs' logs if the set was allocated with a stream. */
	void exec() throws DpuException;

	void exec(PrintStream logStream) throws DpuException;

	/** Prints the DPUs' logs, to the set's stream or to standard output. */
	void log() throws DpuException;

	void log(PrintStream logStream) throws DpuException;
}
