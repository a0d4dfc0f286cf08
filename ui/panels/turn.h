// SPDX-License-Identifier: GPL-3.0-or-later
/// Rotations as people type them: angles in degrees about the fixed axes x, then y, then z. Files hold x, y, z, w.
#pragma once

#include <stdbool.h>

/// The unit quaternion of three angles.
void qvuiAnglesToTurn(const double angles[3], double turn[4]);

/// Makes angles (those shown so far; zero: none) the angles of a turn of any length. They stay as they are when they
/// mean this rotation; else each lies in (-180, 180], and of the two ways to write a rotation the nearer one is taken.
void qvuiTurnToAngles(const double turn[4], double angles[3]);

/// Whether angles mean a rotation.
bool qvuiAnglesMean(const double angles[3], const double turn[4]);
