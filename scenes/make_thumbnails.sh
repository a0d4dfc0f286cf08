#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_thumbnails.sh QUAVER [NAME…]: draws scenes/NAME.png for every scene or those named, at the moment that shows it best.
# Needs ImageMagick.
set -euo pipefail
quaver=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")"

moment() {
    case $1 in
        dancing_sack) echo 0 ;;
        dented_panel) echo 1.5 ;;
        footfall) echo 0.9 ;;
        hopper) echo 0.2 ;;
        jumping_block) echo 1.05 ;;
        punch_shockwave) echo 0.68 ;;
        rain_on_a_pond) echo 2.5 ;;
        running_imp) echo 0.36 ;;
        sheet_in_the_wind) echo 0.85 ;;
        somersault) echo 0.88 ;;
        tentacle_waves) echo 1.75 ;;
        waving_hand) echo 1.1 ;;
        *) echo 0 ;;
    esac
}

[ $# -gt 0 ] || set -- *.json
for name in "${@%.json}"; do
    # What a scene's camera shows, or the middle of the view of the whole motion; in few colours: small files.
    size=400x225
    ! grep -q '^  "camera"' "$name.json" || size=320x180
    "$quaver" render "$name.json" -o "$name.png" --time "$(moment "$name")" --size $size
    convert "$name.png" -gravity center -crop 320x180+0+0 +repage -dither FloydSteinberg -colors 64 \
        -strip -define png:compression-level=9 -define png:exclude-chunks=date,time "PNG8:$name.png"
done
