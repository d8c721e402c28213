// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_ShrunkImage_h
#define cudaneuro_linear_head_ShrunkImage_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** An image at a low resolution, in memory of the context's device. */
struct ShrunkImage
{
  Geometry    geometry;
  ConstVolume image;
  /** Absent where the image has no mask. */
  ConstVolume mask;
  /** Memory of image and mask, unless they are those of the whole image. */
  std::vector<DeviceMemory> memory;
};

/** Shrinks an image and its mask, which may be absent, in memory of the context's device. Voxels outside the mask are
 * excluded; the image is NaN where all voxels of a coarse one are outside of it. */
ShrunkImage
ShrinkInsideMask(Context &                  context,
                 const Geometry &           geometry,
                 const ConstVolume &        image,
                 const ConstVolume &        mask,
                 const std::array<int, 3> & factors);

/** The voxels of an image on a part of its grid.
 * \param part a grid whose voxels are some of the image's */
ShrunkImage
TakePart(Context & context, const ShrunkImage & image, const Geometry & part);

/** Limits factors so that each axis keeps at least 16 voxels, or 32 in 2D, which a histogram needs. */
std::array<int, 3>
LimitedFactors(const Grid & grid, std::array<int, 3> factors);

/** Factors that make the voxels of a grid about as large as \p side, in mm, along each axis. */
std::array<int, 3>
FactorsFor(const Grid & grid, double side);

/** A copy of an image, both in memory of the context's device: NaN outside the mask. */
DeviceMemory
CopyInsideMask(Context & context, const Grid & grid, const ConstVolume & image, const ConstVolume & mask);

} // namespace cudaneuro

#endif
