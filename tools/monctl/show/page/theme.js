/* SPDX-License-Identifier: GPL-2.0-only */
/* Light or dark. */

/* What to show first, from the address: page.html#map=noc_injects_p5&theme=dark */
const wanted = new URLSearchParams(location.hash.slice(1));

function startTheme()
{
	if (wanted.has("theme"))
		document.documentElement.className = wanted.get("theme") === "dark" ? "dark" : "light";
	byId("theme").addEventListener("click", () => {
		const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
			(!document.documentElement.className &&
			 matchMedia("(prefers-color-scheme: dark)").matches);

		document.documentElement.className = dark ? "light" : "dark";
	});
}
