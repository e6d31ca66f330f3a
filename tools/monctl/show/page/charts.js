/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charts under each other, drawn by dygraphs: a budget over time, then one for each unit of the chosen series. They share the
 * time, a cursor, and lines of the legend.
 */
const charts = { panels: [], chosen: [], devices: null, label: "", edges: [], window: [], cursor: -1, isBusy: false };
const mostChosen = 8;

/* Returns the PMU by whose clock the time is shown; none: by the guest's. */
function axisPmu()
{
	return recording.pmus.find(pmu => pmu.name === byId("axis").value);
}

/* The times at which bins begin, and the end of the last: seconds of the guest, or those of a PMU's clock. */
function timeEdges()
{
	const pmu = axisPmu(), form = pmu && clockOf(pmu, -1), edges = [pmu ? 0 : firstSeconds()];

	for (let i = 0; i < recording.bins; i++)
		edges.push(pmu ? edges[i] + sumAt(form, i) / pmu.clock.hz : firstSeconds() + (i + 1) * binSeconds());
	return edges;
}

/* Returns the bin in which a time is, with its part. */
function binAt(time)
{
	const { edges } = charts, end = edges.findIndex(edge => edge > time), bin = end < 0 ? recording.bins : Math.max(0, end - 1);

	return bin + (end > 0 ? (time - edges[bin]) / (edges[end] - edges[bin]) : 0);
}

/* Returns where seconds of the guest are on the axis. */
function onAxis(seconds)
{
	const at = Math.min(Math.max((seconds - firstSeconds()) / binSeconds(), 0), recording.bins), bin = Math.floor(at);
	const { edges } = charts;

	return edges[bin] + (at - bin) * ((edges[bin + 1] || edges[bin]) - edges[bin]);
}

/* Mixes a colour with the background, as a part's opacity does. */
function paler(colour, share)
{
	const parts = hex => hex.match(/\w\w/g).map(x => parseInt(x, 16));
	const back = parts(getComputedStyle(document.documentElement).getPropertyValue("--back"));

	return `rgb(${parts(colour).map((c, i) => Math.round(c * share + back[i] * (1 - share))).join()})`;
}

/*
 * The lines of the budget chart: shares of parts, which are stacked. Those of a bin are of each device's own clock: an emulator
 * lets devices run one after the other, so none idles for another in a bin.
 */
function budgetLines(devices)
{
	const style = getComputedStyle(document.documentElement), { parts } = devices[0];
	const own = devices.map(device => Object.assign({}, device, { parts: device.parts.filter(part => !part.is_of_largest) }));
	const shares = sum => {
		const all = addBudgets(own.map(device => budgetOf(device, sum)));

		return all && all.total > 0 ? all.parts.map(({ cycles }) => 100 * cycles / all.total) : null;
	};
	const bins = Array.from({ length: recording.bins }, (v, i) => shares(form => sumAt(form, i)));
	const now = addBudgets(devices.map(budgetNow)), shown = bins.slice(range.first, range.end).filter(b => b);

	return parts.map((part, k) => {
		const average = now && now.total ? 100 * now.parts[k].cycles / now.total : null;
		/* readings lie between runs, so a bin may have less than all of it */
		const peak = shown.reduce((most, b) => Math.max(most, b[k]), average);

		return { label: partName(part), unit: "%", at: i => bins[i] ? bins[i][k] : null, text: part.about || "", isEmpty: !bins.some(b => b && b[k]),
			 style: { color: paler(style.getPropertyValue(`--${part.kind}`).trim(), partShade(parts, k)), strokePattern: null },
			 measure: () => ({ peak: average === null ? null : peak, average }) };
	}).filter(line => !line.isEmpty).reverse();
}

