// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryEvaluations_h
#define cudaneuro_landmarks_TrajectoryEvaluations_h

#include "core/IntegerMath.h"
#include "landmarks/TrajectoryLoss.h"

#include <algorithm>
#include <vector>

namespace cudaneuro
{

/** The evaluations of a call in the order of the device. Those with a gradient come first, because the adjoint is
 * computed for the first evaluations. */
struct SortedEvaluations
{
  std::vector<ShootingEvaluation *> all;
  std::size_t                       gradients;

  explicit SortedEvaluations(std::vector<ShootingEvaluation> & evaluations)
  {
    for (ShootingEvaluation & evaluation : evaluations)
    {
      all.push_back(&evaluation);
    }
    const auto firstWithout = std::stable_partition(
      all.begin(), all.end(), [](const ShootingEvaluation * evaluation) { return evaluation->gradient; });
    gradients = static_cast<std::size_t>(firstWithout - all.begin());
  }
};

/** The layout of a call's upload, which is one copy: the counter of the grid's barrier and the marks of stages, which
 * are 0, the evaluations' targets, and their momenta. Members are the offsets of these parts. */
struct UploadLayout
{
  static constexpr std::size_t arrivals = 0;
  /** The counter has its own cache lines. */
  static constexpr std::size_t marks = 256;
  std::size_t                  targets;
  std::size_t                  momenta;
  std::size_t                  bytes;

  UploadLayout(std::size_t evaluations, std::size_t stages, std::size_t numbersOfPoints)
    : targets(marks + evaluations * (stages + 1) * sizeof(int))
    , momenta(RoundUp(targets + evaluations * sizeof(int), std::size_t{ 256 }))
    , bytes(momenta + evaluations * numbersOfPoints * sizeof(double))
  {}
};

/** Fills the upload. */
inline void
WriteUpload(const SortedEvaluations & evaluations,
            const UploadLayout &      layout,
            std::size_t               numbersOfPoints,
            void *                    upload)
{
  char * const bytes = static_cast<char *>(upload);
  int *        target = reinterpret_cast<int *>(bytes + layout.targets);
  double *     momenta = reinterpret_cast<double *>(bytes + layout.momenta);
  std::fill(bytes, bytes + layout.targets, char{ 0 });
  for (const ShootingEvaluation * const evaluation : evaluations.all)
  {
    *target++ = evaluation->target;
    momenta = std::copy_n(evaluation->momenta, numbersOfPoints, momenta);
  }
}

/** Distributes the downloaded results to the evaluations: the terms of all losses, then gradients. A target of -1 has
 * no results.
 * \param weightedPoints number of points of positive weight of each target */
inline void
ReadDownload(const ShootingProblem &           problem,
             const std::vector<std::int64_t> & weightedPoints,
             std::size_t                       tiles,
             const void *                      download,
             const SortedEvaluations &         evaluations)
{
  const auto         numbers = static_cast<std::size_t>(problem.numberOfPoints * problem.dimension);
  const auto * const terms = static_cast<const LossTerms *>(download);
  const auto * const gradients = reinterpret_cast<const double *>(terms + evaluations.all.size() * tiles);
  for (std::size_t k = 0; k < evaluations.all.size(); ++k)
  {
    ShootingEvaluation & evaluation = *evaluations.all[k];
    if (evaluation.target >= 0)
    {
      const std::int64_t points = weightedPoints[static_cast<std::size_t>(evaluation.target)];
      evaluation.loss = SumOfTerms(problem, points, terms + k * tiles, tiles);
    }
    if (k < evaluations.gradients)
    {
      std::copy_n(gradients + k * numbers, numbers, evaluation.gradient);
    }
  }
}

} // namespace cudaneuro

#endif
