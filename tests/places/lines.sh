#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# lines.sh FOLDER: one more of each kind of thing, as CONTRIBUTING.md says: a layer, an engine, a brush, a field of
# scenes and a kind of object. Copies of the files that change go to FOLDER, under the names by which they are included,
# with the lines that somebody would write; files that are new are beside this one. Every thing may touch so many files
# and no more, and CONTRIBUTING.md must name them where it speaks of such a thing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
out=$1

die() {
    echo "$1" >&2
    exit 1
}

# begin THING MOST NEW: the row of CONTRIBUTING.md, how many files it may take, and how many of those are new.
begin() {
    row=$(grep "^| $1 |" "$root/CONTRIBUTING.md") || die "CONTRIBUTING.md has no row for: $1"
    thing=$1 most=$2 touched=""
    count=$3
    mkdir -p "$out"
}

# line FILE PATTERN: puts what comes in before the first line of the file that matches.
line() {
    local file=$1 pattern=$2 copy=$out/${1#*/}
    [[ $file != include/* ]] || copy=$out/${file#include/}
    [[ " $touched " == *" $file "* ]] || count=$((count + 1))
    touched+=" $file"
    [ "$count" -le "$most" ] || die "$thing takes more than $most files:$touched"
    [[ $row == *$(basename "$file")* ]] || die "CONTRIBUTING.md does not name $file for: $thing"
    mkdir -p "$(dirname "$copy")"
    [ -e "$copy" ] || cp "$root/$file" "$copy"
    grep -qE -- "$pattern" "$copy" || die "$file has no line like: $pattern"
    cat >"$out/added"
    awk -v added="$out/added" -v pattern="$pattern" '!done && $0 ~ pattern {
        while ((getline text < added) > 0) print text
        done = 1
    } { print }' "$copy" >"$out/changed"
    mv "$out/changed" "$copy"
}

rm -rf "$out"

begin "layer of motion" 2 1 # layer_sway.c
line solver/scene/layer_list.inl 'QV_LAYER.qvSecondaryLayer' <<<'QV_LAYER(swayLayer)'

begin "engine of simulations" 2 1 # swarm_engine.c
line solver/scene/engine_list.inl 'QV_ENGINE.qvSurfaceEngine' <<<'QV_ENGINE(swarmEngine)'

begin "brush" 3 2 # brush_lift.c, tool_lift.c
line include/quaver/brush_list.inl '^OTHER_BRUSH' <<<'ELASTIC_BRUSH(Lift, "lift", "Lift", "Lift", "", "Poses by moving up")'

begin "field of scenes" 2 0
line include/quaver/scene.h 'double unit;' <<<'double sway;'
line solver/scene/fields_scene.c 'Object, qv_fieldOther, qvScene, mesh,' <<'C'
{ QV_ROW(Number, qv_fieldNumber, qvScene, sway, "sway", "Sway", "m", "Sways the body sideways.", 0, 10, 0) },
C

begin "kind of object in scenes" 4 0
line include/quaver/object_list.inl '^QV_OBJECT.event' <<<'QV_OBJECT(lamp, Lamp)'
line include/quaver/scene.h '^typedef struct qvScene$' <<'C'
typedef struct qvSceneLamp
{
    qvId id;
    qvVec3 at;
    double brightness;
    const qvBlob* extra;
} qvSceneLamp;
C
line include/quaver/scene.h 'pinCount, stripCount' <<'C'
    int lampCount;
    const qvSceneLamp* const* lamps;
C
line solver/scene/fields_scene.c 'LIST.markers,' <<'C'
    LIST(lamps, lampCount, qv_objectLamp, "lamps", "Lamps", "What shines."),
C
line solver/scene/fields_scene.c '^static const qvRow markerRows' <<'C'
static const qvRow lampRows[] = {
    { QV_ROW(Vector, qv_fieldVector, qvSceneLamp, at, "at", "Place", "m", "Where it is.", -1e9, 1e9, 0) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneLamp, brightness, "brightness", "Brightness", "", "How bright.", 0, 1, 0.5) },
};
const qvKindInfo qvKindLamp = {
    .label = "lamp",
    .rows = lampRows,
    .rowCount = sizeof(lampRows) / sizeof(lampRows[0]),
    .list = "lamps",
    .type = &qvSharedLamp,
    .extra = 1 + offsetof(qvSceneLamp, extra),
    .limit = 100,
};
C
line solver/scene/shared.c 'PART.qvScene, strips.' <<<'    PART(qvScene, lamps),'
line solver/scene/shared.c '^TYPE.qvSharedScene' <<'C'
static const size_t qvSharedLampParts[] = { PART(qvSceneLamp, extra) };
TYPE(qvSharedLamp, qvSceneLamp);
C
begin "kind of object in scenes" 4 0 # one that lamps hold
line include/quaver/object_list.inl '^QV_OBJECT.event' <<<'QV_OBJECT(bulb, Bulb)'
line include/quaver/scene.h '^typedef struct qvSceneLamp$' <<'C'
typedef struct qvSceneBulb
{
    qvId id;
    double power;
    const qvBlob* extra;
} qvSceneBulb;
C
line include/quaver/scene.h 'double brightness;' <<'C'
    int bulbCount;
    const qvSceneBulb* const* bulbs;
C
line solver/scene/fields_scene.c 'QV_ROW.Number, qv_fieldNumber, qvSceneLamp, brightness' <<'C'
    { QV_ROW(List, qv_fieldOther, qvSceneLamp, bulbs, "bulbs", "Bulbs", "", "What is in it.", 0, 0, 0),
      .extent = offsetof(qvSceneLamp, bulbCount), .kind = qv_objectBulb },
C
line solver/scene/fields_scene.c '^static const qvRow lampRows' <<'C'
static const qvRow bulbRows[] = {
    { QV_ROW(Number, qv_fieldNumber, qvSceneBulb, power, "power", "Power", "W", "How much it takes.", 0, 100, 40) },
};
const qvKindInfo qvKindBulb = {
    .label = "bulb",
    .rows = bulbRows,
    .rowCount = sizeof(bulbRows) / sizeof(bulbRows[0]),
    .list = "bulbs",
    .owner = qv_objectLamp,
    .type = &qvSharedBulb,
    .extra = 1 + offsetof(qvSceneBulb, extra),
    .limit = 100,
};
C
line solver/scene/shared.c 'qvSharedLampParts' <<'C'
static const size_t qvSharedBulbParts[] = { PART(qvSceneBulb, extra) };
TYPE(qvSharedBulb, qvSceneBulb);
C
sed -i 's/\(qvSharedLampParts\[\] = { \)/\1PART(qvSceneLamp, bulbs), /' "$out/scene/shared.c"
rm -f "$out/added"
