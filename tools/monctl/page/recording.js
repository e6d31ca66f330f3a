/* SPDX-License-Identifier: GPL-2.0-only */
/* What was recorded: counters in bins of equal width, and sums over a stretch of bins. */
const recording = JSON.parse(document.getElementById("recording").textContent);

/* The file writes a run of n zeros as -n. */
function unpackBins(packed)
{
	const bins = [];

	for (const word of packed) {
		if (word >= 0) {
			bins.push(word);
			continue;
		}
		for (let i = word; i < 0; i++)
			bins.push(0);
	}
	return bins;
}

function prepareCounter(counter)
{
	counter.bins = unpackBins(counter.bins);
	counter.info = recording.events[counter.event];
	counter.pmu = recording.pmus[counter.info.pmu];
	counter.key = counter.pmu.name + "/" + counter.info.name +
		(counter.place < 0 ? "" : "," + counter.pmu.noun + "=" + counter.place) + "/";
}

recording.counters.forEach(prepareCounter);

/* The stretch that everything on the page is about: bins [first, end). */
const range = { first: 0, end: recording.bins, listeners: [] };

function setRange(first, end)
{
	range.first = Math.max(0, Math.min(first, recording.bins - 1));
	range.end = Math.max(range.first + 1, Math.min(end, recording.bins));
	range.listeners.forEach(listener => listener());
}

function binSeconds()
{
	return recording.bin_ns / 1e9;
}

/* Total and largest bin of a counter in the range, in units of the event. */
function measure(counter)
{
	const scale = counter.info.scale;
	let total = 0, peak = 0;

	for (let i = range.first; i < range.end && i < counter.bins.length; i++) {
		total += counter.bins[i];
		peak = Math.max(peak, counter.bins[i]);
	}
	const seconds = (range.end - range.first) * binSeconds();
	return { raw: total, total: total * scale, average: total * scale / seconds,
		 peak: peak * scale / binSeconds() };
}

/* Counters of one event added up bin by bin, as one more counter without a place. */
function sumOverPlaces(counters)
{
	const sum = Object.assign({}, counters[0]);

	sum.place = -1;
	sum.key = sum.pmu.name + "/" + sum.info.name + "/";
	sum.bins = sum.bins.map((value, i) => counters.reduce((s, c) => s + c.bins[i], 0));
	return sum;
}
