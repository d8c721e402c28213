// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NrrdFileIO.h"

#include "files/base/NumberTypes.h"
#include "files/images/Segmentation.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <fstream>

namespace cudaneuro::files
{

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
  if (layers < 2 || segmentation.GetLayers() != std::min(layers, Segmentation::mostLayers))
  {
    return;
  }
  constexpr std::size_t mostBits = 63;
  if (layers * segmentation.GetBits() > mostBits)
  {
    RefuseInput(m_FileName,
                "it has " + std::to_string(layers) + " layers of segments with labels of " +
                  std::to_string(segmentation.GetBits()) +
                  " bits; all layers of a voxel must fit in 63 bits: take fewer segments, or smaller labels, first");
  }
  m_LayerType = this->GetComponentType();
  this->SetLayers(1, TypeOfBits(layers * segmentation.GetBits()));
}

void
NrrdFileIO::SetLayers(std::size_t layers, itk::IOComponentEnum type)
{
  this->SetNumberOfComponents(static_cast<unsigned int>(layers));
  this->SetPixelType(layers > 1 ? itk::IOPixelEnum::VECTOR : itk::IOPixelEnum::SCALAR);
  this->SetComponentType(type);
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
  this->SetLayers(layers, m_LayerType);
  Superclass::Read(stored.data());
  this->SetLayers(1, packedType);
  std::vector<std::int64_t> packed(voxels);
  WithComponentType(m_LayerType, [&](auto label) {
    for (std::size_t i = 0; i < voxels * layers; ++i)
    {
      const std::size_t layer = i % layers;
      const auto        whole = static_cast<std::int64_t>(NumberAt<decltype(label)>(stored.data() + i * sizeof(label)));
      if (whole < 0 || whole >> segmentation.GetBits() != 0)
      {
        RefuseField(m_FileName, "a voxel of layer " + std::to_string(layer), whole, "no segment has this label");
      }
      packed[i / layers] |= whole << (layer * segmentation.GetBits());
    }
  });
  WithComponentType(packedType, [&](auto number) {
    std::transform(packed.begin(), packed.end(), static_cast<decltype(number) *>(buffer), [](std::int64_t voxel) {
      return static_cast<decltype(number)>(voxel);
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
  const itk::IOComponentEnum type = TypeOfBits(segmentation.GetBits());
  std::vector<std::int64_t>  packed(this->GetImageSizeInPixels());
  std::vector<char>          stored(packed.size() * layers * BytesOf(type));
  WithComponentType(this->GetComponentType(), [&](auto number) {
    const auto * const voxels = static_cast<const decltype(number) *>(buffer);
    std::transform(
      voxels, voxels + packed.size(), packed.begin(), [](auto voxel) { return static_cast<std::int64_t>(voxel); });
  });
  WithComponentType(type, [&](auto label) {
    for (std::size_t i = 0; i < packed.size() * layers; ++i)
    {
      label = static_cast<decltype(label)>(segmentation.LabelIn(packed[i / layers], i % layers));
      std::memcpy(stored.data() + i * sizeof(label), &label, sizeof(label));
    }
  });
  this->SetLayers(layers, type);
  Superclass::Write(stored.data());
  MarkAsList(m_FileName);
}

} // namespace cudaneuro::files
