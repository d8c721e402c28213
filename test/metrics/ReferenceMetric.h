// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceMetric_h
#define ReferenceMetric_h

#include "cudaneuro/Geometry.h"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

/** Metrics of two images for an affine map of indices, slowly, in double precision. */
namespace reference
{

struct ImageOnGrid
{
  std::array<int, 3>  size{};
  std::vector<double> values;
  /** Empty, or one number a voxel. */
  std::vector<unsigned char> mask;
  /** Axes along which the image goes on before its first, and behind its last voxel. */
  std::array<bool, 3> goesOnBefore{};
  std::array<bool, 3> goesOnBehind{};

  std::size_t
  Index(int x, int y, int z) const
  {
    return (static_cast<std::size_t>(z) * size[1] + y) * size[0] + x;
  }
  bool
  IsInMask(std::size_t i) const
  {
    return mask.empty() || mask[i] != 0;
  }
};

/** A metric as a function of the fixed image, the moving image, the map and the voxels that take part. */
using Metric = std::function<double(
  const ImageOnGrid &, const ImageOnGrid &, const cudaneuro::AffineMap &, const std::vector<std::size_t> &)>;

/** The voxels of the fixed image in its mask whose positions are on the moving grid, or where the moving image goes
 * on, and in its mask. */
std::vector<std::size_t>
VoxelsThatTakePart(const ImageOnGrid & fixed, const ImageOnGrid & moving, const cudaneuro::AffineMap & indexMap);

/** Half the mean squared difference. */
double
MeanSquares(const ImageOnGrid &              fixed,
            const ImageOnGrid &              moving,
            const cudaneuro::AffineMap &     indexMap,
            const std::vector<std::size_t> & voxels);

/** Minus the mutual information of Mattes et al., of images in bins. */
double
MutualInformation(int                              bins,
                  const ImageOnGrid &              fixed,
                  const ImageOnGrid &              moving,
                  const cudaneuro::AffineMap &     indexMap,
                  const std::vector<std::size_t> & voxels);

/** The sum over all voxels of the fixed image of what each counts, times its pointwise mutual information, divided by
 * the sum of what they count; negative. A voxel counts its weight times what is left of it: less and less from the
 * outermost centers of the moving grid on, and nothing from a voxel beyond them on, but for sides where the moving
 * image goes on.
 * \param weights of the fixed image's voxels */
double
WeightedInformation(int                          bins,
                    const ImageOnGrid &          fixed,
                    const std::vector<double> &  weights,
                    const ImageOnGrid &          moving,
                    const cudaneuro::AffineMap & indexMap);

/** Central differences of a metric by the 9 entries of the matrix and the 3 of the offset of \p map, which \p
 * toIndices makes a map of indices. The voxels that take part stay those of \p map. */
std::array<double, 12>
Differentiate(const Metric &                                                            metric,
              const ImageOnGrid &                                                       fixed,
              const ImageOnGrid &                                                       moving,
              const std::function<cudaneuro::AffineMap(const cudaneuro::AffineMap &)> & toIndices,
              const cudaneuro::AffineMap &                                              map);

/** Gives voxels outside the mask the mean of their neighbors inside, or 0 where there are none. */
void
FillOutsideMask(ImageOnGrid & image);

/** The intensities in the mask, mapped so that the least is 2 and the largest bins - 2. */
ImageOnGrid
InBins(ImageOnGrid image, int bins);

/** The image minus \p mean, divided by \p deviation. */
ImageOnGrid
Standardized(ImageOnGrid image, double mean, double deviation);

struct Moments
{
  double mean;
  double deviation;
};

/** Of the intensities in the mask. */
Moments
MomentsOf(const ImageOnGrid & image);

} // namespace reference

#endif
