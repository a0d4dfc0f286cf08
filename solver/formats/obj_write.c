// SPDX-License-Identifier: GPL-3.0-or-later
// Writes OBJ files. Nine digits bring every float back exactly. Colours at corners and embedded images have no place in
// the format and are left out.
#include "formats/obj.h"

#include "base/hash.h"
#include "formats/print.h"
#include "formats/srgb.h"
#include "quaver/file.h"
#include "quaver/path.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "# Quaver\n"
#define LIBRARY    "mtllib"

// What f lines refer to: numbers per corner, or the vertex itself when indices is NULL.
typedef struct Reference
{
    bool exists;
    int32_t* indices;
} Reference;

typedef struct Output
{
    FILE* stream;
    const qvMesh* mesh;
    const qvVec3f* positions;
    qvNames materialNames; ///< made unique
    Reference uvs, normals;
} Output;

// word, then numbers with blanks before them, then the end of the line. count is at most 6.
static void WriteNumbers(FILE* stream, const char* word, const float* numbers, int count)
{
    char line[8 + 6 * (qv_maxPrintedNumber + 1)], *at = line;
    for (; *word != 0; word++)
        *at++ = *word;
    for (int i = 0; i < count; i++)
    {
        *at++ = ' ';
        at = qvPrintFloat(at, numbers[i]);
    }
    *at++ = '\n';
    fwrite(line, 1, (size_t)(at - line), stream);
}

static void WritePositions(const Output* output)
{
    const qvMesh* mesh = output->mesh;
    bool hasColors = mesh->colorDomain == qv_domainVertex;
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3f p = output->positions[i];
        qvColor c = hasColors ? mesh->colors[i] : (qvColor){ 0.0f, 0.0f, 0.0f, 0.0f };
        const float numbers[6] = {
            p.x, p.y, p.z, qvSrgb_FromLinear(c.r), qvSrgb_FromLinear(c.g), qvSrgb_FromLinear(c.b)
        };
        WriteNumbers(output->stream, "v", numbers, hasColors ? 6 : 3);
    }
}

// Corner values repeat a lot: writes each once and remembers its number per corner.
static qvResult WriteCornerValues(const Output* output, const char* word, const float* values, int width,
                                  int32_t* indices, qvError* error)
{
    int cornerCount = 3 * output->mesh->triangleCount, written = 0;
    size_t slotCount = 16;
    while (slotCount < 2 * (size_t)cornerCount)
        slotCount *= 2;
    int32_t* slots = qvAllocate(slotCount, sizeof(*slots)); // corner + 1 of the first one with a value
    if (slots == NULL)
        return qvError_OutOfMemory(error, (double)slotCount * sizeof(*slots));
    size_t size = (size_t)width * sizeof(float);
    for (int i = 0; i < cornerCount; i++)
    {
        const float* value = values + (ptrdiff_t)width * i;
        size_t slot = (size_t)qvHash(value, size, 0) & (slotCount - 1);
        while (slots[slot] != 0 && memcmp(values + (ptrdiff_t)width * (slots[slot] - 1), value, size) != 0)
            slot = (slot + 1) & (slotCount - 1);
        if (slots[slot] == 0)
        {
            slots[slot] = i + 1;
            indices[i] = written++;
            WriteNumbers(output->stream, word, value, width);
        }
        else
            indices[i] = indices[slots[slot] - 1];
    }
    free(slots);
    return qv_ok;
}

static qvResult WriteAttribute(const Output* output, const char* word, qvDomain domain, const float* values, int width,
                               Reference* reference, qvError* error)
{
    reference->exists = domain != qv_domainNone;
    if (domain == qv_domainVertex)
    {
        for (int i = 0; i < output->mesh->vertexCount; i++)
            WriteNumbers(output->stream, word, values + (ptrdiff_t)width * i, width);
    }
    if (domain != qv_domainCorner)
        return qv_ok;
    size_t cornerCount = 3 * (size_t)output->mesh->triangleCount;
    reference->indices = qvAllocate(cornerCount, sizeof(*reference->indices));
    if (reference->indices == NULL)
        return qvError_OutOfMemory(error, (double)(cornerCount * sizeof(*reference->indices)));
    return WriteCornerValues(output, word, values, width, reference->indices, error);
}

// "/" and the number of a corner's value.
static char* PrintReference(char* at, const Reference* reference, int vertex, int corner)
{
    *at++ = '/';
    return qvPrintInt(at, 1 + (reference->indices != NULL ? reference->indices[corner] : vertex));
}

