// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelLevels_h
#define cudaneuro_labels_levels_LabelLevels_h

#include "cudaneuro/Context.h"
#include "labels/levels/LabelDomain.h"

#include <memory>
#include <vector>

/** Level sets of a label, and their evaluation by left-out labels. */
namespace cudaneuro
{

/** Numbers of all versions for each voxel of a band: version v of voxel i is element 4 i + v. */
using VersionValues = std::vector<float>;
/** For each candidate, a number for each voxel of the band, or for each node. */
using CandidateValues = std::vector<std::vector<float>>;

/** The Chebyshev series of the fits. From firstSplineFit on they are series of the nodes' Laplacian, from
 * firstCoarseFit on of the coarse nodes' Laplacian. */
std::array<std::vector<float>, numberOfFits>
SeriesOfFits(const LabelGrid & grid);
/** The series that compensates the damping of a gradient by splines. \param levels number of nested splines */
std::vector<float>
SharpeningSeries(const LabelGrid & grid, int levels);
/** The series of the last step. */
std::vector<float>
SeriesOfLastFit(const LabelGrid & grid, float width);

/** The likelihood's loss, summed over the judging labels, for each candidate and width: sums[candidate][width]. */
using LossSums = std::vector<std::array<double, numberOfWidths>>;

/** The width with the minimum loss of the best candidate. */
float
BestWidth(const LossSums & sums);

/** The series of the nodes' Laplacian that turns SplineBand's means into a Gaussian. */
std::vector<float>
PoolingSeries(const LabelGrid & grid, double sigma);

/** The series of the Gaussian for values that are given at the nodes. */
std::vector<float>
NodePoolingSeries(const LabelGrid & grid, double sigma);

/** The factor from the pooled mean of losses to their local sum, corrected for part 0, which is never left out. */
float
PoolingFactor(const LabelGrid & grid);

/** The level sets of a label, computed on a device. */
class LabelLevels
{
public:
  virtual ~LabelLevels() = default;
  /** Fits the nine level sets to the label. */
  virtual void
  Fit() = 0;
  /** One of the nine level sets. */
  virtual VersionValues
  GetFit(std::size_t fit) = 0;
  /** Finds which labels judge, and their distances from the level sets that leave them out. */
  virtual void
  Judge() = 0;
  /** The losses of the fits. */
  virtual LossSums
  SumLosses() = 0;
  /** Local sums of the fits' losses near each node. */
  virtual CandidateValues
  PoolLosses(float width) = 0;
  /** Computes the mean of the level sets with these weights at each node. */
  virtual void
  Mix(const CandidateValues & weights) = 0;
  virtual VersionValues
  GetLevels() = 0;
  /** Distances from the mixed level set. */
  virtual VersionValues
  GetDistances() = 0;
  /** 1 for the voxels whose labels judge, 0 for other voxels. */
  virtual std::vector<std::uint8_t>
  GetJudges() = 0;
  /** \param distances for each candidate, from the version that leaves the label out */
  virtual LossSums
  SumLosses(const CandidateValues & distances) = 0;
  /** The change of a distance by the labels in the last step.
   * \param width of the likelihood
   * \param weights of the voxels */
  virtual std::vector<float>
  Correct(float width, const std::vector<float> & distances, const std::vector<float> & weights) = 0;
  /** The distances from version 0 of one of the nine level sets. */
  virtual std::vector<float>
  GetDistancesOfFit(std::size_t fit) = 0;
  /** Distances from version 0 of the mixed level set. */
  virtual std::vector<float>
  GetDistancesOfMixture() = 0;
  /** Values of the voxels after a Gaussian of the band, at the nodes. */
  virtual CandidateValues
  Pool(const CandidateValues & values, double sigma) = 0;
  /** Values of the nodes after a Gaussian. */
  virtual CandidateValues
  PoolNodes(const CandidateValues & values, double sigma) = 0;
};

namespace cpu
{
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain);
} // namespace cpu

namespace gpu
{
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain);
} // namespace gpu

/** Makes the level sets on the context's device. The domain must outlive them. */
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain);

} // namespace cudaneuro

#endif
