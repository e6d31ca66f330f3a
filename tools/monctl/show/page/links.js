/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links of the mesh as arrows. noc_queue_full counts the cycles in which the output of a router holds a flit, on its way
 * or stalled; a link moves one flit a cycle at most. Two shares follow: the part of the cycles in which a link holds a flit,
 * and the part of these cycles that were stalls, at least: those in which no flit can have crossed.
 */
const linkArrows = { n: "\u2191", s: "\u2193", w: "\u2190", e: "\u2192" };
const linkNames = { n: "north", s: "south", w: "west", e: "east" };

/* A share of stalls of fewer cycles means nothing. */
const enoughCycles = 1000;

function linkMeasure()
{
	return byId("link-measure").value;
}

const linkSteps = { n: [-1, 0], s: [1, 0], w: [0, -1], e: [0, 1] };

/* Do flits from there, to any place, come through the link's place on their way in its direction? They go east or west first. */
function canCross(from, { place, direction })
{
	const [down, right] = linkSteps[direction];

	if (right)
		return from.row === place.row && (place.column - from.column) * right >= 0;
	return (place.row - from.row) * down >= 0;
}

/* Flits that each place injected into a plane, by its number; null: an estimate. */
function injectedFlits(pmu, plane)
{
	return new Map(recording.placed.filter(s => s.pmu === pmu && s.name === `noc_injects_p${plane}`)
		.map(s => [s.place, isEstimate(s) ? null : sumOver(s.terms)]));
}

/* Returns the part of the cycles with a flit that were stalls, at least; NaN: not known. */
function stalledPart(pmu, link, flits)
{
	if (!(link.cycles >= enoughCycles))
		return NaN;
	const crossing = pmu.places.filter(from => canCross(from, link)).map(from => flits.get(from.number))
		.reduce((sum, n) => n === null || n === undefined ? NaN : sum + n, 0);

	return Math.max(0, (link.cycles - crossing) / link.cycles);
}

/* Returns whether a tile is in that direction: a router at the edge has no link. */
function leadsSomewhere(pmu, place, direction)
{
	const [down, right] = linkSteps[direction];

	return pmu.places.some(p => p.row === place.row + down && p.column === place.column + right);
}

/* By place: { n: { plane, held, stalled, share }, ... } of the plane whose shown share is largest; no entry: not counted. */
function linksOf(pmu)
{
	const links = new Map(), places = new Map(pmu.places.map(place => [place.number, place])), planes = new Map();
	const shown = linkMeasure(), rank = link => isNaN(link.share) ? -1 : link.share;

	for (const series of recording.placed) {
		const name = /^noc_queue_full_p(\d)_([nswe])$/.exec(series.name), clock = clockOf(pmu, series.place);

		if (!name || series.pmu !== pmu || !leadsSomewhere(pmu, places.get(series.place), name[2]))
			continue;
		const [, plane, direction] = name, cycles = isEstimate(series) ? NaN : sumOver(series.terms);
		const time = clock && sumOver(clock), link = { plane, direction, place: places.get(series.place), cycles,
							       held: time ? cycles / time : NaN };

		if (!planes.has(plane))
			planes.set(plane, injectedFlits(pmu, plane));
		link.stalled = stalledPart(pmu, link, planes.get(plane));
		link.share = link[shown];
		const here = links.get(series.place) || links.set(series.place, {}).get(series.place);

		if (!here[direction] || rank(link) > rank(here[direction]))
			here[direction] = link;
	}
	return links;
}

function shareText(share)
{
	return `${shortNumber(Number((100 * share).toPrecision(3)))} %`;
}

/* Rounds down, as the verdict does: stalls are at least that many. */
function stalledWords(link)
{
	return isNaN(link.stalled) ? "" : `, stalled in at least ${Math.floor(100 * link.stalled)} % of these cycles`;
}

function linkText(place, direction, link)
{
	return `link ${linkNames[direction]} of ${place.number}: plane ${link.plane}` +
		(isNaN(link.held) ? "" : ` holds a flit ${shareText(link.held)} of the cycles`) + stalledWords(link);
}

/* Arrows in the gaps beside a tile. */
function addLinks(cell, place, links)
{
	for (const [direction, link] of Object.entries(links.get(place.number) || {})) {
		const arrow = element("i", { class: "link " + direction + (isNaN(link.share) ? " unknown" : ""),
					     title: linkText(place, direction, link),
					     "data-share": link.share.toFixed(4) }, linkArrows[direction]);

		if (!isNaN(link.share)) {
			arrow.style.background = heatColour(link.share);
			arrow.style.color = heatTextColour(link.share);
		}
		cell.append(arrow);
	}
}

/* Names the links with the largest shares, for readers who do not see the arrows. */
function linksNote(pmu, links)
{
	const most = [...links.entries()].flatMap(([number, here]) => Object.entries(here).map(([direction, link]) =>
		({ link, text: linkText(pmu.places.find(p => p.number === number), direction, link) })))
		.filter(l => l.link.share >= (linkMeasure() === "held" ? .001 : .01)).sort((a, b) => b.link.share - a.link.share).slice(0, 3);

	if (!links.size)
		return "";
	return (most.length ? "Most: " + most.map(l => l.text).join("; ") + "." :
		linkMeasure() === "held" ? "No link holds a flit in .1 % of the cycles." : "No link is known to have stalled.") +
		(linkMeasure() === "held" ? "" :
		 ` Dotted: a flit in fewer than ${enoughCycles} cycles, or flits of tiles before it were not counted.`);
}

/* Explains the colours of the arrows. */
function drawLinksScale(links)
{
	byId("links").hidden = !links.size;
	fillScale(byId("links-scale"), linkMeasure() === "held" ?
		  "100 % of the cycles: a flit in each, the most that a link moves" : "100 % of the cycles with a flit");
}

function startLinks()
{
	const select = byId("link-measure");
	const all = recording.pmus.flatMap(pmu => [...linksOf(pmu).values()]).flatMap(here => Object.values(here));

	/* without the flits that tiles inject stalls are not known */
	if (all.length && all.every(link => isNaN(link.stalled)))
		select.value = "held";
	select.addEventListener("change", drawMap);
}
