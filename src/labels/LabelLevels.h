// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelLevels_h
#define cudaneuro_labels_LabelLevels_h

#include "cudaneuro/Context.h"
#include "labels/LabelGrid.h"

#include <memory>
#include <vector>

/** Level sets of a label, and what labels that are left out say of them. */
namespace cudaneuro
{

/** Numbers of all versions for each voxel of a band: version v of voxel i is element 4 i + v. */
using VersionValues = std::vector<float>;
/** A number for each voxel of the band, for each candidate. */
using CandidateValues = std::vector<std::vector<float>>;

/** The Chebyshev series of a band's Laplacian that are needed. */
struct LabelSeries
{
  std::array<std::vector<float>, numberOfFits> fits;
  std::vector<float>                           last;

  explicit LabelSeries(const LabelGrid & grid);
};

/** The likelihood's loss, summed over the labels that judge, for each candidate and width: sums[candidate][width]. */
using LossSums = std::vector<std::array<double, numberOfWidths>>;

/** The width with the least loss of the best candidate. */
float
BestWidth(const LossSums & sums);

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
  /** Sums of losses near each voxel, of the fits. */
  virtual CandidateValues
  PoolLosses(float width) = 0;
  /** Makes the mean of the level sets, with these weights in each voxel. */
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
  /** The change of a distance that the labels ask for in the last step. \param weights of the voxels */
  virtual std::vector<float>
  Correct(const std::vector<float> & distances, const std::vector<float> & weights) = 0;
  /** Values of the voxels after a Gaussian of the band. */
  virtual CandidateValues
  Pool(const CandidateValues & values, double sigma) = 0;
};

namespace cpu
{
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelGrid & grid, const LabelBand & band);
} // namespace cpu

namespace gpu
{
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelGrid & grid, const LabelBand & band);
} // namespace gpu

/** On the context's device. Grid and band must stay. */
std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelGrid & grid, const LabelBand & band);

} // namespace cudaneuro

#endif
