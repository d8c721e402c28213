// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_MiddleGrid_h
#define cudaneuro_registration_MiddleGrid_h

#include "registration/RegistrationRun.h"

#include <optional>

/** The middle of a symmetric registration, for images on two grids or with an initial transform between them. */
namespace cudaneuro
{

/** The square root of \p map: the map that is \p map when applied twice. The root of the identity is the identity.
 * \throws InvalidParameterError where there is none, as for reflections and for rotations by 180 degrees */
AffineMap
HalfOf(const AffineMap & map);

struct MiddleGrid
{
  Geometry geometry;
  /** The moving grid; that of a slice is laid on the plane of the fixed one, which is the plane of the middle. */
  Geometry moving;
  /** The map from points of the fixed image to points of the middle, and from there to points of the moving image. */
  AffineMap half;
};

/** The middle grid, which does not depend on which image is fixed. HasMiddleVoxels defines its axes and voxels, and it
 * covers both images as they lie in the middle.
 * \returns none where it would be the fixed grid itself, and where the initial transform has a field, of which no half
 * exists: the fixed grid then serves as the middle
 * \throws InvalidParameterError for a transform that has no half */
std::optional<MiddleGrid>
FindMiddleGrid(const RegistrationImages & images);

/** The images of a registration on the middle grid, which becomes their fixed grid: the fixed image is resampled there,
 * and the initial transform of the moving image becomes the half. */
class MiddleImages
{
public:
  /** \throws InvalidParameterError for images and grids that cannot be registered */
  MiddleImages(Context &                      context,
               const RegistrationParameters & parameters,
               const RegistrationImages &     images,
               const MiddleGrid &             middle);

  const RegistrationImages &
  Get() const
  {
    return m_Images;
  }

  /** The number of outliers of the fixed image that were repaired. */
  std::int64_t
  GetNumberOfOutliers() const
  {
    return m_NumberOfOutliers;
  }

private:
  /** Adapts further channels, labels and points to the middle grid. */
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
  /** The fixed image, finite everywhere, and the mask of its valid voxels. */
  DeviceMemory m_Fixed;
  DeviceMemory m_FixedMask;
  DeviceMemory m_InitialField;
  std::int64_t m_NumberOfOutliers = 0;
};

/** Conjugates a map and its inverse from the middle grid to the fixed one, and measures their inverse error there.
 * \param run on the fixed grid */
void
TakeToFixedGrid(const RegistrationRun & run, const MiddleGrid & middle, LevelMap & map, RegistrationResult & result);

} // namespace cudaneuro

#endif
