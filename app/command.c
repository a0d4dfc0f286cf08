// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.h"
#include "interrupt.h"

#include "quaver/file.h"
#include "quaver/path.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    MAX_FRAME = 1000000000
};

static void PrintUsage(FILE* stream, const Command* command, const Option* options, int optionCount)
{
    const char* space = command->name[0] != 0 ? " " : "";
    fprintf(stream, "usage: quaver %s%s%s\n%s\n", command->name, space, command->arguments, command->summary);
    for (int i = 0; i < optionCount; i++)
    {
        if (options[i].name != NULL)
            fprintf(stream, "  %-16s %s\n", options[i].name, options[i].help);
    }
}

static const Option* FindOption(const Option* options, int optionCount, const char* name)
{
    for (int i = 0; i < optionCount; i++)
    {
        if (options[i].name != NULL && strcmp(options[i].name, name) == 0)
            return &options[i];
    }
    return NULL;
}

// The positional argument that has not been given yet.
static const Option* NextPositional(const Option* options, int optionCount, int taken)
{
    for (int i = 0; i < optionCount; i++)
    {
        if (options[i].name == NULL && (taken-- == 0 || options[i].type == OPTION_TEXTS))
            return &options[i];
    }
    return NULL;
}

static bool StoreInt(const Option* option, const char* text)
{
    errno = 0;
    char* end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != 0 || errno != 0 || value < option->minimum || value > option->maximum)
        return false;
    *(int*)option->value = (int)value;
    return true;
}

static bool StoreNumber(const Option* option, const char* text)
{
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= option->minimum && value <= option->maximum))
        return false;
    *(double*)option->value = value;
    return true;
}

static bool StoreRange(const Option* option, const char* text)
{
    char* end;
    double first = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    const char* rest = end + 1;
    double second = strtod(rest, &end);
    if (end == rest || *end != 0 || !isfinite(first) || !isfinite(second))
        return false;
    ((double*)option->value)[0] = first;
    ((double*)option->value)[1] = second;
    return true;
}

// What is below or above all numbers of frames means as much as the least or the largest.
static int FrameNumber(const char* text, char** end)
{
    long number = strtol(text, end, 10);
    return (int)(number < -MAX_FRAME ? -MAX_FRAME : number > MAX_FRAME ? MAX_FRAME : number);
}

static bool StoreFrames(const Option* option, const char* text)
{
    char* end;
    int* frames = option->value;
    int first = FrameNumber(text, &end), last = first;
    if (end == text)
        return false;
    if (*end == ':')
    {
        const char* rest = end + 1;
        last = FrameNumber(rest, &end);
        if (end == rest)
            return false;
    }
    frames[0] = first, frames[1] = last;
    return *end == 0;
}

// A number and its unit; only nothing needs none.
static bool StoreBytes(const Option* option, const char* text)
{
    static const char units[] = "KMGT";
    char* end;
    double value = strtod(text, &end);
    if (end == text || !(value >= 0.0 && value <= 1e12))
        return false;
    const char* unit = *end != 0 ? strchr(units, *end) : NULL;
    if (unit != NULL)
        value = ldexp(value, 10 * (int)(unit - units + 1));
    if (unit != NULL ? end[1] != 0 && strcmp(end + 1, "B") != 0 : *end != 0 || value > 0.0)
        return false;
    *(double*)option->value = value;
    return value <= 1e15;
}

static bool StoreSize(const Option* option, const char* text)
{
    char* end;
    long width = strtol(text, &end, 10);
    if (end == text || *end != 'x')
        return false;
    const char* rest = end + 1;
    long height = strtol(rest, &end, 10);
    if (end == rest || *end != 0 || width < 1 || height < 1 || width > option->maximum || height > option->maximum)
        return false;
    ((int*)option->value)[0] = (int)width;
    ((int*)option->value)[1] = (int)height;
    return true;
}

// False with usage printed when the text is not what the option wants.
static bool StoreValue(const Command* command, const Option* option, const char* name, const char* text, int* status)
{
    switch (option->type)
    {
    case OPTION_INT:
    case OPTION_MOST:
        if (StoreInt(option, text))
            return true;
        *status = FailUsage(command, "%s must be a whole number from %d to %d", name, option->minimum, option->maximum);
        return false;
    case OPTION_NUMBER:
        if (StoreNumber(option, text))
            return true;
        *status = FailUsage(command, "%s must be a number from %d to %d", name, option->minimum, option->maximum);
        return false;
    case OPTION_RANGE:
        if (StoreRange(option, text))
            return true;
        *status = FailUsage(command, "%s must be two numbers of seconds, as in 0:2.5", name);
        return false;
    case OPTION_FRAMES:
        if (StoreFrames(option, text))
            return true;
        *status = FailUsage(command, "%s must be the numbers of the first and the last frame, as in 0:23", name);
        return false;
    case OPTION_BYTES:
        if (StoreBytes(option, text))
            return true;
        *status = FailUsage(command, "%s \"%s\" is not a size with its unit, as in 512M or 4G, nor 0", name, text);
        return false;
    case OPTION_SIZE:
        if (StoreSize(option, text))
            return true;
        *status = FailUsage(command, "%s \"%s\" is not WIDTHxHEIGHT from 1x1 to %dx%d", name, text, option->maximum,
                            option->maximum);
        return false;
    case OPTION_TEXTS:
        ((Texts*)option->value)->items[((Texts*)option->value)->count++] = text;
        return true;
    default:
        *(const char**)option->value = text;
        return true;
    }
}

