// SPDX-License-Identifier: GPL-2.0-only
import com.upmem.dpu.Dpu;
import com.upmem.dpu.DpuException;
import com.upmem.dpu.DpuProgramInfo;
import com.upmem.dpu.DpuSetAsync;
import com.upmem.dpu.DpuSystem;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** com.upmem.dpu beyond the page's program: Lang PROGRAM, on four DPUs. The last run faults. */
public class Lang {
	private static byte[] number(int value) {
		return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
	}

	private static byte[][] numbers(int... values) {
		byte[][] all = new byte[values.length][];

		for (int i = 0; i < values.length; i++)
			all[i] = number(values[i]);
		return all;
	}

	private static void check(String name, boolean ok) {
		if (!ok)
			throw new AssertionError(name);
	}

	private static void synchronous(DpuSystem dpus, DpuProgramInfo program) throws DpuException {
		byte[][] out = new byte[4][4];
		byte[] one = new byte[4];
		ByteArrayOutputStream text = new ByteArrayOutputStream();
		Dpu third = dpus.dpus().get(2);

		check("sizes", dpus.dpus().size() == 4 && dpus.ranks().size() == 1 &&
		      dpus.ranks().get(0).dpus().size() == 4);
		dpus.copy("in", numbers(100, 110, 120, 130));
		dpus.exec();
		dpus.copy(out, "out");
		check("each its own", Arrays.deepEquals(out, numbers(101, 111, 121, 131)));
		dpus.copy(program.get("in"), number(7));
		third.exec(new PrintStream(text));
		third.copy(one, program.get("out"));
		check("one of them runs", Arrays.equals(one, number(8)));
		check("log", text.toString().equals("=== DPU#0x2 ===\nhello\n"));
		try {
			dpus.copy(out, "nothing");
			check("an unknown symbol is an error", false);
		} catch (DpuException e) {
			check(e.getMessage(), e.getMessage().startsWith("undefined symbol: "));
		}
		try {
			dpus.copy(new byte[3][4], "out");
			check("too few buffers are an error", false);
		} catch (DpuException e) {
			check(e.getMessage(), e.getMessage().equals("3 buffers for 4 DPUs"));
		}
	}

	private static void asynchronous(DpuSystem dpus) throws DpuException {
		DpuSetAsync async = dpus.async();
		byte[][] out = new byte[4][4];
		int[] calls = new int[2];

		async.copy("in", numbers(1, 2, 3, 4));
		async.exec();
		async.copy(out, "out");
		async.call((set, index) -> calls[0] += set.dpus().size() + index);
		async.call((set, index) -> calls[1] += set == dpus ? 1 : 0, false, true);
		async.sync();
		check("asynchronous copy", Arrays.deepEquals(out, numbers(2, 3, 4, 5)));
		check("callbacks", calls[0] == 4 && calls[1] == 1);
		async.call((set, index) -> {
			throw new DpuException("wanted");
		});
		try {
			async.sync();
			check("an error of a callback", false);
		} catch (DpuException e) {
			check(e.getMessage(), e.getMessage().startsWith("internal error"));
		}
	}

	public static void main(String[] args) throws DpuException {
		try (DpuSystem dpus = DpuSystem.allocate(4, "backend=simulator")) {
			DpuProgramInfo program = dpus.load(args[0]);

			synchronous(dpus, program);
			asynchronous(dpus);
			System.out.println("all right");
			dpus.copy("in", number(13));
			dpus.exec();
		}
	}
}
