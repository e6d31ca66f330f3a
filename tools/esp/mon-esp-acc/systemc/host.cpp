/* SPDX-License-Identifier: MIT */
/* The process of an accelerator in SystemC. */
#include MON_ESP_HEADER
#include "mon_esp_client.h"
#include "mon_esp_conf.h"
#include "socket.hpp"

/* Before SystemC's main(): standard output is mon-vm's. */
__attribute__((constructor)) static void no_banner()
{
	setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
}

int sc_main(int, char **)
{
	sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
	sc_report_handler::set_actions(SC_INFO, SC_DO_NOTHING);
	const struct esp_acc_row row = mon_esp_row();
	sc_clock clk("clk", sc_time(CLOCK_PERIOD, SC_NS));
	mon_esp_socket<DMA_WIDTH> socket("socket");
	MON_ESP_CLASS *acc = new MON_ESP_CLASS("acc");

	socket.clk(clk);
	socket.bind(*acc);
	socket.acc_rst.write(true);
	mon_esp_hello(&row);
	sc_start();
	return 0;
}
