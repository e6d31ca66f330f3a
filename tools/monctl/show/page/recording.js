/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was recorded: counters in bins of equal width. What is shown of a stretch of time is a series: a sum of counters with
 * coefficients (terms), over another such sum (under). monctl makes the sums; the page only adds them up.
 */
const recording = JSON.parse(document.getElementById("recording").textContent);

/* Expands bins: the file has a run of n zeros as -n. */
function unpackBins(packed)
{
	const bins = [];

	for (const word of packed) {
		if (word === null || word >= 0) {
			bins.push(word);
			continue;
		}
		for (let i = word; i < 0; i++)
			bins.push(0);
	}
	return bins;
}

/* The chosen time: bins [first, end). */
const range = { first: 0, end: recording.bins, listeners: [] };

/* By bin the series that are beyond their limits. */
function unpackBeyond(pairs, bins)
{
	const beyond = Array.from({ length: bins }, () => []);

	pairs.forEach(([bin, number]) => beyond[bin].push(number));
	return beyond;
}

/* Returns the first bin of a live page that is not from before its start. */
function firstBin()
{
	const first = recording.lengths ? recording.lengths.findIndex(length => length > 0) : 0;

	return first < 0 ? recording.bins - 1 : first;
}

/* Returns whether all of the recording is chosen. */
function isWhole()
{
	return range.first <= firstBin() && range.end === recording.bins &&
		(recording.live || recording.bins * recording.bin_ns >= recording.length_ns);
}

function setRange(first, end)
{
	range.first = Math.max(firstBin(), Math.min(first, recording.bins - 1));
	range.end = Math.max(range.first + 1, Math.min(end, recording.bins));
	range.listeners.forEach(listener => listener());
}

function binSeconds()
{
	return recording.bin_ns / 1e9;
}

/* Returns when the first bin begins: a live page drops its oldest bins. */
function firstSeconds()
{
	return recording.live ? (recording.next - recording.bins) * binSeconds() : 0;
}

/* Returns whether samples of bin i were lost: its counts are spread over the gap, so only their sum is known. */
function isLost(i)
{
	const begin = firstSeconds() * 1e9 + i * recording.bin_ns;

	return (recording.gaps || []).some(([from, to]) => begin < to && begin + recording.bin_ns > from);
}

/* Returns a sum of counters in bin i; null: one of them could not be read. */
function sumAt(terms, i)
{
	let sum = 0;

	if (recording.gaps && recording.gaps.length && isLost(i))
		return null;
	for (const [index, factor] of terms) {
		const count = recording.counters[index].bins[i];

		if (count === null)
			return null;
		sum += factor * count;
	}
	return sum;
}

/*
 * Bins that could not be read are left out: the value after a gap has the gap's counts in it. So are those in which a series is
 * beyond its limit.
 */
function sumOver(terms, series)
{
	let sum = 0;

	for (const [index, factor] of terms) {
		const bins = recording.counters[index].bins;
		let known = 0;

		for (let i = range.first; i < range.end; i++) {
			if (series && isBeyond(series, i))
				continue;
			sum += factor * bins[i];
			known += bins[i] !== null;
		}
		if (!known)
			return null;
	}
	return sum;
}

/* Says monctl that a series was above or below what can be in bin i? Then it is not known. */
function isBeyond({ numbers }, i)
{
	return recording.beyond[i].some(number => numbers.includes(number));
}

/* Returns a series' value of these sums: a rate, a metric or a count; null: not known. */
function valueOf(series, over, under)
{
	if (over === null || (series.under && under === null) || (series.under && !under && (over || series.is_metric)))
		return null;
	return series.scale * (!series.under ? over : under ? over / under : 0);
}

function valueAt(series, i)
{
	return isBeyond(series, i) ? null : valueOf(series, sumAt(series.terms, i), series.under && sumAt(series.under, i));
}

/*
 * Returns what a series was in the chosen time; of the whole recording its average is what monctl says. The average of a series
 * without a clock is that of a bin.
 */
function measure(series)
{
	const raw = sumOver(series.terms);
	let peak = null, known = 0;

	for (let i = range.first; i < range.end; i++) {
		const value = valueAt(series, i);

		if (value === null)
			continue;
		peak = peak === null ? value : Math.max(peak, value);
		known++;
	}
	const average = series.under && series.whole !== undefined && isWhole() && !recording.live ? series.whole :
		series.under || !known ? valueOf(series, sumOver(series.terms, series), series.under && sumOver(series.under, series)) :
		raw * series.scale / known;

	/* bins cut what was counted between two readings: no bin may have as much as all of it on average */
	return { raw, peak: peak === null ? null : Math.max(peak, average), average };
}

