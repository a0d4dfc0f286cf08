// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/draco.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <exception>
#include <memory>

struct qvDraco
{
    std::unique_ptr<draco::Mesh> mesh;
};

// A few bytes may describe any number of attributes, as wide as they like and all of zeros: once they are known, and
// before their values are decoded, this asks how much they take.
template <typename Decoder> class Limited : public Decoder
{
  public:
    explicit Limited(size_t limit) : limit_(static_cast<double>(limit))
    {
    }

  protected:
    bool DecodeAllAttributes() override
    {
        const draco::PointCloud& cloud = *this->point_cloud();
        double bytes = 0.0; // per point: integers, values, and which value it has
        for (int i = 0; i < cloud.num_attributes(); i++)
            bytes += 4.0 + cloud.attribute(i)->num_components() *
                               (4.0 + draco::DataTypeLength(cloud.attribute(i)->data_type()));
        return bytes * cloud.num_points() <= limit_ && Decoder::DecodeAllAttributes();
    }

  private:
    double limit_;
};

template <typename Decoder> static std::unique_ptr<draco::Mesh> Decode(draco::DecoderBuffer* buffer, size_t limit)
{
    draco::DecoderOptions options;
    Limited<Decoder> decoder(limit);
    std::unique_ptr<draco::Mesh> mesh(new draco::Mesh());
    return decoder.Decode(options, buffer, mesh.get()).ok() ? std::move(mesh) : nullptr;
}

// Nothing is thrown into C: memory that runs out is a mesh that cannot be read.
qvDraco* qvCreateDraco(const uint8_t* bytes, size_t size, size_t limit)
{
    try
    {
        draco::DecoderBuffer buffer, start;
        buffer.Init(reinterpret_cast<const char*>(bytes), size);
        start = buffer; // the decoder reads the header itself
        draco::DracoHeader header;
        std::unique_ptr<draco::Mesh> mesh;
        if (!draco::PointCloudDecoder::DecodeHeader(&start, &header).ok())
            return nullptr;
        if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING)
            mesh = Decode<draco::MeshEdgebreakerDecoder>(&buffer, limit);
        else if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
            mesh = Decode<draco::MeshSequentialDecoder>(&buffer, limit);
        return mesh != nullptr ? new qvDraco{ std::move(mesh) } : nullptr;
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
