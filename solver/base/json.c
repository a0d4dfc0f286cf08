// SPDX-License-Identifier: GPL-3.0-or-later
// The tree: looking at its nodes and building it. Text is read in json_parse.c and written in json_print.c.
#include "quaver/json.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>

void qvDestroyJson(qvJson* root)
{
    cJSON_Delete(root);
}

qvJson* qvJson_Copy(const qvJson* node)
{
    return cJSON_Duplicate(node, true);
}

// --- Looking -----------------------------------------------------------------------------------------------------

bool qvJson_IsObject(const qvJson* node)
{
    return cJSON_IsObject(node);
}

bool qvJson_IsArray(const qvJson* node)
{
    return cJSON_IsArray(node);
}

bool qvJson_IsNumber(const qvJson* node)
{
    return cJSON_IsNumber(node);
}

bool qvJson_IsString(const qvJson* node)
{
    return cJSON_IsString(node);
}

bool qvJson_IsBool(const qvJson* node)
{
    return cJSON_IsBool(node);
}

bool qvJson_IsNull(const qvJson* node)
{
    return cJSON_IsNull(node);
}

int qvJson_Count(const qvJson* node)
{
    return node != NULL ? cJSON_GetArraySize(node) : 0;
}

const char* qvJson_Name(const qvJson* node)
{
    return node != NULL && node->string != NULL ? node->string : "";
}

const char* qvJson_Text(const qvJson* node)
{
    return cJSON_IsString(node) ? node->valuestring : "";
}

double qvJson_Number(const qvJson* node)
{
    return cJSON_IsNumber(node) ? node->valuedouble : 0.0;
}

int qvJson_Index(const qvJson* node)
{
    double value = qvJson_IsNumber(node) ? qvJson_Number(node) : -1.0;
    return value >= 0.0 && value <= INT_MAX ? (int)value : -1;
}

bool qvJson_Bool(const qvJson* node)
{
    return cJSON_IsTrue(node);
}

qvJson* qvJson_First(const qvJson* node)
{
    return node != NULL ? node->child : NULL;
}

qvJson* qvJson_Next(const qvJson* node)
{
    return node != NULL ? node->next : NULL;
}

qvJson* qvJson_At(const qvJson* array, int index)
{
    return array != NULL ? cJSON_GetArrayItem(array, index) : NULL;
}

qvJson* qvJson_Find(const qvJson* object, const char* name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

// --- Building ----------------------------------------------------------------------------------------------------

qvJson* qvCreateJsonObject(void)
{
    return cJSON_CreateObject();
}

qvJson* qvCreateJsonArray(void)
{
    return cJSON_CreateArray();
}

static qvJson* Add(qvJson* parent, const char* name, qvJson* node)
{
    if (parent == NULL || node == NULL)
    {
        cJSON_Delete(node);
        return NULL;
    }
    bool added = name != NULL ? cJSON_AddItemToObject(parent, name, node) : cJSON_AddItemToArray(parent, node);
    if (added)
        return node;
    cJSON_Delete(node);
    return NULL;
}

qvJson* qvJson_AddObject(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateObject());
}

qvJson* qvJson_AddArray(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateArray());
}

qvJson* qvJson_AddNumber(qvJson* object, const char* name, double value)
{
    return Add(object, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

qvJson* qvJson_AddString(qvJson* object, const char* name, const char* value)
{
    return Add(object, name, cJSON_CreateString(value));
}

qvJson* qvJson_AddBool(qvJson* object, const char* name, bool value)
{
    return Add(object, name, cJSON_CreateBool(value));
}

qvJson* qvJson_AddNull(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateNull());
}

qvJson* qvJson_AddNumbers(qvJson* object, const char* name, const double* values, int count)
{
    return Add(object, name, cJSON_CreateDoubleArray(values, count));
}

void qvJson_AddNode(qvJson* object, const char* name, qvJson* node)
{
    Add(object, name, node);
}

void qvJson_Remove(qvJson* parent, qvJson* node)
{
    if (parent != NULL && node != NULL)
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, node));
}
