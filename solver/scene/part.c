// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/part.h"

#include "base/hash.h"
#include "base/memory.h"
#include "formats/obj.h"
#include "formats/side_files.h"
#include "formats/vertex_cache.h"
#include "quaver/image.h"
#include "quaver/json.h"
#include "quaver/numbered.h"
#include "quaver/path.h"
#include "quaver/version.h"
#include "scene/references.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum
{
    PART_VERSION = 1,
    MAX_BYTES = 32 << 20, // of a file that describes a part
    MAX_TOTAL = 100000,
    MAX_BESIDE = 2, // files of a part that are no frames
    BLOCK = 1 << 20,
};

// --- Writing -------------------------------------------------------------------------------------------------------

char* qvPart_Path(const qvPart* part)
{
    static const char ending[] = ".part.json";
    char frames[32];
    qvNumberField field = { 0 };
    if (qvFindNumberField(part->output, &field, NULL) != qv_ok)
        field.digits = 0;
    int digits = field.digits > 0 ? field.digits : 4, first = part->moments.first;
    snprintf(frames, sizeof(frames), "%0*d-%0*d", digits, first, digits, first + part->moments.count - 1);
    char* path = part->isSequence ? qvPathWithField(part->output, frames) : strdup(part->output);
    size_t extension = path != NULL ? strlen(qvPath_Extension(path)) : 0;
    size_t length = path != NULL ? strlen(path) - extension - (extension > 0) : 0;
    char* made = path != NULL ? malloc(length + sizeof(ending)) : NULL;
    if (made != NULL)
        snprintf(made, length + sizeof(ending), "%.*s%s", (int)length, path, ending);
    free(path);
    return made;
}

static void AddHash(qvJson* root, const char* name, uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    qvJson_AddString(root, name, text);
}

// --- What files hold -----------------------------------------------------------------------------------------------

static qvResult HashStream(FILE* file, const char* path, const qvJob* job, uint64_t* checksum, qvError* error)
{
    char* block = malloc(BLOCK);
    if (block == NULL)
        return qvError_OutOfMemory(error, BLOCK);
    qvResult result = qv_ok;
    uint64_t hash = 0, size = 0;
    for (size_t got; result == qv_ok && (got = fread(block, 1, BLOCK, file)) > 0; size += got)
    {
        hash = qvHash(block, got, hash);
        result = qvJob_Ask(job, error);
    }
    *checksum = qvHash_Combine(hash, size);
    free(block);
    if (result == qv_ok && ferror(file) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot be read to its end; check the disk", path);
    return result;
}

qvResult qvHashFile(const char* path, const qvJob* job, uint64_t* checksum, qvError* error)
{
    FILE* file;
    qvResult result = qvOpenToRead(path, &file, error);
    if (result != qv_ok)
        return result;
    result = HashStream(file, path, job, checksum, error);
    fclose(file);
    return result;
}

// Of a mesh file and of what it refers to.
static qvResult HashMesh(const char* path, const qvJob* job, uint64_t* hash, qvError* error)
{
    qvSideFiles beside = { 0 };
    char* folder = qvPath_Folder(path);
    qvResult result =
        folder != NULL ? qvHashFile(path, job, hash, error) : qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        result = qvListSideFiles(path, &beside, error);
    for (int i = 0; result == qv_ok && i < beside.count; i++)
    {
        uint64_t own = 0;
        char* file = qvPath_Join(folder, beside.paths[i]);
        result = file != NULL ? qvHashFile(file, job, &own, error) : qvError_OutOfMemory(error, (double)strlen(folder));
        *hash = qvHash_Combine(*hash, own);
        free(file);
    }
    qvSideFiles_Free(&beside);
    free(folder);
    return result;
}

qvResult qvPart_Describe(qvPart* part, const qvScene* scene, const char* folder, const qvJob* job, qvError* error)
{
    part->scene = qvScene_Hash(scene), part->mesh = part->obstacles = 0;
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        if (scene->obstacles[i]->file != NULL)
            part->obstacles = qvHashObstacleFile(scene->obstacles[i], folder, part->obstacles);
    }
    if (scene->mesh.file == NULL)
        return qv_ok;
    char* path = qvResolvePath(folder, scene->mesh.file);
    qvResult result =
        path != NULL ? HashMesh(path, job, &part->mesh, error) : qvError_OutOfMemory(error, (double)strlen(folder));
    free(path);
    return result;
}

