/* SPDX-License-Identifier: GPL-2.0-only */
/* The map of the chip: a cell for each tile, DPU or thread, coloured by a counter or metric of the chosen time. */
const map = { pmu: null, event: null };

function countersWithPlace(pmu)
{
	return recording.metricCounters.concat(recording.counters).filter(c => c.pmu === pmu && c.place >= 0);
}

function mapMeasure()
{
	return document.querySelector("input[name=measure]:checked").value;
}

/* Columns of the chip, or a nearly square grid for places without a position. */
function mapColumns(pmu)
{
	const columns = Math.max(...pmu.places.map(place => place.column)) + 1;

	return columns > 0 ? columns : Math.ceil(Math.sqrt(pmu.places.length));
}

/* Small cells have room for a number and a short word. */
function isSmall(pmu)
{
	return pmu.places.length > 40;
}

function cellLabel(place, what)
{
	if (!isSmall(map.pmu))
		return `${place.number} ${what}`;
	return place.number + (place.kind === "empty" ? "" : " " + place.kind);
}

function shownText(info, shown, kind)
{
	if (info.is_metric)
		return isNaN(shown) ? "not known" : `${shortNumber(Number(shown.toPrecision(3)))} ${info.unit}`;
	return kind === "total" ? withPrefix(shown) + info.unit : rateText(shown, info.unit);
}

function cellText(info, shown, kind)
{
	return isSmall(map.pmu) ? withPrefix(shown || 0) : shownText(info, shown, kind);
}

/* The largest possible value in a place; NaN: it is not known. */
function mapLimit(info, kind)
{
	if (info.is_metric)
		return info.high === null ? NaN : info.high;
	const rate = info.limit * map.pmu.clock_hz * info.scale || NaN;

	return kind === "total" ? rate * (range.end - range.first) * binSeconds() : rate;
}

/* Returns the value of the darkest colour: the largest possible one, if known, so that equal load does not look hot. */
function mapTop(info, kind, values)
{
	const limit = mapLimit(info, kind), choice = document.getElementById("map-top");

	choice.parentNode.hidden = isNaN(limit);
	return !isNaN(limit) && choice.value === "limit" ? limit : Math.max(0, ...values.map(v => v[kind] || 0));
}

function mapCell(place, value, top, unit, info)
{
	const what = place.name || place.device || place.kind;
	const cell = element("div", { class: "cell " + place.kind + (value ? "" : " none"),
				      "data-place": place.number });

	cell.append(element("b", {}, cellLabel(place, what)));
	if (!value) {
		cell.title = "not recorded here";
		return cell;
	}
	const kind = mapMeasure();
	const shown = value[kind];

	cell.dataset.raw = value.raw;
	if (isNaN(shown)) {
		cell.classList.add("none");
	} else {
		cell.style.background = heatColour(top ? shown / top : 0);
		cell.style.color = heatTextColour(top ? shown / top : 0);
	}
	cell.append(element("span", {}, (value.is_estimate ? "~" : "") + cellText(info, shown, kind)));
	cell.title = `${info.name} in ${place.number} (${what}): ` +
		(info.is_metric ? shownText(info, value.average, kind) :
			`${value.raw} in all, average ${rateText(value.average, unit)}, peak ${rateText(value.peak, unit)}`);
	cell.setAttribute("role", "button");
	cell.setAttribute("tabindex", "0");
	cell.setAttribute("aria-label", cell.title);
	const plot = () => {
		document.getElementById("level").value = "place";
		timeline.chosen = new Set([value.key]);
		refreshTimeline();
	};

	cell.addEventListener("click", plot);
	cell.addEventListener("keydown", event => {
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			plot();
		}
	});
	return cell;
}

/* The colours from nothing to what "most" says. */
function fillScale(scale, most)
{
	const bar = element("i");

	bar.style.background = "linear-gradient(to right," +
		[0, .25, .5, .75, 1].map(heatColour).join(",") + ")";
	scale.replaceChildren("0", bar, most);
}

