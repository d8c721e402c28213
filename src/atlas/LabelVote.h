// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_LabelVote_h
#define cudaneuro_atlas_LabelVote_h

#include "atlas/AtlasShare.h"
#include "cudaneuro/Communicator.h"

#include <cstdint>
#include <memory>
#include <vector>

/** The vote of an atlas's images on the label of each voxel. Labels have no volumes of weights: at a voxel, only the
 * labels that images have there are counted. */
namespace cudaneuro
{

/** The labels of all images at some voxels, in host memory. */
struct LabelBallots
{
  std::int64_t voxels = 0;
  /** One code per voxel for each image of the atlas, noLabel where it has none; null for an image without labels. */
  std::vector<const std::uint16_t *> codes;
  /** WholeWeights of the images; their sum is below 2^31. */
  const std::int32_t * weights = nullptr;
};

/** The outputs of a vote, in host memory. */
struct LabelVote
{
  /** The label with the largest weight, the smallest one of several; 0 where there is none. */
  std::uint16_t * labels = nullptr;
  /** Its weight, divided by the sum of weights of all labels at the voxel; 0 where there is none. */
  float * shares = nullptr;
};

/** Counts the labels of each voxel, on the context's threads. */
void
CountBallots(Context & context, const LabelBallots & ballots, const LabelVote & vote);

/** The vote of the images of all processes. Called by all processes together. Reports progress.
 * \param own ballots with the codes of this process's images only
 * \param communicator null for a single process
 * \throws Error if no image has labels, Aborted */
void
VoteOnLabels(Context & context, Communicator * communicator, const LabelBallots & own, const LabelVote & vote);

/** The vote of the members of all processes' shares, in the caller's memory. Called inside RunDeviceJob.
 * \throws InvalidParameterError, and the errors of VoteOnLabels */
void
WriteLabels(Context &                                        context,
            const AtlasPlan &                                plan,
            const std::vector<std::unique_ptr<AtlasShare>> & shares,
            Communicator *                                   communicator,
            const AtlasLabelOutputs &                        outputs);

} // namespace cudaneuro

#endif
