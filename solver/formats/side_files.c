// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/side_files.h"

#include "base/memory.h"
#include "formats/little_endian.h"
#include "formats/uri.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// A list in the making.
typedef struct Search
{
    const char* folder;
    qvSideFiles* files;
    bool failed; // memory ran out
} Search;

static bool IsFile(const char* folder, const char* name)
{
    struct stat info;
    char* path = qvPath_Join(folder, name);
    bool isFile = path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    free(path);
    return isFile;
}

// Adds a file if it is there; true then.
static bool Add(Search* search, const char* name)
{
    if (!qvPath_IsInside(name) || !IsFile(search->folder, name))
        return false;
    qvSideFiles* files = search->files;
    for (int i = 0; i < files->count; i++)
    {
        if (strcmp(files->paths[i], name) == 0)
            return true;
    }
    char* copy = strdup(name);
    if (copy == NULL || !qvReserve(&files->paths, &files->capacity, files->count + 1, sizeof(*files->paths)))
    {
        free(copy);
        search->failed = true;
        return true;
    }
    files->paths[files->count++] = copy;
    return true;
}

// --- glTF -----------------------------------------------------------------------------------------------------------

static void AddUris(Search* search, const qvJson* list)
{
    for (const qvJson* item = qvJson_First(list); item != NULL; item = qvJson_Next(item))
    {
        const char* uri = qvJson_Text(qvJson_Find(item, "uri"));
        char* name = *uri != 0 && strncasecmp(uri, "data:", 5) != 0 ? strdup(uri) : NULL;
        if (name == NULL)
            continue;
        qvDecodeUri(name);
        Add(search, name);
        free(name);
    }
}

static void SearchGltf(Search* search, const qvBytes* bytes)
{
    const char* text = bytes->data;
    size_t size = bytes->size;
    if (size >= 20 && memcmp(text, "glTF", 4) == 0)
    {
        size_t chunk = qvLittle_GetUint32(text + 12);
        size = chunk < size - 20 ? chunk : size - 20;
        text += 20;
    }
    qvJson* root;
    if (qvParseJson(text, size, NULL, &root, NULL) != qv_ok)
        return;
    AddUris(search, qvJson_Find(root, "buffers"));
    AddUris(search, qvJson_Find(root, "images"));
    qvDestroyJson(root);
}

// --- OBJ ------------------------------------------------------------------------------------------------------------

static bool IsBlank(char c)
{
    return c == ' ' || c == '\t';
}

// Adds the file that a statement names. Names may have spaces and come after options, so that the longest end of the
// line that is a file counts; a line may also list several (mtllib), so that what stands before is tried word by word.
static void AddNamed(Search* search, const char* start, size_t length)
{
    char name[1024];
    while (length > 0 && (IsBlank(start[length - 1]) || start[length - 1] == '\r'))
        length--;
    for (size_t from = 0; from < length && length < sizeof(name); from++)
    {
        if (IsBlank(start[from]) || (from > 0 && !IsBlank(start[from - 1])))
            continue;
        bool isQuoted = start[from] == '"' && start[length - 1] == '"' && length - from > 2;
        size_t count = length - from - 2 * isQuoted;
        for (size_t i = 0; i < count; i++)
        {
            char c = start[from + isQuoted + i];
            name[i] = c == '\\' ? '/' : c;
        }
        name[count] = 0;
        qvPath_Simplify(name);
        if (!Add(search, name))
            continue;
        AddNamed(search, start, from);
        return;
    }
}

// Calls with what follows one of the words at the start of a line.
static void SearchLines(Search* search, const qvBytes* bytes, bool (*isWanted)(const char* word, size_t length))
{
    const char *at = bytes->data, *end = bytes->data + bytes->size;
    while (at < end)
    {
        const char* next = memchr(at, '\n', (size_t)(end - at));
        const char* lineEnd = next != NULL ? next : end;
        while (at < lineEnd && IsBlank(*at))
            at++;
        size_t word = 0;
        while (at + word < lineEnd && !IsBlank(at[word]))
            word++;
        if (isWanted(at, word))
            AddNamed(search, at + word, (size_t)(lineEnd - at) - word);
        at = lineEnd + 1;
    }
}

static bool IsLibrary(const char* word, size_t length)
{
    return length == 6 && strncasecmp(word, "mtllib", 6) == 0;
}

// "comment TextureFile name" in the header of a PLY file.
static bool IsComment(const char* word, size_t length)
{
    return length == 7 && strncasecmp(word, "comment", 7) == 0;
}

static bool IsMap(const char* word, size_t length)
{
    static const char* const maps[] = { "bump", "disp", "decal", "refl", "norm" };
    if (length > 4 && strncasecmp(word, "map_", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
    {
        if (length == strlen(maps[i]) && strncasecmp(word, maps[i], length) == 0)
            return true;
    }
    return false;
}

static qvResult SearchObj(Search* search, const qvBytes* bytes, qvError* error)
{
    SearchLines(search, bytes, IsLibrary);
    qvResult result = qv_ok;
    for (int i = 0, libraries = search->files->count; i < libraries && result == qv_ok; i++)
    {
        char* path = qvPath_Join(search->folder, search->files->paths[i]);
        qvBytes library = { 0 };
        result = path != NULL ? qvReadFile(path, INT_MAX, &library, error) : qvError_OutOfMemory(error, 0.0);
        if (result == qv_ok)
            SearchLines(search, &library, IsMap);
        qvFreeBytes(&library);
        free(path);
    }
    return result;
}

qvResult qvListSideFiles(const char* path, qvSideFiles* files, qvError* error)
{
    *files = (qvSideFiles){ 0 };
    bool isGltf = qvPath_HasExtension(path, "gltf glb"), isObj = qvPath_HasExtension(path, "obj");
    bool isPly = qvPath_HasExtension(path, "ply");
    if (!isGltf && !isObj && !isPly)
        return qv_ok;
    qvBytes bytes;
    qvResult result = qvReadFile(path, INT_MAX, &bytes, error);
    if (result != qv_ok)
        return result;
    char* folder = qvPath_Folder(path);
    Search search = { .folder = folder, .files = files, .failed = folder == NULL };
    if (folder != NULL && isGltf)
        SearchGltf(&search, &bytes);
    else if (folder != NULL && isPly)
        SearchLines(&search, &bytes, IsComment);
    else if (folder != NULL)
        result = SearchObj(&search, &bytes, error);
    if (result == qv_ok && search.failed)
        result = qvError_OutOfMemory(error, 0.0);
    if (result != qv_ok)
        qvSideFiles_Free(files);
    free(folder);
    qvFreeBytes(&bytes);
    return result;
}

void qvSideFiles_Free(qvSideFiles* files)
{
    for (int i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (qvSideFiles){ 0 };
}
