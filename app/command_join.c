// SPDX-License-Identifier: GPL-3.0-or-later
// quaver join: puts the parts of a bake together, or the pictures of a film.
#include "command.h"
#include "interrupt.h"
#include "progress.h"

#include "quaver/part.h"
#include "quaver/path.h"
#ifdef QUAVER_UI
#include "ui/film_entry.h"
#endif

#include <stdio.h>
#include <stdlib.h>

typedef struct Arguments
{
    Texts parts;
    const char* output;
    bool json;
} Arguments;

static int Report(const Arguments* arguments, const qvExportReport* report)
{
    if (arguments->json)
    {
        qvJson* root = qvCreateJsonObject();
        qvJson_AddString(root, "file", arguments->output);
        qvJson_AddNumber(root, "parts", arguments->parts.count);
        qvJson_AddNumber(root, "frames", report->frames);
        if (report->warning[0] != 0)
            qvJson_AddString(root, "warning", report->warning);
        return PrintJson(root);
    }
    printf("%s: %d frame%s of %d part%s\n", arguments->output, report->frames, report->frames == 1 ? "" : "s",
           arguments->parts.count, arguments->parts.count == 1 ? "" : "s");
    if (report->warning[0] != 0)
        fprintf(stderr, "quaver: warning: %s\n", report->warning);
    return EXIT_DONE;
}

static qvResult JoinFilm(const qvParts* parts, const char* path, const qvJob* job, qvExportReport* report,
                         qvError* error)
{
#ifdef QUAVER_UI
    int size[2];
    *report = (qvExportReport){ .frames = parts->items[0].part.moments.total };
    return qvuiJoinPictures(parts, path, size, job, error);
#else
    (void)parts, (void)job, (void)report;
    return qvError_Set(error, qv_unsupported,
                       "%s: this build makes no films: it was made with QUAVER_UI off; build it with -DQUAVER_UI=ON",
                       path);
#endif
}

// What was read is not written over, under whatever name.
static int CheckTargets(const Arguments* arguments)
{
    int status = CheckTarget(arguments->output);
    for (int i = 0; status == EXIT_DONE && i < arguments->parts.count; i++)
        status = CheckIsOther(arguments->parts.items[i], arguments->output);
    return status;
}

static int Join(const Arguments* arguments)
{
    if (CheckTargets(arguments) != EXIT_DONE)
        return EXIT_FAILED;
    qvError error;
    qvExportReport report;
    ProgressLine line;
    BeginProgress(&line);
    CatchInterrupts();
    const qvJob job = { .progress = ShowProgress, .log = PrintWarning, .context = &line };
    qvParts parts;
    SetShare(&line, 0.0, 0.3);
    qvResult result = qvReadParts(arguments->parts.items, arguments->parts.count, &job, &parts, &error);
    SetShare(&line, 0.3, 1.0);
    if (result == qv_ok)
        result = qvPath_HasExtension(arguments->output, "gif mp4")
                     ? JoinFilm(&parts, arguments->output, &job, &report, &error)
                     : qvJoinParts(&parts, arguments->output, &job, &report, &error);
    EndProgress(&line);
    qvFreeParts(&parts);
    return result == qv_ok ? Report(arguments, &report) : FailCommand(&error);
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = { .parts = { .items = calloc((size_t)argumentCount + 1, sizeof(char*)) } };
    if (given.parts.items == NULL)
        return FailWith("not enough memory for the names of the parts");
    const Option options[] = {
        { NULL, OPTION_TEXTS, &given.parts, "the parts", 0, 0 },
        { "-o", OPTION_TEXT, &given.output, "the whole: of the format of the parts, or a film (.gif, .mp4) of pictures",
          0, 0 },
        { "--json", OPTION_FLAG, &given.json, "print one JSON object", 0, 0 },
    };
    int status;
    if (ParseOptions(&commandJoin, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        status = given.parts.count == 0 || given.output == NULL
                     ? FailUsage(&commandJoin, "join needs the .part.json files of all PARTS, and -o OUT")
                     : Join(&given);
    free(given.parts.items);
    return status;
}

const Command commandJoin = { "join", "PARTS -o OUT [--json]",
                              "puts together what bake or render --frames made: PARTS are the .part.json files", Run };
