/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the cycles of each device went in the chosen time: one bar a device, equal devices in one. */
const budgets = recording.budgets || [];

/* Cycles of the largest clock of this name in the PMU, or of one device's: what other devices idle meanwhile. */
function largestClocks(sum, device)
{
	const largest = new Map();

	for (const { pmu, clock } of device ? [device] : budgets) {
		const key = `${pmu} ${clock.name}`;

		if (clock.form)
			largest.set(key, Math.max(largest.get(key) || 0, sum(clock.form)));
	}
	return largest;
}

/* Returns the cycles of a budget and of its parts; sum(form) adds up counters. Null: not known. */
function budgetOf(budget, sum, largest)
{
	const { clock } = budget;
	const total = clock.is_largest ? largest.get(`${budget.pmu} ${clock.name}`) : clock.form && sum(clock.form);
	let left = total;

	if (total === null || total === undefined)
		return null;
	return { total, parts: budget.parts.map(part => {
		/* a bound has the parts before it in it */
		const asked = part.form === "rest" ? left : part.form && sum(part.form) - (part.is_bound ? total - left : 0);
		const cycles = Math.max(0, Math.min(asked, left));

		left -= cycles;
		return { part, cycles, children: (part.children || []).map(child => ({ part: child, children: [],
			cycles: Math.max(0, Math.min(cycles, (child.form && sum(child.form)) || 0)) })) };
	}) };
}

/*
 * Returns shares in % as texts that add up to 100.0: the largest has what rounding leaves, so that equal parts show equal
 * numbers. Small ones have more digits.
 */
function shareTexts(cycles, total)
{
	const least = Math.min(...cycles.filter(c => c > 0)) / total, digits = least < .0005 ? 3 : least < .01 ? 2 : 1, steps = 10 ** (digits + 2);
	const shares = cycles.map(c => Math.round(steps * c / total)), largest = shares.indexOf(Math.max(...shares));

	/* the parts of a part need not reach 100 % */
	shares[largest] += Math.round(steps * cycles.reduce((s, c) => s + c, 0) / total) - shares.reduce((s, v) => s + v, 0);
	return shares.map((v, i) => !v && cycles[i] ? `<${1 / 10 ** digits} %` : `${(v / 10 ** digits).toFixed(digits)} %`);
}

function partName({ kind, name })
{
	return { waiting: `waiting for ${name}`, idle: name === kind ? kind : `idle (${name})`, unknown: "not known" }[kind] || name;
}

/* Parts of one kind become paler, one after the other; the last one still differs from idle in grey. */
function partShade(parts, k)
{
	const same = parts.filter(part => part.kind === parts[k].kind);

	return 1 - .65 * same.indexOf(parts[k]) / Math.max(1, same.length - 1);
}

/* Folds budgets that look alike. The busiest come first. */
function foldedBudgets()
{
	const largest = largestClocks(sumOver), folds = new Map();

	for (const budget of budgets) {
		const now = budgetOf(budget, sumOver, largest), parts = now ? now.parts : [];
		const busy = parts.filter(p => p.part.kind !== "idle").reduce((s, p) => s + p.cycles, 0);
		/* whole per cents, and tenths of what it did while it was not idle */
		const look = p => [Math.round(100 * p.cycles / now.total), busy && p.part.kind !== "idle" ? Math.round(10 * p.cycles / busy) : 0];
		const key = `${budget.pmu} ${budget.clock.name} ` + (!now ? "?" : !now.total ? "0" :
			parts.map(p => `${partName(p.part)} ${p.children.length} ${look(p)}`).join());
		const fold = folds.get(key);

		if (!fold) {
			folds.set(key, { members: [budget], now, key });
			continue;
		}
		fold.members.push(budget);
		if (!now || !now.total)
			continue;
		fold.now.total += now.total;
		fold.now.parts.forEach((part, i) => {
			part.cycles += now.parts[i].cycles;
			part.children.forEach((child, k) => { child.cycles += now.parts[i].children[k].cycles; });
		});
	}
	const busy = ({ now }) => !now || !now.total ? -1 :
		1 - now.parts.filter(p => p.part.kind === "idle").reduce((s, p) => s + p.cycles, 0) / now.total;

	return [...folds.values()].sort((a, b) => busy(b) - busy(a));
}

