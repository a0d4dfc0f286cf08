// SPDX-License-Identifier: GPL-3.0-or-later
// Every component type in every shape, packed and with a stride, plain and normalised.
#include "testing.h"

#include "formats/gltf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Shape
{
    const char* name;
    int rows, columns;
} Shape;

typedef struct Component
{
    int type;
    int size;
    double largest; // what a fraction of 1 is stored as
    bool isSigned;
} Component;

static const Shape shapes[] = { { "SCALAR", 1, 1 }, { "VEC2", 2, 1 }, { "VEC3", 3, 1 }, { "VEC4", 4, 1 },
                                { "MAT2", 2, 2 },   { "MAT3", 3, 3 }, { "MAT4", 4, 4 } };
static const Component components[] = {
    { QV_GLTF_BYTE, 1, 127.0, true },
    { QV_GLTF_UNSIGNED_BYTE, 1, 255.0, false },
    { QV_GLTF_SHORT, 2, 32767.0, true },
    { QV_GLTF_UNSIGNED_SHORT, 2, 65535.0, false },
    { QV_GLTF_UNSIGNED_INT, 4, 4294967295.0, false },
    { QV_GLTF_FLOAT, 4, 1.0, true },
};

enum
{
    COUNT = 5,
    MAX_BYTES = 1024,
};

// The number that component k of element i stores; the least one of signed types occurs too.
static double Stored(const Component* component, int i, int k)
{
    int value = 17 * i + 5 * k + 1;
    if (component->type == QV_GLTF_FLOAT)
        return 0.25 * value - 3.0;
    if (component->isSigned && i == 1 && k == 0)
        return -component->largest - 1.0;
    return component->isSigned && (i + k) % 2 == 1 ? -(value % 100) : value % 100;
}

static void Put(uint8_t* bytes, const Component* component, double value)
{
    float single = (float)value;
    int64_t integer = component->type == QV_GLTF_FLOAT ? 0 : (int64_t)value;
    if (component->type == QV_GLTF_FLOAT)
        memcpy(bytes, &single, 4);
    else
        memcpy(bytes, &integer, (size_t)component->size); // little-endian: the low bytes come first
}

static void Encode(char* text, const uint8_t* bytes, int count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < count; i += 3)
    {
        unsigned bits = (unsigned)(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2]);
        for (int k = 0; k < 4; k++)
            *text++ = digits[bits >> (18 - 6 * k) & 63];
    }
    *text = 0;
}

static void Check(const Component* component, const Shape* shape, bool normalized, int padding)
{
    uint8_t bytes[MAX_BYTES + 3] = { 0 };
    int columnSize = shape->rows * component->size;
    if (shape->columns > 1)
        columnSize = (columnSize + 3) / 4 * 4; // columns of matrices are aligned
    int stride = columnSize * shape->columns + padding, width = shape->rows * shape->columns;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < width; k++)
            Put(bytes + i * stride + k / shape->rows * columnSize + k % shape->rows * component->size, component,
                Stored(component, i, k));
    char text[4 * MAX_BYTES], data[2 * MAX_BYTES], strideText[40] = "";
    int size = COUNT * stride;
    Encode(data, bytes, size);
    if (padding > 0)
        snprintf(strideText, sizeof(strideText), ",\"byteStride\":%d", stride);
    int length =
        snprintf(text, sizeof(text),
                 "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"bufferView\":0,\"count\":%d,"
                 "\"componentType\":%d,\"type\":\"%s\",\"normalized\":%s}],"
                 "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d%s}],"
                 "\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:;base64,%s\"}]}",
                 COUNT, component->type, shape->name, normalized ? "true" : "false", size, strideText, size, data);
    qvLoadOptions options = qvDefaultLoadOptions();
    qvReadInput input = { .data = text, .size = (size_t)length, .name = "types", .options = &options };
    qvError error;
    qvGltf* gltf;
    qvGltfAccessor accessor;
    float* values;
    qvArena* arena = qvCreateArena();
    ASSERT_OK(qvOpenGltf(&input, &gltf, &error), error);
    ASSERT_OK(qvGltf_LoadAccessor(gltf, 0, &accessor, &error), error);
    ASSERT_OK(qvGltf_ReadFloats(gltf, arena, &accessor, width, &values, &error), error);
    for (int i = 0; i < COUNT; i++)
    {
        for (int k = 0; k < width; k++)
        {
            double stored = Stored(component, i, k);
            double expected = normalized ? fmax(stored / component->largest, -1.0) : stored;
            ASSERT_NEAR(values[i * width + k], expected, 1e-7 * fabs(expected));
        }
    }
    qvDestroyArena(arena);
    qvDestroyGltf(gltf);
}

static void TestAllTypes(void** state)
{
    (void)state;
    for (size_t c = 0; c < sizeof(components) / sizeof(components[0]); c++)
    {
        for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
        {
            for (int padding = 0; padding <= 8; padding += 4)
            {
                Check(&components[c], &shapes[s], false, padding);
                if (components[c].type != QV_GLTF_FLOAT)
                    Check(&components[c], &shapes[s], true, padding);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestAllTypes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
