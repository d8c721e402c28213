// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NrrdFileIO.h"

#include "files/base/NumberTypes.h"
#include "files/images/Segmentation.h"
#include "files/input/InputFile.h"

#include <fstream>

namespace
{

/** The smallest type of numbers without sign that has so many bits, or the whole numbers of 64 bits. */
itk::IOComponentEnum
TypeOfBits(std::size_t bits)
{
  return bits <= 8    ? itk::IOComponentEnum::UCHAR
         : bits <= 16 ? itk::IOComponentEnum::USHORT
                      : componentTypeOf<std::int64_t>;
}

/** Writes "list" in place of "vector" for the kind of the axis of layers, which Slicer writes. */
void
MarkAsList(const std::string & path)
{
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  for (std::string line; std::getline(file, line) && !line.empty();)
  {
    if (line.rfind("kinds: vector", 0) == 0)
    {
      file.seekp(-static_cast<std::streamoff>(line.size()) - 1, std::ios::cur);
      file << "kinds: list  ";
      return;
    }
  }
}

} // namespace

void
NrrdFileIO::ReadImageInformation()
{
  Superclass::ReadImageInformation();
  const Segmentation segmentation(this->GetMetaDataDictionary());
  const std::size_t  layers = this->GetNumberOfComponents();
  m_LayerType = itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE;
  if (layers < 2 || segmentation.GetLayers() != layers)
  {
    return;
  }
  constexpr std::size_t mostBits = 63;
  if (layers * segmentation.GetBits() > mostBits)
  {
    RefuseInput(m_FileName,
                "it has " + std::to_string(layers) + " layers of segments with labels of " +
                  std::to_string(segmentation.GetBits()) +
                  " bits; all layers of a voxel must fit in 63 bits, which they do with smaller labels");
  }
  m_LayerType = this->GetComponentType();
  this->SetNumberOfComponents(1);
  this->SetPixelType(itk::IOPixelEnum::SCALAR);
  this->SetComponentType(TypeOfBits(layers * segmentation.GetBits()));
}

void
NrrdFileIO::Read(void * buffer)
{
  if (m_LayerType == itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE)
  {
    Superclass::Read(buffer);
    return;
  }
  const Segmentation         segmentation(this->GetMetaDataDictionary());
  const std::size_t          layers = segmentation.GetLayers();
  const std::size_t          voxels = this->GetImageSizeInPixels();
  const itk::IOComponentEnum packedType = this->GetComponentType();
  std::vector<char>          stored(voxels * layers * BytesOf(m_LayerType));
  this->SetComponentType(m_LayerType);
  this->SetNumberOfComponents(static_cast<unsigned int>(layers));
  this->SetPixelType(itk::IOPixelEnum::VECTOR);
  Superclass::Read(stored.data());
  this->SetComponentType(packedType);
  this->SetNumberOfComponents(1);
  this->SetPixelType(itk::IOPixelEnum::SCALAR);
  WithComponentType(m_LayerType, [&](auto label) {
    WithComponentType(packedType, [&](auto packed) {
      for (std::size_t i = 0; i < voxels; ++i)
      {
        std::int64_t voxel = 0;
        for (std::size_t layer = 0; layer < layers; ++layer)
        {
          label = NumberAt<decltype(label)>(stored.data() + (i * layers + layer) * sizeof(label));
          const auto whole = static_cast<std::int64_t>(label);
          if (whole < 0 || whole >> segmentation.GetBits() != 0)
          {
            RefuseField(m_FileName, "a voxel of layer " + std::to_string(layer), whole, "no segment has this label");
          }
          voxel |= whole << (layer * segmentation.GetBits());
        }
        static_cast<decltype(packed) *>(buffer)[i] = static_cast<decltype(packed)>(voxel);
      }
    });
  });
}

void
NrrdFileIO::Write(const void * buffer)
{
  ResetExtents(this->GetMetaDataDictionary(), { m_Dimensions.begin(), m_Dimensions.end() });
  const Segmentation segmentation(this->GetMetaDataDictionary());
  const std::size_t  layers = segmentation.GetLayers();
  if (layers < 2 || this->GetNumberOfComponents() > 1)
  {
    Superclass::Write(buffer);
    return;
  }
  const std::size_t          voxels = this->GetImageSizeInPixels();
  const itk::IOComponentEnum type = TypeOfBits(segmentation.GetBits());
  std::vector<char>          stored(voxels * layers * BytesOf(type));
  WithComponentType(this->GetComponentType(), [&](auto packed) {
    WithComponentType(type, [&](auto label) {
      for (std::size_t i = 0; i < voxels; ++i)
      {
        packed = static_cast<const decltype(packed) *>(buffer)[i];
        for (std::size_t layer = 0; layer < layers; ++layer)
        {
          label = static_cast<decltype(label)>(segmentation.LabelIn(static_cast<std::int64_t>(packed), layer));
          std::memcpy(stored.data() + (i * layers + layer) * sizeof(label), &label, sizeof(label));
        }
      }
    });
  });
  this->SetComponentType(type);
  this->SetNumberOfComponents(static_cast<unsigned int>(layers));
  this->SetPixelType(itk::IOPixelEnum::VECTOR);
  Superclass::Write(stored.data());
  MarkAsList(m_FileName);
}
