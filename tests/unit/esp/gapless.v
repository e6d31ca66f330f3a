// SPDX-License-Identifier: GPL-2.0-only
// Asks for word 0 and, in the cycle behind its grant, for word 1: valid never falls between the two. A user
// port of five bits and a reset named rst_n, as older generators have them.
module gapless (
	input             clk,
	input             rst_n,
	input      [31:0] words,		// a register without the prefix conf_info_
	input      [31:0] conf_info_addend,
	input      [31:0] conf_info_output,
	input             conf_done,
	output reg        acc_done,
	output     [31:0] debug,

	output reg        dma_read_ctrl_valid,
	input             dma_read_ctrl_ready,
	output reg [31:0] dma_read_ctrl_data_index,
	output     [31:0] dma_read_ctrl_data_length,
	output      [2:0] dma_read_ctrl_data_size,
	output      [4:0] dma_read_ctrl_data_user,
	output            dma_read_chnl_ready,
	input             dma_read_chnl_valid,
	input      [63:0] dma_read_chnl_data,

	output            dma_write_ctrl_valid,
	input             dma_write_ctrl_ready,
	output     [31:0] dma_write_ctrl_data_index,
	output     [31:0] dma_write_ctrl_data_length,
	output      [2:0] dma_write_ctrl_data_size,
	output      [4:0] dma_write_ctrl_data_user,
	input             dma_write_chnl_ready,
	output            dma_write_chnl_valid,
	output     [63:0] dma_write_chnl_data
);
	assign debug = 0;
	assign dma_read_ctrl_data_length = 1;
	assign dma_read_ctrl_data_size = 3;
	assign dma_read_ctrl_data_user = 0;
	assign dma_read_chnl_ready = 1;
	assign dma_write_ctrl_valid = 0;
	assign dma_write_ctrl_data_index = conf_info_output + conf_info_addend;
	assign dma_write_ctrl_data_length = words;
	assign dma_write_ctrl_data_size = 3;
	assign dma_write_ctrl_data_user = 0;
	assign dma_write_chnl_valid = 0;
	assign dma_write_chnl_data = 0;

	always @(posedge clk) begin
		acc_done <= 0;
		if (conf_done) begin
			dma_read_ctrl_valid <= 1;
			dma_read_ctrl_data_index <= 0;
		end else if (dma_read_ctrl_valid && dma_read_ctrl_ready) begin
			dma_read_ctrl_valid <= dma_read_ctrl_data_index == 0;
			dma_read_ctrl_data_index <= 1;
		end
		if (!rst_n)
			dma_read_ctrl_valid <= 0;
	end
endmodule
