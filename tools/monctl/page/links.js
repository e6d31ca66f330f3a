/* SPDX-License-Identifier: GPL-2.0-only */
/* Links of the mesh: how much of the time the output of each router holds a flit, which is one a cycle at most. */
const linkArrows = { n: "\u2191", s: "\u2193", w: "\u2190", e: "\u2192" };
const linkNames = { n: "north", s: "south", w: "west", e: "east" };

/* By place: { n: { share, plane }, ... } of the plane that holds most; no entry: not counted. */
function linksOf(pmu)
{
	const links = new Map();

	for (const counter of recording.counters) {
		const name = /^noc_queue_full_p(\d)_([nswe])$/.exec(counter.info.name);

		if (!name || counter.pmu !== pmu || counter.place < 0 || !pmu.clock_hz)
			continue;
		const share = measure(counter).average / pmu.clock_hz, [, plane, direction] = name;
		const here = links.get(counter.place) || links.set(counter.place, {}).get(counter.place);

		if (!here[direction] || share > here[direction].share)
			here[direction] = { share, plane };
	}
	return links;
}

function linkText(place, direction, link)
{
	return `link ${linkNames[direction]} of ${place.number}: plane ${link.plane} holds a flit ` +
		`${shortNumber(Number((100 * link.share).toPrecision(3)))} % of the time`;
}

/* Arrows in the gaps beside a tile, towards the tiles that are there. */
function addLinks(cell, pmu, place, links)
{
	for (const [direction, link] of Object.entries(links.get(place.number) || {})) {
		const [down, right] = linkSteps[direction];

		if (!pmu.places.some(p => p.row === place.row + down && p.column === place.column + right))
			continue;
		const arrow = element("i", { class: "link " + direction, title: linkText(place, direction, link),
					     "data-share": link.share.toFixed(4) }, linkArrows[direction]);

		arrow.style.background = heatColour(link.share);
		arrow.style.color = heatTextColour(link.share);
		cell.append(arrow);
	}
}

/* In words, for who does not see arrows: the links that hold flits most. */
function linksNote(pmu, links)
{
	const all = [...links.entries()].flatMap(([number, here]) => Object.entries(here).map(([direction, link]) =>
		({ link, text: linkText(pmu.places.find(p => p.number === number), direction, link) })))
		.filter(l => l.link.share >= .001).sort((a, b) => b.link.share - a.link.share);

	if (!links.size)
		return "";
	return "Arrows: the share of the time in which a link holds a flit, on its way or stalled. " +
		(all.length ? "Most: " + all.slice(0, 3).map(l => l.text).join("; ") + "." : "None does so in .1 % of the time.");
}
