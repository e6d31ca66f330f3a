/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs of accelerators, launches of DPUs and Hexagon programs as bars over the timeline. */
function markLanes()
{
	const lanes = new Map();

	for (const mark of recording.marks) {
		if (!lanes.has(mark.device))
			lanes.set(mark.device, []);
		lanes.get(mark.device).push(mark);
	}
	return new Map([...lanes.entries()].sort());
}

function markTitle(mark)
{
	return `${mark.device}: ${secondsText((mark.end - mark.begin) / 1e9)} from ` +
		`${secondsText(mark.begin / 1e9)}, ${mark.user} (${mark.pid})`;
}

/* x(seconds): where a time is in the plot; more bars than pixels are not drawn. */
function drawMarks(x, left, right)
{
	const root = document.getElementById("marks");

	root.replaceChildren();
	for (const [device, marks] of markLanes()) {
		const lane = element("div", { class: "lane", "data-device": device,
					      "data-runs": marks.length });
		let last = -1;

		for (const mark of marks) {
			const from = Math.max(x(mark.begin / 1e9), left);
			const to = Math.min(x(mark.end / 1e9), right);

			if (to < left || from > right || Math.round(to) === last)
				continue;
			last = Math.round(to);
			lane.append(element("i", { title: markTitle(mark),
				style: `left:${from}px;width:${Math.max(to - from, 2)}px` },
				to - from > 60 ? mark.user : ""));
		}
		lane.append(element("b", {}, device));
		root.append(lane);
	}
}
