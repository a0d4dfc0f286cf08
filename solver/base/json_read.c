// SPDX-License-Identifier: GPL-3.0-or-later
// Reading members of an object, with messages that name the field.
#include "quaver/json.h"

#include <math.h>
#include <stdio.h>

static qvResult FailField(qvError* error, const char* path, const char* name, const char* what)
{
    return qvError_Set(error, qv_badInput, "%s%s%s: %s", path, *path != 0 ? "." : "", name, what);
}

qvResult qvJson_ReadNumber(const qvJson* object, const char* path, const char* name, double minimum, double maximum,
                           double* value, qvError* error)
{
    const qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!qvJson_IsNumber(node))
        return FailField(error, path, name, "must be a number");
    double number = qvJson_Number(node);
    if (number < minimum || number > maximum)
    {
        char what[120];
        snprintf(what, sizeof(what), "is %g, must be from %g to %g", number, minimum, maximum);
        return FailField(error, path, name, what);
    }
    *value = number;
    return qv_ok;
}

qvResult qvJson_ReadInt(const qvJson* object, const char* path, const char* name, int minimum, int maximum, int* value,
                        qvError* error)
{
    double number = *value;
    qvResult result = qvJson_ReadNumber(object, path, name, minimum, maximum, &number, error);
    if (result != qv_ok)
        return result;
    if (number != floor(number))
        return FailField(error, path, name, "must be a whole number");
    *value = (int)number;
    return qv_ok;
}

qvResult qvJson_ReadBool(const qvJson* object, const char* path, const char* name, bool* value, qvError* error)
{
    const qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!qvJson_IsBool(node))
        return FailField(error, path, name, "must be true or false");
    *value = qvJson_Bool(node);
    return qv_ok;
}

qvResult qvJson_ReadString(const qvJson* object, const char* path, const char* name, const char** value, qvError* error)
{
    const qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!qvJson_IsString(node))
        return FailField(error, path, name, "must be a text in quotes");
    *value = qvJson_Text(node);
    return qv_ok;
}

qvResult qvJson_ReadNumbers(const qvJson* object, const char* path, const char* name, int count, double* values,
                            qvError* error)
{
    const qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    char what[60];
    snprintf(what, sizeof(what), "must be a list of %d numbers", count);
    if (!qvJson_IsArray(node) || qvJson_Count(node) != count)
        return FailField(error, path, name, what);
    const qvJson* item = qvJson_First(node);
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        if (!qvJson_IsNumber(item))
            return FailField(error, path, name, what);
        values[i] = qvJson_Number(item);
    }
    return qv_ok;
}

qvResult qvJson_ReadArray(const qvJson* object, const char* path, const char* name, qvJson** value, qvError* error)
{
    qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!qvJson_IsArray(node))
        return FailField(error, path, name, "must be a list");
    *value = node;
    return qv_ok;
}

qvResult qvJson_ReadObject(const qvJson* object, const char* path, const char* name, qvJson** value, qvError* error)
{
    qvJson* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!qvJson_IsObject(node))
        return FailField(error, path, name, "must be an object");
    *value = node;
    return qv_ok;
}
