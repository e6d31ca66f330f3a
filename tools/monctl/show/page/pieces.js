/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finer bins of a stretch of time, from the scripts of a folder (pieces.h): the page shows the coarse bins that it came
 * with, and when it is zoomed in those of the finest level that has at most some thousands of them in view.
 */
const view = { level: -1, coarse: null, wanted: "", loaded: new Map(), waiting: new Map() };

const mostBinsInView = 4096, mostPieces = 32;

/* Each script calls it. */
function takePiece(level, number, bins)
{
	view.waiting.get(`${level}-${number}`)(bins);
}

function loadPiece(level, number)
{
	const name = `${level}-${number}`;

	if (!view.loaded.has(name)) {
		view.loaded.set(name, new Promise((resolve, reject) => {
			const script = element("script", { src: `pieces/${name}.js` });

			view.waiting.set(name, resolve);
			script.addEventListener("error", () => reject(new Error(`pieces/${name}.js is not beside the page`)));
			document.head.append(script);
			script.addEventListener("load", () => script.remove());
		}));
		/* the oldest go */
		if (view.loaded.size > mostPieces)
			view.loaded.delete(view.loaded.keys().next().value);
	}
	return view.loaded.get(name);
}

/* Of a stretch in seconds; -1: the page's own bins are fine enough. */
function levelFor(from, to)
{
	const level = (recording.levels || []).findIndex(ns => (to - from) * 1e9 / ns <= mostBinsInView);

	return level >= 0 && recording.levels[level] < (view.coarse || recording).bin_ns ? level : -1;
}

/* Everything on the page is about these bins from now on. */
function useBins(level, first_ns, bin_ns, binsOf)
{
	recording.counters.forEach((counter, i) => { counter.bins = binsOf(i); });
	recording.first_ns = first_ns;
	recording.bin_ns = bin_ns;
	recording.bins = recording.counters.length ? recording.counters[0].bins.length : 1;
	range.first = 0;
	range.end = recording.bins;
	view.level = level;
	document.body.dataset.level = level;
}

function useCoarse()
{
	const coarse = view.coarse;

	if (coarse)
		useBins(-1, 0, coarse.bin_ns, i => coarse.bins[i]);
}

async function usePieces(level, from, to)
{
	const bin_ns = recording.levels[level], piece_ns = bin_ns * recording.piece_bins;
	const last = Math.ceil(recording.rows * recording.levels[0] / piece_ns) - 1;
	const first = Math.max(0, Math.floor(from * 1e9 / piece_ns)), end = Math.min(last, Math.floor(to * 1e9 / piece_ns));
	const wish = view.wanted = `${level} ${first} ${end}`, numbers = [];

	for (let n = first; n <= end; n++)
		numbers.push(n);
	const pieces = await Promise.all(numbers.map(n => loadPiece(level, n)));

	/* the user went on */
	if (view.wanted !== wish)
		return false;
	view.coarse = view.coarse || { bin_ns: recording.bin_ns, bins: recording.counters.map(c => c.bins) };
	useBins(level, first * piece_ns, bin_ns, i => unpackBins(pieces.flatMap(piece => piece[i])));
	return true;
}

/* Whether the bins that are there serve the stretch; if not, others come and the charts are drawn again. */
function hasBinsFor(from, to)
{
	const level = levelFor(from, to), start = firstSeconds(), end = start + recording.bins * binSeconds();
	const first = Math.max(0, from), last = Math.min(to, recording.length_ns / 1e9);

	if (level === view.level && (level < 0 || (first >= start - 1e-9 && last <= end + 1e-9)))
		return true;
	if (level < 0) {
		view.wanted = "";
		useCoarse();
		refreshCharts();
		return true;
	}
	usePieces(level, first, last).then(isIn => {
		if (!isIn)
			return;
		refreshCharts();
		zoomTo(from, to);
	}, error => showWarnings(error.message + "."));
	return view.level < 0;
}
