/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements side by side: a row for each value, a column for each file. */
const diff = JSON.parse(byId("recording").textContent);

function letterOf(file)
{
	return String.fromCharCode(65 + file);
}

function changeText(cell)
{
	if (cell.change === null)
		return "-";
	if (typeof cell.change === "string")
		return cell.change;
	return (cell.change > 0 ? "+" : "") + (100 * cell.change).toFixed(1) + " %";
}

/* What the first row that all files have says: a run's time, or that of all. */
function answers()
{
	const rows = diff.rows.filter(row => row.unit === "s" && row.cells.every(cell => cell.mean !== null));
	const row = rows.find(r => r.kind === "run") || rows[0];

	return diff.files.slice(1).map((file, i) => {
		const cell = row && row.cells[i + 1];
		const beyond = diff.rows.filter(r => r.cells[i + 1].beyond).length;
		const answer = !row ? "" : !cell.beyond ? `${row.name} is as long as in A; ` :
			`${row.name} is ${(100 * Math.abs(cell.change)).toFixed(1)} % ${cell.change > 0 ? "longer" : "shorter"} than in A; `;

		return `${letterOf(i + 1)}: ${answer}${beyond} values differ by more than their spread.`;
	});
}

function valueCells(cell, file)
{
	const spread = cell.deviation === null || !cell.mean ? "" :
		` \u00b1 ${shortNumber(Number((100 * cell.deviation / Math.abs(cell.mean)).toPrecision(2)))} %`;
	const value = element("td", { class: "n", "data-v": cell.mean === null ? -1 : cell.mean },
			      cell.mean === null ? "-" : cell.mean.toLocaleString("en", { maximumSignificantDigits: 9 }) + spread);

	value.title = `${cell.repetitions} repetitions`;
	if (!file)
		return [value];
	const share = cell.change === null ? 0 : typeof cell.change === "string" ? 1 : Math.min(1, Math.abs(cell.change));
	const change = element("td", { class: "n change" + (cell.beyond ? "" : " within"),
				       "data-v": typeof cell.change === "number" ? cell.change : cell.change === null ? -1e9 : 1e9 });

	change.append(element("i", { style: `width:${(4 * share).toFixed(2)}em` }), " " + changeText(cell));
	return [value, change];
}

function drawRows()
{
	const filter = byId("filter").value.toLowerCase(), all = byId("within").checked;
	const table = byId("rows");
	const shown = diff.rows.filter(row => row.name.toLowerCase().includes(filter) &&
		(all || row.kind !== "count" || row.cells.some(cell => cell.beyond)));

	table.tBodies[0].replaceChildren(...shown.map(row => {
		const line = element("tr", { "data-name": row.name });

		line.append(element("td", {}, row.name), element("td", {}, row.unit));
		row.cells.forEach((cell, file) => line.append(...valueCells(cell, file)));
		return line;
	}));
	sortRows(table);
}

function startDiff()
{
	const head = byId("rows").tHead.rows[0];

	head.append(element("th", {}, "value"), element("th", {}, "unit"));
	diff.files.forEach((file, i) => {
		head.append(element("th", { class: "n" }, letterOf(i)));
		if (i)
			head.append(element("th", { class: "n" }, `${letterOf(i)} to A`));
		byId("files").append(element("dt", {}, `${letterOf(i)} ${file.path}`),
			...[file.command, ...file.verdict].filter(text => text).map(text => element("dd", {}, text)));
	});
	document.title = "monctl diff: " + diff.files.map(file => file.path).join(", ");
	byId("verdict").replaceChildren(...answers().map(text => element("li", {}, text)));
	byId("filter").addEventListener("input", drawRows);
	byId("within").addEventListener("change", drawRows);
	makeSortable(byId("rows"), drawRows);
	drawRows();
	document.body.dataset.ready = "1";
}

startTheme();
startDiff();
