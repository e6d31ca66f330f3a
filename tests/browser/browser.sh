# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions for tests of pages, sourced after lib.sh. $dir is a scratch folder.

# chromium_on ARG...: runs headless Chromium with a new profile
# shellcheck disable=SC2154 # dir is the sourcing script's
chromium_on()
{
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$dir/chromium" --no-first-run --disable-background-networking \
		--force-color-profile=srgb --hide-scrollbars "$@" 2>"$dir/chromium.err"
}

# dom_of URL: prints the page's document after its scripts have run. A live page runs for 4 s of virtual time.
dom_of()
{
	chromium_on --virtual-time-budget=4000 --dump-dom "$1"
}

# raw_values DOM: prints "KEY COUNT" of each row of the table of totals
raw_values()
{
	python3 - "$1" <<'END'
import html.parser, sys

class Rows(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "tr" and "data-key" in attrs:
            print(attrs["data-key"], attrs["data-raw"])

Rows().feed(open(sys.argv[1]).read())
END
}

# cells DOM: prints "PLACE COUNT" of each cell of the map
cells()
{
	python3 - "$1" <<'END'
import html.parser, sys

class Cells(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "div" and "data-place" in attrs:
            print(attrs["data-place"], attrs.get("data-raw", "-"))

Cells().feed(open(sys.argv[1]).read())
END
}
