// SPDX-License-Identifier: GPL-3.0-or-later
// The types of all properties of glTF 2.0 (Khronos Group, 2021, section 5). What Quaver does not edit is written back,
// so that a wrong type anywhere in a document would come out in a file that no program reads. Values that only what
// reads them can judge (does that accessor exist?) are judged there. Extensions and extras are the file's own.
#include "formats/gltf.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef enum Kind
{
    NUMBER,
    INTEGER, // not below limit
    TRUTH,
    TEXT,
    NUMBERS,  // limit of them; 0: any number
    INTEGERS, // not below 0
    TEXTS,
    OBJECT,
    OBJECTS,
    NAMED, // an object whose members all have the same kind: attributes
    NAMED_LIST,
} Kind;

typedef struct Field
{
    const char* name; // NULL ends a list
    Kind kind;
    int limit;
    const struct Field* fields; // of an object
} Field;

#define COMMON                                                    \
    { "extensions", OBJECT, 0, NULL }, { "name", TEXT, 0, NULL }, \
    {                                                             \
        NULL, TEXT, 0, NULL                                       \
    }

static const Field asset[] = { { "version", TEXT, 0, NULL },      { "minVersion", TEXT, 0, NULL },
                               { "generator", TEXT, 0, NULL },    { "copyright", TEXT, 0, NULL },
                               { "extensions", OBJECT, 0, NULL }, { NULL, TEXT, 0, NULL } };

static const Field run[] = { { "bufferView", INTEGER, 0, NULL },
                             { "byteOffset", INTEGER, 0, NULL },
                             { "componentType", INTEGER, 0, NULL },
                             COMMON };

static const Field sparse[] = {
    { "count", INTEGER, 1, NULL }, { "indices", OBJECT, 0, run }, { "values", OBJECT, 0, run }, COMMON
};

static const Field accessor[] = { { "bufferView", INTEGER, 0, NULL },    { "byteOffset", INTEGER, 0, NULL },
                                  { "componentType", INTEGER, 0, NULL }, { "normalized", TRUTH, 0, NULL },
                                  { "count", INTEGER, 1, NULL },         { "type", TEXT, 0, NULL },
                                  { "max", NUMBERS, 0, NULL },           { "min", NUMBERS, 0, NULL },
                                  { "sparse", OBJECT, 0, sparse },       COMMON };

static const Field buffer[] = { { "uri", TEXT, 0, NULL }, { "byteLength", INTEGER, 1, NULL }, COMMON };

static const Field bufferView[] = { { "buffer", INTEGER, 0, NULL },     { "byteOffset", INTEGER, 0, NULL },
                                    { "byteLength", INTEGER, 0, NULL }, { "byteStride", INTEGER, 0, NULL },
                                    { "target", INTEGER, 0, NULL },     COMMON };

static const Field image[] = {
    { "uri", TEXT, 0, NULL }, { "mimeType", TEXT, 0, NULL }, { "bufferView", INTEGER, 0, NULL }, COMMON
};

static const Field texture[] = { { "sampler", INTEGER, 0, NULL }, { "source", INTEGER, 0, NULL }, COMMON };

static const Field sampler[] = { { "magFilter", INTEGER, 0, NULL },
                                 { "minFilter", INTEGER, 0, NULL },
                                 { "wrapS", INTEGER, 0, NULL },
                                 { "wrapT", INTEGER, 0, NULL },
                                 COMMON };

static const Field textureInfo[] = { { "index", INTEGER, 0, NULL },
                                     { "texCoord", INTEGER, 0, NULL },
                                     { "scale", NUMBER, 0, NULL },
                                     { "strength", NUMBER, 0, NULL },
                                     COMMON };

static const Field pbr[] = { { "baseColorFactor", NUMBERS, 4, NULL },
                             { "baseColorTexture", OBJECT, 0, textureInfo },
                             { "metallicFactor", NUMBER, 0, NULL },
                             { "roughnessFactor", NUMBER, 0, NULL },
                             { "metallicRoughnessTexture", OBJECT, 0, textureInfo },
                             COMMON };

static const Field material[] = { { "pbrMetallicRoughness", OBJECT, 0, pbr },
                                  { "normalTexture", OBJECT, 0, textureInfo },
                                  { "occlusionTexture", OBJECT, 0, textureInfo },
                                  { "emissiveTexture", OBJECT, 0, textureInfo },
                                  { "emissiveFactor", NUMBERS, 3, NULL },
                                  { "alphaMode", TEXT, 0, NULL },
                                  { "alphaCutoff", NUMBER, 0, NULL },
                                  { "doubleSided", TRUTH, 0, NULL },
                                  COMMON };

