// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_LabelOverlap_h
#define apps_register_labels_LabelOverlap_h

#include <cstddef>
#include <cstdint>
#include <map>

/** Dice coefficients, 2 |A and B| / (|A| + |B|), of two images of labels on one grid. Label 0 is background. */
struct LabelOverlap
{
  /** The coefficient of each label that either image has. */
  std::map<std::int64_t, double> dice;
  /** The mean over these labels. */
  double mean = 0.0;
  /** The coefficient of all labels taken as one. */
  double unionDice = 0.0;
};

/** Computes the overlap of two images of count voxels on all cores. */
LabelOverlap
ComputeLabelOverlap(const std::int64_t * a, const std::int64_t * b, std::size_t count);

#endif
