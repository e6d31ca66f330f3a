// SPDX-License-Identifier: GPL-2.0-only
/* <dpu> beyond the page's program: lang PROGRAM, on four DPUs. Prints what is wrong; "lang" faults last. */
#include <dpu>
#include <iostream>
#include <sstream>

using namespace dpu;

static int failures;

static void check(const char *name, bool ok)
{
	if (!ok) {
		std::cout << "wrong: " << name << std::endl;
		failures++;
	}
}

typedef std::vector<std::vector<uint32_t>> Each;

static Each each(uint32_t first, uint32_t step)
{
	Each values;

	for (uint32_t i = 0; i < 4; i++)
		values.push_back({ first + i * step });
	return values;
}

static void synchronous(DpuSet &set, DpuProgram &program)
{
	DpuSymbol in = program.get("in");
	std::ostringstream log;
	Each out = each(0, 0);

	set.copy("in", each(100, 10));
	set.exec();
	set.copy(out, "out");
	check("each its own", out == each(101, 10));
	set.copy(in, std::vector<uint32_t>{ 7 });
	set.dpus()[2]->exec();
	set.copy(out, program.get("out"));
	check("one of them runs", out == Each({ { 101 }, { 111 }, { 8 }, { 131 } }));
	set.dpus()[2]->log(log);
	check("log", log.str() == "=== DPU#0x2 ===\nhello\n");
	check("sizes", set.dpus().size() == 4 && set.ranks().size() == 1 &&
	      set.ranks()[0]->dpus().size() == 4 && set.dpus()[0]->dpus()[0] == set.dpus()[0]);
	try {
		set.copy(out, "nothing");
		check("an unknown symbol is an error", false);
	} catch (const DpuError &e) {
		check("text of an error", std::string(e.what()).find("undefined symbol: ") == 0);
	}
}

static void blocks(DpuSet &set)
{
	std::vector<uint64_t> memory(4 * 8), back(4 * 8);
	auto block = [](std::vector<uint64_t> &m) {
		return [&m](struct sg_block_info *out, uint32_t dpu, uint32_t n) {
			out->addr = reinterpret_cast<uint8_t *>(&m[dpu * 8 + n * 4]);
			out->length = 32;
			return n < 2;
		};
	};

	for (size_t i = 0; i < memory.size(); i++)
		memory[i] = i * i;
	set.copyScatterGather("data", block(memory), 64);
	set.copyScatterGather(block(back), 64, "data");
	check("blocks", back == memory);
}

static void asynchronous(DpuSet &set)
{
	DpuSetAsync async = set.async();
	Each in = each(1, 1), out = each(0, 0);
	unsigned calls = 0;

	async.copy("in", in);
	async.exec();
	async.copy(out, "out");
	async.call([&calls, &out](DpuSet &rank, unsigned index) {
		if (!index && rank.dpus().size() == 4 && out == each(2, 1))
			calls++;
	});
	async.call([](DpuSet &, unsigned) { throw DpuError(DPU_ERR_TIMEOUT); }, false, true);
	try {
		async.sync();
		check("an error of a callback", false);
	} catch (const DpuError &e) {
		check("the callback's error", e.error() == DPU_ERR_TIMEOUT);
	}
	check("callbacks", calls == 1);
}

int main(int, char **argv)
{
	DpuSet set = DpuSet::allocate(4, "sgXferEnable=true");
	DpuProgram program = set.load(argv[1]);

	synchronous(set, program);
	blocks(set);
	asynchronous(set);
	if (failures)
		return 1;
	std::cout << "all right" << std::endl;
	set.copy("in", std::vector<uint32_t>{ 13 });
	set.exec();
	return 0;
}
