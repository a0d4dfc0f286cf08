// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "quaver/mesh.h"

static const qvVec3f cubePositions[8] = {
    { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 },
};
static const int32_t cubeCorners[24] = {
    0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7,
};
static const int32_t cubeSizes[6] = { 4, 4, 4, 4, 4, 4 };

static qvMeshDef CubeDef(void)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 8;
    def.positions = cubePositions;
    def.faceCount = 6;
    def.faceSizes = cubeSizes;
    def.corners = cubeCorners;
    return def;
}

static void TestCube(void** state)
{
    (void)state;
    qvMeshDef def = CubeDef();
    qvMesh* mesh;
    qvMeshReport report;
    qvError error;
    ASSERT_OK(qvCreateMesh(&def, &mesh, &report, &error), error);
    assert_int_equal(mesh->vertexCount, 8);
    assert_int_equal(mesh->pointCount, 8);
    assert_int_equal(mesh->triangleCount, 12);
    assert_int_equal(report.partCount, 1);
    assert_int_equal(report.closedPartCount, 1);
    assert_int_equal(report.boundaryEdgeCount, 0);
    assert_int_equal(report.polygonCount, 6);
    for (int kind = 0; kind < qv_healthKindCount; kind++)
        assert_int_equal(report.items[kind].count, 0);
    qvDestroyMesh(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