static const Field anyIndex[] = { { "", INTEGER, 0, NULL }, { NULL, TEXT, 0, NULL } };

static const Field primitive[] = { { "attributes", NAMED, 0, anyIndex },   { "indices", INTEGER, 0, NULL },
                                   { "material", INTEGER, 0, NULL },       { "mode", INTEGER, 0, NULL },
                                   { "targets", NAMED_LIST, 0, anyIndex }, COMMON };

static const Field mesh[] = { { "primitives", OBJECTS, 0, primitive }, { "weights", NUMBERS, 0, NULL }, COMMON };

static const Field node[] = { { "camera", INTEGER, 0, NULL },  { "children", INTEGERS, 0, NULL },
                              { "skin", INTEGER, 0, NULL },    { "matrix", NUMBERS, 16, NULL },
                              { "mesh", INTEGER, 0, NULL },    { "rotation", NUMBERS, 4, NULL },
                              { "scale", NUMBERS, 3, NULL },   { "translation", NUMBERS, 3, NULL },
                              { "weights", NUMBERS, 0, NULL }, COMMON };

static const Field scene[] = { { "nodes", INTEGERS, 0, NULL }, COMMON };

static const Field skin[] = { { "inverseBindMatrices", INTEGER, 0, NULL },
                              { "skeleton", INTEGER, 0, NULL },
                              { "joints", INTEGERS, 0, NULL },
                              COMMON };

static const Field target[] = { { "node", INTEGER, 0, NULL }, { "path", TEXT, 0, NULL }, COMMON };

static const Field channel[] = { { "sampler", INTEGER, 0, NULL }, { "target", OBJECT, 0, target }, COMMON };

static const Field curve[] = {
    { "input", INTEGER, 0, NULL }, { "output", INTEGER, 0, NULL }, { "interpolation", TEXT, 0, NULL }, COMMON
};

static const Field animation[] = { { "channels", OBJECTS, 0, channel }, { "samplers", OBJECTS, 0, curve }, COMMON };

static const Field lens[] = { { "xmag", NUMBER, 0, NULL },
                              { "ymag", NUMBER, 0, NULL },
                              { "zfar", NUMBER, 0, NULL },
                              { "znear", NUMBER, 0, NULL },
                              { "aspectRatio", NUMBER, 0, NULL },
                              { "yfov", NUMBER, 0, NULL },
                              COMMON };

static const Field camera[] = {
    { "orthographic", OBJECT, 0, lens }, { "perspective", OBJECT, 0, lens }, { "type", TEXT, 0, NULL }, COMMON
};

static const Field document[] = { { "asset", OBJECT, 0, asset },
                                  { "extensionsUsed", TEXTS, 0, NULL },
                                  { "extensionsRequired", TEXTS, 0, NULL },
                                  { "accessors", OBJECTS, 0, accessor },
                                  { "animations", OBJECTS, 0, animation },
                                  { "buffers", OBJECTS, 0, buffer },
                                  { "bufferViews", OBJECTS, 0, bufferView },
                                  { "cameras", OBJECTS, 0, camera },
                                  { "images", OBJECTS, 0, image },
                                  { "materials", OBJECTS, 0, material },
                                  { "meshes", OBJECTS, 0, mesh },
                                  { "nodes", OBJECTS, 0, node },
                                  { "samplers", OBJECTS, 0, sampler },
                                  { "scene", INTEGER, 0, NULL },
                                  { "scenes", OBJECTS, 0, scene },
                                  { "skins", OBJECTS, 0, skin },
                                  { "textures", OBJECTS, 0, texture },
                                  COMMON };

// --- Checking ------------------------------------------------------------------------------------------------------

// Where a value is, as a list from the inside out: its text is made for a message only.
typedef struct Place
{
    const struct Place* outer; // NULL: of the document
    const char* name;          // NULL: an item of a list
    int index;
} Place;

static size_t PrintPlace(const Place* place, char* text, size_t capacity)
{
    size_t used = place->outer != NULL ? PrintPlace(place->outer, text, capacity) : 0;
    char* at = text + (used < capacity ? used : capacity);
    size_t room = used < capacity ? capacity - used : 0;
    int length = place->name != NULL ? snprintf(at, room, "%s%.40s", used > 0 ? "." : "", place->name)
                                     : snprintf(at, room, "[%d]", place->index);
    return used + (size_t)(length > 0 ? length : 0);
}

