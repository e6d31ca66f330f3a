// SPDX-License-Identifier: MIT
// Memories of ESP's technology library, from their interfaces: two ports, data a cycle after the
// address, a mask of bits to write, and a port that writes keeps its read data. A port has a clock of its own,
// CLK0 and CLK1; in older releases both have CLK. What is not connected is 0.
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
		if (CE0 && WE0) mem[A0] <= (mem[A0] & ~WEM0) | (D0 & WEM0); \
		if (CE0 && !WE0) Q0 <= mem[A0]; \
	end \
	always @(posedge clock1) begin \
		if (CE1 && WE1) mem[A1] <= (mem[A1] & ~WEM1) | (D1 & WEM1); \
		if (CE1 && !WE1) Q1 <= mem[A1]; \
	end \
endmodule

`MON_ESP_MEMORY(BRAM_512x32, 512, 32, 9)
`MON_ESP_MEMORY(BRAM_1024x16, 1024, 16, 10)
`MON_ESP_MEMORY(BRAM_2048x8, 2048, 8, 11)
`MON_ESP_MEMORY(BRAM_4096x4, 4096, 4, 12)
`MON_ESP_MEMORY(BRAM_8192x2, 8192, 2, 13)
`MON_ESP_MEMORY(BRAM_16384x1, 16384, 1, 14)
