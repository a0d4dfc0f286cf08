// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest program that uses libquaver: makes a shape and counts its points.
#include <quaver/primitive.h>

#include <stdio.h>

int main(void)
{
    qvError error;
    qvMesh* mesh;
    if (qvCreatePrimitive("sphere", 8, &mesh, &error) != qv_ok)
    {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%d points, %d triangles\n", mesh->pointCount, mesh->triangleCount);
    qvDestroyMesh(mesh);
    return 0;
}
