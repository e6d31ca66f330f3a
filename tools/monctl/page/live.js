/* SPDX-License-Identifier: GPL-2.0-only */
/* monctl serve: new bins come from the server; the page keeps as many as it started with. */
function takeLive(update)
{
	recording.counters.forEach((counter, i) => {
		counter.bins.push(...update.bins.map(bin => bin[i]));
		counter.bins.splice(0, counter.bins.length - recording.bins);
	});
	recording.next = update.next;
	takeMarks(update.marks);
	drawTimeline();
	range.listeners.forEach(listener => listener());
	document.body.dataset.next = update.next;
}

async function pollLive()
{
	const warning = document.getElementById("warning");

	try {
		const answer = await fetch("data?after=" + recording.next);

		if (!answer.ok)
			throw new Error("the server answers " + answer.status);
		takeLive(await answer.json());
		warning.hidden = true;
	} catch (error) {
		warning.hidden = false;
		warning.textContent = `No new values: ${error.message}. Is monctl serve still running?`;
	}
	setTimeout(pollLive, 1000);
}
