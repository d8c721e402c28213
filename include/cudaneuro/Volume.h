// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Volume_h
#define cudaneuro_Volume_h

#include <array>
#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** Pixel types a volume may hold. All computation is in float32. */
enum class PixelType
{
  UnsignedChar,
  Short,
  UnsignedShort,
  Float,
  Double
};

/** PixelTypeOf<T>::value is the PixelType of T; undefined for types that are not supported. */
template <typename TPixel>
struct PixelTypeOf;
template <>
struct PixelTypeOf<unsigned char>
{
  static constexpr PixelType value = PixelType::UnsignedChar;
};
template <>
struct PixelTypeOf<short>
{
  static constexpr PixelType value = PixelType::Short;
};
template <>
struct PixelTypeOf<unsigned short>
{
  static constexpr PixelType value = PixelType::UnsignedShort;
};
template <>
struct PixelTypeOf<float>
{
  static constexpr PixelType value = PixelType::Float;
};
template <>
struct PixelTypeOf<double>
{
  static constexpr PixelType value = PixelType::Double;
};

/** Returns the number of bytes of one pixel. */
constexpr std::size_t
PixelSize(PixelType type)
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return 1;
    case PixelType::Short:
    case PixelType::UnsignedShort:
      return 2;
    case PixelType::Float:
      return 4;
    case PixelType::Double:
      return 8;
  }
  return 0;
}

/** Returns the name of a type in NumPy's spelling. */
constexpr const char *
PixelTypeName(PixelType type)
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return "uint8";
    case PixelType::Short:
      return "int16";
    case PixelType::UnsignedShort:
      return "uint16";
    case PixelType::Float:
      return "float32";
    case PixelType::Double:
      return "float64";
  }
  return "";
}

/** A regular grid, x fastest: voxel (x, y, z) is element x + size[0] * (y + size[1] * z).
 * A 2D image is a grid with size[2] == 1. Spacing is in physical units (mm). */
struct Grid
{
  std::array<std::int64_t, 3> size{ 0, 0, 0 };
  std::array<double, 3>       spacing{ 1.0, 1.0, 1.0 };
  /** Returns the number of voxels of a plane along x and y, and of the whole grid. */
  std::int64_t
  VoxelsPerPlane() const
  {
    return size[0] * size[1];
  }
  std::int64_t
  NumberOfVoxels() const
  {
    return VoxelsPerPlane() * size[2];
  }
};

/** Where a volume's pixels are stored. On a CPU context everything is Host. */
enum class MemorySpace
{
  Host,
  Device
};

/** A volume that is only read: contiguous pixels on some Grid. A null pointer means "absent" (an optional mask). */
struct ConstVolume
{
  const void * data = nullptr;
  PixelType    type = PixelType::Float;
  MemorySpace  space = MemorySpace::Host;
};

/** A volume that is written, in the layout of ConstVolume. */
struct Volume
{
  void *      data = nullptr;
  PixelType   type = PixelType::Float;
  MemorySpace space = MemorySpace::Host;
};

} // namespace cudaneuro

#endif
