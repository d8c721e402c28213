// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelOverlap_h
#define apps_register_LabelOverlap_h

#include <cstddef>
#include <map>
#include <string>

/** How two images of labels on one grid overlap: Dice coefficients, 2 |A and B| / (|A| + |B|). Voxels of label 0 are
 * background. */
struct LabelOverlap
{
  /** Of each label that either image has. */
  std::map<int, double> dice;
  /** Over these labels. */
  double mean = 0.0;
  /** Of all labels taken together as one. */
  double unionDice = 0.0;
};

/** Of images of so many voxels whose values are whole numbers; on all cores. */
LabelOverlap
ComputeLabelOverlap(const float * a, const float * b, std::size_t count);

/** \throws ProgramError, which names the file, for values that are no whole numbers, or larger than 2^24, where float
 * has not all of them. */
void
CheckLabels(const float * labels, std::size_t count, const std::string & path);

#endif
