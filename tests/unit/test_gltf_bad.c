// SPDX-License-Identifier: GPL-3.0-or-later
// Files that lie: each gets one line with the place and the reason.
#include "testing.h"

#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct BadFile
{
    const char* name;
    const char* part; // of the message
} BadFile;

static const BadFile badFiles[] = {
    { "gltf/bad/accessor_count.gltf",
      "accessors[0].count: 1000000 elements need 12000000 bytes, bufferViews[0] has 48 from there" },
    { "gltf/bad/accessor_count_huge.gltf", "accessors[0].count: is 4e+09, must be from 1 to 2.14748e+09" },
    { "gltf/bad/accessor_count_zero.gltf", "accessors[0].count: is 0, must be from 1 to 2.14748e+09" },
    { "gltf/bad/accessor_fraction.gltf", "accessors[0].count: must be a whole number" },
    { "gltf/bad/animation_interpolation.gltf",
      "animations[0].samplers[0].interpolation: \"BEZIER\" is none of glTF's" },
    { "gltf/bad/animation_node.gltf", "animations[0].channels[0].target.node: there is no nodes[44], only 3 of them" },
    { "gltf/bad/animation_output.gltf",
      "animations[0].samplers[0].output: accessors[6] has 1 elements, which do not fit 2 keys" },
    { "gltf/bad/animation_sampler.gltf", "animations[0].channels[0].sampler: must name one of the 1 samplers" },
    { "gltf/bad/animation_times.gltf",
      "animations[0].samplers[0].input: the times of accessors[5] must increase, element 1 does not" },
    { "gltf/bad/animation_width.gltf", "animations[0].channels[0].sampler: has 4 numbers per key, 3 are needed" },
    { "gltf/bad/base64.gltf", "buffers[0].uri: character 41 is no base64" },
    { "gltf/bad/buffer_length.gltf", "buffers[0].byteLength: 572 bytes are promised, 72 are there" },
    { "gltf/bad/buffer_nowhere.gltf",
      "buffers[0]: has no uri and the file has no binary chunk; export the file without compression" },
    { "gltf/bad/component_type.gltf", "accessors[0].componentType: 5124 is none of glTF's types" },
    { "gltf/bad/compression.gltf",
      "extensionsRequired[0]: ACME_mesh_compression is not supported; export the file without compression" },
#ifdef QUAVER_DRACO
    { "gltf/bad/draco_attribute.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.attributes."
                                       "NORMAL: is nothing that fits accessors[1]" },
    { "gltf/bad/draco_count.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: holds 4 points, but accessors[0] has 5" },
    { "gltf/bad/draco_cut.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: its 91 bytes are damaged" },
    { "gltf/bad/draco_faces.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: holds 4 points and "
                                   "4294967295 triangles, but its accessors have 4 and 4" },
    { "gltf/bad/draco_huge.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: unpacks to 2.4e+04 "
                                  "MB, far more than the file holds" },
    { "gltf/bad/draco_indices.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: holds 4 points "
                                     "and 4 triangles, but its accessors have 4 and 5" },
    { "gltf/bad/draco_kind.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: its bytes are no mesh of Draco" },
    { "gltf/bad/draco_metadata.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: is version 2.2 "
                                      "of Draco with metadata, plain 2.2 can be read" },
    { "gltf/bad/draco_missing.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: needs accessors of positions and indices" },
    { "gltf/bad/draco_seams.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: its 125 bytes have "
                                   "seams of 255 attributes, far too many" },
    { "gltf/bad/draco_strip.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: strips cannot be read; export triangles" },
    { "gltf/bad/draco_version.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: is version 1.3 of Draco, plain 2.2 can be read" },
    { "gltf/bad/draco_view.gltf",
      "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView: is missing" },
    { "gltf/bad/draco_wide.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: its 4997 bytes are "
                                  "damaged, or unpack to far more than that" },
    { "gltf/bad/draco_width.gltf", "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.attributes.NORMAL: "
                                   "is nothing that fits accessors[1]" },
#else
    { "gltf/bad/draco_cut.gltf", "KHR_draco_mesh_compression needs libdraco, which this Quaver was built without" },
#endif
    { "gltf/bad/data_plain.gltf", "buffers[0].uri: a data URI must be base64 (\"data:…;base64,…\")" },
    { "gltf/bad/deep.gltf", "line 1, column 100: nested too deeply" },
    { "gltf/bad/empty.gltf", "byte 0: the file is empty" },
    { "gltf/bad/huge_indices.gltf",
      "meshes[0].primitives[1].attributes.POSITION: is 1e+20, must be from 0 to 2.14748e+09" },
    { "gltf/bad/index_range.gltf", "meshes[0].primitives[0].indices: item 0 is 4, but there are 4 vertices" },
    { "gltf/bad/indices_float.gltf",
      "meshes[0].primitives[0].indices: accessors[1] must be unsigned integers of type SCALAR" },
    { "gltf/bad/infinite.gltf", "accessors[0]: element 1 is not a finite number" },
    { "gltf/bad/instances.gltf", "nodes[40].mesh: the scene has more than 20000000 vertices" },
    { "gltf/bad/json.gltf", "line 2, column 21: not valid JSON" },
    { "gltf/bad/list.gltf", "line 1, column 1: must be a JSON object" },
    { "gltf/bad/material.gltf", "meshes[0].primitives[0].material: there is no materials[0]" },
    { "gltf/bad/mesh_number.gltf", "meshes[0]: must be an object" },
    { "gltf/bad/meshes_object.gltf", "meshes: must be a list" },
    { "gltf/bad/meshopt_fallback.gltf",
      "bufferViews[0]: buffer 0 has no bytes, and nothing compressed takes their place" },
    { "gltf/bad/meshopt_buf.gltf",
      "bufferViews[0].extensions.EXT_meshopt_compression.buffer: must name one of the 2 buffers" },
    { "gltf/bad/meshopt_cut.gltf",
      "bufferViews[2].extensions.EXT_meshopt_compression: its 18 bytes are damaged, or no 12 items of 2 bytes" },
    { "gltf/bad/meshopt_filter.gltf", "bufferViews[2].extensions.EXT_meshopt_compression: 12 items of 2 bytes do not "
                                      "go with mode TRIANGLES and filter OCTAHEDRAL" },
    { "gltf/bad/meshopt_header.gltf",
      "bufferViews[2].extensions.EXT_meshopt_compression: its bytes are not compressed in that way" },
    { "gltf/bad/meshopt_huge.gltf",
      "bufferViews[0].extensions.EXT_meshopt_compression: unpacks to 96 MB, far more than the file holds" },
    { "gltf/bad/meshopt_itself.gltf",
      "bufferViews[0].extensions.EXT_meshopt_compression: bytes 0 to 74 lie outside buffer 1 of 0 bytes" },
    { "gltf/bad/meshopt_length.gltf", "bufferViews[0].byteLength: is 48, but 5 items of 12 bytes are compressed" },
    { "gltf/bad/meshopt_lengthless.gltf", "bufferViews[0].extensions.EXT_meshopt_compression.byteLength: is missing" },
    { "gltf/bad/meshopt_mode.gltf", "bufferViews[0].extensions.EXT_meshopt_compression.mode: \"STRIPS\" is not known" },
    { "gltf/bad/meshopt_outside.gltf",
      "bufferViews[4].extensions.EXT_meshopt_compression: bytes 200 to 100200 lie outside buffer 0 of 254 bytes" },
    { "gltf/bad/meshopt_stride.gltf", "bufferViews[0].extensions.EXT_meshopt_compression: 4 items of 13 bytes do not "
                                      "go with mode ATTRIBUTES and filter EXPONENTIAL" },
    { "gltf/bad/meshopt_version.gltf",
      "is packed by version 1 of meshoptimizer's codec, only version 0 can be read; pack the file with gltfpack -c" },
    { "gltf/bad/meshopt_vstride.gltf", "bufferViews[0].byteStride: is 16, but items of 12 bytes are compressed" },
    { "gltf/bad/mode.gltf", "meshes[0].primitives[0].mode: is 7, must be from 0 to 6" },
    { "gltf/bad/nan.gltf", "accessors[0]: element 1 is not a finite number" },
    { "gltf/bad/no_asset.gltf", "asset: is missing; this is no glTF 2.0 file" },
    { "gltf/bad/no_view.gltf", "accessors[0].bufferView: there is no bufferViews[77], only 2 of them" },
    { "gltf/bad/node_child.gltf", "nodes[0].children[0]: there is no such node; the file has 1" },
    { "gltf/bad/node_cycle.gltf", "nodes[2].children: the node is its own ancestor" },
    { "gltf/bad/node_matrix.gltf", "nodes[0].matrix: must be a list of 16 numbers" },
    { "gltf/bad/node_mesh.gltf", "nodes[0].mesh: there is no meshes[3], only 1 of them" },
    { "gltf/bad/node_overflow.gltf", "vertex 1: position is not finite" },
    { "gltf/bad/node_perspective.gltf", "nodes[0].matrix: the last row must be 0, 0, 0, 1" },
    { "gltf/bad/node_scale_text.gltf", "nodes[0].scale: must be a list of 3 numbers" },
    { "gltf/bad/node_self.gltf", "nodes[0].children: the node is its own ancestor" },
    { "gltf/bad/node_skin.gltf", "nodes[0].skin: there is no skins[7]" },
    { "gltf/bad/node_two_parents.gltf", "nodes[2].children[0]: node 0 has another parent already, node 1" },
    { "gltf/bad/number.gltf", "nodes[0].scale[0]: the number is too large" },
    { "gltf/bad/offset.gltf", "accessors[0].count: 4 elements need 48 bytes, bufferViews[0] has 0 from there" },
    { "gltf/bad/offset_negative.gltf", "accessors[0].byteOffset: is -4, must be from 0 to 2.14748e+09" },
    { "gltf/bad/only_lines.gltf", "scenes: the default scene has no mesh with triangles" },
    { "gltf/bad/position_missing_accessor.gltf",
      "meshes[0].primitives[0].attributes.POSITION: there is no accessors[9], only 2 of them" },
    { "gltf/bad/position_number.gltf", "meshes[0].primitives[0].attributes.POSITION: must be a number" },
    { "gltf/bad/scene.gltf", "scene: there is no scenes[4]" },
    { "gltf/bad/scene_empty.gltf", "scenes: the default scene has no mesh with triangles" },
    { "gltf/bad/scene_node.gltf", "scenes[0].nodes[0]: there is no such node; the file has 1" },
    { "gltf/bad/skin.gltf", "skins[0].joints[1]: there is no such node; the file has 3" },
    { "gltf/bad/skin_cycle.gltf", "nodes[2].children: the node is its own ancestor" },
    { "gltf/bad/skin_empty.gltf", "skins[0].joints: must name at least one node" },
    { "gltf/bad/skin_joint.gltf", "nodes[0].skin: a vertex follows joint 1, but skins[0] has 1 joints" },
    { "gltf/bad/skin_matrices.gltf", "skins[0].inverseBindMatrices: accessors[4] must hold 2 elements of type MAT4" },
    { "gltf/bad/sparse_count.gltf", "accessors[0].sparse.count: is 5, must be from 1 to 4" },
    { "gltf/bad/sparse_huge.gltf", "accessors[0].count: needs 2.4e+04 MB of memory" },
    { "gltf/bad/sparse_order.gltf", "accessors[0].sparse.indices: item 1 is 1; they must increase and stay below 4" },
    { "gltf/bad/sparse_type.gltf", "accessors[0].sparse.indices.componentType: must be an unsigned integer" },
    { "gltf/bad/stride.gltf", "bufferViews[0].byteStride: 4 is less than the 12 bytes of an element of accessors[0]" },
    { "gltf/bad/truncated.gltf", "not valid JSON" },
    { "gltf/bad/type.gltf", "accessors[0].type: \"VEC5\" is none of glTF's types" },
    { "gltf/bad/type_wrong.gltf",
      "meshes[0].primitives[0].attributes.POSITION: accessors[0] must have 3 numbers per element" },
    { "gltf/bad/unknown_extension.gltf",
      "extensionsRequired[0]: ACME_magic is not supported; export the file without it" },
    { "gltf/bad/uri_absolute.gltf",
      "buffers[0].uri: /etc/passwd: leaves the folder of the file; put it beside the file" },
    { "gltf/bad/uri_encoded_parent.gltf",
      "buffers[0].uri: ../secret.bin: leaves the folder of the file; put it beside the file" },
    { "gltf/bad/uri_file.gltf",
      "buffers[0].uri: file:///etc/passwd: leaves the folder of the file; put it beside the file" },
    { "gltf/bad/uri_missing.gltf", "buffers[0].uri: " },
    { "gltf/bad/uri_parent.gltf",
      "buffers[0].uri: ../secret.bin: leaves the folder of the file; put it beside the file" },
    { "gltf/bad/uri_remote.gltf",
      "buffers[0].uri: https://example.com/a.bin: leaves the folder of the file; put it beside the file" },
    { "gltf/bad/version.gltf", "asset.version: is \"1.0\"; export it as glTF 2.0" },
    { "gltf/bad/view_buffer.gltf", "bufferViews[0].buffer: must name one of the 1 buffers" },
    { "gltf/bad/view_size.gltf", "bufferViews[0]: bytes 0 to 400 lie outside buffer 0 of 72 bytes" },
    { "gltf/bad/weights_missing.gltf", "meshes[0].primitives[0].attributes.WEIGHTS_0: is missing" },
    { "gltf/bad/zeros_4gb.gltf", "accessors[0].count: needs 4.2e+03 MB of memory" },
    { "glb/bad/chunk_length.glb", "byte 12: a chunk of 2147483647 bytes reaches beyond the end of the file" },
    { "glb/bad/chunk_type.glb", "byte 16: the first chunk is not JSON" },
    { "glb/bad/header.glb", "byte 10: the file ends in its header" },
    { "glb/bad/json.glb", "JSON from byte 20: line 1, column 3: not valid JSON" },
    { "glb/bad/length.glb", "byte 8: the header promises 4294967295 bytes, the file has 644; it is cut off" },
    { "glb/bad/length_small.glb", "byte 8: a length of 4 bytes is too small" },
    { "glb/bad/no_binary.glb",
      "buffers[0]: has no uri and the file has no binary chunk; export the file without compression" },
    { "glb/bad/truncated.glb", "byte 8: the header promises 644 bytes, the file has 624; it is cut off" },
    { "glb/bad/version.glb", "byte 4: is glTF version 1; export it as glTF 2.0" },
};

