#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The C binding has the signatures that cimgui's generator gives: those of Dear ImGui's own header, with every parameter,
# references as values, the object first as "self" and a returned vector as "pOut".
set -euo pipefail
folder=$(pkg-config --variable=includedir imgui)
headers=()
for name in imgui.h imgui_internal.h; do
    for place in "$folder/imgui" "$folder"; do
        [ -f "$place/$name" ] && headers+=("$place/$name") && break
    done
done
[ ${#headers[@]} -eq 2 ] || { echo "Dear ImGui's headers are not in $folder"; exit 1; }

perl -0777 -e '
use strict; use warnings;
sub text { local @ARGV = @_; my $t = join "", <>; $t =~ s{//[^\n]*}{}g; $t =~ s/IM_FMT\w+\(\d\)//g; return $t }
# "const ImVec2& size = ImVec2(0, 0)" becomes "const ImVec2 size".
sub parameters {
    my ($depth, @list, $one) = (0);
    $one = "";
    for my $c (split //, $_[0] . ",") {
        $depth += ($c eq "(") - ($c eq ")");
        if ($c eq "," && $depth == 0) { push @list, $one; $one = "" } else { $one .= $c }
    }
    my @made;
    for (@list) { s/=.*//s; s/&/ /g; s/\s*\*\s*/* /g; s/\s+/ /g; s/^ | $//g; push @made, $_ if $_ ne "" && $_ ne "void" }
    return join ", ", @made;
}
my $upstream = text(@ARGV[1, 2]);
my ($count, $bad) = (0, 0);
my $binding = text($ARGV[0]);
while ($binding =~ /CIMGUI_API\s+[^;()]*?(\w+)\(([^;]*)\);/g) {
    my ($name, $own) = ($1, parameters($2));
    next if $name =~ /^(\w+)_(\1|destroy)$/; # new and delete
    my $base = $name =~ /^ig([^_]+)/ ? $1 : $name =~ /^\w+?_([^_]+)/ ? $1 : $name;
    $own =~ s/^ImVec2\* pOut(, )?//;
    $own =~ s/^(const )?\w+\* self(, )?//;
    my $found = 0;
    while ($upstream =~ /\b$base\(((?:[^()]|\([^()]*\))*)\)\s*(?:const)?\s*[;{]/g) { $found ||= parameters($1) eq $own }
    $count++;
    next if $found;
    print "$name($own): Dear ImGui has no such $base\n";
    $bad++;
}
print "$count functions\n";
exit($bad > 0 || $count < 50);
' ui/cimgui/cimgui.h "${headers[@]}"
