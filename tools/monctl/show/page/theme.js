/* SPDX-License-Identifier: GPL-2.0-only */
/* Light or dark, before anything is drawn: as the address says, else as the reader prefers. */

/* What to show first, from the address: page.html#map=noc_injects_p5&theme=dark */
const wanted = new URLSearchParams(location.hash.slice(1));
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(isDark)
{
	document.documentElement.className = isDark ? "dark" : "light";
}

setTheme(wanted.has("theme") ? wanted.get("theme") === "dark" : prefersDark.matches);
prefersDark.addEventListener("change", () => setTheme(prefersDark.matches));
