#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debian's Prometheus scrapes monctl serve while an accelerator and a DPU run: it has their counts, and two alerts fire.
# Its rules are those that are installed, with seconds in place of minutes.
# not on riscv64 arm64: Prometheus is that of this machine
# mon-vm: --env TEST_TIMEOUT=600 --mem 1G
. "${srcdir:-.}/tests/guest/lib.sh"
prometheus=build/prometheus/usr/bin/prometheus
[ -x $prometheus ] || skip "build/prometheus is missing: make build/prometheus"
dir=$(mktemp -d)
rules=${srcdir:-.}/tools/monctl/prometheus
sed 's/for: [0-9]*m/for: 2s/; s/\[5m\]/[20s]/g' "$rules/alerts.yml" >"$dir/alerts.yml"
sed "s/_interval: 5s/_interval: 2s/; s|/usr/share/libmon/prometheus|$dir|" "$rules/scrape.yml" >"$dir/scrape.yml"
$monctl serve -e espmon/ddr_accesses/,upmem/dpu_cycles/,upmem/dpu_instructions/ --listen localhost --port 9091 2>"$dir/said" &
server=$!
$prometheus --config.file="$dir/scrape.yml" --storage.tsdb.path="$dir/data" --web.listen-address=127.0.0.1:9090 \
	--log.level=error 2>"$dir/log" &
trap 'kill $server $! 2>/dev/null; rm -rf "$dir"' EXIT
wait_until grep -q "at http://127.0.0.1:9091/" "$dir/said"

# query PROMQL: the values of the answer
query()
{
	build/prometheus/usr/bin/promtool query instant http://127.0.0.1:9090 "$1" 2>/dev/null | sed -n 's/.* => \([^ ]*\) @.*/\1/p'
}

# says EXPECTED PROMQL
says()
{
	[ "$(query "$2")" = "$1" ]
}

wait_until says 1 'up{job="libmon"}'
words='sum(espmon_ddr_accesses_words_total)'
wait_until says 0 "$words"
for round in 1 2; do
	./examples/esp/esp-fft --log-len 7 --coherence none >/dev/null
	wait_until says $((257 * round)) "$words"
	is "words after $round runs" "$(query "$words")" $((257 * round))
done

# one tasklet: 11 cycles an instruction
fires()
{
	examples/upmem/bank-pmc examples/upmem/page-kernel.dpu 32 >/dev/null
	[ -n "$(query "ALERTS{alertname=\"$1\", alertstate=\"firing\"}")" ]
}

is "no alert before" "$(query 'count(ALERTS{alertname=~"UpmemPipelineIdle|LibmonDown"})')" ""
wait_until fires UpmemPipelineIdle
ok "an alert about DPUs" fires UpmemPipelineIdle
kill $server
wait_until fires LibmonDown
ok "an alert about the server" fires LibmonDown
summary
