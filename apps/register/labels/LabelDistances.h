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

/** How far the boundaries of a label in two images are from each other, in mm.
 *
 * A voxel is at the boundary of its label where a neighbor along an axis has another label. What lies beyond the image
 * has none, so that each label has a boundary; an axis of one voxel does not count, so that a slice is like an image of
 * two axes. Each voxel of one boundary is as far from the other boundary as the nearest center of its voxels is from
 * the voxel's center.
 *
 * Source: Taha and Hanbury, Metrics for evaluating 3D medical image segmentation, 2015,
 * https://doi.org/10.1186/s12880-015-0068-x: the Hausdorff distance, and its quantile. */
struct BoundaryDistance
{
  /** The larger one of the 95th percentiles of both directions, each linear between sorted distances. */
  double hausdorff95 = 0.0;
  /** The mean over the voxels of both boundaries. */
  double mean = 0.0;
};

/** The distance of each label that either of two images has; none where the other one lacks it. */
struct LabelDistances
{
  /** Those of numbers, where images have one layer. */
  std::map<std::int64_t, std::optional<BoundaryDistance>> labels;
  /** Those of segments that have one name in both images. */
  std::map<std::string, std::optional<BoundaryDistance>> segments;
  /** The means over the labels that both images have, or where there are layers, over the segments. */
  std::optional<BoundaryDistance> mean;
  /** How many of them one image lacks. */
  std::size_t inOneImage = 0;
};

/** The grid that two images of labels have. */
struct LabelGrid
{
  /** 2 or 3; further axes have one voxel. */
  unsigned int                         dimension = 3;
  std::array<std::int64_t, 3>          size{ 1, 1, 1 };
  std::array<std::array<double, 3>, 3> steps{}; ///< In mm, from a voxel to the next one along each axis.
};

/** The voxels of an image, and what they stand for. */
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
