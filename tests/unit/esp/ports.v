// SPDX-License-Identifier: GPL-2.0-only
// Does what vadd.v does, for 512 words at most, behind other ports: clock, reset that is active high, no size and
// no user. It takes a word, and gives one, every fourth cycle at most. Its local memory is two of ESP's, one with
// a clock for each port, one of older releases with a clock for both.
module ports (
	input             clock,
	input             reset,
	input      [31:0] words,
	input      [31:0] addend,
	input      [31:0] conf_info_output,
	input             conf_done,
	output reg        acc_done,

	output reg        dma_read_ctrl_valid,
	input             dma_read_ctrl_ready,
	output     [31:0] dma_read_ctrl_data_index,
	output     [31:0] dma_read_ctrl_data_length,
	output            dma_read_chnl_ready,
	input             dma_read_chnl_valid,
	input      [63:0] dma_read_chnl_data,

	output reg        dma_write_ctrl_valid,
	input             dma_write_ctrl_ready,
	output     [31:0] dma_write_ctrl_data_index,
	output     [31:0] dma_write_ctrl_data_length,
	input             dma_write_chnl_ready,
	output            dma_write_chnl_valid,
	output     [63:0] dma_write_chnl_data
);
	localparam IDLE = 0, ASK = 1, LOAD = 2, OFFER = 3, STORE = 4, DONE = 5;

	reg [2:0] state;
	reg [8:0] i;
	reg [1:0] pause;	// cycles until the next word
	reg took, spoilt;
	reg [31:0] stored;
	wire [31:0] shown;
	wire take = dma_read_chnl_ready && dma_read_chnl_valid;
	wire give = dma_write_chnl_valid && dma_write_chnl_ready;
	wire last = i == words - 1;

	assign dma_read_ctrl_data_index = 0;
	assign dma_read_ctrl_data_length = words;
	assign dma_write_ctrl_data_index = conf_info_output;
	assign dma_write_ctrl_data_length = words;
	assign dma_read_chnl_ready = state == LOAD && pause == 0;
	assign dma_write_chnl_valid = state == STORE && pause == 0;

	BRAM_512x32 low (
		.CLK0(clock), .A0(i), .D0(dma_read_chnl_data[31:0] + addend + spoilt), .Q0(shown), .WE0(take),
		.WEM0(32'd0), .CE0(take),
		.CLK1(clock), .A1(i), .D1(32'd0), .Q1(dma_write_chnl_data[31:0]), .WE1(1'b0), .WEM1(32'd0), .CE1(1'b1)
	);
	BRAM_512x32 high (
		.CLK(clock), .A0(i), .D0(dma_read_chnl_data[63:32] + addend), .Q0(), .WE0(take),
		.WEM0(32'hffffffff), .CE0(take),
		.A1(i), .D1(32'd0), .Q1(dma_write_chnl_data[63:32]), .WE1(1'b0), .WEM1(32'd0), .CE1(1'b1)
	);

	always @(posedge clock) begin
		acc_done <= 0;
		took <= take;
		stored <= dma_read_chnl_data[31:0] + addend;
		if (took && shown != stored)
			spoilt <= 1;
		if (take || give)
			pause <= 3;
		else if (pause != 0)
			pause <= pause - 1;
		case (state)
		IDLE: if (conf_done) begin
			dma_read_ctrl_valid <= 1;
			state <= ASK;
		end
		ASK: if (dma_read_ctrl_ready) begin
			dma_read_ctrl_valid <= 0;
			i <= 0;
			state <= LOAD;
		end
		LOAD: if (take) begin
			i <= i + 1;
			if (last) begin
				dma_write_ctrl_valid <= 1;
				state <= OFFER;
			end
		end
		OFFER: if (dma_write_ctrl_ready) begin
			dma_write_ctrl_valid <= 0;
			i <= 0;
			pause <= 3;	// the first word comes out of the memories
			state <= STORE;
		end
		STORE: if (give) begin
			i <= i + 1;
			if (last)
				state <= DONE;
		end
		DONE: begin
			acc_done <= 1;
			state <= IDLE;
		end
		default: state <= IDLE;
		endcase
		if (reset) begin
			state <= IDLE;
			pause <= 0;
			took <= 0;
			spoilt <= 0;
			dma_read_ctrl_valid <= 0;
			dma_write_ctrl_valid <= 0;
		end
	end
endmodule
