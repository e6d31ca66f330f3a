/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of totals: a row for each counter with what it counted in the chosen time. */
function totalsRow(counter)
{
	const value = measure(counter), unit = counter.info.unit, mark = isEstimate(counter) ? "~" : "";
	const row = element("tr", { "data-key": counter.key, "data-raw": value.raw });
	const place = counter.place < 0 ? "all" : `${counter.pmu.noun} ${counter.place}`;

	row.append(element("td", { title: counter.info.description },
			   `${counter.pmu.name}/${counter.info.name}/`),
		   element("td", {}, place),
		   element("td", { class: "n", "data-v": value.total }, mark + (counter.info.scale === 1 ? value.raw.toLocaleString("en") :
			   value.total.toPrecision(6))),
		   element("td", {}, unit),
		   element("td", { class: "n", "data-v": value.average }, mark + rateText(value.average, unit)),
		   element("td", { class: "n", "data-v": value.peak }, mark + rateText(value.peak, unit)));
	return row;
}

function drawTotals()
{
	const zeros = document.getElementById("zeros").checked;
	const whole = isWhole();
	const shown = recording.counters.filter(c => zeros || c.bins.some(v => v));

	document.querySelector("#totals tbody").replaceChildren(...shown.map(totalsRow));
	sortRows(document.getElementById("totals"));
	document.getElementById("table-note").textContent =
		(whole ? "whole recording" : "chosen time") +
		`, ${shown.length} of ${recording.counters.length} counters`;
}

function startTotals()
{
	document.getElementById("zeros").addEventListener("change", drawTotals);
	range.listeners.push(drawTotals);
	drawTotals();
}
