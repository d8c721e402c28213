// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_PrepareLabels_h
#define cudaneuro_registration_labels_PrepareLabels_h

#include "cudaneuro/RegistrationTerms.h"
#include "fields/warp/Warp.h"
#include "registration/labels/LabelTerm.h"

#include <string>

namespace cudaneuro
{

/** Requires two maps of integer labels, or none, in memory that the context can reach, on grids with \p dimension axes
 * (a grid of one plane has 2), and weights from 0 to 1e6, not all 0. PrepareLabels checks the codes.
 * \throws InvalidParameterError */
void
RequireLabels(const Context & context, int dimension, const LabelPair & labels);

/** A map of labels on its own grid. */
struct LabelMap
{
  std::string      name;
  const Geometry & geometry;
  PixelType        type;
  const void *     data; // in memory of the context's device
};

/** Requires one map of labels as RequireLabels does.
 * \throws InvalidParameterError */
void
RequireLabelMap(const std::string & name,
                const Context &     context,
                int                 dimension,
                const Geometry &    geometry,
                const ConstVolume & labels);

/** Resamples labels on a grid from the nearest voxels, as std::uint16_t; noLabel outside the map's own grid.
 * \throws InvalidParameterError for codes above largestLabelCode, OutOfMemoryError */
DeviceMemory
TakeLabelsToGrid(Context & context, const LabelMap & map, const Grid & grid, const IndexMapping & mapping);

/** The maps from the grid of a registration to the labels of both heads. */
struct LabelPlaces
{
  Geometry geometry;
  /** The map from points of the grid to points of the fixed head, as the middle grid of symmetric runs needs it. */
  AffineMap toFixed;
  /** The map from points of the grid, moved by the field, to points of the moving head. */
  AffineMap toMoving;
  /** The field of the initial transform in voxels of the grid; null pointers where there is none. */
  ConstSoAField field;
};

/** The labels of both heads on one grid, in memory of the context's device. Copies share the memory. */
struct PreparedLabels
{
  Extent       extent;
  DeviceMemory fixed;
  DeviceMemory moving;
  DeviceMemory weights;
  int          numberOfWeights = 0;
  float        weightBeyond = 0.0f;

  LevelLabels
  View() const
  {
    return { extent,
             static_cast<const std::uint16_t *>(fixed.Data()),
             static_cast<const std::uint16_t *>(moving.Data()),
             { static_cast<const float *>(weights.Data()), numberOfWeights, weightBeyond } };
  }
};

/** Resamples the labels on the grid from the nearest voxels. Called inside RunDeviceJob; reports progress.
 * \param labels as RequireLabels requires them
 * \throws InvalidParameterError for codes above largestLabelCode, and for slices that do not lie on the grid's;
 * OutOfMemoryError */
PreparedLabels
PrepareLabels(Context & context, const LabelPair & labels, const LabelPlaces & places);

/** The labels on the grid of a level, ShrunkGeometry of their own grid: the most frequent label of the voxels in a
 * coarse voxel; of equally frequent ones, the smallest. Shares the memory where nothing is shrunk.
 * \throws OutOfMemoryError */
PreparedLabels
LabelsOfLevel(Context & context, const PreparedLabels & labels, const std::array<int, 3> & factors);

} // namespace cudaneuro

#endif
