// SPDX-License-Identifier: GPL-3.0-or-later
// One row per preset of wave events. size is the drag in diagonals, the angle in radians or the amount; it goes along
// the preset's direction. radius is in diagonals, speed in diagonals per second.
//     tag, label, description, shape, push, size, radius, speed, poisson, fade
PRESET("punch", "Punch", "A blow that travels through the body", "grab", false, 0.12, 0.10, 1.2, 0.45, 0.0)
PRESET("footfall", "Footfall", "A quick squash along the direction, as of a step", "pinch", false, -0.35, 0.15, 1.0,
       0.49, 0.0)
PRESET("ripple", "Ripple", "A small ring that spreads slowly", "grab", false, 0.05, 0.05, 0.5, 0.49, 0.0)
PRESET("dent", "Dent", "A push that stays", "grab", true, 0.08, 0.12, 1.0, 0.40, 0.0)
PRESET("shockwave", "Shockwave", "A fast swell in all directions", "scale", false, 0.60, 0.12, 0.8, 0.25, 0.0)
PRESET("twist_snap", "Twist snap", "A turn about the direction that springs back", "twist", false, 1.2, 0.15, 0.8, 0.45,
       0.0)
