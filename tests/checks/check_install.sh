#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The release build installs, its library serves another program through pkg-config, and a .deb comes out; the command
# line builds without any window library.
set -euo pipefail
root=$PWD
release=$root/build/release
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -x "$release/quaver" ] || { echo "build/release is missing: run tests/run"; exit 1; }

DESTDIR=$folder/stage cmake --install "$release" --prefix /usr >"$folder/install.log"
for path in bin/quaver include/quaver/mesh.h include/quaver/version.h share/applications/quaver.desktop \
    share/icons/hicolor/scalable/apps/quaver.svg share/mime/packages/quaver.xml share/man/man1/quaver.1 \
    share/quaver/manual.md share/quaver/scenes/hopper.json share/quaver/scenes/hopper.glb \
    share/quaver/scenes/hopper.png share/doc/quaver/farm/README.md share/doc/quaver/farm/flamenco.js; do
    [ -e "$folder/stage/usr/$path" ] || { echo "not installed: $path"; exit 1; }
done
"$folder/stage/usr/bin/quaver" --version

# The README's example, linked through pkg-config alone.
pc=$(dirname "$(find "$folder/stage" -name quaver.pc)")
export PKG_CONFIG_PATH=$pc
sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '/^```/d' >"$folder/peek.c"
flags=$(pkg-config --cflags --libs quaver)
# shellcheck disable=SC2086
gcc -std=c17 -Wall -Wextra -Werror "$folder/peek.c" $flags -o "$folder/peek"
"$folder/peek" scenes/dancing_sack.json "$folder/dance.glb" | grep -E '^97 frames, [0-9]+ shapes$'
[ -s "$folder/dance.glb" ] || { echo "the README's example wrote nothing"; exit 1; }
unset PKG_CONFIG_PATH

(cd "$release" && cpack -G DEB -B "$folder/deb" >"$folder/cpack.log" 2>&1) || { cat "$folder/cpack.log"; exit 1; }
deb=$(echo "$folder"/deb/*.deb)
for package in libcjson libsdl2 libegl1 fonts-inter fonts-font-awesome; do
    dpkg-deb -f "$deb" Depends | grep -q "$package" || { echo "the .deb does not depend on $package"; exit 1; }
done
dpkg-deb -c "$deb" >"$folder/content.txt"
grep -q usr/bin/quaver "$folder/content.txt"

noui=$root/build/noui
cmake -S . -B "$noui" -G Ninja -DCMAKE_C_COMPILER=gcc -DQUAVER_UI=OFF -DQUAVER_WERROR=ON >"$folder/noui.log"
ninja -C "$noui" >>"$folder/noui.log" 2>&1 || { tail -n 30 "$folder/noui.log"; exit 1; }
if ldd "$noui/quaver" | grep -E 'SDL|libGL|libEGL|epoxy'; then
    echo "the program without a window still links window libraries"
    exit 1
fi
bash tests/checks/check_cli.sh "$noui/quaver"
