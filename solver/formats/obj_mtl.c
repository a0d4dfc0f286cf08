// SPDX-License-Identifier: GPL-3.0-or-later
// Material libraries of OBJ files. Read are Kd, d, Tr, Ns, map_Kd, and Pr and Pm of the common PBR extension; colours
// are taken as linear, as other programs do. OBJ knows no back faces, so that materials are double sided.
#include "formats/obj.h"

#include "quaver/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_LIBRARIES = 64, // each is a file to read, however short the line that names it
    MAX_PATH_LENGTH = 1024
};

// The state of one library while it is read.
typedef struct Library
{
    qvScan scan;
    qvObjMaterials* materials;
    const char* name;
    qvNotes* notes;
    int current;       ///< material, -1 before the first newmtl
    bool hasRoughness; ///< Pr wins over Ns, in any order
    int badLine;       ///< the first line that could not be read, 0: none
} Library;

int qvObjMaterials_Find(qvObjMaterials* materials, qvText name)
{
    int number = qvNames_Add(&materials->names, name.start, name.length);
    if (number != materials->list.count)
        return number;
    qvMaterial fresh = { .name = materials->names.list.items[number],
                         .baseColor = { 0.8f, 0.8f, 0.8f, 1.0f },
                         .roughness = 0.5f,
                         .texture = -1,
                         .doubleSided = true };
    bool added = QV_PUSH(materials->list, fresh) && QV_PUSH(materials->isDefined, false);
    return added ? number : -1;
}

static bool ScanUnit(Library* library, float* value)
{
    float number;
    if (!qvScan_Float(&library->scan, &number) || !isfinite(number))
        return false;
    *value = fminf(fmaxf(number, 0.0f), 1.0f);
    return true;
}

// "Kd r g b" or "Kd r"; spectral curves and XYZ are not read.
static bool ReadColor(Library* library, qvMaterial* material)
{
    qvColor* color = &material->baseColor;
    if (!ScanUnit(library, &color->r))
        return false;
    color->g = color->b = color->r;
    qvScan_SkipBlanks(&library->scan);
    return qvScan_AtLineEnd(&library->scan) || (ScanUnit(library, &color->g) && ScanUnit(library, &color->b));
}

// The exponent of the Phong highlight, 0 to 1000, as Blender maps it.
static bool ReadShininess(Library* library, qvMaterial* material)
{
    float exponent;
    if (!qvScan_Float(&library->scan, &exponent) || !isfinite(exponent))
        return false;
    if (!library->hasRoughness)
        material->roughness = 1.0f - sqrtf(fminf(fmaxf(exponent, 0.0f), 1000.0f) / 1000.0f);
    return true;
}

// Options of a map statement: how many words at least follow each. Those of -o, -s and -t may have three numbers.
static void SkipMapOptions(qvScan* scan)
{
    static const struct
    {
        const char* name;
        int required, optional;
    } options[] = {
        { "-blendu", 1, 0 }, { "-blendv", 1, 0 }, { "-boost", 1, 0 },   { "-bm", 1, 0 },         { "-cc", 1, 0 },
        { "-clamp", 1, 0 },  { "-mm", 2, 0 },     { "-o", 1, 2 },       { "-s", 1, 2 },          { "-t", 1, 2 },
        { "-texres", 1, 0 }, { "-type", 1, 0 },   { "-imfchan", 1, 0 }, { "-colorspace", 1, 0 },
    };
    for (;;)
    {
        qvScan ahead = *scan;
        qvText word = qvScan_Word(&ahead);
        size_t option = 0, count = sizeof(options) / sizeof(options[0]);
        while (option < count && !qvText_IsNoCase(word, options[option].name))
            option++;
        if (option == count)
            return;
        for (int i = 0; i < options[option].required; i++)
            qvScan_Word(&ahead);
        float number;
        for (int i = 0; i < options[option].optional && qvScan_Float(&ahead, &number); i++)
        {
        }
        *scan = ahead;
    }
}

