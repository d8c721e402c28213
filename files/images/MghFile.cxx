// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/base/NumberTypes.h"
#include "files/input/InputFile.h"

#include <map>

namespace cudaneuro::files
{

namespace
{

/** The beginning of a file, whose numbers are big endian. */
struct MghHeader
{
  static constexpr std::size_t size = 284;

  std::string bytes;

  template <typename T>
  T
  At(std::size_t offset) const
  {
    return NumberAt<T, true>(bytes.data() + offset);
  }
};

itk::IOComponentEnum
TypeOf(const std::string & path, int code)
{
  static const std::map<int, itk::IOComponentEnum> types{ { 0, itk::IOComponentEnum::UCHAR },
                                                          { 1, itk::IOComponentEnum::INT },
                                                          { 3, itk::IOComponentEnum::FLOAT },
                                                          { 4, itk::IOComponentEnum::SHORT },
                                                          { 10, itk::IOComponentEnum::USHORT } };
  const auto                                       found = types.find(code);
  if (found == types.end())
  {
    RefuseField(path, "its type", code, "it must be 0, 1, 3, 4 or 10: uchar, int, float, short or ushort");
  }
  return found->second;
}

/** The header has places in the system right, anterior, superior, from the center of the volume. */
ImageGeometry
GeometryOf(const MghHeader & header, const std::vector<std::size_t> & size)
{
  const bool hasGeometry = header.At<std::int16_t>(28) > 0;
  // Coronal slices, as FreeSurfer has them without geometry.
  constexpr double coronal[3][3] = { { -1.0, 0.0, 0.0 }, { 0.0, 0.0, -1.0 }, { 0.0, 1.0, 0.0 } };
  constexpr double signs[3] = { -1.0, -1.0, 1.0 };
  const auto       number = [&](std::size_t offset, double absent) {
    return hasGeometry ? static_cast<double>(header.At<float>(offset)) : absent;
  };
  ImageGeometry geometry;
  for (unsigned int k = 0; k < 3; ++k)
  {
    geometry.origin[k] = signs[k] * number(78 + 4 * k, 0.0);
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      geometry.spacing[axis] = number(30 + 4 * axis, 1.0);
      geometry.direction[k][axis] = signs[k] * number(42 + 12 * axis + 4 * k, coronal[axis][k]);
      geometry.origin[k] -=
        geometry.direction[k][axis] * geometry.spacing[axis] * static_cast<double>(size[axis]) / 2.0;
    }
  }
  return geometry;
}

} // namespace

void
OpenMgh(OpenedImage & image)
{
  constexpr int   version = 1;
  constexpr int   mask = 0xff; // FreeSurfer has the intent in the bits above it
  PlainVoxels &   voxels = image.voxels;
  const MghHeader header{ ReadStart(image.path, MghHeader::size, &voxels.isCompressed) };
  if (header.bytes.size() < MghHeader::size || (header.At<std::int32_t>(0) & mask) != version)
  {
    RefuseInput(image.path,
                "it is no file of FreeSurfer's format .mgh: it does not begin with its header of 284 bytes");
  }
  for (std::size_t axis = 0; axis < 4; ++axis)
  {
    const auto size = header.At<std::int32_t>(4 + 4 * axis);
    if (size < 1)
    {
      RefuseField(image.path, "a size", size, "it must be 1 or more");
    }
    image.size.push_back(static_cast<std::size_t>(size));
  }
  image.componentType = TypeOf(image.path, header.At<std::int32_t>(20));
  image.geometry = GeometryOf(header, image.size);
  voxels.path = image.path;
  voxels.offset = MghHeader::size;
  voxels.isSwapped = true;
  CheckSize(image, image.path);
}

} // namespace cudaneuro::files