static long PeakKilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void TestMessages(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(badFiles) / sizeof(badFiles[0]); i++)
    {
        char path[512];
        qvError error;
        qvModel* model = NULL;
        DataPath(path, sizeof(path), badFiles[i].name);
        if (qvLoadModel(path, NULL, &model, &error) == qv_ok)
            fail_msg("%s was read", badFiles[i].name);
        assert_null(model);
        ASSERT_CONTAINS(error.message, path);
        ASSERT_CONTAINS(error.message, badFiles[i].part);
        assert_null(strchr(error.message, '\n'));
    }
}

// None of these files has more than a few kilobytes; the limit is 16 MB beyond what they hold.
static void TestMemory(void** state)
{
    (void)state;
    long before = PeakKilobytes();
    TestMessages(state);
    assert_true(PeakKilobytes() - before < 64 * 1024);
}

// A text of tiny values is refused before its tree is built.
static void TestCrowdedText(void** state)
{
    (void)state;
    enum
    {
        SIZE = 900000
    };
    static const char start[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}", end[] = "]}";
    char* text = malloc(SIZE);
    assert_non_null(text);
    size_t used = sizeof(start) - 1;
    memcpy(text, start, used);
    for (; used + 6 < SIZE; used += 3)
        memcpy(text + used, ",{}", 3);
    memcpy(text + used, end, 2);
    qvError error;
    qvModel* model;
    long before = PeakKilobytes();
    assert_int_equal(qvLoadModelFromMemory("gltf", text, used + 2, "crowded", NULL, NULL, &model, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "too many values");
    assert_true(PeakKilobytes() - before < 8 * 1024);
    free(text);
}

