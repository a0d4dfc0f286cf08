// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

// A handler has no context, so this one number cannot belong to anyone.
static volatile sig_atomic_t interrupted = 0;

static void Catch(int number)
{
    interrupted = number;
}

void CatchInterrupts(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        struct sigaction action = { .sa_handler = SIG_DFL }, before;
        if (sigaction(numbers[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = Catch;
        action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(numbers[i], &action, NULL);
    }
}

int InterruptSignal(void)
{
    return interrupted;
}
