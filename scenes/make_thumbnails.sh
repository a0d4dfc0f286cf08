#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_thumbnails.sh QUAVER: draws scenes/NAME.png for every scene, at the moment that shows it best.
# Needs ImageMagick.
set -euo pipefail
quaver=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

moment() {
    case $1 in
        dancing_sack) echo 0.5 ;;
        dented_panel) echo 1.5 ;;
        footfall) echo 1.5 ;;
        hopper) echo 0 ;;
        jumping_block) echo 1.05 ;;
        punch_shockwave) echo 0.68 ;;
        running_imp) echo 0.36 ;;
        sheet_in_the_wind) echo 0.85 ;;
        somersault) echo 1.2 ;;
        tentacle_waves) echo 1.75 ;;
        waving_hand) echo 1.1 ;;
        *) echo 0 ;;
    esac
}

for scene in *.json; do
    name=${scene%.json}
    "$quaver" render "$scene" -o "$name.png" --time "$(moment "$name")" --size 400x225
    # The middle of it, in few colours: small files.
    convert "$name.png" -gravity center -crop 320x180+0+0 +repage -dither FloydSteinberg -colors 64 \
        -strip -define png:compression-level=9 -define png:exclude-chunks=date,time "PNG8:$name.png"
done
