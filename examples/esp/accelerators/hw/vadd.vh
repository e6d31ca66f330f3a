// SPDX-License-Identifier: MIT
// What vadd.v includes: mon-esp-acc verilog ... vadd.v -- -Ihw
localparam IDLE = 0, ASK = 1, LOAD = 2, OFFER = 3, STORE = 4, DONE = 5;
localparam PLM_WORDS = 512;
