// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/format.h"

#include "base/assert.h"
#include "base/memory.h"
#include "formats/gltf.h"
#include "formats/uri.h"
#include "quaver/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT(name) extern const qvFormat name;
#include "formats/format_list.inl"
#undef FORMAT

static const qvFormat* const formats[] = {
#define FORMAT(name) &name,
#include "formats/format_list.inl"
#undef FORMAT
    NULL,
};

int qvFormatCount(void)
{
    return (int)(sizeof(formats) / sizeof(formats[0])) - 1;
}

qvFormatInfo qvGetFormat(int index)
{
    QV_ASSERT(0 <= index && index < qvFormatCount());
    return formats[index]->info;
}

qvLoadOptions qvDefaultLoadOptions(void)
{
    return (qvLoadOptions){ .maxFileBytes = INT_MAX, .maxSceneBytes = (size_t)256 << 20 };
}

// ".obj, .ply, .stl": what can be read, or written.
static const char* ListExtensions(bool writing, char* text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (const qvFormat* const* format = formats; *format != NULL && used < capacity; format++)
    {
        const qvFormatInfo* info = &(*format)->info;
        if (writing ? info->canWrite : info->canRead)
            used += (size_t)snprintf(text + used, capacity - used, "%s.%s", used > 0 ? ", " : "", info->tag);
    }
    return text;
}

static const qvFormat* FindByTag(const char* tag)
{
    for (const qvFormat* const* format = formats; *format != NULL; format++)
    {
        if (strcmp((*format)->info.tag, tag) == 0)
            return *format;
    }
    return NULL;
}

static const qvFormat* FindByExtension(const char* path)
{
    for (const qvFormat* const* format = formats; *format != NULL; format++)
    {
        if (qvPath_HasExtension(path, (*format)->info.extensions))
            return *format;
    }
    return NULL;
}

static bool Recognizes(const qvFormat* format, const qvBytes* bytes)
{
    return format->read != NULL && format->recognize != NULL && format->recognize(bytes->data, bytes->size);
}

// The content decides, because files get wrong names; the extension decides where the content cannot.
static const qvFormat* FindForContent(const char* path, const qvBytes* bytes)
{
    const qvFormat* named = FindByExtension(path);
    if (named != NULL && Recognizes(named, bytes))
        return named;
    for (const qvFormat* const* format = formats; *format != NULL; format++)
    {
        if (Recognizes(*format, bytes))
            return *format;
    }
    return named != NULL && named->read != NULL ? named : NULL;
}

static qvResult CheckInput(const qvReadInput* input, qvError* error)
{
    if (input->size == 0)
        return qvError_Set(error, qv_badInput, "byte 0: the file is empty");
    return qvJob_Progress(input->options->job, "reading", 0.0, error);
}

static qvResult ReadModel(const qvFormat* format, qvReadInput* input, qvModel** model, qvError* error)
{
    qvModel* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    input->notes = &made->notes;
    made->folder = input->folder != NULL ? strdup(input->folder) : NULL;
    qvResult result = CheckInput(input, error);
    if (result == qv_ok)
        result = format->read(input, made, error);
    if (result != qv_ok)
    {
        qvError_Prefix(error, "%s", input->name);
        qvDestroyModel(made);
        return result;
    }
    QV_ASSERT(made->mesh != NULL);
    *model = made;
    return qv_ok;
}

static qvResult UnknownFormat(const char* name, qvError* error)
{
    char list[256];
    return qvError_Set(error, qv_badInput, "%s: byte 0: is no mesh file that can be read; use one of %s", name,
                       ListExtensions(false, list, sizeof(list)));
}

// Counts of elements are ints; a file of at most INT_MAX bytes cannot hold more.
static size_t LimitBytes(const qvLoadOptions* options)
{
    return options->maxFileBytes < INT_MAX ? options->maxFileBytes : INT_MAX;
}

