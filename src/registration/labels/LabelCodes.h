// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelCodes_h
#define cudaneuro_registration_labels_LabelCodes_h

#include "fields/warp/Warp.h"

#include <cstdint>

/** Maps of labels on the grids of a registration, in memory of the context's device: a code a voxel, and noLabel where
 * there is none. */
namespace cudaneuro
{

/** output(i) = labels(mapping(i)), of the nearest voxel; noLabel where that is outside the grid. */
struct LabelResampling
{
  Extent extent;
  /** UnsignedChar or UnsignedShort. */
  const void *    labels = nullptr;
  bool            isWide = false; // whether they are UnsignedShort
  Extent          outputExtent;
  IndexMapping    mapping;
  std::uint16_t * output = nullptr;
};

/** Computes the output; on a GPU, enqueues that on the compute stream. */
CUDANEURO_DISPATCHED(void ResampleLabels(Context & context, const LabelResampling & resampling));

/** Labels on a coarser grid: the most frequent of the voxels that make a coarse one, as ShrunkGeometry tells, and of
 * equally frequent ones the smallest. */
struct LabelShrinking
{
  Extent                extent;
  const std::uint16_t * labels = nullptr;
  /** 1 along axes of length 1. */
  std::array<int, 3> factors{ 1, 1, 1 };
  Extent             outputExtent;
  std::uint16_t *    output = nullptr;
};

/** Computes the output; on a GPU, enqueues that on the compute stream. */
CUDANEURO_DISPATCHED(void ShrinkLabels(Context & context, const LabelShrinking & shrinking));

/** The largest code. Waits for it. */
CUDANEURO_DISPATCHED(int LargestLabel(Context & context, std::int64_t numberOfVoxels, const std::uint16_t * labels));

} // namespace cudaneuro

#endif
