// SPDX-License-Identifier: GPL-3.0-or-later
// One row per kind of body for simulations, in menu order: label, engine, what it is like, its fields as in files. One
// whose engine or fields a program does not have is left out there.
PRESET("Jelly", "points", "Soft and lively: wobbles for long after every knock",
       { "wobble" : 2, "settle" : 1.5, "poisson" : 0.45, "friction" : 0.5 })
PRESET("Rubber ball", "points", "Bounces back quickly and keeps its shape",
       { "wobble" : 5, "settle" : 1.2, "poisson" : 0.4, "friction" : 0.8 })
PRESET("Clay", "points", "Keeps the dents that it gets",
       { "wobble" : 4, "settle" : 0.3, "poisson" : 0.4, "friction" : 0.9, "dent" : 0.8 })
PRESET("Wax", "points", "Sags and runs slowly, as near a flame",
       { "wobble" : 3, "settle" : 0.3, "poisson" : 0.4, "friction" : 0.7, "melt" : 0.5 })
PRESET("Honey", "points", "Runs apart and flows together",
       { "wobble" : 2, "settle" : 0.3, "poisson" : 0.4, "friction" : 0.6, "melt" : 1, "flow" : true })
PRESET("Ice that melts", "points", "Firm at first, then it runs away within three seconds",
       { "wobble" : 6, "settle" : 0.3, "poisson" : 0.3, "friction" : 0.1, "melt" : [ [ 0, 0 ], [ 1, 0 ], [ 3, 1 ] ] })
PRESET("Rubber ball", "surface", "Bounces back quickly and keeps its shape",
       { "wobble" : 5, "settle" : 1.2, "poisson" : 0.45, "friction" : 0.8 })
PRESET("Jelly", "surface", "Soft and lively: wobbles for long after every knock",
       { "wobble" : 2.5, "settle" : 1.5, "poisson" : 0.45, "friction" : 0.5 })
PRESET("Wood", "surface", "Hard and dull: knocks and lies still",
       { "wobble" : 14, "settle" : 0.15, "poisson" : 0.3, "friction" : 0.5 })
PRESET("Steel bell", "surface", "Hard and bright: rings for long",
       { "wobble" : 14, "settle" : 5, "poisson" : 0.3, "friction" : 0.3 })
