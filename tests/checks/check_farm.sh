#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The script that quaver farm prints, with a stand-in for Slurm's commands that runs jobs at once: names that a shell would obey, a
# task that is killed and comes back, and a whole that is one bake to the byte. tests/interop/run_slurm has a real Slurm.
set -uo pipefail
quaver=$(realpath "$1")
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/own
bad=0
complain() {
    echo "$1"
    bad=1
}

mkdir "$folder/bin"
cat >"$folder/bin/sbatch" <<'END'
#!/usr/bin/env bash
# Runs a job, each task of an array after the other; one that is requeued runs again.
array=0 job=$(($(cat "$FAKE/jobs" 2>/dev/null || echo 100) + 1))
echo $job >"$FAKE/jobs"
for argument in "$@"; do
    [[ $argument != --array=* ]] || array=${argument#--array=}
done
printf '%s\n' "$*" >>"$FAKE/submitted"
for ((task = ${array%-*}; task <= ${array#*-}; task++)); do
    export SLURM_JOB_ID=$job
    unset SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID
    [ "$array" = 0 ] || export SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$task
    for ((SLURM_RESTART_COUNT = 0; SLURM_RESTART_COUNT < 9; SLURM_RESTART_COUNT++)); do
        export SLURM_RESTART_COUNT
        rm -f "$FAKE/again"
        bash "${@: -2:1}" "${@: -1}" >&2
        [ -e "$FAKE/again" ] || break
    done
done
echo "$job"
END
cat >"$folder/bin/scontrol" <<'END'
#!/usr/bin/env bash
echo "$*" >>"$FAKE/requeued"
: >"$FAKE/again"
END
# The program; of task 1 the first try is killed.
cat >"$folder/bin/dying" <<'END'
#!/usr/bin/env bash
[[ "$*" != *"--frames 40:79 "* ]] || [ "$SLURM_RESTART_COUNT" -gt 0 ] || kill -9 $$
exec "$REAL" "$@"
END
chmod +x "$folder"/bin/*
export FAKE=$folder REAL=$quaver PATH=$folder/bin:$PATH

hostile="$folder/it's \$(touch pwned) \"q\" \`id\`
%j #!"
mkdir "$hostile"
cp tests/data/scenes/lean.json "$hostile/-\$HOME's.json"
cd "$hostile" || exit 1
name="out'%A ;touch pwned;\$(id)"
"$quaver" farm -o "$name.pc2" --engine slurm --chunk 40 -- "-\$HOME's.json" >"$folder/job.sh" || complain "farm failed"
[ -z "$(ls "$hostile" | grep -v json)" ] || complain "farm left something behind"
bash -n "$folder/job.sh" || complain "the script is no script"
cd / && QUAVER=$folder/bin/dying bash "$folder/job.sh" >"$folder/out" 2>"$folder/err" || complain "the script failed: $(cat "$folder/err")"
cd "$hostile" || exit 1
"$quaver" bake "./-\$HOME's.json" -o "$folder/whole.pc2" >/dev/null || complain "no bake"
cmp "$name.pc2" "$folder/whole.pc2" || { complain "the whole is not the bake"; cat ./*.parts-*/log*; }
cmp "$name.obj" "$folder/whole.obj" || bad=1
[ -z "$(find "$folder" -name pwned)" ] && [ ! -e /pwned ] || complain "a name was obeyed"
grep -qx "submitted: solve 101, frames 102, join 103" "$folder/out" || complain "said: $(cat "$folder/out")"
grep -q -- "--array=1-2 --dependency=afterok:101" "$folder/submitted" || complain "the array does not wait: $(cat "$folder/submitted")"
grep -q -- "--dependency=afterok:102" "$folder/submitted" || complain "the join does not wait"
[ "$(cat "$folder/requeued")" = "requeue 102_1" ] || complain "requeued: $(cat "$folder/requeued")"
[ -n "$(ls ./*.parts-*/cache)" ] || complain "the tasks share no cache"
# Once more: everything is there.
rm "$name.pc2"
bash "$folder/job.sh" >"$folder/out" || bad=1
cmp "$name.pc2" "$folder/whole.pc2" || bad=1
[ "$(cat ./*.parts-*/log_1.txt | grep -c "exist already and stay")" = 1 ] || complain "a second run makes everything anew"

# A log is not written through a link, nor is a pipe waited for.
for kind in link pipe; do
    rm -f ./*.parts-*/log_1.txt "$folder/jobs"
    echo mine >"$folder/profile"
    if [ $kind = link ]; then ln -s "$folder/profile" "$(echo ./*.parts-*)/log_1.txt"; else mkfifo "$(echo ./*.parts-*)/log_1.txt"; fi
    timeout 60 bash "$folder/job.sh" >"$folder/out" 2>"$folder/err" && complain "a log that is a $kind is written"
    grep -q "log_1.txt: is a link or no file" "$folder/err" || complain "of a log that is a $kind: $(cat "$folder/err")"
    [ "$(cat "$folder/profile")" = mine ] && [ ! -e "$folder/jobs" ] || complain "jobs were submitted beside a log that is a $kind"
done

# What is wrong is one line.
# expect STATUS PART ARGS…
expect() {
    local status=$1 part=$2
    shift 2
    "$quaver" farm "$@" >"$folder/out" 2>"$folder/err"
    local got=$?
    [ $got -eq "$status" ] && grep -qF -- "$part" "$folder/err" && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ] ||
        complain "quaver farm $*: status $got (wanted $status and \"$part\"): $(cat "$folder/out" "$folder/err")"
}
cd "$root" || exit 1
lean=tests/data/scenes/lean.json
expect 2 "farm needs" $lean -o "$folder/x.pc2" --engine slurm
expect 2 "farm needs" $lean -o "$folder/x.pc2" --chunk 10
expect 2 "is not slurm" $lean -o "$folder/x.pc2" --engine pbs --chunk 10
expect 2 "whole number from 1" $lean -o "$folder/x.pc2" --engine slurm --chunk 0
expect 2 "hold the whole motion" $lean -o "$folder/x.glb" --engine slurm --chunk 10
expect 2 "--turntable is for pictures" $lean -o "$folder/x.pc2" --engine slurm --chunk 10 --turntable
expect 2 "--transparent is for pictures" $lean -o "$folder/x.gif" --engine slurm --chunk 10 --transparent
expect 1 "no number field" $lean -o "$folder/x.png" --engine slurm --chunk 10
expect 1 "several number fields" $lean -o "$folder/x##y##.obj" --engine slurm --chunk 10
expect 1 "more than 1000 tasks; use --chunk 2" $lean -o "$folder/x.pc2" --engine slurm --chunk 1 --fps 240 --range 0:8
expect 1 "GIF shows at most 50" $lean -o "$folder/x.gif" --engine slurm --chunk 9 --fps 60
expect 1 "none.json" "$folder/none.json" -o "$folder/x.pc2" --engine slurm --chunk 10
expect 1 "folder does not exist" $lean -o "$folder/none/x.pc2" --engine slurm --chunk 10
expect 1 "has no length" $lean -o "$folder/x.pc2" --engine slurm --chunk 10 --range 1:1

# Pictures and one task alone; numbers come back exactly.
"$quaver" farm $lean -o "$folder/walk.##.ply" --engine slurm --chunk 999 --fps 23.976023976023978 --range 0.1:0.3 >"$folder/job.sh" || bad=1
grep -qF -- "options=(--fps 23.976023976023978 --range 0.10000000000000001:0.29999999999999999)" "$folder/job.sh" || complain "other numbers: $(grep options= "$folder/job.sh")"
bash "$folder/job.sh" >"$folder/out" && "$quaver" bake $lean -o "$folder/one.##.ply" --fps 23.976023976023978 --range 0.1:0.3 >/dev/null
cmp "$folder/walk.05.ply" "$folder/one.05.ply" || bad=1
exit $bad
