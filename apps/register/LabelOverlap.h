// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelOverlap_h
#define apps_register_LabelOverlap_h

#include <cstddef>
#include <map>
#include <string>

/** Dice coefficients, 2 |A and B| / (|A| + |B|), of two images of labels on one grid. Label 0 is background. */
struct LabelOverlap
{
  /** The coefficient of each label that either image has. */
  std::map<int, double> dice;
  /** The mean over these labels. */
  double mean = 0.0;
  /** The coefficient of all labels taken as one. */
  double unionDice = 0.0;
};

/** Computes the overlap of two images of count voxels, whose values are whole numbers, on all cores. */
LabelOverlap
ComputeLabelOverlap(const float * a, const float * b, std::size_t count);

/** \throws UserError, which names the file, for values that are no whole numbers, or larger than 2^24, above which
 * float lacks some. */
void
CheckLabels(const float * labels, std::size_t count, const std::string & path);

#endif