// Every prefix of a good file is refused or read, but never trusted.
static void TestTruncated(void** state)
{
    (void)state;
    static const char* const names[] = { "glb/skin.glb", "glb/morph.glb", "gltf/sparse.gltf", "glb/rich.glb" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        char path[512], bytes[16384];
        FILE* file = fopen(DataPath(path, sizeof(path), names[i]), "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof(bytes), file);
        fclose(file);
        for (size_t length = 0; length < size - 2; length += 7)
        {
            qvError error;
            qvModel* model;
            const char* format = strstr(names[i], "glb") != NULL ? "glb" : "gltf";
            assert_int_not_equal(qvLoadModelFromMemory(format, bytes, length, "cut", NULL, NULL, &model, &error),
                                 qv_ok);
            ASSERT_CONTAINS(error.message, "cut: ");
        }
    }
}

// Many nodes that show one mesh, and many weights for each: refused by the limits, quickly.
static void TestInstances(void** state)
{
    (void)state;
    char* text = malloc(1 << 20);
    assert_non_null(text);
    int length = sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\"type\":"
                               "\"VEC3\",\"count\":3}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                               "\"targets\":[{}");
    for (int i = 0; i < 9999; i++)
        length += sprintf(text + length, ",{}");
    length += sprintf(text + length, "]}]}],\"nodes\":[{\"mesh\":0}");
    for (int i = 0; i < 9999; i++)
        length += sprintf(text + length, ",{\"mesh\":0}");
    length += sprintf(text + length, "]}");
    qvError error;
    qvModel* model;
    assert_int_not_equal(qvLoadModelFromMemory("gltf", text, (size_t)length, "bomb", NULL, NULL, &model, &error),
                         qv_ok);
    ASSERT_CONTAINS(error.message, "too many morph weights");
    free(text);
}

