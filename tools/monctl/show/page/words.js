/* SPDX-License-Identifier: GPL-2.0-only */
/* Terms of the trade with what they mean, shown where a text has one for the first time. */
const words = {
	"modelled": "Counted by an emulated device. Its cycles are those of the hardware's clock, not of this computer.",
	"guest": "The virtual machine. Its seconds pass as the emulator gets on, not as on the hardware.",
	"plane": "One of the six networks of an ESP SoC: 0 to 2 carry coherence, 3 and 5 DMA, 4 registers and interrupts.",
	"recall": "A mode of coherence in which the last-level cache fetches an accelerator's data from the other caches.",
	"flit": "What a link moves in a cycle: 64 bits of a packet and its marks.",
	"LLC": "The last-level cache, beside each memory tile.",
	"L2": "The private second-level cache of a processor or accelerator.",
	"NoC": "Network on chip: routers in all tiles, and links between them.",
	"DMA": "Transfers that a device makes itself, without the processor.",
	"bin": "The stretch of time whose counts are one point of a chart.",
	"PMU": "A device's unit of performance counters.",
	"tile": "A place of an ESP SoC: a processor, an accelerator, a memory or the devices.",
	"DPU": "A processor of a memory chip (UPMEM), with 64 MB of its own.",
	"tasklet": "A software thread of a DPU. A DPU is full from 11 tasklets on.",
	"packet": "One to four instructions that a Hexagon thread executes together.",
	"estimates": "Counters that took turns: counts are scaled up from the time of their turns.",
};
const wordPattern = new RegExp(`\\b(${Object.keys(words).join("|")})(?:s|es)?\\b`, "g");

/* Marks terms in the texts of a node. Each is explained once: a stop of the keyboard for each would be too many. */
function explain(root, told = new Set())
{
	const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), list = [];

	while (texts.nextNode())
		if (!texts.currentNode.parentNode.closest("dfn, button, summary, option, code"))
			list.push(texts.currentNode);
	for (const text of list) {
		const parts = [];
		let at = 0;

		for (const found of text.data.matchAll(wordPattern)) {
			if (told.has(found[1]))
				continue;
			told.add(found[1]);
			parts.push(text.data.slice(at, found.index),
				   element("dfn", { tabindex: 0, "data-tip": `${found[1]}: ${words[found[1]]}`,
						    "aria-label": `${found[0]} (${words[found[1]]})` }, found[0]));
			at = found.index + found[0].length;
		}
		if (parts.length)
			text.replaceWith(...parts, text.data.slice(at));
	}
}
