// SPDX-License-Identifier: GPL-3.0-or-later
// quaver without a command: opens the window.
#include "command.h"
#include "interrupt.h"

#include <unistd.h>

typedef struct Arguments
{
    const char *path, *script;
    int size[2]; // pixels, 0: the window's default
    int scale;   // percent, 0: as remembered
} Arguments;

#ifdef QUAVER_UI

#include "ui/ui.h"

static int OpenWindow(const Arguments* arguments)
{
    qvuiWindowDef def = qvuiDefaultWindowDef();
    def.path = arguments->path;
    def.script = arguments->script;
    def.width = arguments->size[0] > 0 ? arguments->size[0] : def.width;
    def.height = arguments->size[1] > 0 ? arguments->size[1] : def.height;
    def.scale = 0.01 * arguments->scale;
    qvError error;
    def.catchSignals = JoinInterrupts;
    if (qvuiRunWindow(&def, &error) != qv_ok)
        return FailCommand(&error);
    return InterruptSignal() != 0 ? EXIT_SIGNAL + InterruptSignal() : EXIT_DONE;
}

#else

static int OpenWindow(const Arguments* arguments)
{
    (void)arguments;
    return FailWith("this build has no window: it was made with QUAVER_UI off; build it with -DQUAVER_UI=ON");
}

#endif

static int Run(int argumentCount, char** arguments)
{
    Arguments values = { 0 };
    const Option options[] = {
        { NULL, OPTION_TEXT, &values.path, "a mesh file", 0, 0 },
        { "--ui-script", OPTION_TEXT, &values.script, "play input from this file instead of a user, then quit", 0, 0 },
        { "--size", OPTION_SIZE, values.size, "WIDTHxHEIGHT of the window in pixels, 1600x900 unless told", 1, 16384 },
        { "--scale", OPTION_INT, &values.scale, "size of the interface in percent", 75, 300 },
    };
    int status;
    if (!ParseOptions(&commandEditor, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if (values.path != NULL && access(values.path, F_OK) != 0)
        return FailWith("%s: no such file, and no command of that name; see 'quaver --help'", values.path);
    return OpenWindow(&values);
}

const Command commandEditor = { "", "[FILE] [--ui-script FILE] [--size WxH] [--scale PERCENT]", "opens the window",
                                Run };
