/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of runs. */
/* Counters of the share in which accelerators waited, by device. There may be thousands of runs. */
const waits = new Map();

function waitCounter(device)
{
	if (!waits.has(device))
		waits.set(device, recording.metricCounters.find(c => c.metric.name === "esp_acc_memory_share" && c.place >= 0 &&
			c.pmu.places.some(p => p.number === c.place && (p.device === device || p.name === device))));
	return waits.get(device);
}

/* Returns the share of its run in which an accelerator waited for memory, over these bins. */
function waitOf(device, first, end)
{
	const counter = waitCounter(device);

	return counter ? measureMetric(counter, first, end).average : NaN;
}

/* Makes a row of the runs of a program on a device in the chosen time. */
function runsRow([key, marks])
{
	const seconds = marks.map(mark => (markEnd(mark) - mark.begin) / 1e9);
	const total = seconds.reduce((s, v) => s + v, 0), [device, user] = key.split("\t");
	const wait = waitOf(device, range.first, range.end);
	const row = element("tr", { "data-device": device });
	const time = v => element("td", { class: "n", "data-v": v }, secondsText(v));

	row.append(element("td", {}, device), element("td", {}, user), element("td", { class: "n" }, String(marks.length)),
		   time(total), time(total / marks.length), time(Math.max(...seconds)),
		   element("td", { class: "n", "data-v": isNaN(wait) ? "-1" : wait },
			   isNaN(wait) ? "-" : wait.toPrecision(3) + " %"));
	return row;
}

function drawRuns()
{
	const start = marksStart() + firstSeconds() * 1e9;
	const from = start + range.first * recording.bin_ns, to = start + range.end * recording.bin_ns;
	const groups = new Map(), table = document.getElementById("runs");

	for (const mark of recording.marks) {
		const key = mark.device + "\t" + markName(mark);

		if (mark.begin < to && markEnd(mark) > from)
			groups.set(key, (groups.get(key) || []).concat(mark));
	}
	table.tBodies[0].replaceChildren(...[...groups.entries()].map(runsRow));
	document.getElementById("runs-section").hidden = !recording.marks.length;
	sortRows(table);
}

function startRuns()
{
	makeSortable(document.getElementById("totals"));
	makeSortable(document.getElementById("runs"));
	range.listeners.push(drawRuns);
	drawRuns();
}
