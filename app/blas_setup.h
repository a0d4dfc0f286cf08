// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Gets OpenBLAS ready: one thread, and kernels that fit the CPU. For the latter the program may start itself again,
/// once, with OPENBLAS_CORETYPE set; call it before anything else. Whatever fails only costs speed.
void SetUpBlas(char** argv);
