# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by app/run and tests/run: what the machine needs and how it gets there. Sourced, not run.
# All messages go to stderr, so that a command's own output stays clean.

# A word is a Debian package, or package:command where a command from elsewhere will do.
BUILD_PACKAGES=(gcc:gcc g++:g++ cmake:cmake ninja-build:ninja pkg-config:pkg-config libc6-dev libcjson-dev liblapacke-dev
    libopenblas-dev libarpack2-dev libsuitesparse-dev libsdl2-dev libepoxy-dev libegl-dev libgl-dev libegl1
    libgl1-mesa-dri libimgui-dev libfreetype-dev libstb-dev zlib1g-dev libmeshoptimizer-dev libdraco-dev fonts-inter fonts-font-awesome)
TEST_PACKAGES=(git:git clang:clang libclang-rt-14-dev clang-format:clang-format libcmocka-dev dpkg-dev:dpkg-shlibdeps
    file:file locales)
INTEROP_PACKAGES=(blender:blender python3-numpy nodejs:node npm:npm chromium:chromium xvfb:Xvfb xdotool:xdotool
    libx11-dev ffmpeg:ffmpeg slurm-wlm:slurmctld munge:munged
    godot3-server:godot3-server assimp-testmodels)

say() {
    printf 'quaver: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Prints those of the given packages that are neither installed nor stood in for by a command.
missing_packages() {
    local word package names=()
    for word in "$@"; do
        package=${word%%:*}
        if [[ $word == *:* ]] && command -v "${word##*:}" >/dev/null 2>&1; then
            continue
        fi
        names+=("$package")
    done
    [ ${#names[@]} -gt 0 ] || return 0
    # dpkg-query fails when it knows none of some name: that is an answer here.
    { dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${names[@]}" 2>/dev/null || true; } | awk '/^ii/ { print $2 }' |
        sort -u | comm -13 - <(printf '%s\n' "${names[@]}" | sort -u)
}

# Installs what is missing, as root or with sudo; ends the script with a clear message when that fails.
ensure_packages() {
    local missing
    command -v dpkg-query >/dev/null 2>&1 ||
        die "this is no Debian system; install the equivalents of: ${*%%:*}, then run cmake -S . -B build by hand"
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086
    set -- $missing
    say "installing $*"
    local run=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || die "not root and no sudo here; ask an administrator for: apt-get install $*"
        run=(sudo)
    fi
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
        -o DPkg::Lock::Timeout=900)
    "${run[@]}" "${install[@]}" "$@" >&2 && return 0
    say "refreshing the package lists"
    { "${run[@]}" apt-get update -qq && "${run[@]}" "${install[@]}" "$@"; } >&2 ||
        die "could not install: $*; check the network and /etc/apt/sources.list, or install them by hand"
}

# build_in FOLDER [CMAKE OPTIONS…]: configures once and builds. Quiet when nothing changed.
build_in() {
    local folder=$1 log
    shift
    if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/options.txt" 2>/dev/null)" != "$*" ]; then
        say "configuring $folder"
        mkdir -p "$folder"
        cmake -S . -B "$folder" -G Ninja "$@" >"$folder/configure.log" 2>&1 || {
            tail -n 30 "$folder/configure.log" >&2
            die "cmake failed in $folder; the whole log is $folder/configure.log"
        }
        printf '%s\n' "$*" >"$folder/options.txt"
    fi
    log=$folder/build.log
    ninja -C "$folder" 2>&1 | tee "$log" | announce_build "$folder" || {
        grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | tail -n 60 >&2
        die "the build failed in $folder; the whole log is $log"
    }
}

# Says that a build runs once it compiles or links anything, and how far it is: on a terminal with every step, in a log
# with every tenth.
announce_build() {
    local line said=no tenth=0 now
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
        if [ $said = no ]; then
            say "building into $1"
            said=yes
        fi
        now=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        if [ -t 2 ]; then
            printf '\r%s/%s ' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
        elif [ $now -gt $tenth ] && [ $now -lt 10 ]; then
            tenth=$now
            say "$((10 * now)) % built"
        fi
    done
    [ $said = no ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}
