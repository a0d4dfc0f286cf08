#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# README, manual, man page and CONTRIBUTING keep up: every command and option is described, every file, key and label that is
# named exists, and demos are described as they describe themselves.
set -uo pipefail
quaver=$1
man=app/data/quaver.1
bad=0
complain() {
    echo "$1"
    bad=1
}

mapfile -t commands < <("$quaver" --help | sed -nE 's/^  quaver ([a-z]+) .*/\1/p')
[ ${#commands[@]} -gt 0 ] || complain "quaver --help lists no commands"
for command in "${commands[@]}"; do
    grep -qx ".B $command" $man || complain "$man does not describe 'quaver $command'"
    grep -q "^| \`quaver $command " README.md || complain "README.md does not list 'quaver $command'"
    grep -q "quaver $command" CHANGELOG.md || complain "CHANGELOG.md does not mention 'quaver $command'"
done

# The man page writes every dash as \-.
options=$("$quaver" --help | grep -oE -- '--[a-z-]+' | sort -u | grep -vxE -- '--(help|version)')
for option in $options; do
    grep -qE "^\.BI? ${option//-/\\\\-}( |$)" $man || complain "$man does not describe $option"
done

version=$("$quaver" --version)
grep -q "^.TH .*\"Quaver ${version#quaver }\"" $man || complain "$man is not of version ${version#quaver }"
grep -q "^## ${version#quaver }" CHANGELOG.md || complain "CHANGELOG.md has no section for ${version#quaver }"

# Links, and the lists of CONTRIBUTING's table.
for file in $(grep -ohE '\]\([^):]+\)' README.md CONTRIBUTING.md CHANGELOG.md | tr -d ']()'); do
    [ -e "$file" ] || complain "linked, but not there: $file"
done
# What ARCHITECTURE.md names: functions and types that headers declare, files and folders.
for name in $(grep -oE '\bqv(ui)?[A-Z][A-Za-z]*(_[A-Za-z]+)?' ARCHITECTURE.md | sort -u); do
    git grep -qw "$name" -- '*.h' || complain "ARCHITECTURE.md names $name, which no header has"
done
for file in $(grep -oE '(solver|ui|app)/[a-z_/]+(\.[a-z]+)?' ARCHITECTURE.md | sort -u); do
    [ -e "$file" ] || complain "ARCHITECTURE.md names $file, which does not exist"
done
for list in $(grep -oE '[a-z]+_list\.inl' CONTRIBUTING.md | sort -u); do
    [ -n "$(git ls-files "*/$list")" ] || complain "CONTRIBUTING.md names $list, which does not exist"
done
for list in $(git ls-files '*_list.inl'); do
    grep -q "$(basename "$list")" CONTRIBUTING.md || complain "CONTRIBUTING.md does not name $list"
done

for scene in scenes/*.json; do
    about=$(sed -nE 's/^  "about": "(.)(.*)\.",?$/\L\1\E\2/p' "$scene")
    grep -qF "| [$(basename "$scene" .json)]($scene) | $about |" README.md ||
        complain "README.md has no row that says of $scene: $about"
done

# The five minutes of the manual are those of the README, which has pictures and more.
manual=app/data/manual.md
plain() { tr -d '*`' | tr -s ' \n' ' '; }
for step in Pose Time Watch Export; do
    text=$(sed -n "/^- $step\\./,/^- /p" $manual | sed "1s/^- //; 1!{/^- /d}" | plain)
    [ -n "$text" ] || complain "$manual has no step $step"
    [[ "$(plain <README.md)" == *"$text"* ]] || complain "README.md does not say what $manual says of $step"
done

# Keys that are held together, and labels: in quotes or italics.
for keys in $(grep -ohE '((Ctrl|Shift|Alt)\+)+(F[0-9]+|[A-Z][a-z]*)' README.md $manual | grep -v 'Tab$' | sort -u); do
    grep -qE "\"([^\"]*\|)?${keys//+/\\+}(\||\")" ui/actions/action_list.inl include/quaver/brush_list.inl || complain "no action has the shortcut $keys"
done
while read -r label; do
    grep -rqiF -e "\"$label\"" -e "\"$label\\xe2" ui solver || complain "nothing in the window is called \"$label\""
done < <(grep -v blender $manual | grep -oE '"[^"]+"' | tr -d '"'
    sed '/^## Papers/,$d' README.md | grep -oE '(^|[^*])\*[A-Z][^*.]*\*([^*]|$)' | sed -E 's/.*\*(.*)\*.*/\1/')
exit $bad
