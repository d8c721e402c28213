// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationRun_h
#define cudaneuro_registration_RegistrationRun_h

#include "core/PlaneFrames.h"
#include "core/SoAField.h"
#include "cudaneuro/Registration.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"
#include "registration/MapRepair.h"
#include "registration/PlacedPoints.h"
#include "registration/labels/PrepareLabels.h"

#include <optional>
#include <vector>

/** The stages of a registration: images are prepared, levels improve the map, results are written. */
namespace cudaneuro
{

/** The arguments of a registration. */
struct RegistrationRun
{
  Context &                      context;
  const RegistrationParameters & parameters;
  const RegistrationImages &     images;
  const RegistrationOutputs &    outputs;
  /** The number of outliers of the fixed image, if they have been repaired already. */
  std::optional<std::int64_t> outliersOfFixed = {};

  const Geometry &
  GetGeometry() const
  {
    return images.fixedGeometry;
  }
  Extent
  GetExtent() const
  {
    return ExtentOf(images.fixedGeometry.grid);
  }
  std::int64_t
  NumberOfVoxels() const
  {
    return images.fixedGeometry.grid.NumberOfVoxels();
  }
};

/** The images of a channel on the fixed grid, in memory of the context's device, in standard deviations of the fixed
 * image; NaN stands for "no value". */
struct PreparedChannel
{
  /** Number of the channel, 0 for the first one. */
  int          index = 0;
  DeviceMemory fixed;
  DeviceMemory moving;
  /** Whether some voxels have no value in one image, or voxels of a level that lie beyond the grid must have none. */
  bool hasGaps = false;
  /** Mean and variance of the images' intensities where both have a value, before they are standardized. */
  std::array<double, 4> meansAndVariances{};
};

/** The images of a run, in memory of the context's device. */
struct PreparedImages
{
  /** The channels with a share in the energy. Their order does not depend on the caller's, so that sums have the same
   * bits. Without images, there is one channel, which exerts no force. */
  std::vector<PreparedChannel> channels;
  /** Numbers of repaired outliers of the fixed and of the moving image. */
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
  /** The moving image as given, its valid voxels, and the field of the initial transform, if there is one. */
  std::optional<FloatInput>     moving;
  std::optional<ValidImage>     inMoving;
  std::optional<SoAFieldMemory> transformField;
  PointTerms                    pointTerms;
  /** Empty where labels have no share in the energy. */
  std::optional<PreparedLabels> labels;

  /** The field of the initial transform; null pointers where there is none. */
  ConstSoAField
  TransformField() const
  {
    return transformField ? transformField->View() : SoAField();
  }
};

/** The map of a run, on the grid of the current level. */
struct LevelMap
{
  Geometry geometry;
  /** d in h(x) = x + d(x), in voxels. */
  SoAFieldMemory displacement;
  /** In a symmetric registration, the displacement from the middle to the fixed image; the other displacement then
   * leads from the middle to the moving image. */
  SoAFieldMemory toFixed = {};
  /** The displacement of the inverse of h, once the two maps have been joined to h. */
  SoAFieldMemory inverse = {};
  /** Maximum number of repair rounds that one change of the map took; 0 if it kept its bound without repair. */
  int mendingRounds = 0;

  /** See RegistrationResult. */
  bool
  IsDamped() const
  {
    return mendingRounds > firstDampingRound;
  }
  void
  CountRepair(int rounds)
  {
    mendingRounds = rounds > mendingRounds ? rounds : mendingRounds;
  }
};

inline DeviceMemory
AllocateFloats(Context & context, std::int64_t count)
{
  return context.Allocate(static_cast<std::size_t>(count) * sizeof(float));
}

inline float *
Floats(const DeviceMemory & memory)
{
  return static_cast<float *>(memory.Data());
}

/** \throws InvalidParameterError for images that cannot be registered. */
PreparedImages
PrepareImages(const RegistrationRun & run);

/** The initial map, on the fixed grid.
 * \throws InvalidParameterError if the initial field folds or its Jacobian determinant is below the bound */
LevelMap
MakeInitialMap(const RegistrationRun & run);

/** The initial displacement field, in voxels of the fixed grid. */
SoAFieldMemory
ReadInitialField(const RegistrationRun & run);

/** Resamples the map on another grid over the same part of space, and repairs it where its Jacobian determinant is
 * below the bound there. */
void
MoveMap(Context & context, const Geometry & geometry, double minimumJacobian, LevelMap & map);

/** Joins the two maps of a symmetric registration, on the fixed grid, to one map and its inverse, which both keep the
 * bound of the Jacobian determinant. Leaves the map of another registration as it is. */
void
JoinMaps(const RegistrationRun & run, LevelMap & map, RegistrationResult & result);

/** Volumes of float, with the fixed grid's number of voxels, in those results of the caller that are in memory of the
 * context's device and overlap no image or field that is read. Until results are written, they may be used as work
 * memory. They are aligned like memory of the context. */
std::vector<float *>
LendResults(const RegistrationRun & run);

/** Improves the map from level to level. Overwrites the borrowed results. Reports the progress from \p begin to
 * \p end. */
void
RunLevels(const RegistrationRun &      run,
          PreparedImages &             images,
          double                       begin,
          double                       end,
          const RegistrationObserver & observer,
          LevelMap &                   map,
          RegistrationResult &         result);

/** Writes the displacement fields of a map on the fixed grid. */
void
WriteFields(const RegistrationRun & run, const LevelMap & map, RegistrationResult & result);

/** Writes all requested results of a map on the fixed grid. */
void
WriteResults(const RegistrationRun & run,
             const PreparedImages &  images,
             const LevelMap &        map,
             RegistrationResult &    result);

} // namespace cudaneuro

#endif
