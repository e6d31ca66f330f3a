/* SPDX-License-Identifier: GPL-2.0-only */
/* Rates over time, drawn by dygraphs. */
const timeline = { graph: null, choices: [], chosen: new Set() };

function timelineChoices()
{
	const each = document.getElementById("level").value === "place";
	const metrics = recording.metricCounters.filter(c => each || c.place < 0);

	if (each)
		return metrics.concat(recording.counters);
	const byEvent = Map.groupBy ? Map.groupBy(recording.counters, c => c.event) : new Map();

	if (!Map.groupBy)
		recording.counters.forEach(c => byEvent.set(c.event, (byEvent.get(c.event) || []).concat(c)));
	return metrics.concat([...byEvent.values()].map(list => list.length === 1 ? list[0] : sumOverPlaces(list)));
}

/* Returns the unit of the y axis, which all shown series share. */
function axisOf(counter)
{
	if (counter.info.is_metric)
		return counter.info.unit;
	return counter.info.unit + { s: "/s", cycle: "/cycle", bin: " a bin" }[document.getElementById("per").value];
}

function axisNow()
{
	const shown = timeline.choices.find(c => timeline.chosen.has(c.key));

	return shown ? axisOf(shown) : "";
}

/* Chooses the counter that counted most, and others of its unit, for the first view. */
function chooseSome()
{
	const most = timeline.choices.filter(c => !c.metric).map(c => [c.bins.reduce((s, v) => s + v, 0), c])
		.filter(([total]) => total > 0).sort((a, b) => b[0] - a[0]).map(([, c]) => c);
	const first = most.find(c => c.info.unit !== "cycles") || most[0];

	timeline.chosen = new Set(most.filter(c => c.info.unit === first.info.unit).slice(0, 5).map(c => c.key));
}

/* Chooses a series. Series of other units are removed, as there is one axis. */
function choose(counter, is_chosen)
{
	if (is_chosen)
		timeline.choices.filter(c => axisOf(c) !== axisOf(counter)).forEach(c => timeline.chosen.delete(c.key));
	timeline.chosen[is_chosen ? "add" : "delete"](counter.key);
}

/* Returns the rate in bin i; null: not known. */
function rateOf(counter, i)
{
	if (counter.metric) {
		const value = metricAt(counter, i);

		return isNaN(value) ? null : value;
	}
	const per = document.getElementById("per").value, length = secondsOf(counter, i);
	const value = counter.bins[i], scaled = value * counter.info.scale;

	if (!(length > 0))
		return null;
	if (per === "s")
		return scaled / length;
	return per === "cycle" ? value / length / (counter.pmu.clock_hz || NaN) : scaled;
}

function timelineData()
{
	const shown = timeline.choices.filter(c => timeline.chosen.has(c.key));
	const rows = [];

	for (let i = 0; i < recording.bins; i++)
		rows.push([firstSeconds() + (i + .5) * binSeconds(), ...shown.map(c => rateOf(c, i))]);
	if (!shown.length)
		rows.forEach(row => row.push(0));
	return { rows, labels: ["seconds", ...(shown.length ? shown.map(c => c.key) : ["nothing chosen"])] };
}

function placeMarks()
{
	const area = timeline.graph.getArea();

	drawMarks(s => timeline.graph.toDomXCoord(s), area.x, area.x + area.w);
}

/* Follows the graph after zooming and panning. */
function followGraph(graph)
{
	const [from, to] = graph.isZoomed("x") ? graph.xAxisRange() : [0, recording.length_ns / 1e9];

	if (!recording.live && !hasBinsFor(from, to))
		return;
	const first = Math.max(0, Math.floor((from - firstSeconds()) / binSeconds() + .01));
	const end = Math.min(recording.bins, Math.ceil((to - firstSeconds()) / binSeconds() - .01));

	if (!graph.isZoomed("x") ? range.first || range.end !== recording.bins :
	    first !== range.first || end !== range.end)
		setRange(graph.isZoomed("x") ? first : 0, graph.isZoomed("x") ? end : recording.bins);
}

