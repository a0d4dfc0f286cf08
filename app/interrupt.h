// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C and requests to end, for commands that write files: the work stops and removes what it began.
#pragma once

/// From now on SIGINT, SIGTERM and SIGHUP only ask for a stop; each a second time ends the program at once. Signals
/// that the caller of the program had ignored stay so.
void CatchInterrupts(void);

/// The same for a program whose library has handlers of its own, which are called too; SIGHUP goes to the one of
/// SIGTERM.
void JoinInterrupts(void);

/// The signal that asked for a stop; 0: none has.
int InterruptSignal(void);
