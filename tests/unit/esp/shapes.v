// SPDX-License-Identifier: GPL-2.0-only
// Asks for a transfer of conf_info_words words and moves conf_info_addend of them, then no more. If that were all, it
// sets acc_done; if it were more, it waits for a word that nobody has announced. Bits of conf_info_output: 0, a write,
// which gives 0, 1, 2 and so on; 1, it sets acc_done before its transfer is whole.
module shapes (
	input             clk,
	input             rst,
	input      [31:0] conf_info_words,
	input      [31:0] conf_info_addend,
	input      [31:0] conf_info_output,
	input             conf_done,
	output reg        acc_done,

	output reg        dma_read_ctrl_valid,
	input             dma_read_ctrl_ready,
	output     [31:0] dma_read_ctrl_data_index,
	output     [31:0] dma_read_ctrl_data_length,
	output      [2:0] dma_read_ctrl_data_size,
	output            dma_read_chnl_ready,
	input             dma_read_chnl_valid,
	input      [63:0] dma_read_chnl_data,

	output reg        dma_write_ctrl_valid,
	input             dma_write_ctrl_ready,
	output     [31:0] dma_write_ctrl_data_index,
	output     [31:0] dma_write_ctrl_data_length,
	output      [2:0] dma_write_ctrl_data_size,
	input             dma_write_chnl_ready,
	output            dma_write_chnl_valid,
	output     [63:0] dma_write_chnl_data
);
	reg moves;
	reg [31:0] i;
	wire writes = conf_info_output[0];
	wire more = moves && i < conf_info_addend;
	wire word = more && (writes ? dma_write_chnl_ready : dma_read_chnl_valid);
	wire last = i + word == conf_info_addend;

	assign dma_read_ctrl_data_index = 0;
	assign dma_read_ctrl_data_length = conf_info_words;
	assign dma_read_ctrl_data_size = 3;
	assign dma_write_ctrl_data_index = 0;
	assign dma_write_ctrl_data_length = conf_info_words;
	assign dma_write_ctrl_data_size = 3;
	assign dma_read_chnl_ready = more && !writes;
	assign dma_write_chnl_valid = more && writes;
	assign dma_write_chnl_data = {32'd0, i};

	always @(posedge clk) begin
		acc_done <= moves && last && (conf_info_output[1] || conf_info_addend == conf_info_words);
		i <= i + word;
		if (conf_done) begin
			dma_read_ctrl_valid <= !writes;
			dma_write_ctrl_valid <= writes;
		end
		if (dma_read_ctrl_valid && dma_read_ctrl_ready || dma_write_ctrl_valid && dma_write_ctrl_ready) begin
			dma_read_ctrl_valid <= 0;
			dma_write_ctrl_valid <= 0;
			moves <= 1;
		end
		if (!rst) begin
			moves <= 0;
			i <= 0;
			dma_read_ctrl_valid <= 0;
			dma_write_ctrl_valid <= 0;
		end
	end
endmodule
