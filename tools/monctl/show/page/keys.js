/* SPDX-License-Identifier: GPL-2.0-only */
/* The charts by keyboard and by buttons: cursor, zoom, and values that are read aloud. */
function speak(text)
{
	byId("spoken").textContent = text;
}

function showRange()
{
	const [from, to] = charts.window, [first, last] = wholeWindow();

	byId("window").textContent = `${secondsText(from)} to ${secondsText(to)} of ${secondsText(last - first)}` +
		(axisPmu() ? `, by the clock of ${axisPmu().name}` : ", time of the guest") + `, bins of ${secondsText(binSeconds())}`;
	explain(byId("window"));
}

function zoomBy(factor)
{
	const [from, to] = charts.window, { cursor, edges } = charts;
	const middle = cursor >= 0 ? (edges[cursor] + edges[cursor + 1]) / 2 : (from + to) / 2;

	zoomTo(middle - (middle - from) * factor, middle + (to - middle) * factor);
	speak(byId("window").textContent);
}

function panBy(part)
{
	const [from, to] = charts.window;

	zoomTo(from + part * (to - from), to + part * (to - from));
	speak(byId("window").textContent);
}

function showAll()
{
	zoomTo(...wholeWindow());
	speak(byId("window").textContent);
}

/* Moves the cursor to a bin of the shown time, and reads the values. */
function moveCursor(bin)
{
	const at = Math.min(Math.max(bin, range.first), range.end - 1), { edges } = charts;

	setCursor(at);
	speak(`${secondsText((edges[at] + edges[at + 1]) / 2)}: ` + charts.panels.flatMap(panel =>
		panel.lines.map(line => `${line.label} ${withUnit(line.at(at), line.unit)}`)).join("; "));
}

function pressKey(event)
{
	const cursor = charts.cursor < 0 ? range.first - 1 : charts.cursor, page = Math.max(1, Math.round((range.end - range.first) / 10));
	const acts = {
		ArrowRight: () => event.shiftKey ? panBy(.25) : moveCursor(cursor + 1),
		ArrowLeft: () => event.shiftKey ? panBy(-.25) : moveCursor(cursor - 1),
		PageDown: () => moveCursor(cursor + page), PageUp: () => moveCursor(cursor - page),
		Home: () => moveCursor(range.first), End: () => moveCursor(range.end - 1),
		"+": () => zoomBy(.5), "=": () => zoomBy(.5), "-": () => zoomBy(2), "0": showAll, Escape: showAll,
	};

	if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget)
		return;
	event.preventDefault();
	acts[event.key]();
}

function startKeys()
{
	byId("panels").addEventListener("keydown", pressKey);
	byId("zoom").append(button("+", () => zoomBy(.5), { "aria-label": "zoom in" }),
		button("\u2212", () => zoomBy(2), { "aria-label": "zoom out" }),
		button("\u2190", () => panBy(-.25), { "aria-label": "earlier" }),
		button("\u2192", () => panBy(.25), { "aria-label": "later" }),
		button("whole recording", showAll, { id: "all-time" }));
	range.listeners.push(showRange);
	showRange();
}
