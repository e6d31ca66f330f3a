/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the page. */
function showHead()
{
	const what = recording.command || "live", { samples, interval_ns, length_ns } = recording;
	const texts = [recording.machine, recording.date && new Date(recording.date).toLocaleString("en"), runsSummary(),
		       `${recording.counters.length} counters`,
		       recording.live || !samples ? "" : `${samples} samples, one every ${secondsText(length_ns / samples / 1e9)} ` +
		       `(asked: ${secondsText(interval_ns / 1e9)})`];

	document.title = "monctl: " + what;
	byId("title").textContent = what;
	byId("summary").textContent = texts.filter(text => text).join(" \u00b7 ");
	explain(byId("about"));
	showWarnings();
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
	return !runs.length ? "" : `${runs.length} run${runs.length === 1 ? "" : "s"}` + (recording.live ? "" :
		` in ${withUnit(100 * busy / recording.length_ns, "%")} of ${secondsText(recording.length_ns / 1e9)} of the guest`);
}

/* What is lost: [text, true]. What makes numbers less exact than they look: [text, false]. */
function warnings()
{
	const list = [], { lost, samples, bins, bin_ns, interval_ns, length_ns } = recording, reached = samples * interval_ns / length_ns;
	const shares = (recording.shares || []).filter(share => share < .9999);

	if (lost)
		list.push([`${lost} samples were lost: the charts have gaps, totals do not.`, true]);
	if (recording.cut_reason)
		list.push([`The recording has no end: ${recording.cut_reason}. Totals go up to its last sample.`, true]);
	if (recording.problem)
		list.push([`${recording.problem}. Its counters have a gap; the value after it covers the gap.`, true]);
	if (!recording.live && reached < .95 && interval_ns < length_ns / 20)
		list.push([`${Math.round(100 * reached)} % of the samples came: short peaks may be missing.`, false]);
	if (!recording.live && bin_ns > 1.5 * interval_ns && samples > 1.5 * bins)
		list.push([`A bin has ${Math.round(samples / bins)} samples: shorter peaks are averages. ` +
			   "monctl report --from and --to make a page of a part with each sample.", false]);
	if (shares.length)
		list.push([`${shares.length} counters took turns, as their device cannot count them together: numbers with ~ are estimates, ` +
			   `from as little as ${Math.round(100 * Math.min(...shares))} % of the time. Choose fewer with -e for exact ones.`, false]);
	return list;
}

function showWarnings(failure)
{
	const all = warnings().concat(failure ? [[failure, true]] : []);

	for (const [id, isLoss] of [["warning", true], ["limits", false]]) {
		const text = all.filter(([, lost]) => lost === isLoss).map(([words]) => words).join(" "), node = byId(id);

		node.hidden = !text;
		if (node.textContent !== text)
			node.textContent = text;
	}
}

function showWanted()
{
	const seconds = name => Number(wanted.get(name));

	[...byId("measure").options].filter(o => o.value === wanted.get("measure")).forEach(o => { o.selected = true; });
	if (map.pmu) {
		const names = [...mapEvents(map.pmu).entries()], event = names.find(([, list]) => list[0].name === wanted.get("map"));

		setMapEvent(event ? event[0] : map.event);
	}
	if (!recording.live && wanted.has("from") && seconds("to") > seconds("from"))
		zoomTo(seconds("from"), seconds("to"));
}

/* Writes what is shown into the address, so that you can pass it on. */
function saveState()
{
	if (!document.body.dataset.ready)
		return;
	const state = new URLSearchParams(wanted), rounded = seconds => String(Number(seconds.toFixed(6)));

	["from", "to", "series"].forEach(name => state.delete(name));
	charts.chosen.forEach(series => state.append("series", series.key));
	if (map.pmu) {
		state.set("map", mapEvents(map.pmu).get(map.event)[0].name);
		state.set("measure", mapMeasure());
	}
	if (!recording.live && !isWhole() && !axisPmu()) {
		state.set("from", rounded(firstSeconds() + range.first * binSeconds()));
		state.set("to", rounded(firstSeconds() + range.end * binSeconds()));
	}
	history.replaceState(null, "", "#" + state);
}

byId("theme").addEventListener("click", () => setTheme(document.documentElement.className !== "dark"));
showHead();
startBudget();
if (recording.live)
	setRange(0, recording.bins);
startCharts();
startMap();
startTables();
showWanted();
document.body.dataset.ready = "1";
range.listeners.push(saveState);
if (recording.live)
	pollLive();
