// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "surface/BandFormulas.h"

#include <algorithm>
#include <functional>

namespace cudaneuro::cpu
{

namespace
{

/** Number of voxels that a task processes. */
constexpr std::int64_t voxelsPerPart = 1 << 16;

/** Surveys several voxels side by side, so that the loop is vectorized. */
CUDANEURO_ALWAYS_INLINE BandSurvey
SurveyOf(const BandSearch & search, std::int64_t begin, std::int64_t end)
{
  constexpr int lanes = 16;
  BandSurvey    surveys[lanes];
  std::fill_n(surveys, lanes, BandSurvey::Empty());
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      surveys[lane].Add(search, i + lane);
    }
  }
  for (; i < end; ++i)
  {
    surveys[0].Add(search, i);
  }
  for (int lane = 1; lane < lanes; ++lane)
  {
    surveys[0].Include(surveys[lane]);
  }
  return surveys[0];
}

} // namespace

Band
FindBand(Context & context, const BandSearch & search, BandSurvey & survey)
{
  const std::int64_t      voxels = NumberOfVoxels(search.extent);
  const std::int64_t      parts = DivideUp(voxels, voxelsPerPart);
  std::vector<BandSurvey> surveys(static_cast<std::size_t>(parts));
  context.ParallelFor(parts, [&](std::int64_t part) {
    const std::int64_t begin = part * voxelsPerPart;
    BandSurvey &       ofPart = surveys[static_cast<std::size_t>(part)];
    VectorDispatch([&, begin] { ofPart = SurveyOf(search, begin, std::min(voxels, begin + voxelsPerPart)); });
  });
  survey = BandSurvey::Empty();
  std::vector<std::int64_t> firsts;
  for (const BandSurvey & ofPart : surveys)
  {
    firsts.push_back(survey.bandVoxels);
    survey.Include(ofPart);
  }
  Band band;
  if (survey.firstInvalid != BandSurvey::noVoxel || survey.bandVoxels == 0)
  {
    return band;
  }
  band.count = survey.bandVoxels;
  band.memory = context.Allocate(static_cast<std::size_t>(band.count) * sizeof(BandVoxel));
  auto * const all = static_cast<BandVoxel *>(band.memory.Data());
  context.ParallelFor(parts, [&](std::int64_t part) {
    const std::int64_t begin = part * voxelsPerPart;
    BandVoxel *        to = all + firsts[static_cast<std::size_t>(part)];
    for (std::int64_t i = begin; i < std::min(voxels, begin + voxelsPerPart); ++i)
    {
      if (IsInBand(search, i))
      {
        *to++ = VoxelAt(search.extent, i);
      }
    }
  });
  return band;
}

std::vector<std::int64_t>
CountGradientNorms(Context & context, const BandView & band, const std::array<double, 3> & spacing)
{
  const float                            inverseSpacing[3] = { static_cast<float>(1.0 / spacing[0]),
                                                               static_cast<float>(1.0 / spacing[1]),
                                                               static_cast<float>(1.0 / spacing[2]) };
  const auto                             parts = static_cast<std::size_t>(DivideUp(band.count, voxelsPerPart));
  std::vector<std::vector<std::int64_t>> counts(parts);
  context.ParallelFor(static_cast<std::int64_t>(parts), [&](std::int64_t part) {
    std::vector<std::int64_t> & ofPart = counts[static_cast<std::size_t>(part)];
    ofPart.assign(numberOfGradientBins, 0);
    const std::int64_t end = std::min(band.count, (part + 1) * voxelsPerPart);
    for (std::int64_t i = part * voxelsPerPart; i < end; ++i)
    {
      ++ofPart[static_cast<std::size_t>(GradientBin(band, band.voxels[i], inverseSpacing))];
    }
  });
  std::vector<std::int64_t> sum(numberOfGradientBins, 0);
  for (const std::vector<std::int64_t> & ofPart : counts)
  {
    std::transform(sum.begin(), sum.end(), ofPart.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

} // namespace cudaneuro::cpu
