// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a material library: materials in range, whatever it says.
#include "fuzzing.h"

#include "formats/obj.h"

#include <stdlib.h>
#include <string.h>

static void CheckMaterials(const qvObjMaterials* materials)
{
    for (int i = 0; i < materials->list.count; i++)
    {
        const qvMaterial* m = &materials->list.items[i];
        bool isGood = m->baseColor.r >= 0.0f && m->baseColor.a <= 1.0f && m->roughness >= 0.0f &&
                      m->roughness <= 1.0f && m->metallic >= 0.0f && m->metallic <= 1.0f && m->texture >= -1 &&
                      m->texture < materials->texturePaths.list.count;
        if (!isGood)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvArena* arena = qvCreateArena();
    char* text = calloc(size + 1, 1);
    if (arena == NULL || text == NULL)
        abort();
    memcpy(text, data, size);
    qvObjMaterials materials = { .names.arena = arena, .texturePaths.arena = arena, .libraries.arena = arena };
    qvNotes notes = { 0 };
    qvBytes bytes = { text, size };
    qvError error;
    if (qvObjMaterials_ReadLibrary(&materials, "fuzz.mtl", &bytes, &notes, &error) != qv_ok ||
        qvObjMaterials_Textures(&materials) == NULL)
        abort();
    CheckMaterials(&materials);
    for (int i = 0; i < notes.count; i++)
        free(notes.lines[i]);
    free(notes.lines);
    qvObjMaterials_Free(&materials);
    qvDestroyArena(arena);
    free(text);
    return 0;
}
