/* SPDX-License-Identifier: GPL-2.0-only */
/* What was recorded: counters in bins of equal width, and sums over a stretch of bins. */
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

function prepareCounter(counter, index)
{
	counter.index = index;
	counter.bins = unpackBins(counter.bins);
	counter.info = recording.events[counter.event];
	counter.pmu = recording.pmus[counter.info.pmu];
	counter.key = counter.pmu.name + "/" + counter.info.name +
		(counter.place < 0 ? "" : "," + counter.pmu.noun + "=" + counter.place) + "/";
}

recording.counters.forEach(prepareCounter);

/* The chosen time: bins [first, end). */
const range = { first: 0, end: recording.bins, listeners: [] };

/* Returns whether all of the recording is chosen. */
function isWhole()
{
	return range.first === 0 && range.end === recording.bins && !firstSeconds() &&
		(recording.live || recording.bins * recording.bin_ns >= recording.length_ns);
}

function setRange(first, end)
{
	range.first = Math.max(0, Math.min(first, recording.bins - 1));
	range.end = Math.max(range.first + 1, Math.min(end, recording.bins));
	range.listeners.forEach(listener => listener());
}

/* Returns when the first bin begins. Finer bins (pieces.js) begin behind 0. */
function firstSeconds()
{
	return (recording.first_ns || 0) / 1e9;
}

function binSeconds()
{
	return recording.bin_ns / 1e9;
}

/*
 * Seconds of bin i of a counter; NaN: it is from before the start, or could not be read (null). The value of a
 * bin behind such a gap has the gap's counts in it and so its time.
 */
function secondsOf(counter, i)
{
	let length = 0;

	if (counter.bins[i] === null)
		return NaN;
	do
		length += recording.lengths ? recording.lengths[i] : recording.bin_ns;
	while (--i >= 0 && counter.bins[i] === null);
	return length / 1e9 || NaN;
}

/* Total, average and largest rate of a counter in the range, in units of the event. */
function measure(counter)
{
	if (counter.metric)
		return measureMetric(counter, range.first, range.end);
	const scale = counter.info.scale;
	let total = 0, peak = 0, seconds = 0;

	for (let i = range.first; i < range.end && i < counter.bins.length; i++) {
		const length = secondsOf(counter, i);

		if (!(length > 0))
			continue;
		total += counter.bins[i];
		seconds += length;
		peak = Math.max(peak, counter.bins[i] / length);
	}
	return { raw: total, total: total * scale, average: seconds ? total * scale / seconds : 0,
		 peak: peak * scale, seconds };
}

/* Returns the part of the time in which a counter counted; less than 1: its numbers are estimates. */
function shareOf(counter)
{
	if (counter.metric)
		return Math.min(...counter.needed.map(shareOf));
	return counter.parts ? Math.min(...counter.parts.map(shareOf)) :
		recording.shares ? recording.shares[counter.index] : 1;
}

function isEstimate(counter)
{
	return shareOf(counter) < .9999;
}

/* Adds up the counters of an event bin by bin. Returns a counter without a place. */
function sumOverPlaces(counters)
{
	const sum = Object.assign({}, counters[0], { parts: counters });

	sum.place = -1;
	sum.key = sum.pmu.name + "/" + sum.info.name + "/";
	sum.bins = sum.bins.map((value, i) => counters.some(c => c.bins[i] === null) ? null :
		counters.reduce((s, c) => s + c.bins[i], 0));
	return sum;
}
