/* SPDX-License-Identifier: GPL-2.0-only */
/* Links of a mesh that stalled, as verdict-links.c finds them. */
const linkSteps = { n: [-1, 0], s: [1, 0], w: [0, -1], e: [0, 1] };

/* Do flits from there, to any place, come through the link's place on their way in its direction? */
function canCross(from, link)
{
	const [down, right] = linkSteps[link.direction];

	if (right)
		return from.row === link.place.row && (link.place.column - from.column) * right >= 0;
	return (link.place.row - from.row) * down >= 0;
}

function crosses(from, to, link)
{
	const [down, right] = linkSteps[link.direction];

	if (!canCross(from, link))
		return false;
	if (right)
		return (to.column - link.place.column) * right > 0;
	return to.column === link.place.column && (to.row - link.place.row) * down > 0;
}

/* Returns the links for which the rule speaks, the largest value first. */
function stalledLinks(rule, pmu, whole)
{
	const when = compile(rule.when), environments = whole.places;
	const flits = environments.map(environment => environment.count(rule.flits));

	return pmu.places.flatMap((place, i) => Object.keys(linkSteps).map(direction => {
		const link = { place, direction }, held = environments[i].count(`${rule.expression}_${direction}`);
		const sum = held > 0 ? pmu.places.reduce((s, from, k) => canCross(from, link) ? s + flits[k] : s, 0) : NaN;

		link.value = place.row >= 0 ? Math.floor(100 * (held - sum) / held) : NaN;
		link.environment = environments[i];
		return link;
	})).filter(link => !isNaN(link.value) && when(withValue(link.environment, link.value)) > 0)
		.sort((a, b) => b.value - a.value);
}

function stalledText(pmu, list)
{
	if (list.length > 3)
		return `${list.length} links`;
	return `the link${list.length > 1 ? "s" : ""} ` + list.map((link, i) => (!i ? "" : i + 1 < list.length ? ", " : " and ") +
		`${linkNames[link.direction]} of ${pmu.noun} ${link.place.number}`).join("");
}

/* Places, other than those that count "without", that count at least half of the average of those that count anything. */
function busyPlaces(expression, without, pmu, whole)
{
	const value = compile(expression), other = without ? compile(without) : () => NaN, environments = whole.places;
	const busy = pmu.places.map((place, i) => ({ place, environment: environments[i] }))
		.map(p => Object.assign(p, { value: value(p.environment) })).filter(p => p.value > 0 && isNaN(other(p.environment)));
	const sum = busy.reduce((s, p) => s + p.value, 0);

	return busy.filter(p => p.value >= sum / busy.length / 2);
}

function candidatesSentence(rule, pmu, whole, links)
{
	const sends = p => p.environment.count(rule.flits) > 0;
	const share = (a, b) => links.some(link => (sends(a) && crosses(a.place, b.place, link)) ||
					   (sends(b) && crosses(b.place, a.place, link)));
	const all = busyPlaces(rule.memory, null, pmu, whole);
	const tiles = busyPlaces(rule.tiles, rule.memory, pmu, whole).filter(t => all.some(m => share(t, m)));
	const memory = all.filter(m => tiles.some(t => share(m, t)));

	return !tiles.length || !memory.length ? null :
		fillSentence(rule.also, { tiles: placesText(pmu, tiles), memory: placesText(pmu, memory) }, whole, rule.pmu);
}

function linksSentence(rule, pmu, whole)
{
	const links = stalledLinks(rule, pmu, whole);
	const text = links.length ? placedSentence(rule, list => stalledText(pmu, list), links, whole) : null;

	if (text === null)
		return null;
	const shown = link => sentenceValue(link.value, rule.unit), last = links.findIndex(link => shown(link) !== shown(links[0]));
	const also = rule.memory && rule.also ? candidatesSentence(rule, pmu, whole, last < 0 ? links : links.slice(0, last)) : null;

	return also === null ? text : `${text} ${also}`;
}
