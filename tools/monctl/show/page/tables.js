/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of runs and of totals, in the chosen time, by device. */
const mostRows = 40;

/* Makes a row of the runs of a program on a device. */
function runsRow([key, marks])
{
	const seconds = marks.map(mark => (markEnd(mark) - mark.begin) / 1e9);
	const total = seconds.reduce((s, v) => s + v, 0), [device, user] = key.split("\t");
	const time = v => element("td", { class: "n", "data-v": v }, secondsText(v));

	return element("tr", { "data-device": device }, element("td", {}, deviceName(device)), element("td", {}, user),
		       element("td", { class: "n" }, String(marks.length)), time(total), time(total / marks.length),
		       time(Math.max(...seconds)));
}

function drawRuns()
{
	const from = 1e9 * (firstSeconds() + range.first * binSeconds()), to = 1e9 * (firstSeconds() + range.end * binSeconds());
	const groups = new Map(), table = byId("runs");

	for (const mark of recording.marks) {
		const key = mark.device + "\t" + markName(mark);

		if (mark.begin < to && markEnd(mark) > from)
			groups.set(key, (groups.get(key) || []).concat(mark));
	}
	table.tBodies[0].replaceChildren(...[...groups.entries()].map(runsRow).sort((a, b) => b.cells[3].dataset.v - a.cells[3].dataset.v));
	byId("runs-section").hidden = !recording.marks.length;
	sortRows(table);
}

function totalsRow(series)
{
	const value = measure(series), mark = isEstimate(series) ? "~" : "", { scale, unit } = series.info;
	const total = value.raw === null ? "not known" : scale === 1 ? value.raw.toLocaleString("en") : withUnit(value.raw * scale, unit);
	const cell = v => element("td", { class: "n", "data-v": v === null ? -1 : v }, mark + withUnit(v, series.unit));

	return element("tr", { "data-key": series.key, "data-raw": value.raw },
		       element("td", {}, `${series.pmu.name} ${placeName(series.pmu, series.place)}`),
		       element("td", { title: series.text }, series.name),
		       element("td", { class: "n", "data-v": value.raw === null ? -1 : value.raw * scale }, mark + total),
		       element("td", {}, unit), cell(value.average), cell(value.peak));
}

/* One row a counter, by device, the one that counted most first. A table of all places of a large SoC would be longer than anyone reads. */
function drawTotals()
{
	const zeros = byId("zeros").checked, all = byId("all-rows").checked, table = byId("totals"), sum = s => sumOver(s.terms);
	const most = new Map(), pmu = s => recording.pmus.indexOf(s.pmu), device = s => `${pmu(s)} ${s.place}`;
	const used = new Set(recording.pmus.filter(isUsed));
	const shown = recording.counters.map(({ event, place }, index) =>
		eventSeries(event, recording.pmus[recording.events[event].pmu], place, [[index, 1]]))
		.filter(s => zeros || (sum(s) && used.has(s.pmu)));

	shown.forEach(s => most.set(device(s), Math.max(most.get(device(s)) || 0, sum(s))));
	shown.sort((a, b) => pmu(a) - pmu(b) || most.get(device(b)) - most.get(device(a)) || a.place - b.place || sum(b) - sum(a));

	table.tBodies[0].replaceChildren(...shown.slice(0, all || sorted.get("totals") ? shown.length : mostRows).map(totalsRow));
	sortRows(table);
	/* the device once for all of its rows */
	[...table.tBodies[0].rows].forEach((row, i, rows) =>
		row.classList.toggle("same", !sorted.has("totals") && i > 0 && rows[i - 1].cells[0].textContent === row.cells[0].textContent));
	byId("all-label").hidden = shown.length <= mostRows;
	byId("table-note").textContent = (isWhole() ? "whole recording" : "chosen time") +
		`, ${shown.length} of ${recording.counters.length} counters` +
		(shown.some(s => s.under) ? "; a second of an average or peak is one of the device's clock" : "");
}

function startTables()
{
	makeSortable(byId("totals"), drawTotals);
	makeSortable(byId("runs"), drawRuns);
	byId("zeros").addEventListener("change", drawTotals);
	byId("all-rows").addEventListener("change", drawTotals);
	range.listeners.push(drawTotals, drawRuns);
	drawTotals();
	drawRuns();
}
