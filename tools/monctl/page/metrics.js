/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics: the expressions of the metric files, calculated from counts of one stretch of time. */

/*
 * An expression as a function of { count(terms), seconds, clock, v, places, whole }; NaN: it has no value. places are the
 * same for each place, whole for all of them; only rules need these and v.
 */
function compile(text)
{
	const words = text.match(/\{[^}]*\}|[A-Za-z_]\w*|[\d.]+|[^\s]/g) || [];
	let at = 0;

	/* Applies a function to the places that have a value; if none has, to all places together. */
	function overPlaces(name, inside)
	{
		return env => {
			const known = env.places.map(inside).filter(v => !isNaN(v));
			const list = known.length ? known : [inside(env.whole)];

			return name === "mean" ? list.reduce((s, v) => s + v, 0) / list.length : Math[name](...list);
		};
	}

	function operand()
	{
		const word = words[at++];

		if (word === undefined)
			return () => NaN;
		if (word === "(") {
			const inside = any();

			return words[at++] === ")" ? inside : () => NaN;
		}
		if (/^[\d.]/.test(word))
			return () => Number(word);
		if (word === "duration_time")
			return env => env.seconds;
		if (word === "clock")
			return env => env.clock || NaN;
		if (word === "places")
			return env => env.places.length;
		if (word === "v")
			return env => env.v;
		if (["min", "max", "mean"].includes(word))
			return overPlaces(word, operand());
		return env => env.count(word.replace(/[{}]/g, ""));
	}

	function chain(next, operators)
	{
		let value = next();

		while (operators[words[at]]) {
			const apply = operators[words[at++]], left = value, right = next();

			value = env => apply(left(env), right(env));
		}
		return value;
	}

	function product()
	{
		return chain(operand, { "*": (a, b) => a * b, "/": (a, b) => b === 0 ? NaN : a / b });
	}

	function sum()
	{
		return chain(product, { "+": (a, b) => a + b, "-": (a, b) => a - b });
	}

	/* A comparison with NaN is NaN. */
	function comparison()
	{
		const compare = is => (a, b) => isNaN(a) || isNaN(b) ? NaN : Number(is(a, b));

		return chain(sum, { "<": compare((a, b) => a < b), ">": compare((a, b) => a > b) });
	}

	function any()
	{
		return chain(comparison, {
			and: (a, b) => isNaN(a) || isNaN(b) ? NaN : Number(a && b ? 1 : 0),
			or: (a, b) => isNaN(a) ? b : isNaN(b) ? a : Number(a || b ? 1 : 0),
		});
	}

	const value = any();

	return at === words.length ? value : () => NaN;
}

/* Returns NaN for a value outside of the metric's range. */
function inRange(metric, value)
{
	return (metric.low !== null && value < metric.low) || (metric.high !== null && value > metric.high) ? NaN : value;
}

function metricOf(counter, count, seconds)
{
	const metric = counter.metric;

	return inRange(metric, metric.value({ count, seconds, clock: counter.pmu.clock_hz }) * metric.scale);
}

/* Makes a metric in a place, or in all of them together, a counter. */
function metricCounter(metric, place, counters)
{
	const pmu = recording.pmus[metric.pmu], parts = new Map();

	for (const counter of counters) {
		for (const name of new Set([counter.info.name, counter.info.terms]))
			parts.set(name, (parts.get(name) || []).concat(counter));
	}
	const counter = { metric, pmu, place, event: "metric " + pmu.name + "/" + metric.name,
			  key: metric.name + (place < 0 ? "" : `, ${pmu.noun} ${place}`) };

	/* all places together: a counter of its own, or the sum of the places */
	counter.sumOf = (terms, countOf) => {
		const list = parts.get(terms) || [], whole = list.filter(c => c.place < 0);

		return (whole.length ? whole : list).reduce((s, c) => s + countOf(c), list.length ? 0 : NaN);
	};
	counter.needed = [];
	metric.value({ count: terms => { counter.needed.push(...(parts.get(terms) || [null])); return 1; }, seconds: 1,
		       clock: 1 });
	counter.info = recording.events[counter.event] = { pmu: metric.pmu, name: metric.name, unit: metric.unit, scale: 1,
							   description: metric.description, is_metric: true,
							   high: metric.high };
	return counter;
}

/* Returns the metrics whose events were counted, by place. */
function metricCounters()
{
	const all = [], byPlace = new Map();

	/* "PMU -1": all of them */
	for (const counter of recording.counters)
		for (const key of new Set([`${counter.info.pmu} -1`, `${counter.info.pmu} ${counter.place}`]))
			byPlace.set(key, byPlace.get(key) || []).get(key).push(counter);
	for (const metric of recording.metrics || []) {
		const pmu = recording.pmus[metric.pmu];

		metric.value = compile(metric.expression);
		for (const place of [-1, ...pmu.places.map(p => p.number)]) {
			const counter = metricCounter(metric, place, byPlace.get(`${metric.pmu} ${place}`) || []);

			if (counter.needed.length && !counter.needed.includes(null))
				all.push(counter);
		}
	}
	return all;
}

function measureMetric(counter, first, end)
{
	const part = counter.needed[0];
	let seconds = 0, peak = 0;

	for (let i = first; i < end; i++) {
		seconds += secondsOf(part, i) || 0;
		peak = Math.max(peak, metricAt(counter, i) || 0);
	}
	const average = metricOf(counter, terms => counter.sumOf(terms, c => c.bins.slice(first, end)
		.reduce((s, v) => s + v, 0)), seconds);

	return { raw: average, total: average, average, peak, seconds };
}

function metricAt(counter, i)
{
	return metricOf(counter, terms => counter.sumOf(terms, c => c.bins[i] === null ? NaN : c.bins[i]),
			secondsOf(counter.needed[0], i));
}

recording.metricCounters = metricCounters();
