// SPDX-License-Identifier: GPL-3.0-or-later
// The program: finds the subcommand and runs it.
#include "blas_setup.h"
#include "command.h"

#include "quaver/version.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>

static const Command* const commands[] = {
#define COMMAND(name) &name,
#include "command_list.inl"
#undef COMMAND
};

enum
{
    COMMAND_COUNT = sizeof(commands) / sizeof(commands[0])
};

static void PrintHelp(FILE* stream)
{
    fputs("Quaver " QV_VERSION ", a keyframe spacetime animation editor\n\nusage:\n", stream);
    fprintf(stream, "  quaver %s\n      %s\n", commandEditor.arguments, commandEditor.summary);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(stream, "  quaver %s %s\n      %s\n", commands[i]->name, commands[i]->arguments, commands[i]->summary);
    fputs("  quaver --version | --help\n", stream);
}

static int RunCommand(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "";
    for (int i = 0; i < COMMAND_COUNT; i++)
    {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i]->run(argc - 2, argv + 2);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    {
        PrintHelp(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0)
    {
        puts("quaver " QV_VERSION);
        return EXIT_DONE;
    }
    return commandEditor.run(argc - 1, argv + 1);
}

// What is large goes back to the system when it is freed. Left alone, glibc takes ever larger blocks from heaps, one
// per thread, and the gaps between them stay.
static void SetUpMemory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 2 * 1024 * 1024);
    mallopt(M_ARENA_MAX, 2);
#endif
}

int main(int argc, char** argv)
{
    SetUpBlas(argv);
    SetUpMemory();
    int status = RunCommand(argc, argv);
    // A full disk shows only when what is buffered is written.
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_DONE)
        return FailWith("cannot write the output: %s", strerror(errno));
    return status;
}
