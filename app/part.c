// SPDX-License-Identifier: GPL-3.0-or-later
#include "part.h"

#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/numbered.h"
#include "quaver/path.h"
#include "quaver/scenery.h"
#include "quaver/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum
{
    PART_VERSION = 1,
    MAX_BYTES = 65536, // of a file that describes a part
    MAX_TOTAL = 100000,
};

// --- Writing -------------------------------------------------------------------------------------------------------

char* PartPath(const Part* part)
{
    static const char ending[] = ".part.json";
    char frames[32];
    qvNumberField field = { 0 };
    if (qvFindNumberField(part->output, &field, NULL) != qv_ok)
        field.digits = 0;
    int digits = field.digits > 0 ? field.digits : 4, first = part->moments.first;
    snprintf(frames, sizeof(frames), "%0*d-%0*d", digits, first, digits, first + part->moments.count - 1);
    char* path = part->isSequence ? qvPathWithField(part->output, frames) : strdup(part->output);
    size_t length = path != NULL ? (size_t)(qvPath_Extension(path) - path) - 1 : 0;
    char* made = path != NULL ? malloc(length + sizeof(ending)) : NULL;
    if (made != NULL)
        snprintf(made, length + sizeof(ending), "%.*s%s", (int)length, path, ending);
    free(path);
    return made;
}

qvResult DescribeTake(Part* part, const qvTake* take, qvError* error)
{
    const qvScene* scene = qvTake_Scene(take);
    qvScenery* scenery = NULL;
    part->scene = qvScene_Hash(scene), part->mesh = qvTake_Body(take)->hash, part->obstacles = 0;
    qvResult result = qvCreateScenery(scene, qvTake_Folder(take), NULL, &scenery, error);
    if (result == qv_ok && scenery != NULL)
        part->obstacles = qvMesh_Hash(scenery->mesh);
    qvDestroyScenery(scenery);
    return result;
}

static void AddHash(qvJson* root, const char* name, uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    qvJson_AddString(root, name, text);
}

static qvJson* DescribePart(const Part* part)
{
    const qvMoments* moments = &part->moments;
    qvJson* root = qvCreateJsonObject();
    qvJson_AddNumber(root, "part", PART_VERSION);
    qvJson_AddString(root, "version", QV_VERSION);
    qvJson_AddString(root, "output", qvPath_FileName(part->output));
    qvJson_AddBool(root, "sequence", part->isSequence);
    AddHash(root, "scene", part->scene);
    AddHash(root, "mesh", part->mesh);
    AddHash(root, "obstacles", part->obstacles);
    qvJson_AddNumber(root, "fps", moments->fps);
    qvJson_AddNumbers(root, "range", moments->range, 2);
    qvJson_AddBool(root, "loop", moments->loop);
    qvJson_AddString(root, "look", part->look);
    qvJson_AddNumber(root, "total", moments->total);
    qvJson_AddNumber(root, "first", moments->first);
    qvJson_AddNumber(root, "last", moments->first + moments->count - 1);
    return root;
}

qvResult WritePart(const Part* part, qvError* error)
{
    qvJson* root = DescribePart(part);
    char *text = qvJson_Print(root, true), *path = PartPath(part);
    qvResult result = text != NULL && path != NULL ? qvWriteFile(path, text, strlen(text), error)
                                                   : qvError_OutOfMemory(error, (double)strlen(part->output));
    free(path);
    qvFreeText(text);
    qvDestroyJson(root);
    return result;
}

// --- Reading -------------------------------------------------------------------------------------------------------

static qvResult ReadHash(const qvJson* root, const char* name, uint64_t* hash, qvError* error)
{
    const char* text = "";
    qvResult result = qvJson_ReadString(root, "", name, &text, error);
    char* end;
    *hash = strtoull(text, &end, 16);
    if (result == qv_ok && (text[0] == 0 || *end != 0))
        return qvError_Set(error, qv_badInput, "%s: is no number of hexadecimal digits", name);
    return result;
}

