// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/VectorDispatch.h"
#include "surface/NonLocalMeansLevelSetFormulas.h"

#include <algorithm>
#include <utility>

namespace cudaneuro::cpu
{

namespace
{

/** Numbers of voxels of the band, and of the image, that a task processes. */
constexpr std::int64_t bandPart = 1 << 10;
constexpr std::int64_t imagePart = 1 << 16;

/** Calls body(part, begin, end), compiled for the processor's vectors, for parts of \p count items. */
template <typename TBody>
void
ForParts(Context & context, std::int64_t count, std::int64_t itemsPerPart, const TBody & body)
{
  context.ParallelFor(DivideUp(count, itemsPerPart), [&](std::int64_t part) {
    VectorDispatch([&, part] { body(part, part * itemsPerPart, std::min(count, (part + 1) * itemsPerPart)); });
  });
}

/** The sum of term(neighbor) over all neighbors, several side by side, so that the loop is vectorized. */
template <typename TTerm>
CUDANEURO_ALWAYS_INLINE float
SumOverNeighbors(int neighbors, const TTerm & term)
{
  constexpr int lanes = 16;
  float         sums[lanes] = {};
  int           i = 0;
  for (; i + lanes <= neighbors; i += lanes)
  {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int lane = 0; lane < lanes; ++lane)
    {
      sums[lane] += term(i + lane);
    }
  }
  for (int lane = 0; i < neighbors; ++i, ++lane)
  {
    sums[lane] += term(i);
  }
  for (int half = lanes / 2; half > 0; half /= 2)
  {
    for (int lane = 0; lane < half; ++lane)
    {
      sums[lane] += sums[lane + half];
    }
  }
  return sums[0];
}

/** Writes the components of one patch. */
CUDANEURO_ALWAYS_INLINE void
GatherPatch(const BandView & band, const BandVoxel & voxel, int patchSize, float * patch)
{
  const int      radius = patchSize / 2;
  const Extent & extent = band.extent;
  for (int z = -radius; z <= radius; ++z)
  {
    for (int y = -radius; y <= radius; ++y)
    {
      const float * const row =
        band.distances + IndexOf(extent, 0, NearestIndex(voxel.y + y, extent.y), NearestIndex(voxel.z + z, extent.z));
      for (int x = -radius; x <= radius; ++x)
      {
        *patch++ = row[NearestIndex(voxel.x + x, extent.x)];
      }
    }
  }
  std::fill_n(patch, PatchStrideOf(patchSize) - PatchVoxels(patchSize), 0.0f);
}

} // namespace

void
GatherPatches(Context & context, const BandView & band, int patchSize, float * patches)
{
  const std::int64_t stride = PatchStrideOf(patchSize);
  ForParts(context, band.count, bandPart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t voxel = begin; voxel < end; ++voxel)
    {
      GatherPatch(band, band.voxels[voxel], patchSize, patches + voxel * stride);
    }
  });
}

std::vector<float>
DistancesOfNeighbor(Context & context, const SimilarVoxels & similar, int neighbor)
{
  std::vector<float> column(static_cast<std::size_t>(similar.voxels));
  ForParts(context, similar.voxels, imagePart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t voxel = begin; voxel < end; ++voxel)
    {
      column[static_cast<std::size_t>(voxel)] = similar.weights[voxel * similar.neighbors + neighbor];
    }
  });
  return column;
}

float
ComputeWeights(Context & context, const WeightRates & rates, const BandVoxel * voxels, const SimilarVoxels & similar)
{
  std::vector<float> largest(static_cast<std::size_t>(DivideUp(similar.voxels, bandPart)));
  ForParts(context, similar.voxels, bandPart, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    float ofPart = 0.0f;
    for (std::int64_t voxel = begin; voxel < end; ++voxel)
    {
      const BandVoxel            own = voxels[voxel];
      const std::int32_t * const indices = similar.indices + voxel * similar.neighbors;
      float * const              weights = similar.weights + voxel * similar.neighbors;
      const float                sum = SumOverNeighbors(similar.neighbors, [=, &rates](int i) {
        weights[i] = NeighborWeight(rates, own, voxels[indices[i]], weights[i]);
        return weights[i];
      });
      ofPart = std::max(ofPart, sum);
    }
    largest[static_cast<std::size_t>(part)] = ofPart;
  });
  return *std::max_element(largest.begin(), largest.end());
}

void
ReadBand(Context & context, const BandView & band, float * values)
{
  ForParts(context, band.count, imagePart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      values[i] = band.distances[IndexOf(band.extent, band.voxels[i])];
    }
  });
}

void
Diffuse(Context & context, const SimilarVoxels & similar, float timeStep, int iterations, BandValues & values)
{
  Context::ProgressSteps progress(context);
  for (int iteration = 1; iteration <= iterations; ++iteration)
  {
    progress.UpTo(static_cast<double>(iteration) / iterations);
    const float * const now = values.now;
    float * const       next = values.next;
    ForParts(context, similar.voxels, bandPart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      for (std::int64_t voxel = begin; voxel < end; ++voxel)
      {
        const float                own = now[voxel];
        const std::int32_t * const indices = similar.indices + voxel * similar.neighbors;
        const float * const        weights = similar.weights + voxel * similar.neighbors;
        const float                sum =
          SumOverNeighbors(similar.neighbors, [=](int i) { return weights[i] * (now[indices[i]] - own); });
        next[voxel] = own + timeStep * sum;
      }
    });
    std::swap(values.now, values.next);
  }
}

void
WriteBand(Context & context, const BandView & band, const float * values, float * distances)
{
  ForParts(context, band.count, imagePart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      distances[IndexOf(band.extent, band.voxels[i])] = values[i];
    }
  });
}

void
JoinDistances(Context & context, std::int64_t numberOfVoxels, const JoinedDistances & join)
{
  ForParts(context, numberOfVoxels, imagePart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      JoinAt(join, i);
    }
  });
}

void
CopyDistances(Context & context, std::int64_t numberOfVoxels, const float * from, float * to)
{
  ForParts(context, numberOfVoxels, imagePart, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    std::copy(from + begin, from + end, to + begin);
  });
}

} // namespace cudaneuro::cpu
