// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ReferenceIntensityLattice_h
#define cudaneuro_images_ReferenceIntensityLattice_h

#include "cudaneuro/Context.h"
#include "jobs/PixelConversion.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** A lattice of voxels of a grid: points[axis] voxels along each axis, in the middle of equal parts. */
struct Lattice
{
  std::int64_t size[3];
  int          points[3];

  CUDANEURO_HOST_DEVICE int
  NumberOfPoints() const
  {
    return points[0] * points[1] * points[2];
  }

  /** Returns the voxel at a point in [0, NumberOfPoints()). */
  CUDANEURO_HOST_DEVICE std::int64_t
                        Voxel(int point) const
  {
    std::int64_t voxel = 0;
    std::int64_t stride = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
      const int i = point % points[axis];
      point /= points[axis];
      voxel += stride * ((2 * i + 1) * size[axis] / (2 * points[axis]));
      stride *= size[axis];
    }
    return voxel;
  }
};

/** Returns a pixel as float. */
CUDANEURO_HOST_DEVICE float
ReadPixel(const void * data, PixelType type, std::int64_t voxel)
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return ConvertPixel<float>(static_cast<const unsigned char *>(data)[voxel]);
    case PixelType::Short:
      return ConvertPixel<float>(static_cast<const short *>(data)[voxel]);
    case PixelType::UnsignedShort:
      return ConvertPixel<float>(static_cast<const unsigned short *>(data)[voxel]);
    case PixelType::Float:
      return static_cast<const float *>(data)[voxel];
    case PixelType::Double:
      break;
  }
  return ConvertPixel<float>(static_cast<const double *>(data)[voxel]);
}

constexpr int mostPointsPerAxis = 128;

/** Returns a lattice with at most \p pointsPerAxis points along each axis, or all voxels if there are fewer. */
Lattice
MakeLattice(const Grid & grid, int pointsPerAxis);

/** Returns the pixels at all points of the lattice, volume after volume. Volumes are in host memory or in that of the
 * context's device.
 * \throws Error */
std::vector<float>
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice);

/** Returns the pixels of one volume. */
inline std::vector<float>
ReadLattice(Context & context, const ConstVolume & volume, const Lattice & lattice)
{
  return ReadLattices(context, { volume }, lattice);
}

/** Returns the values of those voxels of a lattice, of at most \p pointsPerAxis points along each axis, that are finite
 * and inside the mask, which may be absent. They are the same on the CPU and on CUDA devices.
 * \throws Error */
std::vector<float>
SampleVoxels(
  Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask, int pointsPerAxis);

namespace gpu
{
/** Returns the pixels at all points of the lattice, volume after volume; volumes are in device memory. Waits once.
 * \throws Error */
std::vector<float>
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice);
} // namespace gpu

} // namespace cudaneuro

#endif
