// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/opener.h"

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>

extern char** environ;

static const double PATIENCE = 5.0, PAUSE = 0.2; // s

bool qvuiOpener_Show(qvuiOpener* opener, const char* folder, double now)
{
    snprintf(opener->folder, sizeof(opener->folder), "%s", folder);
    const char* const arguments[] = { "xdg-open", opener->folder, NULL };
    opener->since = now;
    if (posix_spawnp(&opener->child, "xdg-open", NULL, NULL, (char* const*)(uintptr_t)arguments, environ) == 0)
        return true;
    opener->child = 0;
    return false;
}

bool qvuiOpener_HasFailed(qvuiOpener* opener)
{
    int status;
    if (opener->child == 0 || waitpid(opener->child, &status, WNOHANG) != opener->child)
        return false;
    opener->child = 0;
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

double qvuiOpener_NextWake(const qvuiOpener* opener, double now)
{
    return opener->child != 0 && now - opener->since < PATIENCE ? PAUSE : -1.0;
}