static qvResult ReadMoments(const qvJson* root, qvMoments* moments, qvError* error)
{
    int last = -1;
    *moments = (qvMoments){ .total = 0, .first = -1 };
    qvResult result = qvJson_ReadNumber(root, "", "fps", 1.0, 240.0, &moments->fps, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(root, "", "range", 2, moments->range, error);
    if (result == qv_ok)
        result = qvJson_ReadBool(root, "", "loop", &moments->loop, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(root, "", "total", 1, MAX_TOTAL, &moments->total, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(root, "", "first", 0, MAX_TOTAL - 1, &moments->first, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(root, "", "last", 0, MAX_TOTAL - 1, &last, error);
    moments->count = last - moments->first + 1;
    if (result == qv_ok && (moments->first < 0 || moments->count < 1 || last >= moments->total || moments->fps == 0.0))
        return qvError_Set(error, qv_badInput, "its frames make no sense; write the part again");
    return result;
}

static qvResult ReadFields(const qvJson* root, PartFile* file, qvError* error)
{
    int format = 0;
    const char *version = "", *output = "", *look = "";
    qvResult result = qvJson_ReadInt(root, "", "part", 1, PART_VERSION, &format, error);
    if (result == qv_ok && format != PART_VERSION)
        result = qvError_Set(error, qv_badInput, "describes no part of a bake or of pictures");
    if (result == qv_ok)
        result = qvJson_ReadString(root, "", "version", &version, error);
    if (result == qv_ok)
        result = qvJson_ReadString(root, "", "output", &output, error);
    if (result == qv_ok && (output[0] == 0 || strchr(output, '/') != NULL))
        result = qvError_Set(error, qv_badInput, "output: is no name of a file beside it");
    if (result == qv_ok)
        result = qvJson_ReadString(root, "", "look", &look, error);
    if (result == qv_ok)
        result = qvJson_ReadBool(root, "", "sequence", &file->part.isSequence, error);
    if (result == qv_ok)
        result = ReadHash(root, "scene", &file->part.scene, error);
    if (result == qv_ok)
        result = ReadHash(root, "mesh", &file->part.mesh, error);
    if (result == qv_ok)
        result = ReadHash(root, "obstacles", &file->part.obstacles, error);
    if (result == qv_ok)
        result = ReadMoments(root, &file->part.moments, error);
    if (result != qv_ok)
        return result;
    snprintf(file->version, sizeof(file->version), "%s", version);
    snprintf(file->part.look, sizeof(file->part.look), "%s", look);
    char* folder = qvPath_Folder(file->path);
    file->output = folder != NULL ? qvPath_Join(folder, output) : NULL;
    free(folder);
    file->part.output = file->output;
    return file->output != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(output));
}

qvResult ReadPart(const char* path, PartFile* file, qvError* error)
{
    *file = (PartFile){ .path = strdup(path) };
    qvBytes bytes = { 0 };
    if (file->path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    qvResult result = qvReadFile(path, MAX_BYTES, &bytes, error);
    if (result != qv_ok)
        return result;
    qvJson* root = NULL;
    result = qvParseJson(bytes.data, bytes.size, NULL, &root, error);
    if (result == qv_ok)
        result = ReadFields(root, file, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    return result;
}

void FreePart(PartFile* file)
{
    free(file->path);
    free(file->output);
    *file = (PartFile){ 0 };
}

static bool SameMoments(const qvMoments* a, const qvMoments* b)
{
    return a->fps == b->fps && a->range[0] == b->range[0] && a->range[1] == b->range[1] && a->total == b->total &&
           a->loop == b->loop;
}

const char* WhyForeign(const PartFile* a, const PartFile* b)
{
    const Part *first = &a->part, *second = &b->part;
    if (strcmp(a->version, b->version) != 0)
        return "was made by another version of Quaver";
    if (first->scene != second->scene || first->obstacles != second->obstacles)
        return "is of another scene";
    if (first->mesh != second->mesh)
        return "is of another mesh";
    if (!SameMoments(&first->moments, &second->moments))
        return "has another range or another number of frames per second";
    if (strcmp(first->look, second->look) != 0)
        return "looks different (size, camera or options)";
    bool isSame = strcasecmp(qvPath_Extension(a->output), qvPath_Extension(b->output)) == 0;
    return isSame && first->isSequence == second->isSequence ? NULL : "has another format";
}

// --- What is there -------------------------------------------------------------------------------------------------

static bool Exists(const char* path)
{
    struct stat about;
    return path != NULL && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool AllFilesExist(const Part* part)
{
    if (!part->isSequence)
        return Exists(part->output);
    bool all = true;
    for (int i = 0; all && i < part->moments.count; i++)
    {
        char* path = qvNumberedPath(part->output, part->moments.first + i);
        all = Exists(path);
        free(path);
    }
    return all;
}

// Whether the file that describes the part is there, and whether it is of the same scene.
static bool DescribesSame(const Part* part, bool* exists)
{
    char* path = PartPath(part);
    PartFile file = { 0 };
    *exists = Exists(path);
    bool isSame = *exists && ReadPart(path, &file, NULL) == qv_ok && strcmp(file.version, QV_VERSION) == 0 &&
                  file.part.scene == part->scene && SameMoments(&file.part.moments, &part->moments) &&
                  strcmp(file.part.look, part->look) == 0;
    FreePart(&file);
    free(path);
    return isSame;
}

Existing FindExisting(const Part* part, bool isPart)
{
    bool exists = false, isSame = isPart && DescribesSame(part, &exists);
    if (isPart && exists && !isSame)
        return EXISTS_NOT;
    bool all = AllFilesExist(part);
    if (all && (isSame || !isPart))
        return EXISTS_ALL;
    return part->isSequence ? EXISTS_SOME : EXISTS_NOT;
}
