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

/** Some voxels of a grid: points[axis] of them along each axis, in the middle of equal parts. */
struct Lattice
{
  std::int64_t size[3];
  int          points[3];

  CUDANEURO_HOST_DEVICE int
  NumberOfPoints() const
  {
    return points[0] * points[1] * points[2];
  }

  /** The voxel at a point in [0, NumberOfPoints()). */
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

/** A pixel as float. */
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

/** At most \p pointsPerAxis along each axis, and all where there are fewer voxels. */
Lattice
MakeLattice(const Grid & grid, int pointsPerAxis);

/** The pixels at all points of the lattice, of volumes in host memory or in that of the context's device, one after the
 * other.
 * \throws Error */
std::vector<float>
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice);

/** The same of one volume. */
inline std::vector<float>
ReadLattice(Context & context, const ConstVolume & volume, const Lattice & lattice)
{
  return ReadLattices(context, { volume }, lattice);
}

/** The values of those voxels of a lattice, of at most \p pointsPerAxis along each axis, that are finite and inside the
 * mask, which may be absent. The same on the CPU and on CUDA devices.
 * \throws Error */
std::vector<float>
SampleVoxels(
  Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask, int pointsPerAxis);

namespace gpu
{
/** The pixels at all points of the lattice, of volumes in device memory, one after the other. Waits once for all.
 * \throws Error */
std::vector<float>
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice);
} // namespace gpu

} // namespace cudaneuro

#endif