function foldLabel({ members }, isFirst)
{
	const noun = members[0].device.replace(/ \d.*/, "");

	return members.length === 1 ? members[0].device : `${members.length} ${isFirst ? "" : "other "}${noun}s`;
}

function cyclesText(cycles, unit)
{
	return `${Math.round(cycles).toLocaleString("en")} ${unit}`;
}

/* The tree below a bar: parts, then parts of parts. */
function budgetTree(parts, total, unit)
{
	const list = element("ul"), texts = shareTexts(parts.map(p => p.cycles), total);

	parts.forEach(({ part, cycles, children }, i) => {
		const text = children.length || part.kind ? texts[i] : `${shortNumber(100 * cycles / total)} %`;
		const shade = `--shade:${100 * partShade(parts.map(p => p.part), i)}%`;
		const item = element("li", {}, ...part.kind && cycles ? [element("i", { class: `sample ${part.kind}`, style: shade })] : [], `${text} ${part.kind ? partName(part) : part.name}, ${cyclesText(cycles, unit)}`);

		if (part.about)
			item.append(element("small", {}, ` ${part.about}`));
		if (children.length)
			item.append(budgetTree(children, total, unit));
		list.append(item);
	});
	return list;
}

function budgetRow(fold, isFirst)
{
	const { now, members } = fold, { unit, clock } = members[0], name = foldLabel(fold, isFirst);
	const bar = element("span", { class: "bar" }), says = element("span", { class: "says" });
	const row = element("details", { class: "device" }, element("summary", {}, element("b", {}, name), bar, says));

	if (!now || !now.total) {
		says.textContent = now ? "did not run" : "not known";
		return row;
	}
	const texts = shareTexts(now.parts.map(p => p.cycles), now.total);

	now.parts.forEach(({ part, cycles }, i) => {
		if (cycles)
			bar.append(element("i", { class: part.kind, style: `width:${100 * cycles / now.total}%;--shade:${100 * partShade(members[0].parts, i)}%`,
						  title: `${partName(part)} ${texts[i]}` }));
	});
	says.textContent = now.parts.map(({ part, cycles }, i) => [cycles, `${partName(part)} ${texts[i]}`]).filter(([cycles]) => cycles)
		.sort((a, b) => b[0] - a[0]).map(([, text]) => text).join(", ");
	row.append(element("p", { class: "note" }, `100 % are ${cyclesText(now.total, unit)}: ${clock.name}` +
			   (clock.hz ? `, ${secondsText(now.total / members.length / clock.hz)}` : "") + "."));
	row.append(budgetTree(now.parts, now.total, unit));
	if (members.length > 1)
		row.append(element("p", { class: "note" }, members.map(m => m.device).join(", ")));
	row.append(button("show over time", () => showBudget(members)));
	return row;
}

const mostBars = 6;

function drawBudget()
{
	const open = new Set([...document.querySelectorAll(".device[open] b")].map(b => b.textContent));
	const rows = foldedBudgets().map((fold, i) => budgetRow(fold, !i));
	const more = element("details", { class: "more" }, element("summary", {}, `${rows.length - mostBars} more`));

	rows.filter(row => open.has(row.querySelector("b").textContent)).forEach(row => { row.open = true; });
	for (const { device, missing, remedy } of recording.no_budget || [])
		rows.push(element("p", { class: "note" }, `${device}: no budget, as ${missing.join(", ")} were not counted. `,
				  element("code", {}, remedy)));
	if (rows.length > mostBars + 1)
		more.append(...rows.splice(mostBars));
	byId("bars").replaceChildren(...rows, ...more.children.length > 1 ? [more] : []);
	explain(byId("bars"));
	byId("budget").hidden = !rows.length;
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
	byId("missed").hidden = !budgets.some(budget => budget.parts.some(part => part.kind === "missed"));
	drawAnswers();
	drawBudget();
	range.listeners.push(drawAnswers, drawBudget);
}