function panelsWanted()
{
	const units = new Map(), panels = [];

	if (charts.devices) {
		const lines = budgetLines(charts.devices);
		const isGap = Array.from({ length: recording.bins }).some((v, i) => i >= firstBin() && !lines.some(line => line.at(i) !== null));

		panels.push({ title: `% of ${charts.devices[0].unit}: ${charts.label}` + (isGap ? " (blank: it did not run)" : ""),
			      unit: "%", isStacked: true, lines });
	}
	charts.chosen.forEach((series, i) => {
		const line = { label: series.key, unit: series.unit, at: bin => valueAt(series, bin), series, style: seriesStyle(i),
			       text: [series.text, series.note].filter(t => t).join(" "), measure: () => measure(series) };

		units.set(series.unit, (units.get(series.unit) || []).concat(line));
	});
	for (const [unit, lines] of units) {
		const isOwn = unit.endsWith("/s") && !axisPmu() && lines.some(({ series }) => series.under);

		panels.push({ title: unit + (isOwn ? ", a second of the device's clock" : ""), unit, lines });
	}
	return panels;
}

function lineSample({ color, strokePattern }, isStacked)
{
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	const line = document.createElementNS(svg.namespaceURI, "line");
	const set = { x2: 26, y1: 5, y2: 5, stroke: color, "stroke-width": isStacked ? 9 : 3,
		      "stroke-dasharray": (strokePattern || []).join() };

	svg.setAttribute("class", "sample" + (isStacked ? " area" : ""));
	Object.entries(set).forEach(([name, value]) => line.setAttribute(name, value));
	svg.append(line);
	return svg;
}

/* The last bin of the chosen time in which a line of each panel is known; -1: none. */
function lastBin()
{
	let bin = range.end - 1;

	while (bin >= range.first && !charts.panels.every(({ lines }) => lines.some(line => line.at(bin) !== null)))
		bin--;
	return bin < range.first ? -1 : bin;
}

/* A number of a panel, whose title has the unit: "1.8 GB/s" below "MB/s", else "10 k", or "1,020" of a quotient. */
function numberIn(value, unit)
{
	const text = withUnit(value, unit.startsWith("MB") || isQuotient(unit) ? unit : "");

	return isQuotient(unit) ? text.replace(` ${unit}`, "") : text;
}

/* A table with a row for each line: last, average, peak, and the value at the cursor. */
function fillLegend(panel)
{
	const body = element("tbody"), cell = value => element("td", { class: "n" }, value), end = lastBin();

	for (const line of panel.isStacked ? [...panel.lines].reverse() : panel.lines) {
		const { average, peak } = line.measure(), last = end < 0 ? null : line.at(end), mark = line.series && isEstimate(line.series) ? "~" : "";
		const name = element("td", { title: line.text }, lineSample(line.style, panel.isStacked), line.label);
		const now = cell("");

		if (line.series)
			name.append(button("\u00d7", () => choose(line.series, false), { "aria-label": `remove ${line.label}`, class: "remove" }));
		line.show = i => { now.textContent = i < 0 ? "" : numberIn(line.at(i), panel.unit); };
		body.append(element("tr", {}, name, now, ...[last, average, peak].map(v => cell(mark + numberIn(v, panel.unit)))));
	}
	panel.legend.replaceChildren(element("thead", {}, element("tr", {}, element("th", {}, panel.title),
		...["cursor", "last", "average", "peak"].map(head => element("th", { class: "n" }, head)))), body);
}

function rowsOf({ lines })
{
	const { edges } = charts, rows = [];

	for (let i = 0; i < recording.bins; i++)
		rows.push([(edges[i] + edges[i + 1]) / 2, ...lines.map(line => i < firstBin() ? null : line.at(i))]);
	return rows;
}

/* What dygraphs needs to know about a panel's lines. */
function optionsOf(panel)
{
	const labels = panel.lines.map((line, i) => `${i} ${line.label}`), series = {};

	panel.lines.forEach((line, i) => { series[labels[i]] = line.style; });
	return { file: rowsOf(panel), labels: ["seconds", ...labels], series, colors: panel.lines.map(line => line.style.color),
		 dateWindow: charts.window };
}

