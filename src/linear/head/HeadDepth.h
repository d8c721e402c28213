// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_HeadDepth_h
#define cudaneuro_linear_head_HeadDepth_h

#include "linear/head/ShrunkImage.h"

#include <vector>

namespace cudaneuro
{

/** Across so few slices an image is always cut off, and depth tells nothing. */
constexpr int fewSlices = 8;

/** How deep the voxels of an image lie in the head that it shows, or whatever is bright on a dark background: their
 * distance from the nearest voxel outside of it. What a side of the grid cuts off goes on beyond that side; holes
 * belong to the head.
 *
 * What matters of a head for a registration lies deep: scalp, jaw and neck, which move against the brain and differ
 * more between persons, have more voxels and more contrast than the brain, but no depth. */
class HeadDepth
{
public:
  /** Measures an image in memory of the context's device, at a low resolution. Inside RunDeviceJob.
   * \param mask may be absent; what is outside of it, which is not known, is no air from which depth is measured */
  HeadDepth(Context & context, const Geometry & geometry, const ConstVolume & image, const ConstVolume & mask);

  /** The depth in mm, negative outside of the head. The grid reaches a voxel beyond the image on all sides. */
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
  /** A length in mm by which the size of the head is known: 40 for the heads of adults, and less for what is less
   * than 133 mm thick. */
  double
  GetScale() const
  {
    return m_Scale;
  }

  /** The part of a grid along the axes of the image that holds the head, and a voxel of the depth around it. */
  Geometry
  PartWithHead(const Geometry & geometry) const;

private:
  Geometry           m_Geometry;
  std::vector<float> m_Depth;
  double             m_Scale;
};

} // namespace cudaneuro

#endif
