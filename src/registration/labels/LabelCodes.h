// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelCodes_h
#define cudaneuro_registration_labels_LabelCodes_h

#include "fields/warp/Warp.h"

#include <cstdint>

/** Maps of labels on the grids of a registration, in memory of the context's device: a code per voxel, noLabel where
 * there is no label. */
namespace cudaneuro
{

/** output(i) = labels(mapping(i)) at the nearest voxel; noLabel outside the grid. */
struct LabelResampling
{
  Extent extent;
  /** Codes of type UnsignedChar or UnsignedShort. */
  const void *    labels = nullptr;
  bool            isWide = false; // whether codes are UnsignedShort
  Extent          outputExtent;
  IndexMapping    mapping;
  std::uint16_t * output = nullptr;
};

/** Computes the output; on a GPU, enqueues this on the compute stream. */
CUDANEURO_DISPATCHED(void ResampleLabels(Context & context, const LabelResampling & resampling));

/** Labels on a coarser grid, ShrunkGeometry of the original one: the most frequent label of the voxels in a coarse
 * voxel; of equally frequent ones, the smallest. */
struct LabelShrinking
{
  Extent                extent;
  const std::uint16_t * labels = nullptr;
  /** Shrink factors; 1 along axes of length 1. */
  std::array<int, 3> factors{ 1, 1, 1 };
  Extent             outputExtent;
  std::uint16_t *    output = nullptr;
};

/** Computes the output; on a GPU, enqueues this on the compute stream. */
CUDANEURO_DISPATCHED(void ShrinkLabels(Context & context, const LabelShrinking & shrinking));

/** The largest code. Waits for the result. */
CUDANEURO_DISPATCHED(int LargestLabel(Context & context, std::int64_t numberOfVoxels, const std::uint16_t * labels));

} // namespace cudaneuro

#endif
