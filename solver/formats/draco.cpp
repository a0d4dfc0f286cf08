// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/draco.h"

#include <draco/compression/decode.h>
#include <exception>
#include <memory>

struct qvDraco
{
    std::unique_ptr<draco::Mesh> mesh;
};

// Nothing is thrown into C: memory that runs out is a mesh that cannot be read.
qvDraco* qvCreateDraco(const uint8_t* bytes, size_t size)
{
    try
    {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char*>(bytes), size);
        draco::Decoder decoder;
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        return decoded.ok() ? new qvDraco{ std::move(decoded).value() } : nullptr;
    }
    catch (const std::exception&)
    {
        return nullptr;
    }
}

void qvDestroyDraco(qvDraco* draco)
{
    delete draco;
}

int64_t qvDraco_PointCount(const qvDraco* draco)
{
    return draco->mesh->num_points();
}

int64_t qvDraco_TriangleCount(const qvDraco* draco)
{
    return draco->mesh->num_faces();
}

void qvDraco_Triangle(const qvDraco* draco, int64_t triangle, uint32_t points[3])
{
    const auto& face = draco->mesh->face(draco::FaceIndex(static_cast<uint32_t>(triangle)));
    for (int i = 0; i < 3; i++)
        points[i] = face[i].value();
}

template <typename T>
static bool Read(const draco::Mesh& mesh, const draco::PointAttribute& attribute, int components, size_t stride,
                 uint8_t* values)
{
    for (uint32_t i = 0; i < mesh.num_points(); i++, values += stride)
    {
        const auto index = attribute.mapped_index(draco::PointIndex(i));
        if (index.value() >= attribute.size() ||
            !attribute.ConvertValue<T>(index, static_cast<int8_t>(components), reinterpret_cast<T*>(values)))
            return false;
    }
    return true;
}

bool qvDraco_Attribute(const qvDraco* draco, uint32_t id, int componentType, int components, size_t stride,
                       uint8_t* values)
{
    const draco::Mesh& mesh = *draco->mesh;
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id);
    if (attribute == nullptr || attribute->num_components() != components)
        return false;
    switch (componentType)
    {
    case 5120:
        return Read<int8_t>(mesh, *attribute, components, stride, values);
    case 5121:
        return Read<uint8_t>(mesh, *attribute, components, stride, values);
    case 5122:
        return Read<int16_t>(mesh, *attribute, components, stride, values);
    case 5123:
        return Read<uint16_t>(mesh, *attribute, components, stride, values);
    case 5125:
        return Read<uint32_t>(mesh, *attribute, components, stride, values);
    case 5126:
        return Read<float>(mesh, *attribute, components, stride, values);
    default:
        return false;
    }
}
