#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_thumbnails.sh QUAVER [NAME…]: draws scenes/NAME.png for every scene or those named, at the moment that shows it best.
# Needs ImageMagick. A picture is replaced when its new one is complete.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: make_thumbnails.sh QUAVER [NAME…]" >&2; exit 2; }
command -v convert > /dev/null || { echo "make_thumbnails.sh needs ImageMagick: apt-get install imagemagick" >&2; exit 1; }
quaver=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

moment() {
    case $1 in
        ball_and_cube) echo 1.4 ;;
        chain) echo 2.9 ;;
        clay_ball) echo 2.3 ;;
        curling_tentacle) echo 1.6 ;;
        dancing_sack) echo 0 ;;
        dented_panel) echo 1.5 ;;
        figure_in_mould) echo 0.3 ;;
        fish_in_a_bowl) echo 0.6 ;;
        footfall) echo 0.9 ;;
        hopper) echo 0.2 ;;
        jelly_stairs) echo 1.6 ;;
        jumping_block) echo 1.05 ;;
        punch_shockwave) echo 0.62 ;;
        rain_on_a_pond) echo 2.5 ;;
        running_imp) echo 0.36 ;;
        sheet_in_the_wind) echo 0.85 ;;
        sliding_imp) echo 1.5 ;;
        somersault) echo 0.85 ;;
        struck_bell) echo 0.52 ;;
        tentacle_waves) echo 1.75 ;;
        torn_figure) echo 0.85 ;;
        twisted_beam | twisted_beam_whole) echo 3 ;;
        waving_hand) echo 1.1 ;;
        wax_imp) echo 1.6 ;;
        *) echo 0 ;;
    esac
}

# How large the whole view is of which the picture shows 320x180, and where from its middle: what a scene's camera shows,
# the middle of the view of the whole motion, or a small figure from near.
view() {
    case $1 in
        somersault) echo 600x338 +36-8 ;;
        *) if grep -q '^  "camera"' "$1.json"; then echo 320x180 +0+0; else echo 400x225 +0+0; fi ;;
    esac
}

[ $# -gt 0 ] || set -- *.json
for name in "${@%.json}"; do
    read -r size place <<< "$(view "$name")"
    "$quaver" render "$name.json" -o "$folder/view.png" --time "$(moment "$name")" --size "$size"
    # In few colours: small files.
    convert "$folder/view.png" -gravity center -crop "320x180$place" +repage -dither FloydSteinberg -colors 64 \
        -strip -define png:compression-level=9 -define png:exclude-chunks=date,time "PNG8:$folder/small.png"
    cp "$folder/small.png" "$name.png"
done
