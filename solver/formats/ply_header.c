// SPDX-License-Identifier: GPL-3.0-or-later
// PLY headers (Turk, The PLY Polygon File Format, 1994).
#include "formats/ply.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int qvPlyType_Size(qvPlyType type)
{
    static const int sizes[] = { 1, 1, 2, 2, 4, 4, 4, 8 };
    return sizes[type];
}

static bool FindType(qvText word, qvPlyType* type)
{
    static const struct
    {
        const char* word;
        qvPlyType type;
    } types[] = {
        { "char", qv_plyInt8 },       { "int8", qv_plyInt8 },       { "uchar", qv_plyUint8 },
        { "uint8", qv_plyUint8 },     { "short", qv_plyInt16 },     { "int16", qv_plyInt16 },
        { "ushort", qv_plyUint16 },   { "uint16", qv_plyUint16 },   { "int", qv_plyInt32 },
        { "int32", qv_plyInt32 },     { "uint", qv_plyUint32 },     { "uint32", qv_plyUint32 },
        { "float", qv_plyFloat32 },   { "float32", qv_plyFloat32 }, { "double", qv_plyFloat64 },
        { "float64", qv_plyFloat64 },
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    {
        if (qvText_Is(word, types[i].word))
        {
            *type = types[i].type;
            return true;
        }
    }
    return false;
}

static qvPlyTarget FindScalarTarget(qvText name)
{
    static const struct
    {
        const char* name;
        qvPlyTarget target;
    } targets[] = {
        { "x", qv_plyX },
        { "y", qv_plyY },
        { "z", qv_plyZ },
        { "nx", qv_plyNormalX },
        { "ny", qv_plyNormalY },
        { "nz", qv_plyNormalZ },
        { "red", qv_plyRed },
        { "green", qv_plyGreen },
        { "blue", qv_plyBlue },
        { "alpha", qv_plyAlpha },
        { "r", qv_plyRed },
        { "g", qv_plyGreen },
        { "b", qv_plyBlue },
        { "a", qv_plyAlpha },
        { "diffuse_red", qv_plyRed },
        { "diffuse_green", qv_plyGreen },
        { "diffuse_blue", qv_plyBlue },
        { "diffuse_alpha", qv_plyAlpha },
        { "s", qv_plyU },
        { "t", qv_plyV },
        { "u", qv_plyU },
        { "v", qv_plyV },
        { "texture_u", qv_plyU },
        { "texture_v", qv_plyV },
        { "texture_s", qv_plyU },
        { "texture_t", qv_plyV },
        { "tu", qv_plyU },
        { "tv", qv_plyV },
    };
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
    {
        if (qvText_Is(name, targets[i].name))
            return targets[i].target;
    }
    return qv_plyNothing;
}

static qvPlyTarget FindTarget(qvPlyRole role, bool isList, qvText name)
{
    if (role == qv_plyVertex)
        return isList ? qv_plyNothing : FindScalarTarget(name);
    if (role == qv_plyOther || !isList)
        return qv_plyNothing;
    if (qvText_Is(name, "vertex_indices") || qvText_Is(name, "vertex_index"))
        return qv_plyIndices;
    return role == qv_plyFace && qvText_Is(name, "texcoord") ? qv_plyCornerUvs : qv_plyNothing;
}

static qvPlyRole FindRole(qvText name)
{
    return qvText_Is(name, "vertex")      ? qv_plyVertex
           : qvText_Is(name, "face")      ? qv_plyFace
           : qvText_Is(name, "tristrips") ? qv_plyStrip
                                          : qv_plyOther;
}

static qvResult ReadFormat(qvPlyHeader* header, qvScan* scan, bool* hasFormat, qvError* error)
{
    static const char* const names[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    qvText word = qvScan_Word(scan);
    for (int i = 0; i < 3; i++)
    {
        if (qvText_Is(word, names[i]))
        {
            header->encoding = (qvPlyEncoding)i;
            *hasFormat = true;
            return qv_ok;
        }
    }
    return qvScan_Fail(scan, error, "unknown format \"%.*s\"", QV_TEXT_ARGS(word));
}

static qvResult ReadElement(qvPlyHeader* header, qvScan* scan, qvError* error)
{
    qvPlyElement element = { .name = qvScan_Word(scan), .firstProperty = header->properties.count };
    element.role = FindRole(element.name);
    qvScan_SkipBlanks(scan);
    if (element.name.length == 0 || !qvScan_Integer(scan, &element.count) || !qvScan_IsBreak(scan, scan->at) ||
        element.count < 0)
        return qvScan_Fail(scan, error, "element needs a name and a count");
    for (int i = 0; i < header->elements.count && element.role == qv_plyVertex; i++)
    {
        if (header->elements.items[i].role == qv_plyVertex)
            return qvScan_Fail(scan, error, "element vertex appears twice");
    }
    return QV_PUSH(header->elements, element) ? qv_ok : qvError_OutOfMemory(error, sizeof(element));
}

static qvResult ReadProperty(qvPlyHeader* header, qvScan* scan, qvError* error)
{
    if (header->elements.count == 0)
        return qvScan_Fail(scan, error, "property before the first element");
    qvPlyElement* element = &header->elements.items[header->elements.count - 1];
    qvPlyProperty property = { 0 };
    qvText word = qvScan_Word(scan);
    property.isList = qvText_Is(word, "list");
    if (property.isList)
    {
        word = qvScan_Word(scan);
        if (!FindType(word, &property.countType) || property.countType >= qv_plyFloat32)
            return qvScan_Fail(scan, error, "\"%.*s\" is no type for the length of a list", QV_TEXT_ARGS(word));
        word = qvScan_Word(scan);
    }
    if (!FindType(word, &property.type))
        return qvScan_Fail(scan, error, "unknown type \"%.*s\"", QV_TEXT_ARGS(word));
    qvText name = qvScan_Word(scan);
    if (name.length == 0)
        return qvScan_Fail(scan, error, "property needs a name");
    property.target = FindTarget(element->role, property.isList, name);
    element->propertyCount++;
    return QV_PUSH(header->properties, property) ? qv_ok : qvError_OutOfMemory(error, sizeof(property));
}

static void ReadComment(qvPlyHeader* header, qvScan* scan)
{
    if (qvText_IsNoCase(qvScan_Word(scan), "TextureFile"))
        header->textureFile = qvScan_RestOfLine(scan);
    qvScan_RestOfLine(scan);
}

// The data of a binary file may begin with a byte that looks like a line end, so that the first line decides how lines
// end here.
static void SkipEndOfHeader(qvScan* scan, const char* firstLineEnd)
{
    bool returnOnly = firstLineEnd[0] == '\r' && firstLineEnd[1] != '\n';
    qvScan_SkipBlanks(scan);
    scan->line++;
    if (*scan->at == '\r' && (returnOnly || scan->at[1] != '\n'))
        scan->at++;
    else if (*scan->at == '\r')
        scan->at += 2;
    else if (*scan->at == '\n')
        scan->at++;
}

bool qvPlyHeader_Has(const qvPlyHeader* header, qvPlyRole role, qvPlyTarget target)
{
    for (int i = 0; i < header->elements.count; i++)
    {
        const qvPlyElement* element = &header->elements.items[i];
        for (int k = 0; k < element->propertyCount && element->role == role; k++)
        {
            if (header->properties.items[element->firstProperty + k].target == target)
                return true;
        }
    }
    return false;
}

static qvResult CheckHeader(const qvPlyHeader* header, const qvScan* scan, qvError* error)
{
    static const char* const names[] = { "x", "y", "z" };
    for (int i = 0; i < 3; i++)
    {
        if (!qvPlyHeader_Has(header, qv_plyVertex, (qvPlyTarget)(qv_plyX + i)))
            return qvScan_Fail(scan, error, "the header has no property %s of element vertex", names[i]);
    }
    if (!qvPlyHeader_Has(header, qv_plyFace, qv_plyIndices) && !qvPlyHeader_Has(header, qv_plyStrip, qv_plyIndices))
        return qvScan_Fail(scan, error,
                           "the header has no list vertex_indices of element face; a point cloud has no surface to "
                           "animate");
    return qv_ok;
}

static qvResult ReadLines(qvPlyHeader* header, qvScan* scan, const char* firstLineEnd, qvError* error)
{
    bool hasFormat = false;
    while (scan->at < scan->end)
    {
        qvText word = qvScan_Word(scan);
        qvResult result = qv_ok;
        if (qvText_Is(word, "end_header"))
        {
            if (!hasFormat)
                return qvScan_Fail(scan, error, "the header ends without a format line");
            result = CheckHeader(header, scan, error);
            SkipEndOfHeader(scan, firstLineEnd);
            header->data = *scan;
            return result;
        }
        if (qvText_Is(word, "format"))
            result = ReadFormat(header, scan, &hasFormat, error);
        else if (qvText_Is(word, "element"))
            result = ReadElement(header, scan, error);
        else if (qvText_Is(word, "property"))
            result = ReadProperty(header, scan, error);
        else if (qvText_Is(word, "comment"))
            ReadComment(header, scan);
        else if (word.length > 0 && !qvText_Is(word, "obj_info"))
            result = qvScan_Fail(scan, error, "\"%.*s\" has no place in a header", QV_TEXT_ARGS(word));
        if (result != qv_ok)
            return result;
        qvScan_NextLine(scan);
    }
    return qvScan_Fail(scan, error, "the file ends without \"end_header\"; it is truncated");
}

qvResult qvPlyHeader_Read(qvPlyHeader* header, const qvReadInput* input, qvError* error)
{
    *header = (qvPlyHeader){ .textureFile = { "", 0 } };
    qvScan scan = qvMakeScan(input->data, input->size);
    if (!qvText_Is(qvScan_Word(&scan), "ply"))
        return qvScan_Fail(&scan, error, "is no PLY file: its first line has to be \"ply\"");
    qvScan_SkipBlanks(&scan);
    const char* firstLineEnd = scan.at;
    qvScan_NextLine(&scan);
    return ReadLines(header, &scan, firstLineEnd, error);
}

void qvPlyHeader_Free(qvPlyHeader* header)
{
    free(header->elements.items);
    free(header->properties.items);
}
