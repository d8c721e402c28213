// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_LabelVote_h
#define cudaneuro_atlas_LabelVote_h

#include "atlas/AtlasShare.h"
#include "cudaneuro/Communicator.h"

#include <cstdint>
#include <memory>
#include <vector>

/** The vote of the images of an atlas on the label of each voxel. It needs no volume of a label: at a voxel, only the
 * labels that images have there are counted. */
namespace cudaneuro
{

/** The labels of all images at some voxels, in host memory. */
struct LabelBallots
{
  std::int64_t voxels = 0;
  /** A code a voxel for each image of the atlas, noLabel where it has none; null for an image without labels. */
  std::vector<const std::uint16_t *> codes;
  /** WholeWeights of the images; their sum is below 2^31. */
  const std::int32_t * weights = nullptr;
};

/** Where the result of a vote goes, in host memory. */
struct LabelVote
{
  /** The label of most weight, the smallest of several; 0 where there is none. */
  std::uint16_t * labels = nullptr;
  /** Its weight by that of all labels of the voxel; 0 where there is none. */
  float * shares = nullptr;
};

/** Counts the labels of each voxel, on the context's threads. */
void
CountBallots(Context & context, const LabelBallots & ballots, const LabelVote & vote);

/** The vote of the images of all processes, which call it together. Reports progress.
 * \param own ballots that have the codes of this process's images only
 * \param communicator null for a process that is alone
 * \throws Error when no image has labels, Aborted */
void
VoteOnLabels(Context & context, Communicator * communicator, const LabelBallots & own, const LabelVote & vote);

/** The vote of the members of all processes' shares, in the caller's memory. Inside RunDeviceJob.
 * \throws InvalidParameterError, and what VoteOnLabels throws */
void
WriteLabels(Context &                                        context,
            const AtlasPlan &                                plan,
            const std::vector<std::unique_ptr<AtlasShare>> & shares,
            Communicator *                                   communicator,
            const AtlasLabelOutputs &                        outputs);

} // namespace cudaneuro

#endif
