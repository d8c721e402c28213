// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_FitWeights_h
#define cudaneuro_labels_FitWeights_h

#include "labels/levels/LabelLevels.h"

namespace cudaneuro
{

/** Which level sets are right, by labels that are left out, and where these cannot tell it because the noise of labels
 * is correlated over voxels: neighbors then tell a label that is left out its noise. */
struct FitWeights
{
  /** Of each fit at each node. */
  CandidateValues weights;
  /** 1 where noise is taken for correlated, 0 where not, at each node. */
  std::vector<float> correlation;
  /** Where it is, the part of the variance that the weighted level set has in common with the labels' noise:
   * correlatedShares with these weights. */
  std::vector<float> share;
  /** The sum of the weights that each node has at the voxels that judge. */
  std::vector<float> judges;
};

/** Leaves the mixture of the level sets with these weights in \p levels. */
FitWeights
ChooseFits(Context & context, const LabelDomain & domain, LabelLevels & levels);

} // namespace cudaneuro

#endif