/* Names series in the text's colour, for contrast, beside a line in the series' colour. */
function legendText(data)
{
	const span = document.createElement("span");

	if (data.xHTML)
		span.append(data.xHTML + ": ");
	for (const series of data.series.filter(s => s.isVisible)) {
		const name = element("span", { class: "key" });

		name.append(element("i", { style: `border-color:${series.color}` }), series.label +
			(series.y === undefined || series.y === null ? "" : ` ${withPrefix(series.y)}${axisNow()}`));
		span.append(name);
	}
	return span.innerHTML;
}

/* Draws seconds from to to; without them the shown time stays. */
function drawTimeline(from, to)
{
	const { rows, labels } = timelineData();
	const style = getComputedStyle(document.documentElement);
	const series = {};

	labels.slice(1).forEach((label, i) => { series[label] = seriesStyle(i); });
	document.getElementById("series-note").textContent = [...new Set(timeline.choices
		.filter(c => timeline.chosen.has(c.key) && c.info.note).map(c => `${c.info.name}: ${c.info.note}`))].join(" ");
	const options = { file: rows, labels, series, ylabel: axisNow(), colors: labels.slice(1).map((l, i) => seriesStyle(i).color) };

	if (timeline.graph) {
		if (to !== undefined)
			options.dateWindow = from <= 0 && to >= recording.length_ns / 1e9 ? null : [from, to];
		timeline.graph.updateOptions(options);
		return;
	}
	timeline.graph = new Dygraph(document.getElementById("plot"), rows, Object.assign(options, {
		legend: "always", labelsDiv: "legend", legendFormatter: legendText, strokeWidth: 1.4, stepPlot: false,
		axisLineColor: style.getPropertyValue("--line"), gridLineColor: style.getPropertyValue("--line"),
		includeZero: true, axes: {
			x: { valueFormatter: s => secondsText(s), axisLabelFormatter: s => secondsText(s),
			     axisLabelWidth: 80 },
			y: { valueFormatter: v => withPrefix(v), axisLabelFormatter: v => withPrefix(v),
			     axisLabelWidth: 110 } },
		drawCallback: (graph, isFirst) => {
			timeline.graph = graph;
			placeMarks();
			if (!isFirst)
				followGraph(graph);
		},
	}));
}

function fillSeries()
{
	const filter = document.getElementById("filter").value.toLowerCase();
	const list = document.getElementById("series");

	list.replaceChildren();
	for (const counter of timeline.choices) {
		if (!counter.key.toLowerCase().includes(filter))
			continue;
		const label = element("label", { title: counter.info.description });
		const box = element("input", { type: "checkbox" });

		box.checked = timeline.chosen.has(counter.key);
		box.addEventListener("change", () => {
			choose(counter, box.checked);
			fillSeries();
			drawTimeline();
		});
		label.append(box, ` ${counter.key} [${axisOf(counter)}]`);
		list.append(label);
	}
}

function wholeSeconds()
{
	return recording.live ? recording.bins * binSeconds() : recording.length_ns / 1e9;
}

function showRange()
{
	const from = firstSeconds() + range.first * binSeconds(), to = firstSeconds() + range.end * binSeconds();

	document.getElementById("window").textContent =
		`${secondsText(from)} to ${secondsText(to)} of ${secondsText(wholeSeconds())}` +
		(recording.levels ? `, bins of ${secondsText(binSeconds())}` : "");
}

function refreshTimeline()
{
	timeline.choices = timelineChoices();
	if (!timeline.choices.some(c => timeline.chosen.has(c.key)))
		chooseSome();
	fillSeries();
	drawTimeline();
	showRange();
}

function startTimeline()
{
	document.getElementById("filter").addEventListener("input", fillSeries);
	document.getElementById("per").addEventListener("change", refreshTimeline);
	document.getElementById("level").addEventListener("change", () => {
		timeline.chosen.clear();
		refreshTimeline();
	});
	document.getElementById("all-time").addEventListener("click", () => {
		timeline.graph.resetZoom();
	});
	range.listeners.push(showRange);
	window.addEventListener("resize", () => timeline.graph && placeMarks());
	refreshTimeline();
}
