// SPDX-License-Identifier: GPL-3.0-or-later
// OpenBLAS picks its kernels while it is loaded, from OPENBLAS_CORETYPE or from the CPU; on CPUs that it does not know
// it takes kernels that are five times slower. Where addresses are limited, each of its own threads takes 128 MB of
// them while it is loaded, or tries to for ever. All that can be done then is to set the variables and start again.
#include "blas_setup.h"

#include "quaver/blas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

// Set in the second start, so that there is no third one whatever OpenBLAS makes of the variable.
static const char guard[] = "QUAVER_RESTARTED";

// By its own path, so that the process keeps its name.
static void RestartSelf(char** argv)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    execv(path, argv);
}

static bool SetUnlessSet(const char* name, const char* value)
{
    return value != NULL && getenv(name) == NULL && setenv(name, value, 1) == 0;
}

void SetUpBlas(char** argv)
{
    if (getenv(guard) == NULL)
    {
        bool restarts = SetUnlessSet("OPENBLAS_CORETYPE", qvBlas_WantedCore());
        restarts |= SetUnlessSet("OPENBLAS_NUM_THREADS", qvBlas_IsCramped() ? "1" : NULL);
        if (restarts && setenv(guard, "1", 1) == 0)
            RestartSelf(argv);
    }
    // Programs that this one starts decide for themselves.
    else
    {
        unsetenv(guard);
        unsetenv("OPENBLAS_CORETYPE");
        unsetenv("OPENBLAS_NUM_THREADS");
    }
    qvBlas_UseOneThread();
}
