/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the page. */
function showHead()
{
	const what = recording.command || "live";

	document.title = "monctl: " + what;
	document.getElementById("title").textContent = what;
	document.getElementById("summary").textContent =
		`${recording.counters.length} counters, ` + (recording.live ? "" : `${recording.samples} samples, `) +
		rateSummary() +
		`${secondsText(recording.bins * binSeconds())} in bins of ${secondsText(binSeconds())}, ` +
		runsSummary() + (recording.host ? `, ${recording.host}` : "");
	showWarnings();
	showVerdict();
}

/* How many runs there were, and in which part of the time any device ran: a short part tells to look elsewhere first. */
function runsSummary()
{
	const runs = recording.marks.filter(mark => !mark.is_phase).sort((a, b) => a.begin - b.begin);
	let busy = 0, end = 0;

	for (const run of runs) {
		busy += Math.max(0, markEnd(run) - Math.max(run.begin, end));
		end = Math.max(end, markEnd(run));
	}
	return `${runs.length} run${runs.length === 1 ? "" : "s"}` + (recording.live || !runs.length ? "" :
		` in ${shortNumber(Number((100 * busy / recording.length_ns).toPrecision(2)))} % of the time`);
}

/* Shows the verdict of the whole recording, or of the chosen time. */
function showVerdict()
{
	const isPart = !recording.live && !isWhole();
	const list = document.getElementById("verdict"), verdict = (isPart ? verdictOfRange() : recording.verdict) || [];

	document.getElementById("verdict-note").textContent = isPart ? "of the chosen time" : "";

	list.replaceChildren(...verdict.map(sentence => element("li", {}, sentence)));
	if (!verdict.length)
		list.append(element("li", { class: "hint" }, `No rule found a bottleneck in these counters${metricsText()}. ` +
			    "Other presets count more: monctl list --presets."));
}

/* The metrics of all places together, which are the evidence where no rule speaks. */
function metricsText()
{
	const known = recording.metricCounters.filter(c => c.place < 0).map(c => [c, measure(c).average]).filter(([, v]) => v);

	return known.length ? ": " + known.map(([c, v]) =>
		`${c.info.name} ${shortNumber(Number(v.toPrecision(3)))} ${c.info.unit}`).join(", ") : "";
}

/* Returns what makes numbers less exact than they look. */
function warnings()
{
	const list = [], estimates = recording.counters.filter(isEstimate);

	if (recording.lost)
		list.push(`${recording.lost} samples were lost: rates have gaps, totals do not.`);
	if (recording.is_cut)
		list.push("The recording has no end: monctl record was killed or the file was cut. It is shown up to its last sample.");
	if (!recording.live && reachedShare() < .95 && recording.interval_ns < recording.length_ns / 20)
		list.push(`Only ${Math.round(100 * reachedShare())} % of the samples came: totals are right, short peaks may be missing.`);
	if (!recording.live && !recording.levels && recording.bin_ns > 1.5 * recording.interval_ns &&
	    recording.samples > 1.5 * recording.bins)
		list.push(`A bin here is ${Math.round(recording.samples / recording.bins)} samples together: shorter peaks are averages. ` +
			  "monctl report --dir makes a page with each sample, --from and --to one of a part.");
	if (recording.problem)
		list.push(`${recording.problem}. Its counters have a gap; the value after it covers the gap.`);
	if (estimates.length)
		list.push(`${estimates.length} counters take turns, as their device cannot count them together: numbers with ~ are ` +
			  `estimates from ${Math.round(100 * Math.min(...estimates.map(shareOf)))} % of the time on. ` +
			  "Choose fewer with -e for exact ones.");
	return list;
}

function showWarnings(more)
{
	const text = warnings().concat(more || []).join(" ");
	const warning = document.getElementById("warning");

	warning.hidden = !text;
	if (warning.textContent !== text)
		warning.textContent = text;
}

/* Returns the part of the requested samples that came. */
function reachedShare()
{
	return recording.samples * recording.interval_ns / recording.length_ns;
}

function rateSummary()
{
	if (recording.live || !recording.samples)
		return "";
	return `a sample each ${secondsText(recording.length_ns / recording.samples / 1e9)} ` +
		`(${secondsText(recording.interval_ns / 1e9)} was asked), `;
}

function showWanted()
{
	const seconds = name => Number(wanted.get(name));

	if (wanted.has("measure"))
		document.querySelectorAll("input[name=measure]").forEach(input => {
			input.checked = input.value === wanted.get("measure");
		});
	for (const [name, id] of [["links", "link-measure"], ["top", "map-top"]])
		[...document.getElementById(id).options].filter(o => o.value === wanted.get(name)).forEach(o => { o.selected = true; });
	showWantedMap();
	if (!recording.live && wanted.has("from") && seconds("to") > seconds("from"))
		timeline.graph.updateOptions({ dateWindow: [seconds("from"), seconds("to")] });
}

/* Rounds to microseconds. */
function secondsNumber(seconds)
{
	return String(Number(seconds.toFixed(6)));
}

/* Writes what is shown into the address, so that you can pass it on. */
function saveState()
{
	if (!document.body.dataset.ready)
		return;
	const state = new URLSearchParams(wanted);

	if (map.event !== null)
		state.set("map", recording.events[map.event].name);
	state.set("measure", mapMeasure());
	if (!document.getElementById("links").hidden)
		state.set("links", linkMeasure());
	state.delete("top");
	if (document.getElementById("map-top").value !== "limit")
		state.set("top", "largest");
	for (const name of ["from", "to"])
		state.delete(name);
	if (!recording.live && !isWhole()) {
		state.set("from", secondsNumber(firstSeconds() + range.first * binSeconds()));
		state.set("to", secondsNumber(firstSeconds() + range.end * binSeconds()));
	}
	history.replaceState(null, "", "#" + state);
}

function showWantedMap()
{
	const event = Object.keys(recording.events).find(key =>
		recording.events[key].name === wanted.get("map") && recording.events[key].pmu ===
		recording.pmus.indexOf(map.pmu));

	if (event)
		setMapEvent(event);
}

startTheme();
showHead();
startTimeline();
startMap();
startTotals();
startRuns();
showWanted();
document.body.dataset.ready = "1";
range.listeners.push(saveState, showVerdict);
if (recording.live)
	pollLive();