bool qvPart_HasSameSources(const qvPart* a, const qvPart* b)
{
    return a->scene == b->scene && a->mesh == b->mesh && a->obstacles == b->obstacles;
}

uint64_t qvPart_Seal(const qvPart* part, int frame)
{
    const qvMoments* moments = &part->moments;
    const double numbers[] = {
        moments->fps, moments->range[0], moments->range[1], moments->total, moments->loop, frame
    };
    uint64_t hash = qvHash(QV_VERSION, strlen(QV_VERSION), PART_VERSION);
    hash = qvHash_Combine(qvHash_Combine(hash, part->scene), qvHash_Combine(part->mesh, part->obstacles));
    hash = qvHash(numbers, sizeof(numbers), hash);
    return qvHash(part->look, strlen(part->look), hash);
}

static qvResult AddEntry(qvJson* files, const char* path, const qvJob* job, qvError* error)
{
    uint64_t checksum = 0;
    qvResult result = path != NULL ? qvHashFile(path, job, &checksum, error) : qvError_OutOfMemory(error, 4096.0);
    if (result != qv_ok)
        return result;
    qvJson* entry = qvJson_AddObject(files, NULL);
    qvJson_AddString(entry, "name", qvPath_FileName(path));
    AddHash(entry, "checksum", checksum);
    return qv_ok;
}

// The mesh of a vertex cache, and the material library that the file refers to.
static qvResult AddBeside(qvJson* files, const qvPart* part, const char* firstFile, const qvJob* job, qvError* error)
{
    char *mesh = NULL, *library = NULL, *common = NULL;
    qvResult result = qv_ok;
    if (qvPath_HasExtension(part->output, "pc2 mdd"))
    {
        bool isOther;
        mesh = qvVertexCache_MeshPath(part->output, &isOther);
        result = AddEntry(files, mesh, job, error);
    }
    else if (qvPath_HasExtension(part->output, "obj"))
        common = qvUnnumberedPath(part->output);
    const char *referring = mesh != NULL ? mesh : firstFile, *named = mesh != NULL ? mesh : common;
    if (result == qv_ok && named != NULL && qvObj_HasLibrary(referring))
    {
        library = qvObj_LibraryPath(named);
        result = AddEntry(files, library, job, error);
    }
    free(mesh);
    free(library);
    free(common);
    return result;
}

static char* FramePath(const qvPart* part, int index)
{
    return part->isSequence ? qvNumberedPath(part->output, part->moments.first + index) : strdup(part->output);
}

static qvResult AddFiles(qvJson* root, const qvPart* part, const qvJob* job, qvError* error)
{
    qvJson* files = qvJson_AddArray(root, "files");
    qvResult result = qv_ok;
    char* first = FramePath(part, 0);
    for (int i = 0; result == qv_ok && i < (part->isSequence ? part->moments.count : 1); i++)
    {
        char* path = FramePath(part, i);
        result = AddEntry(files, path, job, error);
        free(path);
    }
    if (result == qv_ok)
        result = AddBeside(files, part, first, job, error);
    free(first);
    return result;
}

static qvJson* DescribePart(const qvPart* part)
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

qvResult qvWritePart(const qvPart* part, const qvJob* job, qvError* error)
{
    qvJson* root = DescribePart(part);
    qvResult result = AddFiles(root, part, job, error);
    char *text = result == qv_ok ? qvJson_Print(root, true) : NULL, *path = qvPart_Path(part);
    if (result == qv_ok)
        result = text != NULL && path != NULL ? qvWriteFile(path, text, strlen(text), error)
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
    *hash = strtoull(text, NULL, 16);
    if (result == qv_ok && (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16))
        return qvError_Set(error, qv_badInput, "%s: is no number of 16 hexadecimal digits", name);
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

// A name of a file beside the one that describes the part.
static bool IsName(const char* name)
{
    return name[0] != 0 && strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static qvResult ReadEntry(const qvJson* node, const char* folder, qvPartEntry* entry, qvError* error)
{
    const char* name = "";
    qvResult result = qvJson_ReadString(node, "", "name", &name, error);
    if (result == qv_ok && !IsName(name))
        result = qvError_Set(error, qv_badInput, "files: \"%s\" is no name of a file beside it", name);
    if (result == qv_ok)
        result = ReadHash(node, "checksum", &entry->checksum, error);
    if (result != qv_ok)
        return result;
    entry->path = qvPath_Join(folder, name);
    return entry->path != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(name));
}

static qvResult ReadEntries(const qvJson* root, const char* folder, qvPartFile* file, qvError* error)
{
    qvJson* files = NULL;
    qvResult result = qvJson_ReadArray(root, "", "files", &files, error);
    if (result != qv_ok)
        return result;
    int frames = file->part.isSequence ? file->part.moments.count : 1, count = qvJson_Count(files);
    if (count < frames || count > frames + MAX_BESIDE)
        return qvError_Set(error, qv_badInput, "files: %d files are not those of %d frames; make the part again", count,
                           file->part.moments.count);
    file->entries = qvAllocate((size_t)count, sizeof(*file->entries));
    if (file->entries == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*file->entries));
    file->frameFileCount = frames, file->fileCount = count;
    int i = 0;
    for (const qvJson* node = qvJson_First(files); result == qv_ok && node != NULL; node = qvJson_Next(node), i++)
    {
        result = ReadEntry(node, folder, &file->entries[i], error);
        char* own = result == qv_ok && i < frames ? FramePath(&file->part, i) : NULL;
        if (own != NULL && strcmp(own, file->entries[i].path) != 0)
            result = qvError_Set(error, qv_badInput, "files: %s is not the file of frame %d; make the part again",
                                 qvPath_FileName(file->entries[i].path), file->part.moments.first + i);
        free(own);
    }
    return result;
}