static bool IsNumber(const char* text)
{
    char* end;
    strtod(text, &end);
    return end != text && *end == 0;
}

bool ParseOptions(const Command* command, const Option* options, int optionCount, int argumentCount, char** arguments,
                  int* status)
{
    int positionals = 0;
    bool onlyPositionals = false;
    for (int i = 0; i < argumentCount; i++)
    {
        const char* text = arguments[i];
        if (!onlyPositionals && strcmp(text, "--") == 0)
        {
            onlyPositionals = true;
            continue;
        }
        if (!onlyPositionals && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0))
        {
            PrintUsage(stdout, command, options, optionCount);
            *status = EXIT_DONE;
            return false;
        }
        bool named = !onlyPositionals && text[0] == '-' && text[1] != 0;
        const Option* option =
            named ? FindOption(options, optionCount, text) : NextPositional(options, optionCount, positionals++);
        if (option == NULL)
        {
            *status = FailUsage(command, named ? "unknown option %s" : "unexpected argument \"%s\"", text);
            return false;
        }
        if (option->type == OPTION_FLAG)
        {
            *(bool*)option->value = true;
            continue;
        }
        if (option->type == OPTION_MOST && !(i + 1 < argumentCount && IsNumber(arguments[i + 1])))
        {
            *(int*)option->value = option->maximum;
            continue;
        }
        if (named && ++i >= argumentCount)
        {
            *status = FailUsage(command, "%s needs a value", text);
            return false;
        }
        if (!StoreValue(command, option, text, arguments[i], status))
            return false;
    }
    return true;
}

int FailCommand(const qvError* error)
{
    fprintf(stderr, "quaver: %s\n", error->message);
    return error->result == qv_cancelled && InterruptSignal() != 0 ? EXIT_SIGNAL + InterruptSignal() : EXIT_FAILED;
}

int FailWith(const char* format, ...)
{
    qvError error;
    va_list args;
    va_start(args, format);
    qvError_SetV(&error, qv_badInput, format, args);
    va_end(args);
    return FailCommand(&error);
}

int FailUsage(const Command* command, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("quaver: ", stderr);
    vfprintf(stderr, format, args);
    fprintf(stderr, "; see 'quaver %s%s--help'\n", command->name, command->name[0] != 0 ? " " : "");
    va_end(args);
    return EXIT_USAGE;
}

void PrintClean(const char* text)
{
    for (const char* c = text; *c != 0; c++)
        putchar((unsigned char)*c < 32 || *c == 127 ? '?' : *c);
}

int PrintJson(qvJson* root)
{
    char* text = qvJson_Print(root, true);
    qvDestroyJson(root);
    if (text == NULL)
        return FailWith("not enough memory for the report");
    bool written = puts(text) >= 0 && fflush(stdout) == 0;
    qvFreeText(text);
    return written ? EXIT_DONE : FailWith("cannot write the report: %s", strerror(errno));
}

static int CheckParent(const char* path)
{
    struct stat about;
    char* folder = qvPath_Folder(path);
    bool found = folder != NULL && stat(folder, &about) == 0 && S_ISDIR(about.st_mode);
    free(folder);
    return found ? EXIT_DONE : FailWith("%s: its folder does not exist; make it first", path);
}

int CheckTarget(const char* path)
{
    qvError error;
    return qvCheckTarget(path, &error) == qv_ok ? CheckParent(path) : FailCommand(&error);
}

int CheckTargetFolder(const char* path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        return FailWith(
            "%s: is a symbolic link, and what it leads to stays; name that folder itself, or remove the link", path);
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return FailWith("%s: is a file, and a folder of this name is to be written; choose another name", path);
    return CheckParent(path);
}

int CheckIsOther(const char* input, const char* output)
{
    if (!qvIsSameFile(input, output))
        return EXIT_DONE;
    return FailWith("%s: is the file that is read, and stays; choose another name to write to", output);
}
