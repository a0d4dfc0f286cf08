// SPDX-License-Identifier: GPL-3.0-or-later
// OpenBLAS picks its kernels while it is loaded, from OPENBLAS_CORETYPE or from the CPU; on CPUs that it does not know
// it takes kernels that are five times slower. All that can be done then is to set the variable and start again.
#include "blas_setup.h"

#include "quaver/blas.h"

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

void SetUpBlas(char** argv)
{
    const char* core = qvBlas_WantedCore();
    if (core != NULL && getenv(guard) == NULL && getenv("OPENBLAS_CORETYPE") == NULL &&
        setenv("OPENBLAS_CORETYPE", core, 1) == 0 && setenv(guard, "1", 1) == 0)
        RestartSelf(argv);
    // Programs that this one starts decide for themselves.
    if (getenv(guard) != NULL)
    {
        unsetenv(guard);
        unsetenv("OPENBLAS_CORETYPE");
    }
    qvBlas_UseOneThread();
}
