// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_FitWeights_h
#define cudaneuro_labels_FitWeights_h

#include "labels/levels/LabelLevels.h"

namespace cudaneuro
{

/** Weights of the level sets by cross-validation with left-out labels. It fails where the noise of labels is correlated
 * over voxels, because neighbors then predict the noise of a left-out label; such places are detected and penalized. */
struct FitWeights
{
  /** Weight of each fit at each node. */
  CandidateValues weights;
  /** 1 where noise is classified as correlated, 0 where not, at each node. */
  std::vector<float> correlation;
  /** The fraction of the variance that the weighted level set would share with correlated noise of the labels: the mean
   * of correlatedShares with these weights. */
  std::vector<float> share;
  /** Sum of the spline weights of each node at the voxels that judge. */
  std::vector<float> judges;
};

/** Chooses the weights, and leaves the weighted mean of the level sets in \p levels. */
FitWeights
ChooseFits(Context & context, const LabelDomain & domain, LabelLevels & levels);

} // namespace cudaneuro

#endif
