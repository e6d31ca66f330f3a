/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables that sort, and the one of runs. */
const sorted = new Map();

/* Rows by the column whose head was clicked; a row's cells have their value in data-v if it is not their text. */
function sortRows(table)
{
	const by = sorted.get(table.id), body = table.tBodies[0];

	if (!by)
		return;
	const value = row => {
		const cell = row.cells[by.column];
		const text = cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent;

		return text !== "" && !isNaN(text) ? Number(text) : text;
	};

	body.replaceChildren(...[...body.rows].sort((a, b) => {
		const x = value(a), y = value(b);
		const order = typeof x === "number" && typeof y === "number" ? x - y :
			String(x).localeCompare(String(y), "en", { numeric: true });

		return by.down ? -order : order;
	}));
	[...table.tHead.rows[0].cells].forEach((head, i) => {
		if (i === by.column)
			head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
		else
			head.removeAttribute("aria-sort");
	});
}

/* Numbers begin with the largest, words with the first. */
function makeSortable(table)
{
	[...table.tHead.rows[0].cells].forEach((head, column) => {
		const button = element("button", { type: "button" }, head.textContent);

		button.addEventListener("click", () => {
			const by = sorted.get(table.id);

			sorted.set(table.id, { column, down: by && by.column === column ? !by.down :
				head.classList.contains("n") });
			sortRows(table);
		});
		head.replaceChildren(button);
	});
}

/* Of an accelerator: the share of its run in which it waited for memory, over these bins. */
function waitOf(device, first, end)
{
	const counter = recording.metricCounters.find(c => c.metric.name === "esp_acc_memory_share" && c.place >= 0 &&
		c.pmu.places.some(p => p.number === c.place && (p.device === device || p.name === device)));

	return counter ? measureMetric(counter, first, end).average : NaN;
}

/* The runs of a program on a device in the chosen time, in one row. */
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
	const from = marksStart() + range.first * recording.bin_ns, to = marksStart() + range.end * recording.bin_ns;
	const groups = new Map(), table = document.getElementById("runs");

	for (const mark of recording.marks) {
		const key = mark.device + "\t" + mark.user;

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
