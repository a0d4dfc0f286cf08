#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include whom. Folders of solver/ see their own and lower levels only; each foreign library has one home.
set -euo pipefail

levels="base:0 math:1 mesh:2 kelvinlet:3 elastic:3 modal:4 wiggly:4 motion:5 waves:6 formats:7 scene:8 eval:9"
level_of() {
    local pair
    for pair in $levels; do
        [ "${pair%%:*}" != "$1" ] || { echo "${pair##*:}"; return; }
    done
    echo none
}

bad=0
complain() {
    echo "$1"
    bad=1
}

includes() { # lines "file:line:included"
    grep -rnE --include='*.[ch]' --include='*.inl' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include' "$@" |
        sed -E 's/^([^:]+:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1:\2/'
}

while IFS=: read -r file line name; do
    case $file in
    solver/*)
        own=$(echo "$file" | cut -d/ -f2)
        [ "$(level_of "$own")" != none ] || complain "$file: folder solver/$own has no level in $0"
        case $name in
        quaver/*) ;;
        */*)
            folder=${name%%/*}
            level=$(level_of "$folder")
            if [ "$level" != none ] && [ "$folder" != "$own" ] && [ "$level" -ge "$(level_of "$own")" ]; then
                complain "$file:$line: $own may not include $name"
            fi
            ;;
        esac
        ;;
    include/*)
        case $name in
        quaver/*) ;;
        */*) complain "$file:$line: a public header includes $name" ;;
        *.h)
            [ ! -e "include/quaver/$name" ] || [ -e "/usr/include/$name" ] ||
                complain "$file:$line: write quaver/$name"
            ;;
        esac
        ;;
    ui/* | app/*)
        case $name in
        quaver/*) ;;
        */*)
            folder=${name%%/*}
            [ "$(level_of "$folder")" = none ] || complain "$file:$line: ${file%%/*} sees only include/quaver, not $name"
            ;;
        esac
        ;;
    esac
    case $file:$name in
    ui/render/*:*imgui* | ui/render/*:SDL*) complain "$file:$line: ui/render knows neither ImGui nor SDL" ;;
    esac
    case $name in
    cjson/* | cJSON.h) [[ $file == solver/base/json.c ]] || complain "$file:$line: cJSON lives in solver/base/json.c" ;;
    lapacke.h | cblas.h) [[ $file == solver/math/* ]] || complain "$file:$line: LAPACKE and BLAS live in solver/math" ;;
    suitesparse/* | arpack/* | cholmod.h)
        [[ $file == solver/modal/* ]] || complain "$file:$line: CHOLMOD and ARPACK live in solver/modal" ;;
    epoxy/* | GL/* | EGL/*) [[ $file == ui/render/* ]] || complain "$file:$line: GL lives in ui/render" ;;
    SDL*)
        [[ $file == ui/window/* || $file == ui/cimgui/* ]] || complain "$file:$line: SDL lives in ui/window and ui/cimgui" ;;
    esac
done < <(includes include solver ui app)

cpp=$(git ls-files '*.cpp' '*.cc' '*.hpp' | grep -v '^ui/cimgui/' || true)
[ -z "$cpp" ] || complain "C++ outside ui/cimgui: $cpp"

exit $bad
