// SPDX-License-Identifier: MIT
// FFTs in place in Verilog, as fourier.c does them in C: a point is a word of 64 bits, the real part in
// the low half. One local memory: a batch is read, transformed (a butterfly a cycle) and written.
module fourier_rtl_basic_dma64 (
	input             clk,
	input             rst,			// active low
	input      [31:0] conf_info_batch_size,
	input       [3:0] conf_info_log_len,
	input             conf_done,
	output reg        acc_done,
	output     [31:0] debug,

	output reg        dma_read_ctrl_valid,
	input             dma_read_ctrl_ready,
	output     [31:0] dma_read_ctrl_data_index,
	output     [31:0] dma_read_ctrl_data_length,
	output      [2:0] dma_read_ctrl_data_size,
	output      [5:0] dma_read_ctrl_data_user,
	output            dma_read_chnl_ready,
	input             dma_read_chnl_valid,
	input      [63:0] dma_read_chnl_data,

	output reg        dma_write_ctrl_valid,
	input             dma_write_ctrl_ready,
	output     [31:0] dma_write_ctrl_data_index,
	output     [31:0] dma_write_ctrl_data_length,
	output      [2:0] dma_write_ctrl_data_size,
	output      [5:0] dma_write_ctrl_data_user,
	input             dma_write_chnl_ready,
	output            dma_write_chnl_valid,
	output     [63:0] dma_write_chnl_data
);
	localparam MOST_LOG = 8, MOST = 1 << MOST_LOG;
	localparam IDLE = 0, ASK = 1, LOAD = 2, RUN = 3, OFFER = 4, STORE = 5, DONE = 6;

	reg signed [31:0] re [0:MOST-1];
	reg signed [31:0] im [0:MOST-1];
	reg signed [31:0] root_re [0:MOST/2-1];
	reg signed [31:0] root_im [0:MOST/2-1];
	integer k;
	initial begin
		for (k = 0; k < MOST / 2; k = k + 1) begin
			root_re[k] = $cos(2.0 * $acos(-1.0) * k / MOST) * (1 << 30);
			root_im[k] = -$sin(2.0 * $acos(-1.0) * k / MOST) * (1 << 30);
		end
	end

	reg  [2:0] state;
	reg  [3:0] stage;			// half a butterfly's width is 1 << stage
	reg  [8:0] i;
	reg [31:0] batch, first;
	wire [8:0] n = 9'd1 << conf_info_log_len;
	wire [8:0] half = 9'd1 << stage;
	// butterfly i: its place, its partner's, and its root's
	wire [8:0] low = i & (half - 1);
	wire [8:0] a = ((i & ~(half - 9'd1)) << 1) | low;
	wire [8:0] b = a | half;
	wire [8:0] r = low << (MOST_LOG - 1 - stage);
	// where the i-th point comes to stand: its number's bits from the other end
	wire [7:0] turned = {i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]} >> (MOST_LOG - conf_info_log_len);
	wire signed [63:0] t_re = root_re[r[6:0]] * re[b[7:0]] - root_im[r[6:0]] * im[b[7:0]];
	wire signed [63:0] t_im = root_re[r[6:0]] * im[b[7:0]] + root_im[r[6:0]] * re[b[7:0]];

	assign debug = {29'd0, state};
	assign dma_read_ctrl_data_index = first;
	assign dma_write_ctrl_data_index = first;
	assign dma_read_ctrl_data_length = {23'd0, n};
	assign dma_write_ctrl_data_length = {23'd0, n};
	assign dma_read_ctrl_data_size = 3'b010;	// 32-bit numbers
	assign dma_write_ctrl_data_size = 3'b010;
	assign dma_read_ctrl_data_user = 0;
	assign dma_write_ctrl_data_user = 0;
	assign dma_read_chnl_ready = state == LOAD;
	assign dma_write_chnl_valid = state == STORE;
	assign dma_write_chnl_data = {im[i[7:0]], re[i[7:0]]};

	always @(posedge clk) begin
		acc_done <= 0;
		case (state)
		IDLE: if (conf_done) begin
			batch <= 0;
			first <= 0;
			state <= conf_info_batch_size == 0 ? DONE : ASK;
		end
		ASK: if (!dma_read_ctrl_valid) begin
			dma_read_ctrl_valid <= 1;
		end else if (dma_read_ctrl_ready) begin
			dma_read_ctrl_valid <= 0;
			i <= 0;
			state <= LOAD;
		end
		LOAD: if (dma_read_chnl_valid) begin
			re[turned] <= dma_read_chnl_data[31:0];
			im[turned] <= dma_read_chnl_data[63:32];
			i <= i + 1;
			if (i + 1 == n) begin
				i <= 0;
				stage <= 0;
				state <= RUN;
			end
		end
		RUN: begin
			re[a[7:0]] <= re[a[7:0]] + t_re[61:30];
			im[a[7:0]] <= im[a[7:0]] + t_im[61:30];
			re[b[7:0]] <= re[a[7:0]] - t_re[61:30];
			im[b[7:0]] <= im[a[7:0]] - t_im[61:30];
			i <= i + 1;
			if (i + 1 == n >> 1) begin
				i <= 0;
				stage <= stage + 1;
				if (stage + 1 == conf_info_log_len)
					state <= OFFER;
			end
		end
		OFFER: if (!dma_write_ctrl_valid) begin
			dma_write_ctrl_valid <= 1;
		end else if (dma_write_ctrl_ready) begin
			dma_write_ctrl_valid <= 0;
			state <= STORE;
		end
		STORE: if (dma_write_chnl_ready) begin
			i <= i + 1;
			if (i + 1 == n) begin
				batch <= batch + 1;
				first <= first + {23'd0, n};
				state <= batch + 1 == conf_info_batch_size ? DONE : ASK;
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
