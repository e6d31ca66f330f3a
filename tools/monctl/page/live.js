/* SPDX-License-Identifier: GPL-2.0-only */
/* A live page (monctl serve): new bins come from the server. The page keeps the number of bins that it started with. */
function takeLive(update)
{
	recording.counters.forEach((counter, i) => {
		counter.bins.push(...update.bins.map(bin => bin[i]));
		counter.bins.splice(0, counter.bins.length - recording.bins);
	});
	recording.lengths.push(...update.lengths);
	recording.lengths.splice(0, recording.lengths.length - recording.bins);
	recording.shares = update.shares;
	recording.problem = update.problem;
	recording.verdict = update.verdict;
	recording.next = update.next;
	takeMarks(update.marks);
	showWarnings();
	showVerdict();
	/* sums over places are made of the bins */
	timeline.choices = timelineChoices();
	drawTimeline();
	range.listeners.forEach(listener => listener());
	document.body.dataset.next = update.next;
}

async function pollLive()
{
	try {
		const answer = await fetch("data?after=" + recording.next);

		if (!answer.ok)
			throw new Error("the server answers " + answer.status);
		takeLive(await answer.json());
	} catch (error) {
		showWarnings(`No new values: ${error.message}. Is monctl serve still running?`);
	}
	setTimeout(pollLive, 1000);
}
