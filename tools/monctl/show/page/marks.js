/* SPDX-License-Identifier: GPL-2.0-only */
/* Phases of programs, runs of accelerators, launches of DPUs and Hexagon programs as bars over the charts. */
function markLanes()
{
	const lanes = new Map();

	for (const mark of recording.marks) {
		if (!lanes.has(mark.device))
			lanes.set(mark.device, []);
		lanes.get(mark.device).push(mark);
	}
	/* phases of programs come first, then the devices that they use */
	return new Map([...lanes.entries()].sort(([a, x], [b, y]) => !x[0].is_phase - !y[0].is_phase ||
		a.localeCompare(b, "en", { numeric: true })));
}

/* Returns the end of a run. A run that goes on ends at the right edge. */
function markEnd(mark)
{
	return mark.end < 0 ? (firstSeconds() + recording.bins * binSeconds()) * 1e9 : mark.end;
}

/* Adds new runs. Known ones may have ended since. */
function takeMarks(marks)
{
	const known = new Map(recording.marks.map(mark => [mark.device + " " + mark.begin, mark]));

	for (const mark of marks)
		known.set(mark.device + " " + mark.begin, mark);
	recording.marks = [...known.values()].filter(mark => markEnd(mark) >= firstSeconds() * 1e9).slice(-2000);
}

/* "esp-fft: full, buffer 1024 KiB" */
function markName(mark)
{
	return mark.user + (mark.about ? ": " + mark.about : "");
}

function markTitle(mark)
{
	const what = `${mark.device}: ${markName(mark)}` + (mark.is_phase ? "" : ` (${mark.pid})`);

	return mark.end < 0 ? `${what}, running` : `${what}, ${secondsText((mark.end - mark.begin) / 1e9)} of the guest from ` +
		secondsText(mark.begin / 1e9);
}

/* Draws the bars. x(seconds) is the pixel of a time. Bars that end on the same pixel are drawn once. */
function drawMarks(x, left, right)
{
	const root = byId("marks");

	root.replaceChildren();
	for (const [device, marks] of markLanes()) {
		const lane = element("div", { class: "lane", "data-device": device, "data-runs": marks.length });
		let last = -1;

		for (const mark of marks) {
			const from = Math.max(x(mark.begin / 1e9), left), to = Math.min(x(markEnd(mark) / 1e9), right);

			if (to < left || from > right || Math.round(to) === last)
				continue;
			last = Math.round(to);
			lane.append(element("i", { class: mark.is_phase ? "phase" : "run", title: markTitle(mark),
				style: `left:${from}px;width:${Math.max(to - from, 2)}px` }, to - from > 60 ? markName(mark) : ""));
		}
		lane.append(element("b", { title: deviceName(device) }, device));
		root.append(lane);
	}
}
