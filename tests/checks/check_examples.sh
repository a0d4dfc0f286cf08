#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples in the comments of headers call functions that exist, with as many arguments as these take.
set -euo pipefail
exec perl -0777 -ne '
    # Arguments between the parenthesis that starts at the position and the one that closes it; -1 for "…".
    sub count {
        my ($text, $at) = @_;
        my ($depth, $commas, $any) = (0, 0, 0);
        for (my $i = $at; $i < length $text; $i++) {
            my $c = substr $text, $i, 1;
            if ($c =~ /[(\[{]/) { $depth++; next }
            if ($c =~ /[)\]}]/) { return $any ? $commas + 1 : 0 if --$depth == 0; next }
            $commas++ if $c eq "," && $depth == 1;
            $any = 1 if $c =~ /\S/;
        }
        return -1;
    }
    my $example = join "\n", map { /^\/\/\/ {5}(.*)/ ? ($1 =~ s{ // .*}{}r) : () } split /\n/;
    (my $code = $_) =~ s{//[^\n]*}{}g;
    while ($code =~ /\b(qv\w*)(?=\()/g) { my ($name, $end) = ($1, pos $code);
        my $all = count($code, $end);
        $takes{$name} = substr($code, $end) =~ /^\(void\)/ ? 0 : $all; }
    while ($example =~ /\b(qv\w*)(?=\()/g) { push @calls, [$ARGV, $1, count($example, pos $example)]; }
    END {
        for (@calls) {
            my ($file, $name, $given) = @$_;
            my $wanted = $takes{$name} // "no such function";
            next if $wanted eq $given;
            print "$file: the example calls $name with $given arguments; declared: $wanted\n";
            $bad++;
        }
        print scalar(@calls), " calls in examples\n";
        exit($bad || @calls < 20 ? 1 : 0);
    }' $(git ls-files "*.h")
