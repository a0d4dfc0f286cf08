// SPDX-License-Identifier: GPL-3.0-or-later
// Subcommands of the program and how they read their arguments. To add one: write command_x.c with its descriptor at
// the bottom, add a line to command_list.inl.
#pragma once

#include "quaver/json.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Exit statuses, part of the command line's contract.
enum
{
    EXIT_DONE = 0,
    EXIT_FAILED = 1,   ///< bad input or failed work: one line on stderr
    EXIT_USAGE = 2,    ///< wrong usage
    EXIT_SIGNAL = 128, ///< plus the number of the signal that stopped the work
};

typedef struct Command
{
    const char* name;
    const char* arguments; ///< "FILE [--json]"
    const char* summary;   ///< one line for the list of commands
    int (*run)(int argumentCount, char** arguments);
} Command;

// Every command's descriptor, so that each can name itself in its usage text.
#define COMMAND(name) extern const Command name;
#include "command_list.inl"
#undef COMMAND

/// What runs when no command is named.
extern const Command commandEditor;

typedef enum OptionType
{
    OPTION_FLAG,   ///< bool: present or not
    OPTION_TEXT,   ///< const char*
    OPTION_TEXTS,  ///< Texts: all arguments from here on that are no options
    OPTION_INT,    ///< int, from minimum to maximum
    OPTION_MOST,   ///< the same where a number follows; without one the maximum
    OPTION_NUMBER, ///< double, from minimum to maximum
    OPTION_RANGE,  ///< double[2], written a:b, of finite numbers
    OPTION_FRAMES, ///< int[2], written a:b, or a for one frame
    OPTION_BYTES,  ///< double, written 512M, 4G or 0
    OPTION_SIZE,   ///< int[2], written 1280x720, each side up to maximum
} OptionType;

typedef struct Texts
{
    const char** items; ///< the command's, with room for every argument
    int count;
} Texts;

typedef struct Option
{
    const char* name; ///< "--json", or NULL: the next argument that is no option
    OptionType type;
    void* value; ///< where it goes; keeps its default when the option is absent
    const char* help;
    int minimum, maximum;
} Option;

/// Reads arguments into options. On a mistake, or for --help, prints usage and returns false with *status set to what
/// the program should exit with.
bool ParseOptions(const Command* command, const Option* options, int optionCount, int argumentCount, char** arguments,
                  int* status);

/// EXIT_DONE when the folder of a file that is to be written exists, and the file can be made or replaced; else says so
/// and returns EXIT_FAILED. Told before long work.
int CheckTarget(const char* path);

/// The same of a folder that is to be written.
int CheckTargetFolder(const char* path);

/// EXIT_FAILED with a message when the file to write is the one that is read, under whatever name; else EXIT_DONE.
int CheckIsOther(const char* input, const char* output);

/// Prints "quaver: message" to stderr and returns EXIT_FAILED, or more than EXIT_SIGNAL for work that a signal stopped.
int FailCommand(const qvError* error);

/// The same for a message of the command itself.
int FailWith(const char* format, ...) QV_PRINTF(1, 2);

/// Prints "quaver: message; see 'quaver command --help'" to stderr and returns EXIT_USAGE.
int FailUsage(const Command* command, const char* format, ...) QV_PRINTF(2, 3);

/// Prints a name, which may hold anything, also what a terminal would obey.
void PrintClean(const char* text);

/// Prints a JSON tree to stdout, frees it and returns the exit status.
int PrintJson(qvJson* root);
