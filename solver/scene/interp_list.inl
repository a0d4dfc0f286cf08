// SPDX-License-Identifier: GPL-3.0-or-later
// One line per way to arrive at a key, in the order of qvInterp: tag for files, label for people.
INTERP(qv_interpWiggly, "wiggly", "Wiggly")
INTERP(qv_interpSmooth, "smooth", "Smooth")
INTERP(qv_interpLinear, "linear", "Linear")
INTERP(qv_interpHold, "hold", "Hold")
INTERP(qv_interpWave, "wave", "Wave")
