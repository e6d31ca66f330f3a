/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, times and colours for people. */
const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/* Four digits, without zeros at the end. */
function shortNumber(value)
{
	return String(Number(value.toPrecision(4)));
}

/* A quotient of two counts has no prefix: 1.02 kbytes/transfer would be read as KiB, or as no number. */
function isQuotient(unit)
{
	return /\/(?!s$)/.test(unit);
}

/* One sensible unit: "1.8 GB/s", not "1800 MB/s". */
function withUnit(value, unit)
{
	if (value === null || isNaN(value))
		return "not known";
	if (unit.startsWith("MB"))
		return withUnit(value * 1e6, unit.slice(1));
	if (value > 0 && value < .001)
		return `<0.001 ${unit}`.trim();
	const three = v => String(Number(v.toPrecision(3)));
	if (isQuotient(unit))
		return `${(value < 999.5 ? Number(value.toPrecision(3)) : Math.round(value)).toLocaleString("en")} ${unit}`.trim();
	const [size, letter] = unit.startsWith("%") ? [1, ""] :
		prefixes.find(([s]) => Math.abs(value) >= s * .9995) || [1, ""];

	return `${three(value / size)} ${letter}${unit}`.trim();
}

function secondsText(seconds)
{
	if (seconds !== 0 && Math.abs(seconds) < 1e-3)
		return shortNumber(seconds * 1e6) + " us";
	return seconds !== 0 && Math.abs(seconds) < 1 ? shortNumber(seconds * 1e3) + " ms" :
		shortNumber(seconds) + " s";
}

/* Okabe and Ito's colours, which people with any colour vision can tell apart, each with dashes of its own. */
const seriesColours = ["#0072b2", "#d55e00", "#009e73", "#b86b00", "#cc79a7", "#3a9bd9", "#808080", "#a03070"];
const seriesDashes = [null, [7, 3], [2, 2], [10, 3, 2, 3]];

function seriesStyle(index)
{
	return { color: seriesColours[index % seriesColours.length], strokePattern: seriesDashes[index % seriesDashes.length] };
}

/* From light yellow to blue: lightness alone carries the order. share is 0 to 1. */
const heatStops = [[255, 250, 205], [253, 219, 120], [232, 160, 90], [150, 110, 150], [70, 90, 190]];

function heatParts(share)
{
	const at = Math.min(Math.max(share, 0), 1) * (heatStops.length - 1);
	const low = Math.min(Math.floor(at), heatStops.length - 2), part = at - low;

	return heatStops[low].map((c, i) => Math.round(c + (heatStops[low + 1][i] - c) * part));
}

function heatColour(share)
{
	return "rgb(" + heatParts(share).join(",") + ")";
}

/* Black or white, whichever has the higher contrast: at least 4.5 : 1. */
function heatTextColour(share)
{
	return share > .8 ? "#fff" : "#000";
}

/* Makes an element with attributes and children, which are nodes or texts. */
function element(name, attributes, ...children)
{
	const node = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		node.setAttribute(key, value);
	node.append(...children);
	return node;
}

function button(text, act, attributes)
{
	const node = element("button", Object.assign({ type: "button" }, attributes), text);

	node.addEventListener("click", act);
	return node;
}

function byId(id)
{
	return document.getElementById(id);
}