function drawMap()
{
	const root = document.getElementById("map"), pmu = map.pmu;

	root.replaceChildren();
	if (!pmu || map.event === null)
		return;
	const info = recording.events[map.event], kind = mapMeasure();
	const values = new Map(countersWithPlace(pmu).filter(c => c.event === map.event)
		.map(c => [c.place, Object.assign(measure(c), { is_estimate: isEstimate(c), key: c.key })]));
	const top = mapTop(info, kind, [...values.values()]);

	root.style.gridTemplateColumns = `repeat(${mapColumns(pmu)}, minmax(${isSmall(pmu) ? "1.8em" : 0}, 10em))`;
	const links = linksOf(pmu);

	root.className = (isSmall(pmu) ? "small" : "") + (links.size ? " mesh" : "");
	for (const place of pmu.places) {
		const cell = mapCell(place, values.get(place.number), top, info.unit, info);

		if (place.row >= 0) {
			cell.style.gridRow = place.row + 1;
			cell.style.gridColumn = place.column + 1;
			addLinks(cell, place, links);
		}
		root.append(cell);
	}
	fillScale(document.getElementById("scale"), shownText(info, top, kind));
	drawLinksScale(links);
	document.getElementById("map-note").textContent = `${pmu.name}: ${info.name}, ${info.is_metric ? "metric" : kind}`;
	document.getElementById("event-note").textContent = info.note || "";
	document.getElementById("links-note").textContent = linksNote(pmu, links);
	saveState();
	document.querySelectorAll("#planes button").forEach(button =>
		button.setAttribute("aria-pressed", button.dataset.event === map.event));
}

function setMapEvent(event)
{
	map.event = event;
	document.getElementById("map-event").value = event;
	drawMap();
}

/* Makes a button for each plane of the NoC: noc_injects_p0 and so on. */
function fillPlanes(events)
{
	const planes = document.getElementById("planes");

	planes.replaceChildren();
	for (const event of events) {
		const plane = /^noc_injects_p(\d)$/.exec(recording.events[event].name);

		if (!plane)
			continue;
		const button = element("button", { type: "button", "data-event": event }, "plane " + plane[1]);

		button.addEventListener("click", () => setMapEvent(event));
		planes.append(button);
	}
}

function setMapPmu(name)
{
	map.pmu = recording.pmus.find(pmu => pmu.name === name);
	document.getElementById("map-pmu").value = name;
	const counters = countersWithPlace(map.pmu);
	const events = [...new Set(counters.map(c => c.event))];
	const select = document.getElementById("map-event");
	const busy = event => counters.some(c => c.event === event && !c.metric && c.bins.some(v => v));
	const waits = events.find(e => recording.events[e].name === "esp_acc_memory_share");
	const noc = event => recording.events[event].name.startsWith("noc_injects");

	select.replaceChildren(...events.map(event =>
		element("option", { value: event }, recording.events[event].name)));
	fillPlanes(events);
	setMapEvent(waits || events.find(e => noc(e) && busy(e)) || events.find(busy) || events[0]);
}

/* Returns whether a program used the device: what monctl's own readings count has a note. */
function isBusy(pmu)
{
	return recording.counters.some(c => c.pmu === pmu && c.place >= 0 && !c.info.note && c.bins.some(v => v));
}

function startMap()
{
	const with_places = recording.pmus.filter(pmu => countersWithPlace(pmu).length);
	const select = document.getElementById("map-pmu");

	if (!with_places.length) {
		document.getElementById("maps").hidden = true;
		return;
	}
	select.replaceChildren(...with_places.map(pmu => element("option", { value: pmu.name }, pmu.name)));
	select.addEventListener("change", () => setMapPmu(select.value));
	document.getElementById("map-event").addEventListener("change", event =>
		setMapEvent(event.target.value));
	document.querySelectorAll("input[name=measure]").forEach(input =>
		input.addEventListener("change", drawMap));
	document.getElementById("map-top").addEventListener("change", drawMap);
	startLinks();
	range.listeners.push(drawMap);
	setMapPmu((with_places.find(isBusy) || with_places[0]).name);
}
