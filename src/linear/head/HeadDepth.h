// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_HeadDepth_h
#define cudaneuro_linear_head_HeadDepth_h

#include "linear/head/ShrunkImage.h"

#include <vector>

namespace cudaneuro
{

/** Images of at most this many slices are always cut off across them, so that depth carries no information. */
constexpr int fewSlices = 8;

/** The depth of an image's voxels in the head that it shows, or in whatever is bright on a dark background: their
 * distance from the nearest voxel outside of it. A head that a side of the grid cuts off is assumed to continue beyond
 * that side; holes belong to the head.
 *
 * The parts of a head that matter for a registration lie deep: scalp, jaw and neck, which move against the brain and
 * differ more between persons, have more voxels and more contrast than the brain, but no depth. */
class HeadDepth
{
public:
  /** Measures an image in memory of the context's device, at a low resolution. Called inside RunDeviceJob.
   * \param mask may be absent; voxels outside of it are unknown, and no air from which depth is measured */
  HeadDepth(Context & context, const Geometry & geometry, const ConstVolume & image, const ConstVolume & mask);

  /** The depth in mm, negative outside the head. The grid extends a voxel beyond the image on all sides. */
  const std::vector<float> &
  GetDepth() const
  {
    return m_Depth;
  }
  const Geometry &
  GetGeometry() const
  {
    return m_Geometry;
  }
  /** A length in mm that represents the size of the head: 40 for the heads of adults, and less for objects of less than
   * 133 mm thickness. */
  double
  GetScale() const
  {
    return m_Scale;
  }

  /** The part of a grid along the axes of the image that contains the head, with a margin of a voxel of the depth. */
  Geometry
  PartWithHead(const Geometry & geometry) const;

private:
  Geometry           m_Geometry;
  std::vector<float> m_Depth;
  double             m_Scale;
};

} // namespace cudaneuro

#endif
