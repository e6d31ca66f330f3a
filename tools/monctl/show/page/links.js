/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links of the mesh as arrows: the part of the cycles with a flit that were stalls, at least. monctl makes the sums: the cycles
 * in which a link held a flit, and those in which no flit can have crossed it.
 */
const linkArrows = { n: "\u2191", s: "\u2193", w: "\u2190", e: "\u2192" };
const linkNames = { n: "north", s: "south", w: "west", e: "east" };

/* A share of stalls of fewer cycles means nothing. */
const enoughCycles = 1000;

/* By place: { n: { plane, share }, ... } of the plane whose share is largest; no entry: not counted. */
function linksOf(pmu)
{
	const links = new Map(), rank = link => isNaN(link.share) ? -1 : link.share;

	for (const { place, direction, plane, held, stalled } of (recording.links || []).filter(l => recording.pmus[l.pmu] === pmu)) {
		const isKnown = stalled && !isEstimate({ terms: stalled }), cycles = sumOver(held), beyond = isKnown ? sumOver(stalled) : null;
		const link = { plane, share: beyond === null || !(cycles >= enoughCycles) ? NaN : Math.max(0, beyond / cycles) };
		const here = links.get(place) || links.set(place, {}).get(place);

		if (!here[direction] || rank(link) > rank(here[direction]))
			here[direction] = link;
	}
	return links;
}

/* Rounds down, as the sentences do: stalls are at least that many. */
function linkText(number, direction, { plane, share })
{
	return `link ${linkNames[direction]} of ${number}: plane ${plane}` +
		(isNaN(share) ? "" : ` stalled in at least ${Math.floor(100 * share)} % of the cycles with a flit`);
}

/* Arrows in the gaps beside a tile. */
function addLinks(cell, place, links)
{
	for (const [direction, link] of Object.entries(links.get(place.number) || {})) {
		const arrow = element("i", { class: "link " + direction + (isNaN(link.share) ? " unknown" : ""),
					     title: linkText(place.number, direction, link),
					     "data-share": link.share.toFixed(4) }, linkArrows[direction]);

		if (!isNaN(link.share)) {
			arrow.style.background = heatColour(link.share);
			arrow.style.color = heatTextColour(link.share);
		}
		cell.append(arrow);
	}
}

/* Names the links with the largest shares, for readers who do not see the arrows. */
function linksNote(links)
{
	const most = [...links.entries()].flatMap(([number, here]) => Object.entries(here)
		.map(([direction, link]) => ({ share: link.share, text: linkText(number, direction, link) })))
		.filter(l => l.share >= .01).sort((a, b) => b.share - a.share).slice(0, 3);

	return !links.size ? "" : (most.length ? `Most: ${most.map(l => l.text).join("; ")}.` : "No link is known to have stalled.") +
		` Dotted: a flit in fewer than ${enoughCycles} cycles, or flits of tiles before it were not counted.`;
}

/* Explains the colours of the arrows. */
function drawLinksScale(links)
{
	byId("links").hidden = !links.size;
	fillScale(byId("links-scale"), "100 % of the cycles with a flit");
}
