// SPDX-License-Identifier: LGPL-2.1-or-later
package com.upmem.dpu;

import java.io.PrintStream;

/** What all three kinds of sets do. */
abstract class DpuSetBase implements DpuSet {
	final long set;
	final PrintStream logStream;

	DpuSetBase(long set, PrintStream logStream) {
		this.set = set;
		this.logStream = logStream;
	}

	@Override
	public DpuSetAsync async() {
		return new DpuSetAsync(this);
	}

	@Override
	public DpuProgramInfo load(String path) throws DpuException {
		return new DpuProgramInfo(NativeSet.load(set, path));
	}

	void copy(String name, DpuSymbol symbol, byte[] from, boolean async) throws DpuException {
		NativeSet.broadcast(set, name, address(symbol), size(symbol), from, async);
	}

	void copy(String name, DpuSymbol symbol, byte[][] buffers, boolean fromDpu, boolean async)
			throws DpuException {
		if (buffers.length != dpus().size())
			throw new DpuException(buffers.length + " buffers for " + dpus().size() + " DPUs");
		for (byte[] buffer : buffers)
			if (buffer.length != buffers[0].length)
				throw new DpuException("buffers of different lengths");
		NativeSet.push(set, name, address(symbol), size(symbol), buffers, fromDpu, async);
	}

	private static int address(DpuSymbol symbol) {
		return symbol == null ? 0 : symbol.address;
	}

	private static int size(DpuSymbol symbol) {
		return symbol == null ? 0 : symbol.size;
	}

	@Override
	public void copy(String to, byte[] from) throws DpuException {
		copy(to, null, from, false);
	}

	@Override
	public void copy(DpuSymbol to, byte[] from) throws DpuException {
		copy(null, to, from, false);
	}

	@Override
	public void copy(String to, byte[][] from) throws DpuException {
		copy(to, null, from, false, false);
	}

	@Override
	public void copy(DpuSymbol to, byte[][] from) throws DpuException {
		copy(null, to, from, false, false);
	}

	@Override
	public void copy(byte[][] to, String from) throws DpuException {
		copy(from, null, to, true, false);
	}

	@Override
	public void copy(byte[][] to, DpuSymbol from) throws DpuException {
		copy(null, from, to, true, false);
	}

	@Override
	public void exec() throws DpuException {
		exec(logStream);
	}

	@Override
	public void exec(PrintStream stream) throws DpuException {
		NativeSet.launch(set, false);
		if (stream != null)
			log(stream);
	}

	@Override
	public void log() throws DpuException {
		log(logStream == null ? System.out : logStream);
	}

	@Override
	public void log(PrintStream stream) throws DpuException {
		for (Dpu dpu : dpus()) {
			byte[] text = NativeSet.log(dpu.set);

			stream.write(text, 0, text.length);
		}
		stream.flush();
	}
}
