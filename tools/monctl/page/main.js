/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the page. */
function showHead()
{
	const what = recording.command || "live";

	document.title = "monctl: " + what;
	document.getElementById("title").textContent = what;
	document.getElementById("summary").textContent =
		`${recording.counters.length} counters, ${recording.samples} samples, ` +
		`${secondsText(recording.bins * binSeconds())} in bins of ${secondsText(binSeconds())}, ` +
		`${recording.marks.length} runs` + (recording.host ? `, ${recording.host}` : "");
	if (recording.lost) {
		const warning = document.getElementById("warning");

		warning.hidden = false;
		warning.textContent = `${recording.lost} samples were lost: rates have gaps, totals do not.`;
	}
}

function startTheme()
{
	if (wanted.has("theme"))
		document.documentElement.className = wanted.get("theme") === "dark" ? "dark" : "light";
	document.getElementById("theme").addEventListener("click", () => {
		const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
			(!document.documentElement.className &&
			 matchMedia("(prefers-color-scheme: dark)").matches);

		document.documentElement.className = dark ? "light" : "dark";
	});
}

/* page.html#map=noc_injects_p5&theme=dark: what to show first. */
const wanted = new URLSearchParams(location.hash.slice(1));

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
showWantedMap();
document.body.dataset.ready = "1";
if (recording.live)
	pollLive();
