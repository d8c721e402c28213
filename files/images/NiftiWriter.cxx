// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiWriter.h"

#include "files/base/Errors.h"
#include "files/images/NiftiGeometry.h"
#include "itkMetaDataObject.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

namespace
{

std::string
TextIn(const itk::MetaDataDictionary & dictionary, const std::string & key)
{
  std::string text;
  itk::ExposeMetaData<std::string>(dictionary, key, text);
  return text;
}

int
VersionFor(const ImageToWrite & image)
{
  // NIfTI-1 has axes of up to 32767 voxels.
  const bool isLong = std::any_of(image.size.begin(), image.size.end(), [](std::size_t n) { return n > 32767; });
  return isLong || TextIn(image.metadata, "sizeof_hdr") == "540" ? 2 : 1;
}

/** The standard's code of a type of numbers. */
int
DatatypeOf(itk::IOComponentEnum type)
{
  return WithComponentType(type, [](auto number) {
    using Type = decltype(number);
    if constexpr (std::is_floating_point_v<Type>)
    {
      return sizeof(Type) == 4 ? 16 : 64;
    }
    constexpr int  signedCodes[] = { 256, 4, 8, 1024 };
    constexpr int  unsignedCodes[] = { 2, 512, 768, 1280 };
    constexpr auto power = sizeof(Type) == 1 ? 0 : sizeof(Type) == 2 ? 1 : sizeof(Type) == 4 ? 2 : 3;
    return std::is_signed_v<Type> ? signedCodes[power] : unsignedCodes[power];
  });
}

/** Whether the first axes of two grids are equal but for rounding. */
bool
IsSame(const ImageGeometry & a, const ImageGeometry & b, unsigned int axes)
{
  constexpr double tolerance = 1e-5;
  constexpr double share = 0.01; // so that origins are equal within 1e-3 voxels
  double           difference = 0.0;
  for (unsigned int axis = 0; axis < axes; ++axis)
  {
    difference = std::max({ difference,
                            std::abs(a.spacing[axis] / b.spacing[axis] - 1.0),
                            share * std::abs(a.origin[axis] - b.origin[axis]) / b.spacing[axis] });
    for (unsigned int column = 0; column < axes; ++column)
    {
      difference = std::max(difference, std::abs(a.direction[axis][column] - b.direction[axis][column]));
    }
  }
  return difference <= tolerance;
}

/** Whether a header has the grid of an image. */
bool
HasGridOf(const NiftiHeader & header, const ImageToWrite & image)
{
  try
  {
    std::vector<std::string> ignored;
    return IsSame(GeometryOf("", header, image.dimension, ignored), GeometryOf(image), image.dimension);
  }
  catch (const UserError &)
  {
    return false;
  }
}

/** Sets axes, type and scaling. */
void
SetLayout(NiftiHeader & header, const ImageToWrite & image)
{
  constexpr double vectors = 1007;
  constexpr double vectorAxes = 5;
  const bool       isField = image.components > 1;
  for (std::size_t axis = 1; axis <= 7; ++axis)
  {
    header.Set("dim", axis <= image.dimension ? static_cast<double>(image.size[axis - 1]) : 1.0, axis);
  }
  header.Set("dim", isField ? vectorAxes : image.dimension);
  if (isField)
  {
    header.Set("dim", static_cast<double>(image.components), 5);
    header.Set("intent_code", vectors);
  }
  header.Set("datatype", DatatypeOf(image.componentType));
  header.Set("bitpix", static_cast<double>(8 * BytesOf(image.componentType)));
  header.Set("scl_slope", 1.0);
  header.Set("scl_inter", 0.0);
}

} // namespace

NiftiToWrite::NiftiToWrite(const ImageToWrite & image, NiftiKind kind)
  : m_Image(image)
  , m_Header(VersionFor(image))
  , m_Extensions(TextIn(image.metadata, niftiExtensionsKey))
{
  constexpr double scanner = 1.0;
  constexpr double millimetersAndSeconds = 10.0;
  m_Header.SetText("magic", (kind == NiftiKind::Pair ? "ni" : "n+") + std::to_string(m_Header.GetVersion()));
  m_Header.Set("xyzt_units", millimetersAndSeconds);
  for (std::size_t axis = 0; axis <= 7; ++axis)
  {
    m_Header.Set("pixdim", 1.0, axis);
  }
  m_Header.TakeFrom(image.metadata);
  SetLayout(m_Header, image);
  ConvertToMillimeters(m_Header);
  if (!image.metadata.HasKey("sform_code") || !HasGridOf(m_Header, image))
  {
    m_Header.Set("qform_code", scanner);
    m_Header.Set("sform_code", scanner);
    SetGeometry(m_Header, GeometryOf(image));
  }
  const std::size_t before = m_Header.GetBytes().size() + 4 + m_Extensions.size();
  m_Header.Set("vox_offset", kind == NiftiKind::Pair ? 0.0 : static_cast<double>((before + 15) / 16 * 16));
}

std::string
NiftiToWrite::MakeHeader() const
{
  const char  flag[4] = { m_Extensions.empty() ? '\0' : '\1', 0, 0, 0 };
  std::string bytes = m_Header.GetBytes() + std::string(flag, 4) + m_Extensions;
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(m_Header.Integer("vox_offset"))), '\0');
  return bytes;
}

void
NiftiToWrite::CopyVoxels(std::uint64_t begin, std::size_t count, char * to) const
{
  WithComponentType(m_Image.componentType, [&](auto number) {
    constexpr std::size_t bytes = sizeof(number);
    const std::size_t     voxels = m_Image.GetNumberOfVoxels();
    const auto * const    numbers = static_cast<const decltype(number) *>(m_Image.pixels);
    std::uint64_t         component = begin / bytes / voxels;
    std::uint64_t         voxel = begin / bytes % voxels;
    for (char * const end = to + count; to < end; to += bytes)
    {
      std::memcpy(to, numbers + voxel * m_Image.components + component, bytes);
      if (++voxel == voxels)
      {
        voxel = 0;
        ++component;
      }
    }
  });
}

itk::MetaDataDictionary
GridMetadata(const itk::MetaDataDictionary & dictionary)
{
  itk::MetaDataDictionary  grid;
  std::vector<std::string> keys{ "sizeof_hdr", "xyzt_units", "qform_code", "sform_code", "pixdim[0]" };
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    keys.insert(keys.end(),
                { niftiQuaternion[axis], niftiOffsets[axis], niftiRows[axis], Indexed("pixdim", axis + 1) });
  }
  for (const std::string & key : keys)
  {
    if (dictionary.HasKey(key))
    {
      itk::EncapsulateMetaData<std::string>(grid, key, TextIn(dictionary, key));
    }
  }
  return grid;
}