static qvResult Fail(qvError* error, const Place* place, const char* format, ...)
{
    char where[QV_GLTF_MAX_PLACE] = "", what[120];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    PrintPlace(place, where, sizeof(where));
    return qvError_Set(error, qv_badInput, "%s: %s", where, what);
}

static qvResult CheckInteger(const qvJson* value, int minimum, const Place* place, qvError* error)
{
    double number = qvJson_Number(value);
    if (!qvJson_IsNumber(value))
        return Fail(error, place, "must be a number");
    if (number < minimum || number > INT_MAX)
        return Fail(error, place, "is %g, must be from %d to %g", number, minimum, (double)INT_MAX);
    return number == floor(number) ? qv_ok : Fail(error, place, "must be a whole number");
}

static bool AreNumbers(const qvJson* list)
{
    bool all = qvJson_IsArray(list);
    for (const qvJson* item = qvJson_First(list); item != NULL && all; item = qvJson_Next(item))
        all = qvJson_IsNumber(item);
    return all;
}

static qvResult CheckNumbers(const qvJson* value, int count, const Place* place, qvError* error)
{
    if (!AreNumbers(value) && count == 0)
        return Fail(error, place, "must be a list of numbers");
    if (!AreNumbers(value) || (count > 0 && qvJson_Count(value) != count))
        return Fail(error, place, "must be a list of %d numbers", count);
    return qv_ok;
}

static qvResult CheckValue(const qvJson* value, const Field* field, const Place* place, qvError* error);

// Every member, also one that is there twice: it is written back twice. NULL fields: only kept.
static qvResult CheckMembers(const qvJson* value, const Field* fields, bool isNamed, const Place* place, qvError* error)
{
    if (!qvJson_IsObject(value))
        return Fail(error, place, "must be an object");
    qvResult result = qv_ok;
    for (const qvJson* member = qvJson_First(value); member != NULL && fields != NULL && result == qv_ok;
         member = qvJson_Next(member))
    {
        const char* name = qvJson_Name(member);
        const Field* field = fields;
        while (!isNamed && field->name != NULL && strcmp(field->name, name) != 0)
            field++;
        if (field->name != NULL)
            result = CheckValue(member, field, &(Place){ place, name, 0 }, error);
    }
    return result;
}

static qvResult CheckItems(const qvJson* value, const Field* field, const Place* place, qvError* error)
{
    if (!qvJson_IsArray(value))
        return Fail(error, place, "must be a list");
    qvResult result = qv_ok;
    Place inside = { place, NULL, 0 };
    for (const qvJson* item = qvJson_First(value); item != NULL && result == qv_ok;
         item = qvJson_Next(item), inside.index++)
        result = CheckValue(item, field, &inside, error);
    return result;
}

// Recursion is bounded by the tables.
static qvResult CheckValue(const qvJson* value, const Field* field, const Place* place, qvError* error)
{
    switch (field->kind)
    {
    case NUMBER:
        return qvJson_IsNumber(value) ? qv_ok : Fail(error, place, "must be a number");
    case INTEGER:
        return CheckInteger(value, field->limit, place, error);
    case TRUTH:
        return qvJson_IsBool(value) ? qv_ok : Fail(error, place, "must be true or false");
    case TEXT:
        return qvJson_IsString(value) ? qv_ok : Fail(error, place, "must be a text in quotes");
    case NUMBERS:
        return CheckNumbers(value, field->limit, place, error);
    case INTEGERS:
        return CheckItems(value, &(Field){ "", INTEGER, 0, NULL }, place, error);
    case TEXTS:
        return CheckItems(value, &(Field){ "", TEXT, 0, NULL }, place, error);
    case OBJECTS:
        return CheckItems(value, &(Field){ "", OBJECT, 0, field->fields }, place, error);
    case NAMED_LIST:
        return CheckItems(value, &(Field){ "", NAMED, 0, field->fields }, place, error);
    case OBJECT:
    case NAMED:
        return CheckMembers(value, field->fields, field->kind == NAMED, place, error);
    }
    return qv_ok;
}

qvResult qvGltf_CheckTypes(const qvJson* json, qvError* error)
{
    qvResult result = qv_ok;
    for (const qvJson* member = qvJson_First(json); member != NULL && result == qv_ok; member = qvJson_Next(member))
    {
        const Field* field = document;
        while (field->name != NULL && strcmp(field->name, qvJson_Name(member)) != 0)
            field++;
        if (field->name != NULL)
            result = CheckValue(member, field, &(Place){ NULL, field->name, 0 }, error);
    }
    return result;
}
