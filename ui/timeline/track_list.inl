// SPDX-License-Identifier: GPL-3.0-or-later
// One line per track of the timeline, from top to bottom.
TRACK(qvuiTrackKeys)
TRACK(qvuiTrackFrame)
TRACK(qvuiTrackSimulations)
TRACK(qvuiTrackMelt)
TRACK(qvuiTrackClip)
TRACK(qvuiTrackWaves)
TRACK(qvuiTrackSecondary)
TRACK(qvuiTrackMarkers)
