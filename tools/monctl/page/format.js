/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, times and colours for people. */
function withPrefix(value)
{
	const steps = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

	for (const [size, letter] of steps)
		if (Math.abs(value) >= size * .9995)
			return (value / size).toPrecision(3) + " " + letter;
	return (Number.isInteger(value) ? String(value) : value.toPrecision(3)) + " ";
}

function rateText(value, unit)
{
	return unit === "MB" ? value.toPrecision(3) + " MB/s" : withPrefix(value) + (unit || "") + "/s";
}

/* Four digits, without zeros at the end. */
function shortNumber(value)
{
	return String(Number(value.toPrecision(4)));
}

function secondsText(seconds)
{
	if (seconds !== 0 && seconds < 1e-3)
		return shortNumber(seconds * 1e6) + " us";
	return seconds !== 0 && seconds < 1 ? shortNumber(seconds * 1e3) + " ms" :
		shortNumber(seconds) + " s";
}

/* Okabe and Ito's colours, which people with any colour vision can tell apart, then dashes. */
const seriesColours = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#999999"];
const seriesDashes = [null, [6, 3], [2, 2], [8, 3, 2, 3]];

function seriesStyle(index)
{
	return { color: seriesColours[index % seriesColours.length],
		 strokePattern: seriesDashes[Math.floor(index / seriesColours.length) %
					     seriesDashes.length] };
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

/* WCAG's relative luminance. */
function luminance(parts)
{
	const [r, g, b] = parts.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);

	return .2126 * r + .7152 * g + .0722 * b;
}

/* Black or white, whichever has the higher contrast: at least 4.5 : 1. */
function heatTextColour(share)
{
	return luminance(heatParts(share)) < .179 ? "#fff" : "#000";
}

function element(name, attributes, text)
{
	const node = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		node.setAttribute(key, value);
	if (text !== undefined)
		node.textContent = text;
	return node;
}
