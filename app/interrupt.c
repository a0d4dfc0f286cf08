// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

typedef void (*Handler)(int);

// A handler has no context, so this one number cannot belong to anyone.
static volatile sig_atomic_t interrupted = 0;

static void Catch(int number)
{
    interrupted = number;
}

static void Take(Handler handler)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        struct sigaction action = { .sa_handler = SIG_DFL }, before;
        if (sigaction(numbers[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = handler;
        action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(numbers[i], &action, NULL);
    }
}

void CatchInterrupts(void)
{
    Take(Catch);
}

static Handler others; // who catches SIGTERM, nor can this belong to anyone

static void Join(int number)
{
    interrupted = number;
    others(SIGTERM);
}

void JoinInterrupts(void)
{
    struct sigaction before;
    if (sigaction(SIGTERM, NULL, &before) != 0 || before.sa_handler == SIG_IGN || before.sa_handler == SIG_DFL)
    {
        CatchInterrupts();
        return;
    }
    others = before.sa_handler;
    Take(Join);
}

// METIS, which orders the unknowns of large bodies, takes SIGTERM and SIGABRT for itself while it works, in all
// threads, and jumps back from whichever gets one, also where there is nothing to jump to. It asks for that by this
// function of the C library, in whose place this one stands: here both stay whose they are. Others get what they ask
// for.
__attribute__((visibility("default"))) Handler __sysv_signal(int number, Handler handler);

Handler __sysv_signal(int number, Handler handler)
{
    struct sigaction action = { .sa_handler = handler }, before;
    if (number == SIGTERM || number == SIGABRT)
        return SIG_DFL;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

int InterruptSignal(void)
{
    return interrupted;
}