static qvResult LoadBytes(const char* path, const qvBytes* bytes, const qvLoadOptions* options, qvModel** model,
                          qvError* error)
{
    const qvFormat* format = FindForContent(path, bytes);
    if (format == NULL)
        return UnknownFormat(path, error);
    char* folder = qvPath_Folder(path);
    if (folder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    qvReadInput input = { bytes->data, bytes->size, path, folder, options, NULL };
    qvResult result = ReadModel(format, &input, model, error);
    free(folder);
    return result;
}

qvResult qvLoadModel(const char* path, const qvLoadOptions* options, qvModel** model, qvError* error)
{
    const qvLoadOptions defaults = qvDefaultLoadOptions();
    options = options != NULL ? options : &defaults;
    *model = NULL;
    qvBytes bytes;
    qvResult result = qvReadFile(path, LimitBytes(options), &bytes, error);
    if (result == qv_ok)
        result = LoadBytes(path, &bytes, options, model, error);
    qvFreeBytes(&bytes);
    return result;
}

qvResult qvLoadModelFromMemory(const char* format, const void* bytes, size_t byteCount, const char* name,
                               const char* folder, const qvLoadOptions* options, qvModel** model, qvError* error)
{
    const qvLoadOptions defaults = qvDefaultLoadOptions();
    options = options != NULL ? options : &defaults;
    *model = NULL;
    const qvFormat* found = FindByTag(format);
    if (found == NULL || found->read == NULL)
        return UnknownFormat(name, error);
    if (byteCount > LimitBytes(options))
        return qvError_Set(error, qv_badInput, "%s: has %.1f MB, more than the %.1f MB that can be read here", name,
                           (double)byteCount / 1e6, (double)LimitBytes(options) / 1e6);

    // Readers rely on a zero byte after the last one.
    char* data = qvAllocateRaw(byteCount + 1, 1);
    if (data == NULL)
        return qvError_OutOfMemory(error, (double)byteCount);
    if (byteCount > 0)
        memcpy(data, bytes, byteCount);
    data[byteCount] = 0;
    qvReadInput input = { data, byteCount, name, folder, options, NULL };
    qvResult result = ReadModel(found, &input, model, error);
    free(data);
    return result;
}

void qvDestroyModel(qvModel* model)
{
    if (model == NULL)
        return;
    for (int i = 0; i < model->morphCount; i++)
    {
        free(model->morphs[i].name);
        free(model->morphs[i].deltas);
    }
    for (int i = 0; i < model->notes.count; i++)
        free(model->notes.lines[i]);
    free(model->morphs);
    free(model->folder);
    free(model->notes.lines);
    qvDestroyMesh(model->mesh);
    qvDestroyRig(model->rig);
    qvDestroyGltf(model->source);
    free(model);
}

qvResult qvSaveModel(const qvModel* model, const qvVec3f* positions, const char* path, qvError* error)
{
    QV_ASSERT(model != NULL && model->mesh != NULL);
    const qvFormat* format = FindByExtension(path);
    if (format == NULL || format->write == NULL)
    {
        char list[256];
        return qvError_Set(error, qv_badInput, "%s: no format to write by this name; end it in one of %s", path,
                           ListExtensions(true, list, sizeof(list)));
    }
    qvFileSet files = { 0 };
    qvResult result = qvFileSet_Add(&files, path, NULL, error);
    if (result != qv_ok)
    {
        qvFileSet_Discard(&files);
        return result;
    }
    result = format->write(model, positions != NULL ? positions : model->mesh->positions, &files, error);
    if (result != qv_ok)
    {
        qvError_Prefix(error, "%s", path);
        qvFileSet_Discard(&files);
        return result;
    }
    return qvFileSet_Commit(&files, error);
}

qvResult qvReadInput_CreateMesh(const qvReadInput* input, qvMeshDef* def, qvModel* model, qvError* error)
{
    qvResult result = qvJob_Progress(input->options->job, "building the mesh", 0.5, error);
    if (result != qv_ok)
        return result;
    def->weldTolerance = input->options->weldTolerance;
    def->job = input->options->job;
    return qvCreateMesh(def, &model->mesh, &model->report, error);
}

static qvResult ReadInside(const qvReadInput* input, const char* path, qvBytes* bytes, qvError* error)
{
    if (input->folder == NULL)
        return qvError_Set(error, qv_badInput, "%.200s: other files cannot be read from here", path);
    if (!qvPath_IsInside(path))
        return qvError_Set(error, qv_badInput, "%.200s: leaves the folder of the file; put it beside the file", path);
    char* joined = qvPath_Join(input->folder, path);
    if (joined == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    qvResult result = qvReadFile(joined, LimitBytes(input->options), bytes, error);
    free(joined);
    return result;
}

qvResult qvReadInput_ReadSibling(const qvReadInput* input, const char* uri, bool isUri, qvBytes* bytes, qvError* error)
{
    *bytes = (qvBytes){ 0 };
    char* path = strdup(uri);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(uri));
    if (isUri)
        qvDecodeUri(path);
    qvResult result = ReadInside(input, path, bytes, error);
    free(path);
    return result;
}
