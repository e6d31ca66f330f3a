/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables that sort. */
const sorted = new Map();

/* Sorts rows by the column whose head was clicked. A cell's value is its data-v, or its text. */
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

/* Makes heads of columns buttons; draw() fills the table. Numbers begin with the largest, words with the first. */
function makeSortable(table, draw)
{
	[...table.tHead.rows[0].cells].forEach((head, column) => {
		head.replaceChildren(button(head.textContent, () => {
			const by = sorted.get(table.id);

			sorted.set(table.id, { column, down: by && by.column === column ? !by.down :
				head.classList.contains("n") });
			draw();
		}));
	});
}
