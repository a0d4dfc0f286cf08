// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_place.h"

#include "command.h"
#include "interrupt.h"

#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    PATIENCE = 100000000 // ns between looks for a signal: seldom enough to disturb no measurement
};

static int RemoveEntry(const char* path, const struct stat* info, int kind, struct FTW* at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

void RemoveFolder(const char* path)
{
    nftw(path, RemoveEntry, 8, FTW_DEPTH | FTW_PHYS);
}

// Under another name first, so that nothing more is written into it.
static void* WaitForSignal(void* context)
{
    const BenchPlace* place = context;
    while (InterruptSignal() == 0)
        nanosleep(&(struct timespec){ .tv_nsec = PATIENCE }, NULL);
    char gone[sizeof(place->folder) + 8];
    snprintf(gone, sizeof(gone), "%s.gone", place->folder);
    RemoveFolder(rename(place->folder, gone) == 0 ? gone : place->folder);
    _exit(EXIT_SIGNAL + InterruptSignal());
}

qvResult MakeBenchPlace(BenchPlace* place, qvError* error)
{
    const char* base = getenv("TMPDIR");
    bool isLong = base == NULL || base[0] != '/' || strlen(base) > sizeof(place->folder) / 2;
    snprintf(place->folder, sizeof(place->folder), "%s/quaver-bench-XXXXXX", isLong ? "/tmp" : base);
    if (mkdtemp(place->folder) == NULL)
        return qvError_Set(error, qv_ioFailed, "%s: cannot make a folder for the benchmark: %s", place->folder,
                           strerror(errno));
    setenv("TMPDIR", place->folder, 1);
    pthread_t thread;
    if (pthread_create(&thread, NULL, WaitForSignal, place) != 0)
        return qv_ok; // signals end the program and leave the folder
    pthread_detach(thread);
    CatchInterrupts();
    return qv_ok;
}

void RemoveBenchPlace(const BenchPlace* place)
{
    RemoveFolder(place->folder);
}
