// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_VoxelSampler_h
#define files_maps_VoxelSampler_h

#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "files/images/Segmentation.h"
#include "itkImage.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro::files
{

/** Values of images between their voxels, by the interpolations of the engine, in double. */
using cudaneuro::Interpolation;

/** The voxels along an axis that count at a position, as offsets in memory, and their weights. */
struct AxisTaps
{
  int                         count = 0;
  std::array<std::int64_t, 6> steps{};
  std::array<double, 6>       weights{};
};

/** A position on a grid: a continuous index. */
template <unsigned int VDimension>
using VoxelPlace = std::array<double, VDimension>;

/** Finds a point in mm on a grid, which extends half a voxel beyond the centers of its outermost voxels.
 * \return whether the point is on the grid; one that is not finite is not */
template <unsigned int VDimension>
bool
FindPlace(const itk::ImageBase<VDimension> & grid, const double * point, VoxelPlace<VDimension> & place);

/** The voxels at a position, along each axis. */
template <unsigned int VDimension>
using VoxelTaps = std::array<AxisTaps, VDimension>;

template <unsigned int VDimension>
VoxelTaps<VDimension>
TapsAt(Interpolation interpolation, const VoxelPlace<VDimension> & place, const itk::Size<VDimension> & size);

/** The values of an image. */
template <unsigned int VDimension>
class VoxelSampler
{
public:
  using ImageType = itk::Image<double, VDimension>;

  /** \param image must not change while this object is used */
  VoxelSampler(const ImageType & image, Interpolation interpolation, cudaneuro::Context & context);

  /** Returns the value at a position. Voxels without weight do not count. If linear interpolation is not finite, the
   * value is that of linear interpolation. */
  double
  Sample(const VoxelPlace<VDimension> & place) const;

private:
  const double *        m_Values;
  itk::Size<VDimension> m_Size;
  Interpolation         m_Interpolation;
  std::vector<double>   m_Coefficients;
  bool                  m_IsFinite = true;
};

/** Returns the label with most weight at a position, in each layer of a segmentation; of labels of equal weight the
 * smallest. */
template <unsigned int VDimension>
std::int64_t
LabelOfMostWeight(const std::int64_t * labels, const Segmentation & segmentation, const VoxelTaps<VDimension> & taps);

} // namespace cudaneuro::files

#endif
