// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelLevels_h
#define cudaneuro_labels_levels_LabelLevels_h

#include "cudaneuro/Context.h"
#include "labels/levels/LabelDomain.h"

#include <memory>
#include <vector>

/** Level sets of a label, and what labels that are left out say of them. */
namespace cudaneuro
{

/** Numbers of all versions for each voxel of a band: version v of voxel i is element 4 i + v. */
using VersionValues = std::vector<float>;
/** A number for each voxel of the band, or for each node, for each candidate. */
using CandidateValues = std::vector<std::vector<float>>;

/** The Chebyshev series of the fits; those from firstSplineFit on are of the nodes' Laplacian, and those from
 * firstCoarseFit on of the coarse nodes'. */
std::array<std::vector<float>, numberOfFits>
SeriesOfFits(const LabelGrid & grid);
/** The series that makes up for what splines take from a gradient. \param levels of them */
std::vector<float>
SharpeningSeries(const LabelGrid & grid, int levels);
/** That of the last step. */
std::vector<float>
SeriesOfLastFit(const LabelGrid & grid, float width);

/** The likelihood's loss, summed over the labels that judge, for each candidate and width: sums[candidate][width]. */
using LossSums = std::vector<std::array<double, numberOfWidths>>;

/** The width with the least loss of the best candidate. */
float
BestWidth(const LossSums & sums);

/** The series of the nodes' Laplacian that makes a Gaussian of SplineBand's means. */
std::vector<float>
PoolingSeries(const LabelGrid & grid, double sigma);

/** The same of the nodes' own values. */
std::vector<float>
NodePoolingSeries(const LabelGrid & grid, double sigma);

/** The factor that makes the sum of losses nearby of their pooled mean, as if none of the parts were never left out. */
float
PoolingFactor(const LabelGrid & grid);

/** What is computed for a label on a device. */
class LabelLevels
{
public:
  virtual ~LabelLevels() = default;
  /** Fits the nine level sets to the label. */
  virtual void
  Fit() = 0;
  /** One of the nine. */
  virtual VersionValues
  GetFit(std::size_t fit) = 0;
  /** Finds which labels judge, and their distances from the level sets that do not know them. */
  virtual void
  Judge() = 0;
  /** Of the fits. */
  virtual LossSums
  SumLosses() = 0;
  /** Sums of losses near each node, of the fits. */
  virtual CandidateValues
  PoolLosses(float width) = 0;
  /** Makes the mean of the level sets, with these weights at each node. */
  virtual void
  Mix(const CandidateValues & weights) = 0;
  virtual VersionValues
  GetLevels() = 0;
  /** Distances from the mixed level set. */
  virtual VersionValues
  GetDistances() = 0;
  /** 1 for the voxels whose labels judge, 0 for others. */
  virtual std::vector<std::uint8_t>
  GetJudges() = 0;
  /** \param distances of each candidate, by the version that does not know the label */
  virtual LossSums
  SumLosses(const CandidateValues & distances) = 0;
  /** The change of a distance that the labels ask for in the last step.
   * \param width of the likelihood
   * \param weights of the voxels */
  virtual std::vector<float>
  Correct(float width, const std::vector<float> & distances, const std::vector<float> & weights) = 0;
  /** The distances of one of the nine, of version 0. */
  virtual std::vector<float>
  GetDistancesOfFit(std::size_t fit) = 0;
  /** Distances from the mixed level set, of version 0. */
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

/** On the context's device. The domain must stay. */
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain);

} // namespace cudaneuro

#endif