function drawPanel(panel, isLast)
{
	const colour = getComputedStyle(document.documentElement).getPropertyValue("--line");
	const options = optionsOf(panel), { file } = options;
	const root = element("div", { class: "panel" }, panel.plot = element("div", { class: "plot" + (isLast ? " last" : "") }),
			     element("div", { class: "wide" }, panel.legend = element("table", { class: "legend" })));

	delete options.file;
	byId("panels").append(root);
	panel.graph = new Dygraph(panel.plot, file, Object.assign(options, {
		legend: "never", strokeWidth: panel.isStacked ? .5 : 1.5, stackedGraph: panel.isStacked, fillAlpha: .85,
		valueRange: panel.isStacked ? [0, 100.001] : null, includeZero: true, axisLineColor: colour, gridLineColor: colour,
		axes: { x: { drawAxis: isLast, axisLabelFormatter: s => secondsText(s), axisLabelWidth: 80 },
			y: { axisLabelFormatter: v => withUnit(v, ""), axisLabelWidth: 64 } },
		highlightCallback: (event, x, points, row) => setCursor(row),
		unhighlightCallback: () => setCursor(-1),
		drawCallback: (graph, isFirst) => followGraph(graph, isFirst),
	}));
	fillLegend(panel);
}

/* Zooming and panning by mouse in one chart moves all. */
function followGraph(graph, isFirst)
{
	if (isFirst || charts.isBusy)
		return;
	const [from, to] = graph.isZoomed("x") ? graph.xAxisRange() : wholeWindow();

	if (from !== charts.window[0] || to !== charts.window[1])
		zoomTo(from, to);
}

function wholeWindow()
{
	if (!recording.live && !axisPmu())
		return [0, recording.length_ns / 1e9];
	return [charts.edges[firstBin()], charts.edges[recording.bins]];
}

function updateGraphs(optionsFor)
{
	charts.isBusy = true;
	charts.panels.forEach(panel => panel.graph.updateOptions(optionsFor(panel)));
	charts.isBusy = false;
	placeMarks();
}

/* Shows a time. */
function zoomTo(from, to)
{
	const [first, last] = wholeWindow(), width = Math.min(Math.max(to - from, 1e-9), last - first);
	const start = Math.min(Math.max(from, first), last - width);

	charts.window = [start, start + width];
	updateGraphs(() => ({ dateWindow: charts.window }));
	setRange(Math.floor(binAt(charts.window[0]) + .01), Math.ceil(binAt(charts.window[1]) - .01));
}

/* Draws all charts again: of other series, other bins or another axis. */
function drawCharts()
{
	const panels = panelsWanted();

	charts.edges = timeEdges();
	if (range.first <= firstBin() && range.end >= recording.bins)
		charts.window = wholeWindow();
	charts.panels.forEach(panel => panel.graph.destroy());
	byId("panels").replaceChildren();
	charts.panels = panels;
	panels.forEach((panel, i) => drawPanel(panel, i + 1 === panels.length));
	placeMarks();
}

/* Draws new bins of the same series. */
function refreshCharts()
{
	const panels = panelsWanted();

	charts.edges = timeEdges();
	charts.panels.forEach((panel, i) => { panel.lines = panels[i].lines; });
	updateGraphs(optionsOf);
	showLegends();
}

function showLegends()
{
	if (charts.devices && charts.panels[0])
		charts.panels[0].lines = budgetLines(charts.devices);
	charts.panels.forEach(fillLegend);
	setCursor(charts.cursor);
}

function placeMarks()
{
	const panel = charts.panels[0];

	if (!panel)
		return;
	const area = panel.graph.getArea();

	drawMarks(seconds => panel.graph.toDomXCoord(onAxis(seconds)), area.x, area.x + area.w);
}

/* Puts the cursor on a bin in all charts. */
function setCursor(bin)
{
	charts.cursor = bin;
	for (const panel of charts.panels) {
		if (bin < 0)
			panel.graph.clearSelection();
		else if (panel.graph.getSelection() !== bin)
			panel.graph.setSelection(bin);
		panel.lines.forEach(line => line.show(bin));
	}
}

function showBudget(devices, label)
{
	charts.devices = devices;
	charts.label = label;
	drawCharts();
	byId("time").scrollIntoView();
}