// A grid of side * side points that some nodes show, as a binary file; the caller frees it.
static uint8_t* MakeCopies(int side, int nodes, size_t* size)
{
    int points = side * side, triangles = 2 * (side - 1) * (side - 1);
    size_t vertexBytes = (size_t)points * 12, bytes = vertexBytes + (size_t)triangles * 12;
    uint8_t* file = malloc(bytes + (size_t)nodes * 64 + 4096);
    assert_non_null(file);
    char* text = (char*)file + 20;
    size_t length =
        (size_t)sprintf(text,
                        "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                        "\"type\":\"VEC3\",\"count\":%d},{\"bufferView\":1,\"componentType\":5125,\"type\":"
                        "\"SCALAR\",\"count\":%d}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu},{\"buffer\":0,"
                        "\"byteOffset\":%zu,\"byteLength\":%zu}],\"meshes\":[{\"primitives\":[{\"attributes\":"
                        "{\"POSITION\":0},\"indices\":1}]}],\"buffers\":[{\"byteLength\":%zu}],\"nodes\":[",
                        points, 3 * triangles, vertexBytes, vertexBytes, bytes - vertexBytes, bytes);
    for (int i = 0; i < nodes; i++)
        length += (size_t)sprintf(text + length, "%s{\"mesh\":0,\"translation\":[0,%d,0]}", i > 0 ? "," : "", i);
    length += (size_t)sprintf(text + length, "]}");
    while (length % 4 != 0)
        text[length++] = ' ';
    *size = 28 + length + bytes;
    const uint32_t header[5] = { 0x46546c67, 2, (uint32_t)*size, (uint32_t)length, 0x4e4f534a };
    const uint32_t chunk[2] = { (uint32_t)bytes, 0x004e4942 };
    memcpy(file, header, sizeof(header));
    memcpy(text + length, chunk, sizeof(chunk));
    uint8_t* data = file + 28 + length;
    for (int i = 0; i < points; i++, data += 12)
        memcpy(data, (float[3]){ (float)(i % side), 0.0f, (float)(i / side) }, 12);
    for (uint32_t i = 0, row = (uint32_t)side; i < row * (row - 1); i++)
    {
        if (i % row == row - 1)
            continue;
        memcpy(data, (uint32_t[6]){ i, i + row, i + 1, i + 1, i + row, i + row + 1 }, 24);
        data += 24;
    }
    return file;
}