static void WriteTriangle(const Output* output, int triangle)
{
    char line[9 * (qv_maxPrintedNumber + 2)], *at = line;
    *at++ = 'f';
    for (int i = 0; i < 3; i++)
    {
        int vertex = output->mesh->triangles[triangle].v[i], corner = 3 * triangle + i;
        *at++ = ' ';
        at = qvPrintInt(at, vertex + 1);
        if (output->uvs.exists)
            at = PrintReference(at, &output->uvs, vertex, corner);
        else if (output->normals.exists)
            *at++ = '/';
        if (output->normals.exists)
            at = PrintReference(at, &output->normals, vertex, corner);
    }
    *at++ = '\n';
    fwrite(line, 1, (size_t)(at - line), output->stream);
}

// A statement with a name, which must not break the line, nor continue it as a last backslash does.
static void WriteName(FILE* stream, const char* word, const char* name)
{
    fputs(word, stream);
    if (name[0] != 0)
        fputc(' ', stream);
    for (; *name != 0; name++)
        fputc((unsigned char)*name < ' ' || (*name == '\\' && name[1] == 0) ? '_' : *name, stream);
    fputc('\n', stream);
}

static void WriteFaces(const Output* output)
{
    const char* name = "";
    int material = -1;
    for (int i = 0; i < output->mesh->submeshCount; i++)
    {
        const qvSubmesh* submesh = &output->mesh->submeshes[i];
        if (strcmp(name, submesh->name) != 0)
            WriteName(output->stream, "g", submesh->name);
        if (material != submesh->material)
            WriteName(output->stream, "usemtl",
                      submesh->material >= 0 ? output->materialNames.list.items[submesh->material] : "");
        name = submesh->name;
        material = submesh->material;
        for (int t = 0; t < submesh->triangleCount; t++)
            WriteTriangle(output, submesh->firstTriangle + t);
    }
}

// The format refers to materials by name, so that names have to exist and to differ.
static qvResult NameMaterials(const qvMesh* mesh, qvNames* names, qvError* error)
{
    for (int i = 0; i < mesh->materialCount; i++)
    {
        const char* name = mesh->materials[i].name;
        char text[256];
        snprintf(text, sizeof(text), "%.200s", name[0] != 0 ? name : "material");
        for (int suffix = i; qvNames_Find(names, text, (int)strlen(text)) >= 0; suffix++)
            snprintf(text, sizeof(text), "%.200s_%d", name[0] != 0 ? name : "material", suffix);
        if (qvNames_Add(names, text, (int)strlen(text)) != i)
            return qvError_OutOfMemory(error, (double)strlen(text));
    }
    return qv_ok;
}

static void WriteMaterials(const Output* output, FILE* stream)
{
    for (int i = 0; i < output->mesh->materialCount; i++)
    {
        const qvMaterial* material = &output->mesh->materials[i];
        qvColor color = material->baseColor;
        float smoothness = 1.0f - material->roughness;
        WriteName(stream, "newmtl", output->materialNames.list.items[i]);
        const float shininess = 1000.0f * smoothness * smoothness;
        WriteNumbers(stream, "Kd", &color.r, 3);
        WriteNumbers(stream, "d", &color.a, 1);
        WriteNumbers(stream, "Ns", &shininess, 1);
        WriteNumbers(stream, "Pr", &material->roughness, 1);
        WriteNumbers(stream, "Pm", &material->metallic, 1);
        if (material->texture >= 0 && output->mesh->textures[material->texture].path[0] != 0)
            WriteName(stream, "map_Kd", output->mesh->textures[material->texture].path);
        fputc('\n', stream);
    }
}

char* qvObj_LibraryPath(const char* path)
{
    size_t length = (size_t)(qvPath_Extension(path) - path);
    char* library = qvAllocate(length + sizeof("mtl"), 1);
    if (library != NULL)
    {
        memcpy(library, path, length);
        memcpy(library + length, "mtl", sizeof("mtl"));
    }
    return library;
}

