/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the cycles of each device went in the chosen time: one bar a group of devices that look alike, as monctl has grouped
 * them. A part comes with the series up to which it fills the bar (mark): the page only draws.
 */

/* Returns the cycles of a budget and of its parts; sum(form) adds up counters. Null: not known. */
function budgetOf(budget, sum)
{
	const marks = budget.parts.map(({ mark }) => mark && sum(mark)), total = marks[marks.length - 1];
	let level = 0;

	if (marks.includes(null))
		return null;
	const parts = budget.parts.map((part, i) => {
		const cycles = Math.max(0, Math.min(marks[i], total) - level);

		level += cycles;
		return { part, cycles };
	});

	return { total, parts, beside: budget.beside ? budget.beside.form && sum(budget.beside.form) : NaN };
}

/* What monctl says of the whole recording; of a part of its time the sums. */
function budgetNow(budget)
{
	if (!isWhole() || recording.live)
		return budgetOf(budget, sumOver);
	return { total: budget.clock.cycles, parts: budget.parts.map(part => ({ part, cycles: part.cycles })),
		 beside: budget.beside ? budget.beside.cycles : NaN };
}

/* Adds up what devices did that are shown together; null: none is known. */
function addBudgets(list)
{
	const known = list.filter(b => b);

	return known.length ? known.reduce((sum, b) => ({ total: sum.total + b.total, beside: sum.beside + b.beside,
		parts: sum.parts.map(({ part, cycles }, i) => ({ part, cycles: cycles + b.parts[i].cycles })) })) : null;
}

/*
 * Returns shares in % as texts that add up to 100.0: the largest has what rounding leaves, so that equal parts show equal
 * numbers. Small ones have more digits.
 */
function shareTexts(cycles, total)
{
	const least = Math.min(...cycles.filter(c => c > 0)) / total, digits = least < .0005 ? 3 : least < .01 ? 2 : 1, steps = 10 ** (digits + 2);
	const shares = cycles.map(c => Math.round(steps * c / total)), largest = shares.indexOf(Math.max(...shares));

	shares[largest] += steps - shares.reduce((s, v) => s + v, 0);
	return shares.map((v, i) => !v && cycles[i] ? `<${1 / 10 ** digits} %` : `${(v / 10 ** digits).toFixed(digits)} %`);
}

function partName({ kind, name })
{
	return { idle: name === kind ? kind : `idle (${name})`, unknown: `not known: ${name}` }[kind] || name;
}

/* Parts of one kind become paler, one after the other; the last one still differs from idle in grey. */
function partShade(parts, k)
{
	const same = parts.filter(part => part.kind === parts[k].kind);

	return 1 - .65 * same.indexOf(parts[k]) / Math.max(1, same.length - 1);
}

/* Requests are no time: their budgets have a heading of their own. */
function isOfTime({ unit })
{
	return unit === "cycles" || unit === "ticks";
}

function cyclesText(cycles, unit)
{
	return `${Math.round(cycles).toLocaleString("en")} ${unit}`;
}

/* The list below a bar: parts, and of the whole recording also parts of parts. */
function partList({ parts, total }, unit)
{
	const texts = shareTexts(parts.map(p => p.cycles), total);

	return element("ul", {}, ...parts.map(({ part, cycles }, i) => {
		const shade = `--shade:${100 * partShade(parts.map(p => p.part), i)}%`;
		const children = isWhole() ? part.children || [] : [];

		return element("li", {}, ...cycles ? [element("i", { class: `sample ${part.kind}`, style: shade })] : [],
			       `${texts[i]} ${partName(part)}, ${cyclesText(cycles, unit)}`,
			       ...children.map(child => element("div", {}, `${child.name} in ${shortNumber(100 * child.share)} % of these`)));
	}));
}

/* Per cent that are idle, if that is a number beside the bar; else NaN. */
function idleBeside({ parts, total, beside })
{
	const idle = parts.filter(p => p.part.kind === "idle").reduce((s, p) => s + p.cycles, 0) / total;

	if (!isNaN(beside) && beside !== null)
		return beside > total ? 100 * (1 - total / beside) : 0;
	return idle > .9 && idle < 1 ? 100 * idle : NaN;
}

/* What is there, but less than half a per cent, is a thin line. */
function barPart({ part, cycles }, share, shade, text)
{
	return !cycles ? [] : [element("i", { class: part.kind + (share < .005 ? " sliver" : ""), title: `${partName(part)} ${text}`,
					      style: `width:${share < .005 ? 0 : 100 * share}%;--shade:${100 * shade}%` })];
}