/* Adds or removes a series. The first of too many goes. */
function choose(series, isChosen)
{
	charts.chosen = charts.chosen.filter(s => s.key !== series.key);
	if (isChosen)
		charts.chosen.push(series);
	charts.chosen = charts.chosen.slice(-mostChosen);
	drawCharts();
	fillChoices();
	saveState();
}

/* Returns series that are worth a look: metrics, then what counted most, of each unit in turn. */
function suggestedSeries()
{
	const known = recording.wholes.filter(series => isUsed(series.pmu) && !isClock(series))
		.map(series => [series, measure(series).average]).filter(([, value]) => value);
	const metrics = known.filter(([s]) => s.is_metric).map(([s]) => s), units = new Map();
	/* what has a note, as accesses to registers, comes last */
	const events = known.filter(([s]) => !s.is_metric).sort((a, b) => !!a[0].note - !!b[0].note || b[1] - a[1]);

	for (const [series] of events)
		units.set(series.unit, (units.get(series.unit) || []).concat(series));
	const order = [...units.values()].sort((a, b) => a[0].info.unit.startsWith("cycles") - b[0].info.unit.startsWith("cycles"));
	const turns = [...Array(mostChosen).keys()].flatMap(i => order.map(list => list[i])).filter(s => s);

	return [...metrics.slice(0, 3), ...turns, ...metrics.slice(3)];
}

function choiceButton(series)
{
	return button(`${series.key} [${series.unit}]`, () =>
		choose(series, !charts.chosen.some(s => s.key === series.key)),
		      { "aria-pressed": charts.chosen.some(s => s.key === series.key), title: series.text || "" });
}

/* At most eight choices: what is chosen, then suggestions. The search finds the rest. */
function fillChoices()
{
	const chosen = new Set(charts.chosen.map(s => s.key)), asked = byId("filter").value.toLowerCase().split(/\s+/).filter(w => w);
	const all = recording.wholes.concat(recording.placed);
	const found = asked.length ? all.filter(s => asked.every(word => `${s.key} ${s.text || ""} ${placeName(s.pmu, s.place)}`.toLowerCase()
		.includes(word))) : charts.chosen.concat(charts.suggested.filter(s => !chosen.has(s.key)));

	byId("series").replaceChildren(...found.slice(0, mostChosen).map(choiceButton));
	byId("series-note").textContent = asked.length ? `${found.length} of ${all.length} series found` +
		(found.length > mostChosen ? `, the first ${mostChosen} are shown: add a word, such as tile=4` : "") :
		`${all.length} series in all: search for names, units or places`;
}

function startCharts()
{
	const axis = byId("axis");

	for (const pmu of recording.live ? [] : recording.pmus)
		if (pmu.clock && pmu.clock.hz && (clockOf(pmu, -1) || []).length && sumOver(clockOf(pmu, -1)) > 0)
			axis.append(element("option", { value: pmu.name }, `${pmu.name}: ${pmu.clock.name}`));
	byId("axis-label").hidden = axis.options.length < 2;
	axis.addEventListener("change", () => {
		drawCharts();
		zoomTo(charts.edges[range.first], charts.edges[range.end]);
	});
	charts.suggested = suggestedSeries();
	const isMetric = charts.suggested.find(s => s.is_metric), event = charts.suggested.find(s => !s.is_metric);

	charts.chosen = wanted.getAll("series").map(key => recording.wholes.concat(recording.placed).find(s => s.key === key)).filter(s => s);
	if (!charts.chosen.length)
		charts.chosen = [isMetric, event || recording.wholes[0]].filter(s => s);
	const groups = budgetGroups(), [first] = groups.filter(({ members }) => isOfTime(members[0])).concat(groups);

	if (first)
		Object.assign(charts, { devices: first.members, label: first.label });
	byId("filter").addEventListener("input", fillChoices);
	range.listeners.push(showLegends);
	drawCharts();
	fillChoices();
	startKeys();
	window.addEventListener("resize", placeMarks);
}
