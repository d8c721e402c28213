// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearCase_h
#define LinearCase_h

#include "Table.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/LinearMetric.h"

namespace cudaneuro::benchmark
{

/** Two scans of one head in different contrasts and positions, in the memory of a device, and the map from one to the
 * other. */
class LinearCase
{
public:
  /** \param size of both images. The moving one's voxels are a tenth larger, so that maps that move little keep all
   * voxels of the fixed image on its grid.
   * \param motion of the head from the fixed to the moving image, about its center, in mm */
  LinearCase(const Device & device, const Size & size, const AffineMap & motion);

  Context &
  GetContext()
  {
    return m_Context;
  }
  const LinearMetricImages &
  GetImages() const
  {
    return m_Images;
  }
  /** Maps points of the fixed image to points of the moving image. */
  const AffineMap &
  GetTrueMap() const
  {
    return m_TrueMap;
  }
  /** The size of the fixed image's voxels, in mm. */
  double
  GetVoxelSize() const
  {
    return m_Images.fixedGeometry.grid.spacing[0];
  }
  /** Returns the largest distance between a map and the true map at the corners of the head's box, in mm. */
  double
  ErrorOf(const AffineMap & map) const;

private:
  enum class Contrast
  {
    First,
    Second
  };

  /** Makes an image of the head; \p toHead maps its points to those of the head. */
  ConstVolume
  MakeImage(const Geometry & geometry, const AffineMap & toHead, Contrast contrast);

  Context            m_Context;
  DeviceMemory       m_Memory[2];
  LinearMetricImages m_Images;
  AffineMap          m_TrueMap;
};

/** Returns the rotation by angles in degrees about the three axes, z first. */
AffineMap
RotationBy(double x, double y, double z);

} // namespace cudaneuro::benchmark

#endif