static qvResult WriteGeometry(Output* output, const char* libraryPath, qvError* error)
{
    const qvMesh* mesh = output->mesh;
    fputs(FIRST_LINE, output->stream);
    if (mesh->materialCount > 0)
        WriteName(output->stream, LIBRARY, qvPath_FileName(libraryPath));
    WritePositions(output);
    qvResult result = WriteAttribute(output, "vt", mesh->uvDomain, (const float*)mesh->uvs, 2, &output->uvs, error);
    if (result == qv_ok && output->positions == mesh->positions)
        result =
            WriteAttribute(output, "vn", mesh->normalDomain, (const float*)mesh->normals, 3, &output->normals, error);
    if (result == qv_ok)
        WriteFaces(output);
    return result;
}

static qvResult WriteLibrary(const Output* output, const char* path, qvFileSet* files, qvError* error)
{
    FILE* stream = NULL;
    qvResult result = qvFileSet_Add(files, path, &stream, error);
    if (result != qv_ok)
        return result;
    fputs("# Quaver\n", stream);
    WriteMaterials(output, stream);
    return qvFileSet_Close(files, files->count - 1, error);
}

static qvResult WriteFiles(Output* output, const char* name, bool withLibrary, qvFileSet* files, qvError* error)
{
    char* libraryPath = qvObj_LibraryPath(name);
    if (libraryPath == NULL)
        return qvError_OutOfMemory(error, (double)strlen(name));
    qvResult result = NameMaterials(output->mesh, &output->materialNames, error);
    if (result == qv_ok)
        result = WriteGeometry(output, libraryPath, error);
    if (result == qv_ok && output->mesh->materialCount > 0 && withLibrary)
        result = WriteLibrary(output, libraryPath, files, error);
    free(libraryPath);
    return result;
}

// name: of the file, or what the files of a sequence have in common.
static qvResult WriteTo(FILE* stream, const qvModel* model, const qvVec3f* positions, const char* name,
                        bool withLibrary, qvFileSet* files, qvError* error)
{
    Output output = {
        .stream = stream, .mesh = model->mesh, .positions = positions, .materialNames.arena = qvCreateArena()
    };
    if (output.materialNames.arena == NULL)
        return qvError_OutOfMemory(error, sizeof(output));
    qvResult result = WriteFiles(&output, name, withLibrary, files, error);
    free(output.uvs.indices);
    free(output.normals.indices);
    qvNames_Free(&output.materialNames);
    qvDestroyArena(output.materialNames.arena);
    return result;
}

qvResult qvWriteObj(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error)
{
    return WriteTo(files->writers[0].stream, model, positions, files->writers[0].path, true, files, error);
}

qvResult qvAddObj(const qvModel* model, const qvVec3f* positions, const char* path, const char* sequence,
                  qvFileSet* files, qvError* error)
{
    FILE* stream = NULL;
    bool withLibrary = sequence == NULL || files->count == 0;
    qvResult result = qvFileSet_Add(files, path, &stream, error);
    if (result != qv_ok)
        return result;
    int index = files->count - 1;
    result = WriteTo(stream, model, positions, sequence != NULL ? sequence : path, withLibrary, files, error);
    return result == qv_ok ? qvFileSet_Close(files, index, error) : result;
}

// --- Files that were written --------------------------------------------------------------------------------------

static const char LIBRARY_START[] = FIRST_LINE LIBRARY " ";

bool qvObj_HasLibrary(const char* path)
{
    char start[sizeof(LIBRARY_START)] = "";
    FILE* file;
    bool has = qvOpenToRead(path, &file, NULL) == qv_ok &&
               fread(start, 1, sizeof(start) - 1, file) == sizeof(start) - 1 && strcmp(start, LIBRARY_START) == 0;
    if (file != NULL)
        fclose(file);
    return has;
}

void qvObj_Rename(const qvBytes* bytes, const char* libraryPath, FILE* stream)
{
    const char* rest = bytes->data;
    if (strncmp(rest, LIBRARY_START, sizeof(LIBRARY_START) - 1) == 0)
    {
        rest += sizeof(LIBRARY_START) - 1;
        rest += strcspn(rest, "\n");
        rest += *rest == '\n';
        fputs(FIRST_LINE, stream);
        WriteName(stream, LIBRARY, qvPath_FileName(libraryPath));
    }
    fwrite(rest, 1, bytes->size - (size_t)(rest - bytes->data), stream);
}

double qvEstimateObj(const qvMesh* mesh)
{
    // Three numbers of about 11 digits a vertex; texture coordinates about as many as vertices.
    bool hasUvs = mesh->uvDomain != qv_domainNone;
    return (hasUvs ? 63.0 : 39.0) * mesh->vertexCount + (hasUvs ? 32.0 : 17.0) * mesh->triangleCount;
}
