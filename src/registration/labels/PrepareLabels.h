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

/** Requires two maps of labels, or none; integers in memory that the context can reach, on grids with \p dimension axes
 * (a grid of one plane has 2), and weights from 0 to 1e6, of which one is not 0. Codes are looked at by PrepareLabels.
 * \throws InvalidParameterError */
void
RequireLabels(const Context & context, int dimension, const LabelPair & labels);

/** A map of labels on its own grid. */
struct LabelMap
{
  std::string      name;
  const Geometry & geometry;
  PixelType        type;
  const void *     data; // on the context's device
};

/** Requires one map of labels as RequireLabels does.
 * \throws InvalidParameterError */
void
RequireLabelMap(const std::string & name,
                const Context &     context,
                int                 dimension,
                const Geometry &    geometry,
                const ConstVolume & labels);

/** Takes labels to a grid, each from the nearest voxel: std::uint16_t, noLabel outside the map's own grid.
 * \throws InvalidParameterError for codes above largestLabelCode, OutOfMemoryError */
DeviceMemory
TakeLabelsToGrid(Context & context, const LabelMap & map, const Grid & grid, const IndexMapping & mapping);

/** Where the labels of both heads are seen in the grid of a registration. */
struct LabelPlaces
{
  Geometry geometry;
  /** From points of the grid to points of the fixed head, as the middle grid of a symmetric registration needs it. */
  AffineMap toFixed;
  /** From points of the grid, moved by the field, to points of the moving head. */
  AffineMap toMoving;
  /** In voxels of the grid; null pointers where the initial transform has none. */
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

/** Takes the labels to the grid, each from the nearest voxel. Inside RunDeviceJob; reports progress.
 * \param labels as RequireLabels wants them
 * \throws InvalidParameterError for codes above largestLabelCode, and for slices that are not where the grid's is;
 * OutOfMemoryError */
PreparedLabels
PrepareLabels(Context & context, const LabelPair & labels, const LabelPlaces & places);

/** The labels on the grid of a level, ShrunkGeometry of their own one: of the voxels that make a coarse one, the most
 * frequent label, and of equally frequent ones the smallest. The same memory where nothing is shrunk.
 * \throws OutOfMemoryError */
PreparedLabels
LabelsOfLevel(Context & context, const PreparedLabels & labels, const std::array<int, 3> & factors);

} // namespace cudaneuro

#endif
