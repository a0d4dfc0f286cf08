# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by run_window and run_keys: a real X server with the editor in it. Sourced, not run, with $quaver and $out set.
rm -rf "$out"
mkdir -p "$out/home"
export HOME=$out/home XDG_CONFIG_HOME=$out/home/config XDG_STATE_HOME=$out/home/state XDG_CACHE_HOME=$out/home/cache
unset WAYLAND_DISPLAY SDL_VIDEODRIVER

fail() {
    echo "$(basename "$0"): $*"
    exit 1
}

exec 3>"$out/display"
Xvfb -displayfd 3 -screen 0 1600x900x24 -nolisten tcp >"$out/xvfb.log" 2>&1 &
server=$!
editor=
trap 'kill -9 $editor 2>/dev/null || true; kill $server 2>/dev/null || true' EXIT
# The first start on a machine reads everything from the disk, which has taken longer than ten seconds under load.
for _ in $(seq 1200); do
    [ -s "$out/display" ] && break
    kill -0 $server 2>/dev/null || break
    sleep 0.1
done
[ -s "$out/display" ] || fail "the X server did not start: $(cat "$out/xvfb.log")"
DISPLAY=:$(cat "$out/display")
export DISPLAY

# start ARGUMENTS…: opens the window and waits until it is there and has drawn.
start() {
    "$quaver" "$@" 2>"$out/stderr.txt" &
    editor=$!
    for _ in $(seq 300); do
        window=$(xdotool search --pid $editor 2>/dev/null | tail -n 1 || true)
        [ -n "$window" ] && break
        kill -0 $editor 2>/dev/null || fail "the window did not open: $(cat "$out/stderr.txt")"
        sleep 0.1
    done
    xdotool windowmove "$window" 0 0
    xdotool windowfocus "$window" || true
    sleep 4
}
