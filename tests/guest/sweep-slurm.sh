#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-sweep on Slurm and on GNU parallel, with guests: 30 designs, two of which fail, make the same table. Slurm's daemons
# run here as this user, on 127.0.0.1, and end with the test. An FFT of 128 points moves 257 words, 1 of the page table, 128
# read and 128 written, whatever the caches are: it is not coherent with them.
# shellcheck disable=SC2016 # expands in the job
. "${srcdir:-.}/tests/guest/lib.sh"
PATH+=:/usr/sbin
for tool in slurmctld slurmd sbatch munged parallel; do
	command -v $tool >/dev/null || skip "$tool not found: install slurmctld slurmd slurm-client munge parallel"
done
dir=$(mktemp -d)
daemons=()
# they end in the order in which they need each other
trap 'for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do kill "${daemons[i]}"; wait "${daemons[i]}"; done 2>/dev/null
	rm -rf "$dir"' EXIT

# 4 sizes of the L2 with 7 of the last-level cache, sets and ways
mkdir "$dir/designs"
for l2 in "64 4" "128 4" "256 4" "512 4"; do
	for llc in "128 8" "256 8" "512 8" "1024 8" "256 16" "512 16" "1024 16"; do
		sed "s/^CONFIG_CPU_CACHES = .*/CONFIG_CPU_CACHES = $l2 $llc/" "${srcdir:-.}/examples/esp/designs/fft-3x2.esp_config" \
			>"$dir/designs/l2-${l2% *}-llc-${llc/ /x}.esp_config"
	done
done
echo nonsense >"$dir/designs/no-design.esp_config"
cp "${srcdir:-.}/examples/esp/designs/dummy-3x2.esp_config" "$dir/designs/no-fft.esp_config"
is "designs" "$(find "$dir/designs" -type f | wc -l)" 30
is "which differ" "$(md5sum "$dir"/designs/* | cut -d ' ' -f 1 | sort -u | wc -l)" 30
command=(sh -c './examples/esp/esp-fft --log-len 7 --coherence none')
sweep=${srcdir:-.}/tools/mon-sweep

# start NAME COMMAND...: a daemon in the foreground
start()
{
	"${@:2}" >>"$dir/$1.log" 2>&1 &
	daemons+=($!)
}

# free_port: one that nobody listens at
free_port()
{
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

mkdir -m 700 "$dir/munge" "$dir/state" "$dir/spool"
head -c 128 /dev/urandom >"$dir/munge/key"
chmod 600 "$dir/munge/key"
export SLURM_CONF=$dir/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmdSpoolDir=$dir/spool
StateSaveLocation=$dir/state
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=one NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=one Default=YES State=UP
END
# the folder of temporary files belongs to everybody, which munged refuses without --force
start munged munged --foreground --force --socket="$dir/munge/socket" --key-file="$dir/munge/key" \
	--pid-file="$dir/munge/pid" --seed-file="$dir/munge/seed" --log-file="$dir/munge/log"
wait_until test -S "$dir/munge/socket"
start slurmctld slurmctld -D
start slurmd slurmd -D -N one

# idle: the node is there, and does nothing
idle()
{
	[ "$(sinfo -h -o %T 2>/dev/null)" = idle ]
}
wait_until idle
idle || tail -n 20 "$dir"/*.log

jobs=$("$sweep" --prepare -o "$dir/slurm" "$dir"/designs/*.esp_config -- "${command[@]}")
is "jobs" "$jobs" 30
sbatch --wait --quiet --output="$dir/job-%a" --array="1-$jobs" --wrap "'$sweep' --job '$dir/slurm' \$SLURM_ARRAY_TASK_ID" \
	>"$dir/said" 2>&1
cat "$dir/said"
"$sweep" --table "$dir/slurm" >"$dir/slurm.csv"
is "a header and 30 rows" "$(wc -l <"$dir/slurm.csv")" 31
is "designs that count" "$(grep -c '^l2-[0-9]*-llc-[0-9x]*,0,,[0-9.]*,257$' "$dir/slurm.csv")" 28
like "no design" "$(grep '^no-design,' "$dir/slurm.csv")" '^no-design,125,.*no-design.esp_config:1: .*not of the form KEY = value'
like "no accelerator" "$(grep '^no-fft,' "$dir/slurm.csv")" '^no-fft,1,.*fft'

"$sweep" -j "$(nproc)" -o "$dir/parallel" "$dir"/designs/*.esp_config -- "${command[@]}" >"$dir/parallel.csv" 2>/dev/null
is "two designs fail with GNU parallel" $? 1
# the last two columns are seconds and words
for by in slurm parallel; do
	sed -E 's/,[0-9.]+,([0-9]*)$/,\1/' "$dir/$by.csv" >"$dir/$by.same"
done
ok "the tables are equal" diff "$dir/slurm.same" "$dir/parallel.same"
summary
