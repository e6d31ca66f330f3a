/* SPDX-License-Identifier: GPL-2.0-only */
/* A live page (monctl serve): new bins come from the server. The shown time grows until the page has all its bins. */
function takeLive(update)
{
	const isAll = isWhole(), [from, to] = charts.window;

	recording.counters.forEach((counter, i) => {
		counter.bins.push(...update.bins.map(bin => bin[i]));
		counter.bins.splice(0, counter.bins.length - recording.bins);
	});
	for (const [list, more] of [[recording.lengths, update.lengths], [recording.beyond, unpackBeyond(update.beyond, update.bins.length)]]) {
		list.push(...more);
		list.splice(0, list.length - recording.bins);
	}
	for (const name of ["shares", "problem", "answers", "budgets", "groups", "next"])
		recording[name] = update[name];
	takeMarks(update.marks);
	showWarnings();
	charts.edges = timeEdges();
	charts.window = isAll ? wholeWindow() : [from, to];
	range.first = isAll ? firstBin() : Math.max(firstBin(), Math.floor(binAt(from) + .01));
	range.end = isAll ? recording.bins : Math.max(range.first + 1, Math.ceil(binAt(to) - .01));
	refreshCharts();
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
