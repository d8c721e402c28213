// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_MiddleGrid_h
#define cudaneuro_registration_MiddleGrid_h

#include "registration/RegistrationRun.h"

#include <optional>

/** The middle of a symmetric registration whose images have two grids, or an initial transform between them. */
namespace cudaneuro
{

/** The map that is \p map when it is done twice, and the identity for the identity.
 * \throws InvalidParameterError where there is none, as for reflections and for rotations by 180 degrees. */
AffineMap
HalfOf(const AffineMap & map);

struct MiddleGrid
{
  Geometry geometry;
  /** The moving grid; of slices, laid on the plane of the fixed one, which is the plane of the middle. */
  Geometry moving;
  /** From points of the fixed image to points of the middle, and from there to points of the moving image. */
  AffineMap half;
};

/** The middle that does not depend on which image is fixed. Its axes and voxels are those that HasMiddleVoxels tells,
 * and it reaches over both images as they lie in the middle.
 * \returns none where it would be the fixed grid itself, and where the initial transform has a field, which has no
 * half: the fixed grid is the middle then
 * \throws InvalidParameterError for a transform that has no half */
std::optional<MiddleGrid>
FindMiddleGrid(const RegistrationImages & images);

/** Images of a registration on the middle grid, which is their fixed grid: the fixed image resampled there, the moving
 * image behind the half of the transform. */
class MiddleImages
{
public:
  /** \throws InvalidParameterError for images and grids that cannot be registered. */
  MiddleImages(Context &                      context,
               const RegistrationParameters & parameters,
               const RegistrationImages &     images,
               const MiddleGrid &             middle);

  const RegistrationImages &
  Get() const
  {
    return m_Images;
  }

  /** Outliers of the fixed image that were repaired. */
  std::int64_t
  GetNumberOfOutliers() const
  {
    return m_NumberOfOutliers;
  }

private:
  /** Sees channels after the first one, and points, from the middle. */
  void
  PlaceFurtherTerms(const RegistrationImages & images, const MiddleGrid & middle);
  void
  ResampleFixedImage(Context &                  context,
                     const RegistrationImages & images,
                     const MiddleGrid &         middle,
                     bool                       repairOutliers);
  void
  ResampleInitialField(Context & context, const RegistrationImages & images, const MiddleGrid & middle);

  RegistrationImages m_Images;
  /** The fixed image, finite everywhere, and where it has a value. */
  DeviceMemory m_Fixed;
  DeviceMemory m_FixedMask;
  DeviceMemory m_InitialField;
  std::int64_t m_NumberOfOutliers = 0;
};

/** Takes a map and its inverse from the middle grid to the fixed one, and notes how near they are to inverses there.
 * \param run on the fixed grid */
void
TakeToFixedGrid(const RegistrationRun & run, const MiddleGrid & middle, LevelMap & map, RegistrationResult & result);

} // namespace cudaneuro

#endif