// A forest: one mesh, shown by many nodes. The file is small and the scene is not.
static void TestCopies(void** state)
{
    (void)state;
    size_t size;
    uint8_t* text = MakeCopies(20, 3000, &size);
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("glb", text, size, "forest", NULL, NULL, &model, &error), error);
    assert_int_equal(model->mesh->vertexCount, 3000 * 400);
    qvDestroyModel(model);
    qvLoadOptions options = qvDefaultLoadOptions();
    options.maxSceneBytes = 1 << 20;
    assert_int_equal(qvLoadModelFromMemory("glb", text, size, "forest", NULL, &options, &model, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "forest: nodes: the scene needs ");
    ASSERT_CONTAINS(error.message, "several nodes show may take 1 MB besides); export it with fewer copies");
    free(text);
}

// Files of a few kilobytes that ask for gigabytes are refused before those are used.
static void TestCopyBomb(void** state)
{
    (void)state;
    size_t size;
    uint8_t* text = MakeCopies(20, 45000, &size);
    qvError error;
    qvModel* model;
    long before = PeakKilobytes();
    assert_int_equal(qvLoadModelFromMemory("glb", text, size, "bomb", NULL, NULL, &model, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "bomb: nodes");
    assert_true(PeakKilobytes() - before < 800 * 1024);
    free(text);
}

// --- Types ---------------------------------------------------------------------------------------------------------

// The index-th value of a document that glTF names, counted from the top; kept ones are left out.
static qvJson* FindValue(qvJson* node, int* index, qvJson** parent)
{
    for (qvJson* item = qvJson_First(node); item != NULL; item = qvJson_Next(item))
    {
        const char* name = qvJson_Name(item);
        if (strcmp(name, "extras") == 0 || strcmp(name, "extensions") == 0)
            continue;
        *parent = node;
        if ((*index)-- == 0)
            return item;
        qvJson* found = FindValue(item, index, parent);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static qvResult LoadJson(const qvJson* json, qvError* error)
{
    char* text = qvJson_Print(json, false);
    assert_non_null(text);
    qvModel* model;
    qvResult result = qvLoadModelFromMemory("gltf", text, strlen(text), "typed", NULL, NULL, &model, error);
    if (result == qv_ok)
        qvDestroyModel(model);
    qvFreeText(text);
    return result;
}

// Whatever is replaced by something of another type, also what is only written back: the file is refused.
static void TestTypes(void** state)
{
    (void)state;
    static const char* const names[] = { "gltf/rich.gltf", "gltf/skin.gltf", "gltf/morph.gltf", "gltf/sparse.gltf",
                                         "gltf/cubic.gltf" };
    for (size_t file = 0; file < sizeof(names) / sizeof(names[0]); file++)
    {
        char path[512];
        qvBytes bytes;
        qvError error;
        ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), names[file]), 1 << 20, &bytes, &error), error);
        bool more = true;
        for (int i = 0; more; i++)
        {
            qvJson *json, *parent = NULL;
            ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &json, &error), error);
            if (i == 0)
                ASSERT_OK(LoadJson(json, &error), error);
            int index = i;
            qvJson* value = FindValue(json, &index, &parent);
            more = value != NULL;
            if (more)
            {
                char name[64];
                snprintf(name, sizeof(name), "%s", qvJson_Name(value));
                bool isText = qvJson_IsString(value);
                qvJson_Remove(parent, value);
                const char* as = qvJson_IsArray(parent) ? NULL : name;
                if (isText)
                    qvJson_AddNumber(parent, as, 1.0);
                else
                    qvJson_AddString(parent, as, "a");
                if (LoadJson(json, &error) == qv_ok)
                    fail_msg("%s: value %d, %s, was read with another type", names[file], i, name);
                ASSERT_CONTAINS(error.message, "typed: ");
            }
            qvDestroyJson(json);
        }
        qvFreeBytes(&bytes);
    }
}