/* Returns the part of the time in which a series' counters counted; less than 1: its numbers are estimates. */
function shareOf(series)
{
	return Math.min(1, ...series.terms.concat(series.under || [])
		.map(([index]) => recording.shares ? recording.shares[index] : 1));
}

function isEstimate(series)
{
	return shareOf(series) < .9999;
}

function placeName(pmu, number)
{
	const place = pmu.places.find(p => p.number === number);
	const name = place && (place.device || place.name || place.kind);

	return number < 0 ? "all" : `${pmu.noun} ${number}` + (name && name !== pmu.noun ? ` (${name})` : "");
}

/* A device that runs programs, named as the one place that counts for it. */
function deviceName(device)
{
	const names = recording.pmus.flatMap(pmu => pmu.places.filter(p => p.device === device).map(p => placeName(pmu, p.number)));

	return names.length === 1 ? names[0] : device;
}

/*
 * Returns the cycles of the PMU's own clock in a place: the only time by which its counts are divided. Places that each have a
 * clock have none together, and a clock that goes on while nothing runs has no rates.
 */
function clockOf(pmu, place)
{
	const forms = pmu.clock && pmu.clock.has_rates ? pmu.clock.forms : [];
	const own = forms.find(f => f.place === place || f.place < 0) || (place < 0 && forms.length === 1 ? forms[0] : null);

	return own ? own.form : null;
}

/* Makes a series of an event: a rate by the PMU's clock, or counts in a bin where it has none. */
function eventSeries(event, pmu, place, terms)
{
	const info = recording.events[event], under = clockOf(pmu, place), hz = under && pmu.clock.hz, scale = info.scale * (hz || 1);
	const { rate } = recording.counters[terms[0][0]];
	const some = place < 0 && terms.length > 1 && terms.length < info.places ? `, ${terms.length} of ${info.places} ${pmu.noun}s` : "";

	return { key: `${pmu.name}/${info.name}${place < 0 ? "" : `,${pmu.noun}=${place}`}/${some}`, event, name: info.name, pmu, place, terms,
		 under, scale, info, numbers: terms.map(([index]) => index), whole: terms.length > 1 ? undefined : rate && rate * scale,
		 unit: info.unit + (hz ? "/s" : under ? "/cycle" : " a bin"), text: info.description, note: info.note };
}

function metricSeries(metric, { place, over, under, by, value }, number)
{
	const pmu = recording.pmus[metric.pmu];

	return { key: metric.name + (place < 0 ? "" : `, ${pmu.noun} ${place}`), event: "metric " + metric.name, name: metric.name,
		 pmu, place, terms: over, under, scale: by, numbers: [number], whole: value ?? undefined, unit: metric.unit,
		 high: metric.high === null ? NaN : metric.high, text: metric.description, is_metric: true };
}

/* Returns whether these are counters of the PMU's clock, whose rate says nothing. */
function isClock({ terms, pmu })
{
	const forms = pmu.clock ? pmu.clock.forms.flatMap(({ form }) => form || []) : [];

	return terms.every(([index]) => forms.some(([clock]) => clock === index));
}

/* Returns whether a PMU counted more than its clock. */
function isUsed(pmu)
{
	return recording.counters.some(({ event, bins }, index) => recording.pmus[recording.events[event].pmu] === pmu &&
		bins.some(count => count) && !isClock({ terms: [[index, 1]], pmu }));
}

/* The series: of all places together (wholes) and of each (placed). */
function unpackRecording()
{
	const events = new Map();
	const values = (recording.metrics || []).flatMap(metric => metric.values.map(value => [metric, value]));
	const metrics = values.map(([metric, value], i) => metricSeries(metric, value, recording.counters.length + i)).filter(s => s.terms);

	recording.beyond = unpackBeyond(recording.beyond, recording.bins);
	recording.wholes = metrics.filter(s => s.place < 0);
	recording.placed = metrics.filter(s => s.place >= 0);
	recording.counters.forEach(({ event, place, bins }, index) => {
		recording.counters[index].bins = unpackBins(bins);
		if (!events.has(event))
			events.set(event, []);
		events.get(event).push(eventSeries(event, recording.pmus[recording.events[event].pmu], place, [[index, 1]]));
	});
	for (const [event, list] of events) {
		recording.wholes.push(list.find(s => s.place < 0) ||
				      eventSeries(event, list[0].pmu, -1, list.flatMap(s => s.terms)));
		recording.placed.push(...list.filter(s => s.place >= 0));
	}
}

unpackRecording();
