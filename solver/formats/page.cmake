# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D IN=page.html -D OUT=page.inc -P page.cmake: the page as numbers for an array in C, without its indentation and without
# lines that are comments.
file(READ ${IN} text HEX)
string(REGEX REPLACE "(..)" "0x\\1," text "${text}")
string(REGEX REPLACE "0x0a,(0x20,)+" "0x0a," text "${text}")
string(REGEX REPLACE "0x0a,0x2f,0x2f,(0x0[^a],|0x[^0].,)*" "" text "${text}")
file(WRITE ${OUT} "${text}\n")
