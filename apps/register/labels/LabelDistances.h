// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_LabelDistances_h
#define apps_register_labels_LabelDistances_h

#include "cudaneuro/Context.h"
#include "files/images/Segmentation.h"
#include "shared/Files.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

/** The distance of a label's boundaries in two images, in mm.
 *
 * A voxel is at the boundary of its label if a neighbor along an axis has another label. There is no label beyond the
 * image, so that each label has a boundary; an axis of one voxel does not count, so that a slice is like an image of
 * two axes. The distance of a voxel from the other boundary is the smallest distance between the centers of voxels.
 *
 * Source: Taha and Hanbury, Metrics for evaluating 3D medical image segmentation, 2015,
 * https://doi.org/10.1186/s12880-015-0068-x: the Hausdorff distance, and its quantile. */
struct BoundaryDistance
{
  /** The larger of the 95th percentiles of both directions, with linear interpolation between sorted distances. */
  double hausdorff95 = 0.0;
  /** The mean over the voxels of both boundaries. */
  double mean = 0.0;
};

/** The distance of each label that one of two images has; none if the other image lacks it. */
struct LabelDistances
{
  /** The distances by label, if images have one layer. */
  std::map<std::int64_t, std::optional<BoundaryDistance>> labels;
  /** The distances of segments with the same name in both images. */
  std::map<std::string, std::optional<BoundaryDistance>> segments;
  /** The means over the labels that both images have, or, if there are layers, over the segments. */
  std::optional<BoundaryDistance> mean;
  /** The number of labels, or segments, that one image lacks. */
  std::size_t inOneImage = 0;
};

/** The common grid of two images of labels. */
struct LabelGrid
{
  /** 2 or 3; further axes have one voxel. */
  unsigned int                         dimension = 3;
  std::array<std::int64_t, 3>          size{ 1, 1, 1 };
  std::array<std::array<double, 3>, 3> steps{}; ///< In mm, from a voxel to the next one along each axis.
};

/** The voxels of an image, and their segments. */
struct LabelVoxels
{
  const Segmentation & segmentation;
  const std::int64_t * voxels;
};

/** Measures the distances between the boundaries of labels, on the context's device. Label 0 is background.
 * \throws cudaneuro::OutOfMemoryError, cudaneuro::Aborted */
LabelDistances
MeasureLabelDistances(cudaneuro::Context & context,
                      const LabelGrid &    grid,
                      const LabelVoxels &  fixed,
                      const LabelVoxels &  moving);

#endif
