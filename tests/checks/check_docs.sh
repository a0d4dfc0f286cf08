#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# README, man page and CONTRIBUTING keep up: every command and option is described, every file that is named exists.
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
for list in $(grep -oE '[a-z]+_list\.inl' CONTRIBUTING.md | sort -u); do
    [ -n "$(git ls-files "*/$list")" ] || complain "CONTRIBUTING.md names $list, which does not exist"
done
for list in $(git ls-files '*_list.inl'); do
    grep -q "$(basename "$list")" CONTRIBUTING.md || complain "CONTRIBUTING.md does not name $list"
done
exit $bad
