/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links of the mesh as arrows. noc_queue_full counts the cycles in which the output of a router holds a flit, on its way
 * or stalled; a link moves one flit a cycle at most. Two shares follow: the part of the time in which a link holds a flit,
 * and the part of these cycles that were stalls, at least (verdict-links.js).
 */
const linkArrows = { n: "\u2191", s: "\u2193", w: "\u2190", e: "\u2192" };
const linkNames = { n: "north", s: "south", w: "west", e: "east" };

/* A share of stalls of fewer cycles means nothing. */
const enoughCycles = 1000;

function linkMeasure()
{
	return document.getElementById("link-measure").value;
}

/* Flits that each place injected into a plane, by its number; NaN: an estimate. */
function injectedFlits(pmu, plane)
{
	const flits = new Map();

	for (const counter of recording.counters)
		if (counter.pmu === pmu && counter.place >= 0 && counter.info.name === `noc_injects_p${plane}`)
			flits.set(counter.place, isEstimate(counter) ? NaN : measure(counter).raw);
	return flits;
}

/* Returns the part of the cycles with a flit that were stalls, at least; NaN: not known. */
function stalledPart(pmu, link, flits)
{
	if (!(link.cycles >= enoughCycles))
		return NaN;
	const crossing = pmu.places.reduce((sum, from) => canCross(from, link) ?
		sum + (flits.has(from.number) ? flits.get(from.number) : NaN) : sum, 0);

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

	for (const counter of recording.counters) {
		const name = /^noc_queue_full_p(\d)_([nswe])$/.exec(counter.info.name);

		if (!name || counter.pmu !== pmu || counter.place < 0 || !pmu.clock_hz ||
		    !leadsSomewhere(pmu, places.get(counter.place), name[2]))
			continue;
		const [, plane, direction] = name, value = measure(counter);
		const link = { plane, direction, place: places.get(counter.place), cycles: isEstimate(counter) ? NaN : value.raw,
			       held: value.average / pmu.clock_hz };

		if (!planes.has(plane))
			planes.set(plane, injectedFlits(pmu, plane));
		link.stalled = stalledPart(pmu, link, planes.get(plane));
		link.share = link[shown];
		const here = links.get(counter.place) || links.set(counter.place, {}).get(counter.place);

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
	return `link ${linkNames[direction]} of ${place.number}: plane ${link.plane} holds a flit ${shareText(link.held)} ` +
		`of the time${stalledWords(link)}`;
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
		.filter(l => l.link.share >= .001).sort((a, b) => b.link.share - a.link.share).slice(0, 3);

	if (!links.size)
		return "";
	return (most.length ? "Most: " + most.map(l => l.text).join("; ") + "." :
		linkMeasure() === "held" ? "No link holds a flit in .1 % of the time." : "No link is known to have stalled.") +
		(linkMeasure() === "held" ? "" :
		 ` Dotted: a flit in fewer than ${enoughCycles} cycles, or flits of tiles before it were not counted.`);
}

/* Explains the colours of the arrows. */
function drawLinksScale(links)
{
	document.getElementById("links").hidden = !links.size;
	fillScale(document.getElementById("links-scale"), linkMeasure() === "held" ?
		  "100 % of the time: a flit in each cycle, the most that a link moves" : "100 % of the cycles with a flit");
}

function startLinks()
{
	const select = document.getElementById("link-measure");
	const all = recording.pmus.flatMap(pmu => [...linksOf(pmu).values()]).flatMap(here => Object.values(here));

	/* without the flits that tiles inject stalls are not known */
	if (all.length && all.every(link => isNaN(link.stalled)))
		select.value = "held";
	select.addEventListener("change", drawMap);
}
