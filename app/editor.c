// SPDX-License-Identifier: GPL-3.0-or-later
// quaver without a command: opens the window.
#include "command.h"

#ifdef QUAVER_UI

#include "ui/ui.h"

#include <stdio.h>

static int Run(int argumentCount, char** arguments)
{
    qvuiViewerDef def = qvuiDefaultViewerDef();
    const char* size = NULL;
    int scale = 0;
    const Option options[] = {
        { NULL, OPTION_TEXT, &def.path, "a mesh file", 0, 0 },
        { "--ui-script", OPTION_TEXT, &def.script, "play input from this file instead of a user, then quit", 0, 0 },
        { "--size", OPTION_TEXT, &size, "WIDTHxHEIGHT of the window in pixels, 1600x900 unless told", 0, 0 },
        { "--scale", OPTION_INT, &scale, "size of the interface in percent", 75, 300 },
    };
    int status;
    if (!ParseOptions(&commandEditor, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if (size != NULL && !ParseSize(size, &def.width, &def.height))
    {
        fprintf(stderr, "quaver: --size \"%s\" is not WIDTHxHEIGHT from 1x1 to 16384x16384; see 'quaver --help'\n",
                size);
        return EXIT_USAGE;
    }
    def.scale = 0.01 * scale;
    qvError error;
    return qvuiRunViewer(&def, &error) == qv_ok ? EXIT_DONE : FailCommand(&error);
}

#else

static int Run(int argumentCount, char** arguments)
{
    (void)argumentCount;
    (void)arguments;
    return FailWith("this build has no window: it was made with QUAVER_UI off; build it with -DQUAVER_UI=ON");
}

#endif

const Command commandEditor = { "", "[FILE] [--ui-script FILE] [--size WxH] [--scale PERCENT]", "opens the window",
                                Run };
