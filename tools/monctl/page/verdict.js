/* SPDX-License-Identifier: GPL-2.0-only */
/* Sentences that the rules of the metric files make of the chosen time, as verdict.c makes them of all of it. */
const mostGroups = 4, mostNamed = 6;

/* As C's %.3g. */
function threeDigits(value)
{
	const size = Math.abs(value);

	if (size !== 0 && (size < 1e-4 || Number(size.toPrecision(3)) >= 1000)) {
		const [digits, power] = value.toExponential(2).split("e");

		return Number(digits) + "e" + power[0] + power.slice(1).padStart(2, "0");
	}
	return String(Number(value.toPrecision(3)));
}

function sentenceValue(value, unit)
{
	const shown = Math.abs(value);

	if (unit === "%")
		return value.toFixed(shown >= 9.95 || !shown ? 0 : 1) + " %";
	if (shown >= 1e6) {
		const [size, letter] = [[1e12, "T"], [1e9, "G"], [1e6, "M"]].find(([s]) => shown >= s * .9995);

		return `${threeDigits(value / size)} ${letter}${unit}`;
	}
	return (Number.isInteger(value) ? value.toFixed(0) : threeDigits(value)) + (unit ? " " + unit : "");
}

/* A bound of values: not below them when it is rounded as sentenceValue() does. */
function sentenceBound(value, unit)
{
	const steps = Math.abs(value) >= 9.95 ? 1 : 10;

	return sentenceValue(unit === "%" ? Math.ceil(value * steps) / steps : value, unit);
}

/* Returns a function for what a PMU counted in the chosen time, in a place or in all of them (-1). */
function countsOf(pmu)
{
	const sums = new Map();

	recording.counters.forEach(counter => {
		if (counter.info.pmu !== pmu)
			return;
		const sum = isEstimate(counter) ? NaN :
			counter.bins.slice(range.first, range.end).reduce((s, v) => s + (v === null ? NaN : v), 0);

		for (const name of new Set([counter.info.name, counter.info.terms])) {
			const whole = name + " -1";

			sums.set(`${name} ${counter.place}`, sum);
			/* a counter of all places is what they counted, else their sum */
			if (counter.place >= 0 && !sums.has(name + " own"))
				sums.set(whole, (sums.get(whole) || 0) + sum);
			if (counter.place < 0)
				sums.set(name + " own", sum);
		}
	});
	return (terms, place) => {
		const sum = sums.get(`${terms} ${place}`);

		return sum === undefined ? NaN : sum;
	};
}

/* Returns the environment of expressions for all places together, with those of each place. */
function verdictEnvironment(pmu)
{
	const counted = countsOf(pmu), info = recording.pmus[pmu];
	const environment = place => ({
		count: name => {
			const metric = (recording.metrics || []).find(m => m.pmu === pmu && m.name === name);

			if (!metric)
				return counted(name, place);
			return inRange(metric, compile(metric.expression)(environment(place)) * metric.scale);
		},
		seconds: (range.end - range.first) * binSeconds(), clock: info.clock_hz, v: NaN,
		get places() { return info.places.map(p => environment(p.number)); },
		get whole() { return environment(-1); },
	});

	return environment(-1);
}

function withValue(environment, v)
{
	return Object.defineProperties({}, Object.assign(Object.getOwnPropertyDescriptors(environment),
							 { v: { value: v } }));
}

/* Fills in a sentence; words are by {name}. Returns null if a value is not known. */
function fillSentence(say, words, environment, pmu)
{
	let hasHole = false;
	const text = say.replace(/\{([^}]*)\}/g, (all, name) => {
		if (name in words)
			return words[name];
		const metric = (recording.metrics || []).find(m => m.pmu === pmu && m.name === name);
		const number = compile(name)(environment);

		hasHole = hasHole || isNaN(number);
		return isNaN(number) ? "" : sentenceValue(number, metric ? metric.unit : "");
	});

	return hasHole ? null : text;
}

function placesText(pmu, list)
{
	const numbers = list.map(p => p.place).sort((a, b) => a.number - b.number);
	const device = numbers[0].device || numbers[0].name || numbers[0].kind;

	if (list.length === 1 && device)
		return `${pmu.noun} ${numbers[0].number} (${device})`;
	if (list.length > mostNamed)
		return `${list.length} ${pmu.noun}s`;
	return `${pmu.noun}${list.length > 1 ? "s" : ""} ` + numbers.map((p, i) =>
		(!i ? "" : i + 1 < numbers.length ? ", " : " and ") + p.number).join("");
}

/* Makes "Tile 4 waited 39 % ..., tiles 0 and 3 9 %": places with the same shown number are one group. */
function placedSentence(rule, textOf, placed, environment)
{
	const groups = [];

	for (const p of placed) {
		const text = sentenceValue(p.value, rule.unit), last = groups[groups.length - 1];

		if (last && last.text === text)
			last.list.push(p);
		else
			groups.push({ text, list: [p] });
	}
	let text = fillSentence(rule.say, { places: textOf(groups[0].list), its: groups[0].list.length > 1 ? "their" : "its",
					    value: groups[0].text }, environment, rule.pmu);

	if (text === null)
		return null;
	let left = placed.length - groups[0].list.length;

	for (let i = 1; i < groups.length && i < mostGroups; i++) {
		const { list, text: value } = groups[i];

		if (i + 1 === mostGroups && list.length < left)
			return `${text}, the other ${left} at most ${sentenceBound(list[0].value, rule.unit)}.`;
		text += `, ${textOf(list)} ${list[0].value === 0 ? "none" : value}`;
		left -= list.length;
	}
	return text + ".";
}

/* Makes a sentence of one value of all places together; null if the rule is silent. */
function totalSentence(rule, say, environment)
{
	const value = compile(rule.expression)(environment) * rule.scale;

	return !say || isNaN(value) || !(compile(rule.when)(withValue(environment, value)) > 0) ? null :
		fillSentence(say, { value: sentenceValue(value, rule.unit) }, environment, rule.pmu);
}

function judge(rule)
{
	const pmu = recording.pmus[rule.pmu], whole = verdictEnvironment(rule.pmu);

	if (rule.of === "total")
		return totalSentence(rule, rule.say, whole);
	if (rule.of === "links")
		return linksSentence(rule, pmu, whole);
	const value = compile(rule.expression), when = compile(rule.when), environments = whole.places;
	const placed = pmu.places.map((place, i) => ({ place, value: value(environments[i]) * rule.scale,
						       environment: environments[i] })).filter(p => !isNaN(p.value));

	if (!placed.length && rule.of === "each")
		return totalSentence(rule, rule.whole, whole);
	if (rule.of === "shares") {
		const sum = placed.reduce((s, p) => s + p.value, 0);

		placed.forEach(p => { p.value *= sum > 0 ? 100 / sum : 0; });
	}
	placed.sort((a, b) => b.value - a.value || a.place.number - b.place.number);
	return placed.length && when(withValue(placed[0].environment, placed[0].value)) > 0 ?
		placedSentence(rule, list => placesText(pmu, list), placed, whole) : null;
}

function verdictOfRange()
{
	return (recording.rules || []).map(judge).filter(text => text !== null)
		.map(text => text[0].toUpperCase() + text.slice(1));
}