// A member that is there twice is written back twice.
static void TestTwice(void** state)
{
    (void)state;
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,"
                               "\"byteOffset\":\"a\"}]}";
    qvError error;
    qvModel* model;
    assert_int_equal(qvLoadModelFromMemory("gltf", text, strlen(text), "twice", NULL, NULL, &model, &error),
                     qv_badInput);
    assert_string_equal(error.message, "twice: bufferViews[0].byteOffset: must be a number");
}

// A triangle whose mesh has an object with many members.
static qvResult LoadCrowded(const char* where, qvError* error)
{
    char* text = malloc(1 << 20);
    assert_non_null(text);
    int length = sprintf(text,
                         "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\"type\":"
                         "\"VEC3\",\"count\":3}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{%s",
                         where);
    for (int i = 0; i < 1000; i++)
        length += sprintf(text + length, "\"m%d\":0,", i);
    length += sprintf(text + length, "\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}%s", *where ? "}]}" : "]}");
    qvModel* model;
    qvResult result = qvLoadModelFromMemory("gltf", text, (size_t)length, "crowd", NULL, NULL, &model, error);
    if (result == qv_ok)
        qvDestroyModel(model);
    free(text);
    return result;
}

// Members are found one by one, for each of many references: so that no file hangs, only extras may have many.
static void TestMembers(void** state)
{
    (void)state;
    qvError error;
    assert_int_equal(LoadCrowded("", &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "crowd: meshes[0]: an object has 1001 members, at most 256");
    assert_int_equal(LoadCrowded("\"primitives\":[{\"attributes\":{\"POSITION\":0}}],\"extras\":{", &error),
                     qv_badInput);
    ASSERT_CONTAINS(error.message, "no triangle is left");
}

// Buffers that name one file in several ways hold its bytes once.
static void TestBufferAliases(void** state)
{
    (void)state;
    enum
    {
        ALIASES = 400,
        FILE_SIZE = 1 << 20
    };
    char* text = calloc(1, FILE_SIZE);
    char folder[] = "/tmp/quaver-XXXXXX", path[64];
    assert_true(text != NULL && mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/a b.bin", folder);
    qvError error;
    ASSERT_OK(qvWriteFile(path, text, FILE_SIZE, &error), error);
    int length = sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"a b.bin\",\"byteLength\":4}");
    for (int i = 0; i < ALIASES; i++)
    {
        length += sprintf(text + length, ",{\"byteLength\":%d,\"uri\":\"", 5 + i);
        for (int k = 0; k < i; k++)
            length += sprintf(text + length, "./");
        length += sprintf(text + length, "a%%20b.bin\"}");
    }
    length += sprintf(text + length, "]}");
    long before = PeakKilobytes();
    qvModel* model;
    assert_int_not_equal(qvLoadModelFromMemory("gltf", text, (size_t)length, "alias", folder, NULL, &model, &error),
                         qv_ok);
    ASSERT_CONTAINS(error.message, "alias: scenes: ");
    assert_true(PeakKilobytes() - before < 64 * 1024);
    unlink(path);
    rmdir(folder);
    free(text);
}

// Buffers beside the file may not be read when there is no folder.
static void TestNoFolder(void** state)
{
    (void)state;
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":4}]}";
    qvError error;
    qvModel* model;
    assert_int_not_equal(qvLoadModelFromMemory("gltf", text, strlen(text), "lone", NULL, NULL, &model, &error), qv_ok);
    ASSERT_CONTAINS(error.message, "lone: buffers[0].uri: a.bin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMemory),    cmocka_unit_test(TestMessages),      cmocka_unit_test(TestCrowdedText),
        cmocka_unit_test(TestTruncated), cmocka_unit_test(TestInstances),     cmocka_unit_test(TestNoFolder),
        cmocka_unit_test(TestMembers),   cmocka_unit_test(TestBufferAliases), cmocka_unit_test(TestCopyBomb),
        cmocka_unit_test(TestCopies),    cmocka_unit_test(TestTypes),         cmocka_unit_test(TestTwice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
