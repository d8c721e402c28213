// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelFitCpu.h"

#include "labels/levels/SplineTileCpu.h"

#include <algorithm>
#include <functional>

namespace cudaneuro::cpu
{
namespace
{

/** The weights of the labels, with the signs of their sides. */
VersionValues
WeighLabels(const LabelBand & band, const VersionValues & levels, float reach, const float * votes)
{
  VersionValues weights(levels.size());
  VectorDispatch([&] {
    for (std::int32_t i = 0; i < band.count; ++i)
    {
      const unsigned int code = band.codes[static_cast<std::size_t>(i)];
      const float        side = SideOf(code) * (votes != nullptr ? votes[i] : 1.0f);
      for (int v = 0; v < versions; ++v)
      {
        const std::size_t j = versions * static_cast<std::size_t>(i) + static_cast<std::size_t>(v);
        weights[j] = IsUsed(code, v) ? side * WeightAt(levels[j], reach) : 0.0f;
      }
    }
  });
  return weights;
}

float
StepFrom(float level, float change, float weight, float width)
{
  return GradientStep(level, change, weight, weight < 0.0f ? -1.0f : 1.0f, width);
}

/** Replaces changes by their extrapolation with momentum, and stores the changes themselves in \p last. */
void
AddMomentum(float factor, VersionValues & changes, VersionValues & last)
{
  VectorDispatch([&] {
    const auto count = static_cast<std::int64_t>(changes.size());
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t j = 0; j < count; ++j)
    {
      const float change = changes[j];
      changes[j] = change + factor * (change - last[j]);
      last[j] = change;
    }
  });
}

} // namespace

void
RestrictToNodes(const SplineDomain & domain, const VersionValues & voxels, VersionValues & nodes)
{
  VectorDispatch([&] {
    MeansAtNodes(
      domain, nullptr, [&](const std::int32_t * numbers, float * row) { ReadTileRow(numbers, voxels, row); }, nodes);
  });
}

VersionValues
FindChanges(const LabelDomain &        domain,
            const DomainRows &         rows,
            const VersionValues &      levels,
            const LabelFit &           fit,
            const std::vector<float> & series,
            const float *              votes)
{
  const VersionValues weights = WeighLabels(domain.band, levels, fit.reach, votes);
  BandSeries          filter(domain.grid.Shares(), rows.voxels, domain.band.count);
  VersionValues       last(levels.size(), 0.0f);
  Momentum            momentum;
  for (int step = 0; step < fit.steps; ++step)
  {
    VectorDispatch([&] {
      const auto          count = static_cast<std::int64_t>(levels.size());
      const float * const changes = filter.Result().data();
      float * const       input = filter.Input().data();
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (std::int64_t j = 0; j < count; ++j)
      {
        input[j] = changes[j] + StepFrom(levels[j], changes[j], weights[j], fit.width);
      }
    });
    filter.Apply(series);
    AddMomentum(momentum.Next(), filter.Result(), last);
  }
  return last;
}

namespace
{

/** The values of a field given at the nodes, at the band's voxels. */
VersionValues
SplineValues(const SplineDomain & domain, const VersionValues & nodes)
{
  VersionValues values(static_cast<std::size_t>(versions) * static_cast<std::size_t>(domain.band.count));
  VectorDispatch([&] {
    ForEachSplineValue(domain, nodes, [&](std::int32_t i, const float * sums) {
      std::copy(sums, sums + versions, values.begin() + static_cast<std::ptrdiff_t>(versions) * i);
    });
  });
  return values;
}

} // namespace

VersionValues
FindSplineChanges(const LabelDomain &        domain,
                  const DomainRows &         rows,
                  bool                       isCoarse,
                  const VersionValues &      levels,
                  const LabelFit &           fit,
                  const std::vector<float> & series)
{
  const VersionValues      weights = WeighLabels(domain.band, levels, fit.reach, nullptr);
  const BandRows &         ownRows = isCoarse ? rows.coarse : rows.nodes;
  const std::int32_t       count = (isCoarse ? domain.coarse : domain.spline).nodes.count;
  const std::vector<float> sharpening = SharpeningSeries(domain.grid, isCoarse ? 2 : 1);
  BandSeries               sharpener(domain.grid.Shares(), ownRows, count);
  BandSeries               filter(domain.grid.Shares(), ownRows, count);
  VersionValues            last(filter.Result().size(), 0.0f);
  VersionValues            means(isCoarse ? static_cast<std::size_t>(versions) * domain.spline.nodes.count : 0);
  Momentum                 momentum;
  for (int step = 0; step < fit.steps; ++step)
  {
    const VersionValues onNodes = isCoarse ? SplineValues(domain.CoarseSplines(), filter.Result()) : VersionValues{};
    VectorDispatch([&] {
      MeansAtNodes(
        domain.Splines(),
        isCoarse ? &onNodes : &filter.Result(),
        [&](const std::int32_t * numbers, float * changes) {
          float ownLevels[SplineTile::row];
          float ownWeights[SplineTile::row];
          ReadTileRow(numbers, levels, ownLevels);
          // Missing voxels have weight 0, and therefore no step.
          ReadTileRow(numbers, weights, ownWeights);
          CUDANEURO_INDEPENDENT_ITERATIONS
          for (int i = 0; i < SplineTile::row; ++i)
          {
            changes[i] = StepFrom(ownLevels[i], changes[i], ownWeights[i], fit.width);
          }
        },
        isCoarse ? means : sharpener.Input());
    });
    if (isCoarse)
    {
      RestrictToNodes(domain.CoarseSplines(), means, sharpener.Input());
    }
    sharpener.Apply(sharpening);
    std::transform(filter.Result().begin(),
                   filter.Result().end(),
                   sharpener.Result().begin(),
                   filter.Input().begin(),
                   std::plus<float>());
    filter.Apply(series);
    AddMomentum(momentum.Next(), filter.Result(), last);
  }
  return SplineValues(domain.Splines(), isCoarse ? SplineValues(domain.CoarseSplines(), last) : last);
}

} // namespace cudaneuro::cpu
