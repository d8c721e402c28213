// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/Dispatch.h"
#include "surface/NonLocalMeansLevelSetFormulas.h"

#include <algorithm>

namespace cudaneuro
{

WeightRates
MakeWeightRates(double spatialScale, double similarityScale, const Grid & grid)
{
  // This rate makes weights at a distance of one voxel 0. It is finite, because weights at distance 0 must not be NaN.
  constexpr double largestRate = 1e30;
  WeightRates      rates{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const double rate = log2OfE * grid.spacing[axis] * grid.spacing[axis] / spatialScale;
    rates.spatial[axis] = static_cast<float>(std::min(rate, largestRate));
  }
  rates.similarity = static_cast<float>(std::min(log2OfE / similarityScale, largestRate));
  return rates;
}

int
PatchStride(int patchSize)
{
  return PatchStrideOf(patchSize);
}

void
GatherPatches(Context & context, const BandView & band, int patchSize, float * patches)
{
  CUDANEURO_DISPATCH(context, GatherPatches(context, band, patchSize, patches));
}

std::vector<float>
DistancesOfNeighbor(Context & context, const SimilarVoxels & similar, int neighbor)
{
  CUDANEURO_DISPATCH(context, DistancesOfNeighbor(context, similar, neighbor));
}

float
ComputeWeights(Context & context, const WeightRates & rates, const BandVoxel * voxels, const SimilarVoxels & similar)
{
  CUDANEURO_DISPATCH(context, ComputeWeights(context, rates, voxels, similar));
}

void
ReadBand(Context & context, const BandView & band, float * values)
{
  CUDANEURO_DISPATCH(context, ReadBand(context, band, values));
}

void
Diffuse(Context & context, const SimilarVoxels & similar, float timeStep, int iterations, BandValues & values)
{
  CUDANEURO_DISPATCH(context, Diffuse(context, similar, timeStep, iterations, values));
}

void
WriteBand(Context & context, const BandView & band, const float * values, float * distances)
{
  CUDANEURO_DISPATCH(context, WriteBand(context, band, values, distances));
}

void
JoinDistances(Context & context, std::int64_t numberOfVoxels, const JoinedDistances & join)
{
  CUDANEURO_DISPATCH(context, JoinDistances(context, numberOfVoxels, join));
}

void
CopyDistances(Context & context, std::int64_t numberOfVoxels, const float * from, float * to)
{
  CUDANEURO_DISPATCH(context, CopyDistances(context, numberOfVoxels, from, to));
}

} // namespace cudaneuro
