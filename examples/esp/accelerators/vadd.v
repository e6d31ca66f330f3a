// SPDX-License-Identifier: MIT
// Adds a constant to both 32-bit halves of the words of a buffer, burst by burst: a small
// accelerator with the ports that ESP's socket expects of one.
module vadd_rtl_basic_dma64 (
	input             clk,
	input             rst,			// active low
	input      [31:0] conf_info_words,	// length in 64-bit words
	input      [31:0] conf_info_addend,
	input      [31:0] conf_info_output,	// index of the output
	input             conf_done,
	output reg        acc_done,
	output     [31:0] debug,

	output reg        dma_read_ctrl_valid,
	input             dma_read_ctrl_ready,
	output reg [31:0] dma_read_ctrl_data_index,
	output reg [31:0] dma_read_ctrl_data_length,
	output      [2:0] dma_read_ctrl_data_size,
	output      [5:0] dma_read_ctrl_data_user,
	output            dma_read_chnl_ready,
	input             dma_read_chnl_valid,
	input      [63:0] dma_read_chnl_data,

	output reg        dma_write_ctrl_valid,
	input             dma_write_ctrl_ready,
	output reg [31:0] dma_write_ctrl_data_index,
	output reg [31:0] dma_write_ctrl_data_length,
	output      [2:0] dma_write_ctrl_data_size,
	output      [5:0] dma_write_ctrl_data_user,
	input             dma_write_chnl_ready,
	output            dma_write_chnl_valid,
	output     [63:0] dma_write_chnl_data
);
	`include "vadd.vh"

	reg [63:0] plm [0:PLM_WORDS-1];
	reg  [2:0] state;
	reg [31:0] at, left, i;
	wire [31:0] burst = left > PLM_WORDS ? PLM_WORDS : left;

	assign debug = {29'd0, state};
	assign dma_read_ctrl_data_size = 3'b010;	// 32-bit tokens
	assign dma_write_ctrl_data_size = 3'b010;
	assign dma_read_ctrl_data_user = 0;
	assign dma_write_ctrl_data_user = 0;
	assign dma_read_chnl_ready = state == LOAD;
	assign dma_write_chnl_valid = state == STORE;
	assign dma_write_chnl_data = plm[i[8:0]];

	always @(posedge clk) begin
		acc_done <= 0;
		case (state)
		IDLE: if (conf_done) begin
			at <= 0;
			left <= conf_info_words;
			state <= conf_info_words == 0 ? DONE : ASK;
		end
		ASK: if (!dma_read_ctrl_valid) begin
			dma_read_ctrl_valid <= 1;
			dma_read_ctrl_data_index <= at;
			dma_read_ctrl_data_length <= burst;
		end else if (dma_read_ctrl_ready) begin
			dma_read_ctrl_valid <= 0;
			i <= 0;
			state <= LOAD;
		end
		LOAD: if (dma_read_chnl_valid) begin
			plm[i[8:0]] <= { dma_read_chnl_data[63:32] + conf_info_addend,
					 dma_read_chnl_data[31:0] + conf_info_addend };
			i <= i + 1;
			if (i + 1 == burst)
				state <= OFFER;
		end
		OFFER: if (!dma_write_ctrl_valid) begin
			dma_write_ctrl_valid <= 1;
			dma_write_ctrl_data_index <= conf_info_output + at;
			dma_write_ctrl_data_length <= burst;
		end else if (dma_write_ctrl_ready) begin
			dma_write_ctrl_valid <= 0;
			i <= 0;
			state <= STORE;
		end
		STORE: if (dma_write_chnl_ready) begin
			i <= i + 1;
			if (i + 1 == burst) begin
				at <= at + burst;
				left <= left - burst;
				state <= left == burst ? DONE : ASK;
			end
		end
		DONE: begin
			acc_done <= 1;
			state <= IDLE;
		end
		default: state <= IDLE;
		endcase
		if (!rst) begin
			state <= IDLE;
			acc_done <= 0;
			dma_read_ctrl_valid <= 0;
			dma_write_ctrl_valid <= 0;
		end
	end
endmodule