// A path as programs on any system write it: with backslashes, in quotes. False when it is empty or too long.
static bool CopyPath(qvText text, char* path, int capacity)
{
    bool isQuoted = text.length >= 2 && text.start[0] == '"' && text.start[text.length - 1] == '"';
    text = isQuoted ? (qvText){ text.start + 1, text.length - 2 } : text;
    if (text.length == 0 || text.length >= capacity)
        return false;
    for (int i = 0; i < text.length; i++)
        path[i] = text.start[i] == '\\' ? '/' : text.start[i];
    path[text.length] = 0;
    qvPath_Simplify(path);
    return path[0] != 0;
}

static bool ReadTexture(Library* library, qvMaterial* material)
{
    SkipMapOptions(&library->scan);
    char path[MAX_PATH_LENGTH];
    if (!CopyPath(qvScan_RestOfLine(&library->scan), path, MAX_PATH_LENGTH))
        return false;
    if (!qvPath_IsInside(path))
    {
        qvNotes_Add(library->notes, "%s: line %d: texture %.200s leaves the folder of the file and was left out",
                    library->name, library->scan.line, path);
        return true;
    }
    material->texture = qvNames_Add(&library->materials->texturePaths, path, (int)strlen(path));
    return true;
}

// False when the statement cannot be read. Those that describe lighting and other maps are skipped.
static bool ReadProperty(Library* library, qvText word)
{
    qvMaterial* material = &library->materials->list.items[library->current];
    if (qvText_IsNoCase(word, "Kd"))
        return ReadColor(library, material);
    if (qvText_IsNoCase(word, "d"))
        return ScanUnit(library, &material->baseColor.a);
    if (qvText_IsNoCase(word, "Tr"))
    {
        bool found = ScanUnit(library, &material->baseColor.a);
        material->baseColor.a = found ? 1.0f - material->baseColor.a : material->baseColor.a;
        return found;
    }
    if (qvText_IsNoCase(word, "Ns"))
        return ReadShininess(library, material);
    if (qvText_IsNoCase(word, "Pr"))
        return library->hasRoughness = ScanUnit(library, &material->roughness);
    if (qvText_IsNoCase(word, "Pm"))
        return ScanUnit(library, &material->metallic);
    if (qvText_IsNoCase(word, "map_Kd"))
        return ReadTexture(library, material);
    return true;
}

static qvResult ReadLine(Library* library, qvError* error)
{
    qvText word = qvScan_Word(&library->scan);
    if (word.length == 0 || word.start[0] == '#')
        return qv_ok;
    if (qvText_IsNoCase(word, "newmtl"))
    {
        library->current = qvObjMaterials_Find(library->materials, qvScan_RestOfLine(&library->scan));
        library->hasRoughness = false;
        if (library->current < 0)
            return qvError_OutOfMemory(error, sizeof(qvMaterial));
        library->materials->isDefined.items[library->current] = true;
    }
    else if (library->current < 0 || !ReadProperty(library, word))
        library->badLine = library->badLine == 0 ? library->scan.line : library->badLine;
    return qv_ok;
}

qvResult qvObjMaterials_ReadLibrary(qvObjMaterials* materials, const char* name, const qvBytes* bytes, qvNotes* notes,
                                    qvError* error)
{
    Library library = { .scan = qvMakeScan(bytes->data, bytes->size),
                        .materials = materials,
                        .name = name,
                        .notes = notes,
                        .current = -1 };
    library.scan.joinsLines = true;
    while (library.scan.at < library.scan.end)
    {
        qvResult result = ReadLine(&library, error);
        if (result != qv_ok)
            return result;
        qvScan_NextLine(&library.scan);
    }
    if (library.badLine > 0)
        qvNotes_Add(notes, "%.200s: line %d: the statement cannot be read and was left out", name, library.badLine);
    return qv_ok;
}

