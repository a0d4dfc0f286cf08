// SPDX-License-Identifier: GPL-3.0-or-later
// One line per material preset, in menu order: label, wobble (Hz), settle (s), stiff damping (s), fastest wobble (Hz),
// stretch and bend resistance.
MATERIAL("Jelly", 2.0, 2.0, 0.0, 12.0, 1.0, 1.0)
MATERIAL("Rubber", 4.0, 0.6, 0.002, 12.0, 1.0, 1.0)
MATERIAL("Flesh", 2.5, 0.5, 0.01, 8.0, 1.0, 0.5)
MATERIAL("Sheet metal", 6.0, 3.0, 0.0, 16.0, 20.0, 1.0)
MATERIAL("Paper", 3.0, 0.35, 0.004, 12.0, 50.0, 0.2)
