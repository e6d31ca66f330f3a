/* SPDX-License-Identifier: GPL-2.0-only */
/* UPMEM's "Performance Counters" page: the same in Java, as printed but for the indentation. */
import com.upmem.dpu.Dpu;
import com.upmem.dpu.DpuException;
import com.upmem.dpu.DpuSystem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
public class FrequencyExampleHost {
	public static void main(String[] args) throws DpuException {
		try (DpuSystem dpu = DpuSystem.allocate(1, "")) {
			dpu.load("frequency_example");
			System.out.println("DPU allocated");
			long begin = System.nanoTime();
			dpu.exec();
			long end = System.nanoTime();
			byte[][] nbCycles = new byte[1][4];
			dpu.copy(nbCycles, "nb_cycles");
			ByteBuffer nbCyclesWrapped = ByteBuffer.wrap(nbCycles[0]);
			nbCyclesWrapped.order(ByteOrder.LITTLE_ENDIAN);
			byte[][] clocksPerSec = new byte[1][4];
			dpu.copy(clocksPerSec, "CLOCKS_PER_SEC");
			ByteBuffer clocksWrapped = ByteBuffer.wrap(clocksPerSec[0]);
			clocksWrapped.order(ByteOrder.LITTLE_ENDIAN);
			System.out.println("DPU cycles: " + nbCyclesWrapped.getInt(0));
			System.out.println(
			    "DPU time: " +
			    String.format("%.2e", (double)nbCyclesWrapped.getInt(0) /
			    clocksWrapped.getInt(0)) +
			    " secs.");
			System.out.println("Host elapsed time: " +
			    String.format("%.2e", ((end - begin) / 1.0e9)) +
			    " secs.");
		}
	}
}
