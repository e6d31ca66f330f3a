// SPDX-License-Identifier: MIT
// Memories of ESP's library for FPGAs, from their interfaces: two ports, data a cycle after the address. As in
// that library, a write takes the whole word whatever its mask WEM says, and its port reads the word written
// (RAMB16, WRITE_FIRST). A port has a clock of its own, CLK0 and CLK1; in older releases both have CLK.
// What is not connected is 0.
/* verilator lint_off MULTIDRIVEN */
`define MON_ESP_MEMORY(NAME, WORDS, WIDTH, ADDRESS) \
module NAME ( \
	input CLK, input CLK0, input CLK1, \
	input [ADDRESS-1:0] A0, input [WIDTH-1:0] D0, output reg [WIDTH-1:0] Q0, \
	input WE0, input [WIDTH-1:0] WEM0, input CE0, \
	input [ADDRESS-1:0] A1, input [WIDTH-1:0] D1, output reg [WIDTH-1:0] Q1, \
	input WE1, input [WIDTH-1:0] WEM1, input CE1 \
); \
	reg [WIDTH-1:0] mem [0:WORDS-1]; \
	wire clock0 = CLK | CLK0, clock1 = CLK | CLK1; \
	always @(posedge clock0) begin \
		if (CE0 && WE0) mem[A0] <= D0; \
		if (CE0) Q0 <= WE0 ? D0 : mem[A0]; \
	end \
	always @(posedge clock1) begin \
		if (CE1 && WE1) mem[A1] <= D1; \
		if (CE1) Q1 <= WE1 ? D1 : mem[A1]; \
	end \
endmodule

`MON_ESP_MEMORY(BRAM_512x32, 512, 32, 9)
`MON_ESP_MEMORY(BRAM_1024x16, 1024, 16, 10)
`MON_ESP_MEMORY(BRAM_2048x8, 2048, 8, 11)
`MON_ESP_MEMORY(BRAM_4096x4, 4096, 4, 12)
`MON_ESP_MEMORY(BRAM_8192x2, 8192, 2, 13)
`MON_ESP_MEMORY(BRAM_16384x1, 16384, 1, 14)