static qvResult ReadFields(const qvJson* root, qvPartFile* file, qvError* error)
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
    if (result == qv_ok && !IsName(output))
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
    file->part.output = file->output;
    result = file->output == NULL ? qvError_OutOfMemory(error, (double)strlen(output)) : qv_ok;
    qvNumberField field;
    if (result == qv_ok && file->part.isSequence)
        result = qvFindNumberField(file->output, &field, error);
    if (result == qv_ok)
        result = ReadEntries(root, folder, file, error);
    free(folder);
    return result;
}

qvResult qvReadPart(const char* path, qvPartFile* file, qvError* error)
{
    *file = (qvPartFile){ .path = strdup(path) };
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

void qvFreePart(qvPartFile* file)
{
    for (int i = 0; i < file->fileCount; i++)
        free(file->entries[i].path);
    free(file->entries);
    free(file->path);
    free(file->output);
    *file = (qvPartFile){ 0 };
}

static bool SameMoments(const qvMoments* a, const qvMoments* b)
{
    return a->fps == b->fps && a->range[0] == b->range[0] && a->range[1] == b->range[1] && a->total == b->total &&
           a->loop == b->loop;
}

const char* qvPart_WhyForeign(const qvPartFile* a, const qvPartFile* b)
{
    const qvPart *first = &a->part, *second = &b->part;
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

static bool IsSealed(const qvPart* part)
{
    return part->isSequence && qvPath_HasExtension(part->output, "png");
}

static bool AllFilesExist(const qvPart* part)
{
    if (!part->isSequence)
        return Exists(part->output);
    bool all = true;
    for (int i = 0; all && i < part->moments.count; i++)
    {
        char* path = FramePath(part, i);
        all = Exists(path) && (!IsSealed(part) || qvHasSeal(path, qvPart_Seal(part, part->moments.first + i)));
        free(path);
    }
    return all;
}

static bool HoldsSame(const qvPartEntry* entry)
{
    uint64_t checksum = 0;
    return qvHashFile(entry->path, NULL, &checksum, NULL) == qv_ok && checksum == entry->checksum;
}

// Whether the file that describes the part is there and says that it is this one, and its files hold what they held.
static bool IsThere(const qvPart* part)
{
    char* path = qvPart_Path(part);
    qvPartFile file = { 0 };
    bool isThere = Exists(path) && qvReadPart(path, &file, NULL) == qv_ok && strcmp(file.version, QV_VERSION) == 0 &&
                   qvPart_HasSameSources(&file.part, part) && SameMoments(&file.part.moments, &part->moments) &&
                   file.part.moments.first == part->moments.first && file.part.moments.count == part->moments.count &&
                   strcmp(file.part.look, part->look) == 0;
    for (int i = 0; isThere && i < file.fileCount; i++)
        isThere = HoldsSame(&file.entries[i]);
    qvFreePart(&file);
    free(path);
    return isThere;
}

qvExisting qvPart_FindExisting(const qvPart* part, bool isPart)
{
    if (isPart ? IsThere(part) : AllFilesExist(part))
        return qv_existsAll;
    return IsSealed(part) || (part->isSequence && !isPart) ? qv_existsSome : qv_existsNot;
}
