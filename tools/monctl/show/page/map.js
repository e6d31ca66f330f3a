/* SPDX-License-Identifier: GPL-2.0-only */
/* The map of a chip with a mesh: a cell for each tile, coloured by what its budget, a metric or a counter says of it. */
const map = { pmu: null, event: null };

/* The event of the map that is no counter: the share of the cycles in which a device was not idle. */
const busyEvent = "busy";

/* Returns what the map can show of a PMU, by event: series of its places. */
function mapEvents(pmu)
{
	const events = new Map(), own = budgets.filter(b => recording.pmus[b.pmu] === pmu && b.place >= 0 &&
		b.parts.some(part => part.kind === "idle"));

	if (own.length)
		events.set(busyEvent, own.map(budget => ({ key: budget.device, budget, place: budget.place, pmu, name: busyEvent,
							   terms: [], unit: "%", high: 100, is_metric: true })));
	for (const series of recording.placed.filter(s => s.pmu === pmu))
		events.set(series.event, (events.get(series.event) || []).concat(series));
	return events;
}

function mapMeasure()
{
	return byId("measure").value;
}

/* Small cells have room for a number and a short word. */
function isSmall(pmu)
{
	return pmu.places.length > 40;
}

function mapValue(series, largest)
{
	if (!series.budget)
		return Object.assign(measure(series), { total: sumOver(series.terms) * series.scale / (series.under && series.info ?
			series.pmu.clock.hz || 1 : 1) });
	const now = budgetOf(series.budget, sumOver, largest);
	const idle = now && now.parts.filter(p => p.part.kind === "idle").reduce((s, p) => s + p.cycles, 0);
	const value = now && now.total ? 100 * (now.total - idle) / now.total : null;

	return { raw: now && now.total - idle, average: value, peak: value, total: value };
}

function mapCell(place, series, value, top)
{
	const what = place.device || place.name || place.kind, number = `${place.number} `;
	const cell = element("div", { class: "cell " + place.kind + (value === undefined ? " none" : ""), "data-place": place.number },
			     element("b", {}, number + (isSmall(map.pmu) ? place.kind === "empty" ? "" : place.kind : what)));

	if (!series) {
		cell.title = "not recorded here";
		return cell;
	}
	const kind = mapMeasure(), shown = value[kind], share = top ? shown / top : 0, isTotal = kind === "total" && series.info;
	const text = (isEstimate(series) ? "~" : "") + withUnit(shown, isTotal ? series.info.unit : series.unit);

	cell.dataset.raw = value.raw;
	if (shown === null) {
		cell.classList.add("none");
	} else {
		cell.style.background = heatColour(share);
		cell.style.color = heatTextColour(share);
	}
	cell.append(element("span", {}, isSmall(map.pmu) ? text.replace(/ ([kMGT]?).*/, "$1") : text));
	const plot = () => series.budget ? showBudget([series.budget]) : choose(series, true);

	cell.title = `${series.name} in ${number}(${what}): ${text}` + (value.peak === null ? "" : `, peak ${withUnit(value.peak, series.unit)}`);
	for (const [name, set] of [["role", "button"], ["tabindex", "0"], ["aria-label", cell.title]])
		cell.setAttribute(name, set);
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

	bar.style.background = "linear-gradient(to right," + [0, .25, .5, .75, 1].map(heatColour).join(",") + ")";
	scale.replaceChildren("0", bar, most);
}

/*
 * The darkest colour is the largest possible value of a metric, or the largest shown of a counter. If all tiles were idle for
 * more than nine tenths, it is the largest share that is shown: else all would have the same colour.
 */
function drawMap()
{
	const root = byId("map"), { pmu } = map, list = mapEvents(pmu).get(map.event), kind = mapMeasure(), links = linksOf(pmu);
	const largest = largestClocks(sumOver), values = new Map(list.map(s => [s.place, mapValue(s, largest)])), [first] = list;
	const limit = first.is_metric ? first.high : NaN;
	const shown = Math.max(0, ...[...values.values()].map(v => v[kind] || 0));
	const top = isNaN(limit) || (map.event === busyEvent && shown > 0 && shown < limit / 10) ? shown : limit;
	const columns = Math.max(...pmu.places.map(place => place.column)) + 1;

	root.style.gridTemplateColumns = `repeat(${columns}, minmax(${isSmall(pmu) ? "1.8em" : 0}, 10em))`;
	root.className = (isSmall(pmu) ? "small" : "") + (links.size ? " mesh" : "");
	root.replaceChildren(...pmu.places.filter(place => place.row >= 0).map(place => {
		const cell = mapCell(place, list.find(s => s.place === place.number), values.get(place.number), top);

		cell.style.gridRow = place.row + 1;
		cell.style.gridColumn = place.column + 1;
		addLinks(cell, place, links);
		return cell;
	}));
	fillScale(byId("scale"), withUnit(top, kind === "total" && first.info ? first.info.unit : first.unit) +
		  (top < limit ? ", the largest here" : ""));
	drawLinksScale(links);
	byId("map-note").textContent = `${pmu.name}: ${first.name}`;
	byId("event-note").textContent = first.note || "";
	byId("links-note").textContent = linksNote(pmu, links);
	explain(byId("links-note"));
	saveState();
}

function setMapEvent(event)
{
	map.event = byId("map-event").value = event;
	drawMap();
}

function setMapPmu(name)
{
	map.pmu = recording.pmus.find(pmu => pmu.name === name);
	byId("map-pmu").value = name;
	const events = mapEvents(map.pmu), names = [...events.keys()];
	const busy = event => events.get(event).some(s => s.terms.some(([i]) => recording.counters[i].bins.some(v => v)));

	byId("map-event").replaceChildren(...names.map(event =>
		element("option", { value: event }, event === busyEvent ? "busy share of the cycles" : events.get(event)[0].name)));
	setMapEvent(names[0] === busyEvent ? busyEvent : names.find(busy) || names[0]);
}

/* A map compares places of a mesh. What has no mesh, or counts in one place, is in budgets and tables. */
function startMap()
{
	const meshes = recording.pmus.filter(pmu => isUsed(pmu) && pmu.places.some(p => p.row >= 0) &&
		[...mapEvents(pmu).values()].some(list => list.length > 1));

	byId("maps").hidden = !meshes.length;
	if (!meshes.length)
		return;
	byId("map-pmu").replaceChildren(...meshes.map(pmu => element("option", { value: pmu.name }, pmu.name)));
	byId("map-pmu").parentNode.hidden = meshes.length < 2;
	byId("map-pmu").addEventListener("change", () => setMapPmu(byId("map-pmu").value));
	byId("map-event").addEventListener("change", () => setMapEvent(byId("map-event").value));
	byId("measure").addEventListener("change", drawMap);
	setMapPmu(meshes[0].name);
	startLinks();
	range.listeners.push(drawMap);
}
