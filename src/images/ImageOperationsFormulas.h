// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageOperationsFormulas_h
#define cudaneuro_images_ImageOperationsFormulas_h

#include "cudaneuro/ImageOperations.h"
#include "fields/FieldConversionFormulas.h"
#include "fields/Sampling.h"

/** Gradient and shrinking of images, for both compilers. */
namespace cudaneuro
{

/** Returns half the difference of the two neighbors along an axis. At the border the outermost value is repeated. */
CUDANEURO_HOST_DEVICE float
CentralDifference(const float * voxel, int position, int length, std::int64_t stride)
{
  const float before = position > 0 ? voxel[-stride] : *voxel;
  const float after = position + 1 < length ? voxel[stride] : *voxel;
  return 0.5f * (after - before);
}

/** Writes the gradient at \p voxel, VComponents floats. The matrix turns derivatives along the axes of the grid, per
 * voxel, into derivatives along the axes of space, per mm. */
template <int VComponents>
CUDANEURO_HOST_DEVICE void
WriteGradient(
  const VectorMatrix & matrix, const Extent & extent, const float * voxel, int x, int y, int z, float * output)
{
  const float alongX = CentralDifference(voxel, x, extent.x, 1);
  const float alongY = CentralDifference(voxel, y, extent.y, extent.x);
  const float alongZ = CentralDifference(voxel, z, extent.z, std::int64_t{ extent.x } * extent.y);
  for (int component = 0; component < VComponents; ++component)
  {
    output[component] = RowTimes(matrix.m + 3 * component, alongX, alongY, alongZ);
  }
}

/** A shrunk image, whose voxel i is centered on voxels factor i to factor (i + 1) - 1 of the image along each axis. */
struct Shrinking
{
  Extent from;
  Extent to;
  int    factors[3]{};

  /** Returns the image at the center of voxel (x, y, z), by linear interpolation, with repeated border values. */
  CUDANEURO_HOST_DEVICE float
  ValueAt(const float * image, int x, int y, int z) const
  {
    const SampleCell cell(Center(x, factors[0]), Center(y, factors[1]), Center(z, factors[2]), from);
    return cell.Interpolate(image);
  }

private:
  CUDANEURO_HOST_DEVICE static float
  Center(int i, int factor)
  {
    return static_cast<float>(std::int64_t{ factor } * i) + 0.5f * static_cast<float>(factor - 1);
  }
};

} // namespace cudaneuro

#endif
