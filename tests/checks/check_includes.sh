#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include whom. Folders of solver/ see their own and lower levels only; each foreign library has one home.
set -euo pipefail

levels="base:0 math:1 mesh:2 body:3 layer:3 kelvinlet:4 elastic:4 modal:5 wiggly:5 motion:6 bem:6 phyxel:6 waves:7 formats:8 scene:9 eval:10"
declare -A level
for pair in $levels; do
    level[${pair%%:*}]=${pair##*:}
done

# The folder that implements each public header.
homes="base: result file job json numbered parameter path store version
math: math mat3 sparse blas
mesh: mesh topology bvh primitive rig
body: obstacle
layer: base_motion simulation
kelvinlet: kelvinlet brush limb
elastic: shell
modal: modal
wiggly: wiggly
motion: motion
waves: waves
formats: model image gif animation
scene: scene document take contact scenery part relax
eval: eval"
declare -A home
while IFS=: read -r folder names; do
    for name in $names; do
        home[quaver/$name.h]=$folder
    done
done <<<"$homes"

bad=0
complain() {
    echo "$1"
    bad=1
}

includes() { # lines "file:line:included"
    grep -rnE --include='*.[ch]' --include='*.inl' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include' "$@" |
        sed -E 's/^([^:]+:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1:\2/'
}

for file in include/quaver/*.h; do
    [ -n "${home[${file#include/}]:-}" ] || complain "$file has no home in $0"
done

# may_see FOLDER NAME: whether a file of that folder may include a header of the project, private or public.
may_see() {
    local folder=${home[$2]:-${2%%/*}}
    [ -z "${level[$folder]:-}" ] || [ "$folder" = "$1" ] || [ "${level[$folder]}" -lt "${level[$1]}" ]
}

while IFS=: read -r file line name; do
    [[ $name != *../* ]] || complain "$file:$line: $name: name headers from the top"
    case $file in
    solver/*)
        own=${file#solver/}
        own=${own%%/*}
        if [ -z "${level[$own]:-}" ]; then
            complain "$file: folder solver/$own has no level in $0"
        elif ! may_see "$own" "$name"; then
            complain "$file:$line: $own may not include $name"
        fi
        ;;
    include/*)
        case $name in
        quaver/*)
            own=${home[${file#include/}]:-eval}
            may_see "$own" "$name" || complain "$file:$line: a header of $own may not include $name"
            ;;
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
            [ -z "${level[${name%%/*}]:-}" ] || complain "$file:$line: ${file%%/*} sees only include/quaver, not $name"
            ;;
        esac
        ;;
    esac
    case $file:$name in
    app/*:ui/*/*) complain "$file:$line: app sees only the headers directly in ui/, not $name" ;;
    ui/render/*:*imgui* | ui/render/*:SDL*) complain "$file:$line: ui/render knows neither ImGui nor SDL" ;;
    esac
    case $name in
    cjson/* | cJSON.h) [[ $file == solver/base/json*.c ]] || complain "$file:$line: cJSON lives in solver/base/json*.c" ;;
    lapacke.h | cblas.h) [[ $file == solver/math/* ]] || complain "$file:$line: LAPACKE and BLAS live in solver/math" ;;
    suitesparse/* | arpack/* | cholmod.h)
        [[ $file == solver/modal/* ]] || complain "$file:$line: CHOLMOD and ARPACK live in solver/modal" ;;
    meshoptimizer.h) [[ $file == solver/mesh/meshopt.c ]] || complain "$file:$line: meshoptimizer lives in solver/mesh/meshopt.c" ;;
    draco/*) [[ $file == solver/formats/draco.cpp ]] || complain "$file:$line: Draco lives in solver/formats/draco.cpp" ;;
    zlib.h) [[ $file == solver/formats/* ]] || complain "$file:$line: zlib lives in solver/formats" ;;
    imgui*) [[ $file == ui/cimgui/* ]] || complain "$file:$line: C++ ImGui lives in ui/cimgui" ;;
    stb_*) [[ $file == ui/render/* ]] || complain "$file:$line: stb lives in ui/render" ;;
    epoxy/* | GL/* | EGL/*) [[ $file == ui/render/* ]] || complain "$file:$line: GL lives in ui/render" ;;
    SDL*)
        [[ $file == ui/window/* || $file == ui/cimgui/* ]] || complain "$file:$line: SDL lives in ui/window and ui/cimgui" ;;
    esac
done < <(includes include solver ui app)

cpp=$(git ls-files '*.cpp' '*.cc' '*.hpp' | grep -vE '^ui/cimgui/|^solver/formats/draco\.cpp$' || true)
[ -z "$cpp" ] || complain "C++ outside ui/cimgui and the wrapper of Draco: $cpp"

exit $bad
