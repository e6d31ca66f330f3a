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
	/* phases of programs come first, then the devices that they use */
	return new Map([...lanes.entries()].sort(([a, x], [b, y]) => !x[0].is_phase - !y[0].is_phase ||
		a.localeCompare(b, "en", { numeric: true })));
}

/* Returns the time of the first bin. On a live page older bins are gone, and runs have times from the start on. */
function marksStart()
{
	return recording.live ? (recording.next - recording.bins) * recording.bin_ns : 0;
}

/* Returns the end of a run. A run that goes on ends at the right edge. */
function markEnd(mark)
{
	return mark.end < 0 ? marksStart() + recording.bins * recording.bin_ns : mark.end;
}

/* Adds new runs. Known ones may have ended since. */
function takeMarks(marks)
{
	const known = new Map(recording.marks.map(mark => [mark.device + " " + mark.begin, mark]));

	for (const mark of marks)
		known.set(mark.device + " " + mark.begin, mark);
	recording.marks = [...known.values()].filter(mark => markEnd(mark) >= marksStart()).slice(-2000);
}

/* Returns the share of a run in which its device waited for memory; NaN: not counted, or the run has too few bins. */
function waitOfMark(mark)
{
	const bin = time => ((time - marksStart()) / recording.bin_ns) - firstSeconds() * 1e9 / recording.bin_ns;
	const first = Math.floor(bin(mark.begin)), end = Math.ceil(bin(markEnd(mark)));

	if (mark.is_phase || recording.live || first < 0 || end > recording.bins || end - first < 3)
		return NaN;
	return waitOf(mark.device, first, end);
}

/* "esp-fft: full, buffer 1024 KiB" */
function markName(mark)
{
	return mark.user + (mark.about ? ": " + mark.about : "");
}

function markTitle(mark, wait)
{
	const what = `${mark.device}: ${markName(mark)}` + (mark.is_phase ? "" : ` (${mark.pid})`);

	if (mark.end < 0)
		return `${what}, running`;
	return `${what}, ${secondsText((mark.end - mark.begin) / 1e9)} from ` +
		secondsText((mark.begin - marksStart()) / 1e9) +
		(isNaN(wait) ? "" : `, waited ${wait.toPrecision(3)} % of it for memory`);
}

/* Draws the bars. x(seconds) is the pixel of a time. Bars that end on the same pixel are drawn once. */
function drawMarks(x, left, right)
{
	const root = document.getElementById("marks");

	root.replaceChildren();
	for (const [device, marks] of markLanes()) {
		const lane = element("div", { class: "lane", "data-device": device,
					      "data-runs": marks.length });
		let last = -1;

		for (const mark of marks) {
			const from = Math.max(x((mark.begin - marksStart()) / 1e9), left);
			const to = Math.min(x((markEnd(mark) - marksStart()) / 1e9), right);

			if (to < left || from > right || Math.round(to) === last)
				continue;
			last = Math.round(to);
			const wait = to - from > 8 ? waitOfMark(mark) : NaN;
			const bar = element("i", { class: mark.is_phase ? "phase" : "run", title: markTitle(mark, wait),
				style: `left:${from}px;width:${Math.max(to - from, 2)}px` }, to - from > 60 ? markName(mark) : "");

			/* computed, then waited: the parts of the run's time, not when they were */
			if (!isNaN(wait)) {
				bar.dataset.wait = wait.toFixed(1);
				bar.style.setProperty("--computed", (100 - wait).toFixed(1) + "%");
			}
			lane.append(bar);
		}
		lane.append(element("b", {}, device));
		root.append(lane);
	}
	document.getElementById("marks-note").hidden = !root.querySelector("[data-wait]");
}