function budgetRow({ label, members })
{
	const now = addBudgets(members.map(budgetNow)), { unit, clock } = members[0];
	const bar = element("span", { class: "bar" }), says = element("span", { class: "says" });
	const row = element("details", { class: "device" }, element("summary", {}, element("b", {}, label), bar, says));

	if (!now || !now.total) {
		says.textContent = now ? "did not run" : "not known";
		return row;
	}
	const texts = shareTexts(now.parts.map(p => p.cycles), now.total), idle = idleBeside(now);
	const drawn = now.parts.filter(p => isNaN(idle) || p.part.kind !== "idle"), all = drawn.reduce((s, p) => s + p.cycles, 0);

	bar.append(...now.parts.flatMap((p, i) => drawn.includes(p) ?
		barPart(p, p.cycles / all, partShade(members[0].parts, i), texts[i]) : []));
	const shown = now.parts.map((p, i) => ({ p, text: `${partName(p.part)} ${texts[i]}`, isBeside: !drawn.includes(p) }))
		.filter(({ p }) => p.cycles).sort((a, b) => a.isBeside - b.isBeside || b.p.cycles - a.p.cycles);

	says.textContent = shown.map(({ text, isBeside }) => isBeside ? `beside the bar: ${text}` : text).join(", ") +
		(!isNaN(now.beside) && idle > 0 ? `; idle ${shortNumber(Number(idle.toPrecision(3)))} % of the time` : "");
	row.append(element("p", { class: "note" }, `100 % are ${cyclesText(now.total, unit)}` +
			   (isOfTime(members[0]) ? `: ${clock.name}` + (clock.hz ? `, ${secondsText(now.total / members.length / clock.hz)}` : "") : "") + "."));
	row.append(partList(now, unit));
	if (members.length > 1)
		row.append(element("p", { class: "note" }, members.map(m => m.device).join(", ")));
	row.append(button("show over time", () => showBudget(members, label)));
	return row;
}

const mostBars = 6;

/* Groups with their budgets. */
function budgetGroups()
{
	return (recording.groups || []).map(({ label, members }) => ({ label, members: members.map(i => recording.budgets[i]) }));
}

function fillBars(id, groups, open)
{
	const rows = groups.map(budgetRow);
	const more = element("details", { class: "more" }, element("summary", {}, `${rows.length - mostBars} more`));

	rows.filter(row => open.has(row.querySelector("b").textContent)).forEach(row => { row.open = true; });
	if (rows.length > mostBars + 1)
		more.append(...rows.splice(mostBars));
	byId(id).replaceChildren(...rows, ...more.children.length > 1 ? [more] : []);
	explain(byId(id));
}

function drawBudget()
{
	const open = new Set([...document.querySelectorAll(".device[open] b")].map(b => b.textContent)), groups = budgetGroups();
	const requests = groups.filter(({ members }) => !isOfTime(members[0]));

	fillBars("bars", groups.filter(group => !requests.includes(group)), open);
	fillBars("requests", requests, open);
	byId("budget").hidden = !groups.length;
	byId("cycles-section").hidden = requests.length === groups.length;
	byId("keys-missed").hidden = byId("requests-section").hidden = !requests.length;
}

/* Answers: of the whole recording, then of its phases. */
function drawAnswers()
{
	const [whole = { sentences: [] }, ...phases] = recording.answers || [];
	const item = ({ phase, begin, end, sentences, missing }) => {
		const texts = sentences.length ? sentences.map(s => s.text).join(" ") : missing || "";

		return phase ? element("li", {}, button(phase, () => zoomTo(begin / 1e9, end / 1e9)), ` ${texts}`) : texts;
	};

	byId("verdict").replaceChildren(...(whole.sentences.length ? whole.sentences.map(s => s.text) : [whole.missing || ""])
		.map(text => element("p", {}, text)));
	byId("phases").replaceChildren(...phases.map(item));
	byId("sure").textContent = (isWhole() ? "" : "The sentences are of the whole recording, the bars of the chosen time. ") +
		(whole.sentences.length && whole.missing ? whole.missing : "");
	byId("verdict").classList.toggle("missing", !whole.sentences.length);
	explain(byId("answer"));
}

function startBudget()
{
	drawAnswers();
	drawBudget();
	range.listeners.push(drawAnswers, drawBudget);
}
