// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/matrix.h"

qvuiMatrix qvuiMatrix_Multiply(const qvuiMatrix* a, const qvuiMatrix* b)
{
    qvuiMatrix product;
    for (int column = 0; column < 4; column++)
    {
        for (int row = 0; row < 4; row++)
        {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++)
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            product.m[4 * column + row] = sum;
        }
    }
    return product;
}

qvuiMatrix qvuiMatrix_View(qvVec3 eye, qvVec3 right, qvVec3 up, qvVec3 back)
{
    const qvVec3 rows[3] = { right, up, back };
    qvuiMatrix view = { { 0 } };
    for (int row = 0; row < 3; row++)
    {
        view.m[row] = (float)rows[row].x;
        view.m[4 + row] = (float)rows[row].y;
        view.m[8 + row] = (float)rows[row].z;
        view.m[12 + row] = (float)-qvDot(rows[row], eye);
    }
    view.m[15] = 1.0f;
    return view;
}

qvuiMatrix qvuiMatrix_Perspective(double halfHeight, double aspect, double zNear, double zFar)
{
    qvuiMatrix projection = { { 0 } };
    projection.m[0] = (float)(1.0 / (halfHeight * aspect));
    projection.m[5] = (float)(1.0 / halfHeight);
    projection.m[10] = (float)((zFar + zNear) / (zNear - zFar));
    projection.m[11] = -1.0f;
    projection.m[14] = (float)(2.0 * zFar * zNear / (zNear - zFar));
    return projection;
}

qvuiMatrix qvuiMatrix_Orthographic(double halfHeight, double aspect, double zNear, double zFar)
{
    qvuiMatrix projection = { { 0 } };
    projection.m[0] = (float)(1.0 / (halfHeight * aspect));
    projection.m[5] = (float)(1.0 / halfHeight);
    projection.m[10] = (float)(2.0 / (zNear - zFar));
    projection.m[14] = (float)((zFar + zNear) / (zNear - zFar));
    projection.m[15] = 1.0f;
    return projection;
}