// *done: the file was read, or is not worth another try.
static qvResult TryLibrary(qvObjMaterials* materials, const qvReadInput* input, qvText text, bool isLastTry, bool* done,
                           qvError* error)
{
    *done = true;
    char path[MAX_PATH_LENGTH];
    if (!CopyPath(text, path, MAX_PATH_LENGTH))
    {
        *done = isLastTry;
        return qv_ok;
    }
    int known = materials->libraries.list.count;
    int number = qvNames_Add(&materials->libraries, path, (int)strlen(path));
    if (number < 0)
        return qvError_OutOfMemory(error, text.length);
    if (number == MAX_LIBRARIES)
        qvNotes_Add(input->notes, "more than %d material libraries; the others were left out", MAX_LIBRARIES);
    if (number < known || number >= MAX_LIBRARIES)
        return qv_ok;
    const char* name = materials->libraries.list.items[number];
    qvBytes bytes;
    qvError problem;
    qvResult result = qvReadInput_ReadSibling(input, name, false, &bytes, &problem);
    if (result == qv_ok)
        result = qvObjMaterials_ReadLibrary(materials, name, &bytes, input->notes, error);
    else if (result == qv_notFound && !isLastTry)
    {
        *done = false;
        result = qv_ok;
    }
    else
    {
        if (result == qv_notFound)
            qvNotes_Add(input->notes, "material library %.200s not found", name);
        else
            qvNotes_Add(input->notes, "material library %s", problem.message);
        result = qv_ok;
    }
    qvFreeBytes(&bytes);
    return result;
}

qvResult qvObjMaterials_ReadLibraries(qvObjMaterials* materials, const qvReadInput* input, qvText names, qvError* error)
{
    // One name with spaces in it, or several names: the file system knows.
    qvScan words = { names.start, names.start + names.length, 0, false };
    bool isOne = qvScan_Word(&words).length == names.length;
    words.at = names.start;
    bool done = false;
    qvResult result = TryLibrary(materials, input, names, isOne, &done, error);
    while (result == qv_ok && !done)
    {
        qvText word = qvScan_Word(&words);
        if (word.length == 0 || word.start >= names.start + names.length)
            break;
        bool ignored;
        result = TryLibrary(materials, input, word, true, &ignored, error);
    }
    return result;
}

void qvObjMaterials_NoteMissing(const qvObjMaterials* materials, qvNotes* notes)
{
    int missing = 0, first = -1;
    for (int i = 0; i < materials->isDefined.count; i++)
    {
        first = !materials->isDefined.items[i] && missing++ == 0 ? i : first;
    }
    if (missing > 0)
        qvNotes_Add(notes, "%d %s not defined and got default values (first: %.200s)", missing,
                    missing == 1 ? "material is" : "materials are", materials->list.items[first].name);
}

const qvTexture* qvObjMaterials_Textures(const qvObjMaterials* materials)
{
    int count = materials->texturePaths.list.count;
    qvTexture* textures = qvArena_Allocate(materials->names.arena, ((size_t)count + 1) * sizeof(*textures));
    for (int i = 0; textures != NULL && i < count; i++)
    {
        const char* path = materials->texturePaths.list.items[i];
        bool isPng = qvPath_HasExtension(path, "png"), isJpeg = qvPath_HasExtension(path, "jpg jpeg");
        textures[i] = (qvTexture){ .name = qvPath_FileName(path),
                                   .path = path,
                                   .mimeType = isPng    ? "image/png"
                                               : isJpeg ? "image/jpeg"
                                                        : "" };
    }
    return textures;
}

void qvObjMaterials_Free(qvObjMaterials* materials)
{
    qvNames_Free(&materials->names);
    qvNames_Free(&materials->texturePaths);
    qvNames_Free(&materials->libraries);
    free(materials->list.items);
    free(materials->isDefined.items);
}
