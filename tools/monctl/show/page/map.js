/* SPDX-License-Identifier: GPL-2.0-only */
/* The map of a chip with a mesh: a cell for each tile, coloured by what its budget, a metric or a counter says of it. */
const map = { pmu: null, event: null };

/* Returns what the map can show of a PMU, by event: what its budgets say of places, then series of them. */
function mapEvents(pmu)
{
	const events = new Map();

	for (const budget of (recording.budgets || []).filter(b => recording.pmus[b.pmu] === pmu && b.place >= 0)) {
		const name = `${budget.title ? budget.title + ": " : ""}${isOfTime(budget) ? "waiting" : "missed"}, share of its ${budget.unit}`;

		events.set(name, (events.get(name) || []).concat({ key: budget.device, budget, place: budget.place, pmu, name,
								   terms: [], unit: "%", high: 100, is_metric: true }));
	}
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

function mapValue(series)
{
	if (!series.budget)
		return Object.assign(measure(series), { total: sumOver(series.terms) * series.scale / (series.under && series.info ?
			series.pmu.clock.hz || 1 : 1) });
	const now = budgetNow(series.budget), is = kinds => p => kinds.includes(p.part.kind), sum = (s, p) => s + p.cycles;
	const raw = now && now.parts.filter(is(["waiting", "missed"])).reduce(sum, 0);
	const value = now && now.total ? 100 * raw / now.total : null;

	return { raw, average: value, peak: value, total: value };
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
	const plot = () => series.budget ? showBudget([series.budget], series.budget.device) : choose(series, true);

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

/* The darkest colour is the largest possible value of a share or metric, or the largest shown of a counter. */
function drawMap()
{
	const root = byId("map"), { pmu } = map, list = mapEvents(pmu).get(map.event), kind = mapMeasure(), links = linksOf(pmu);
	const values = new Map(list.map(s => [s.place, mapValue(s)])), [first] = list;
	const limit = first.is_metric ? first.high : NaN;
	const shown = Math.max(0, ...[...values.values()].map(v => v[kind] || 0));
	const top = isNaN(limit) ? shown : limit;
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
		  (isNaN(limit) ? ", the largest here" : ""));
	drawLinksScale(links);
	byId("map-note").textContent = `${pmu.name}: ${first.name}`;
	byId("event-note").textContent = first.note || "";
	byId("links-note").textContent = linksNote(links);
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
		element("option", { value: event }, events.get(event)[0].name)));
	setMapEvent(events.get(names[0])[0].budget ? names[0] : names.find(busy) || names[0]);
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
	range.listeners.push(drawMap);
}
