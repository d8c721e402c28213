// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/noisemap/NoiseMap.h"

#include "core/HostMemory.h"
#include "core/ParallelRanges.h"
#include "core/ParallelRows.h"
#include "core/VectorDispatch.h"
#include "denoising/noisemap/NoiseMapFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** The standard deviations at the cubes of a row, and the sums over the rows of cubes that belong to a row of nodes. */
struct NoiseRows
{
  AlignedBuffer nodes;
  AlignedBuffer sigma;
  AlignedBuffer x;
  AlignedBuffer y;
  AlignedBuffer z;

  NoiseRows(std::int64_t numberOfNodes, std::int64_t cubes)
    : nodes(numberOfNodes)
    , sigma(cubes)
    , x(cubes)
    , y(cubes)
    , z(cubes)
  {
    for (AlignedBuffer * buffer : { &sigma, &x, &y, &z })
    {
      buffer->Fill(0.0f);
    }
  }
};

/** Fills a row with values that are interpolated between the nodes of a row. */
template <typename TAt>
void
FillFromNodes(
  AlignedBuffer & nodeRow, int nodes, float blocksPerVoxel, float shift, std::int64_t count, const TAt & at, float * to)
{
  for (int i = 0; i < nodes; ++i)
  {
    nodeRow.Data()[i] = at(i);
  }
  for (std::int64_t i = 0; i < count; ++i)
  {
    const NodePosition position(static_cast<float>(i) + shift, blocksPerVoxel, nodes);
    to[i] = InterpolateBetween(nodeRow.Data()[position.lower], nodeRow.Data()[position.upper], position.fraction);
  }
}

/** Adds a row of cubes, whose first voxel is \p first, to the sums. */
template <int VAxes, bool VHasMask, typename TTerms>
CUDANEURO_ALWAYS_INLINE void
AddRow(const NoiseImage & image, std::int64_t first, const TTerms & terms, NoiseRows & rows)
{
  constexpr int         corners = 1 << VAxes;
  const std::int64_t    plane = std::int64_t{ image.extent.x } * image.extent.y;
  const float *         values[corners];
  const unsigned char * masks[corners];
  for (int corner = 0; corner < corners; ++corner)
  {
    const std::int64_t i = first + corner % 2 + corner / 2 % 2 * image.extent.x + corner / 4 * plane;
    values[corner] = image.input + i;
    masks[corner] = VHasMask ? image.mask + i : nullptr;
  }
  const float         scale = image.scale;
  const float         limit = image.limit;
  const float * const sigma = rows.sigma.Data();
  float * const       x = rows.x.Data();
  float * const       y = rows.y.Data();
  float * const       z = rows.z.Data();
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < image.extent.x - 1; ++i)
  {
    float v[corners];
    bool  takesPart = true;
    for (int corner = 0; corner < corners; ++corner)
    {
      const float value = values[corner][i];
      takesPart = takesPart && IsNoiseVoxel(value, limit);
      takesPart = VHasMask ? takesPart && masks[corner][i] != 0 : takesPart;
      v[corner] = value * scale;
    }
    const NoiseTerms sum = terms(MakeNoiseCube(v), sigma[i]);
    x[i] += takesPart ? sum.x : 0.0f;
    y[i] += takesPart ? sum.y : 0.0f;
    z[i] += takesPart ? sum.z : 0.0f;
  }
}

/** Computes the sums of the blocks in the row of nodes (y, z). */
template <int VAxes, bool VHasMask, typename TTerms>
void
SumNodeRow(const NoiseImage & image, const TTerms & terms, const NoiseNodes & nodes, int nodeY, int nodeZ)
{
  const int          cubesX = image.extent.x - 1;
  const int          endY = std::min((nodeY + 1) * image.block[1], image.extent.y - 1);
  const int          beginZ = nodeZ * image.block[2] - image.firstPlane;
  const int          endZ = VAxes == 3 ? std::min(beginZ + image.block[2], image.extent.z - 1) : 1;
  const std::int64_t nodeRow = (std::int64_t{ nodeZ } * nodes.extent.y + nodeY) * nodes.extent.x;
  NoiseRows          rows(nodes.extent.x, std::max(cubesX, 1));
  for (int z = beginZ; z < endZ; ++z)
  {
    for (int y = nodeY * image.block[1]; y < endY; ++y)
    {
      if constexpr (TTerms::usesSigma)
      {
        const NodePosition alongY(static_cast<float>(y) + 0.5f, image.blocksPerVoxel[1], nodes.extent.y);
        const NodePosition alongZ(
          static_cast<float>(z + image.firstPlane) + 0.5f, image.blocksPerVoxel[2], nodes.extent.z);
        const NodeRow row(nodes.extent, alongY, alongZ);
        const auto    at = [&](int i) { return row.At(nodes.sigma, i); };
        FillFromNodes(rows.nodes, nodes.extent.x, image.blocksPerVoxel[0], 0.5f, cubesX, at, rows.sigma.Data());
      }
      const std::int64_t first = (std::int64_t{ z } * image.extent.y + y) * image.extent.x;
      VectorDispatch([&] { AddRow<VAxes, VHasMask>(image, first, terms, rows); });
    }
  }
  for (int node = 0; node < nodes.extent.x; ++node)
  {
    NoiseTerms sum{ 0.0f, 0.0f, 0.0f };
    for (int i = node * image.block[0]; i < std::min((node + 1) * image.block[0], cubesX); ++i)
    {
      sum.Include({ rows.x.Data()[i], rows.y.Data()[i], rows.z.Data()[i] });
    }
    nodes.sums.x[nodeRow + node] = sum.x;
    nodes.sums.y[nodeRow + node] = sum.y;
    nodes.sums.z[nodeRow + node] = sum.z;
  }
}

template <int VAxes, bool VHasMask, typename TTerms>
void
SumRows(Context & context, const NoiseImage & image, const TTerms & terms, const NoiseNodes & nodes)
{
  const int first = image.firstPlane / image.block[2];
  const int rows = NumberOfNoiseNodes(image.extent.z, image.block[2]);
  context.ParallelFor(std::int64_t{ nodes.extent.y } * rows, [&](std::int64_t i) {
    const int nodeY = static_cast<int>(i % nodes.extent.y);
    SumNodeRow<VAxes, VHasMask>(image, terms, nodes, nodeY, first + static_cast<int>(i / nodes.extent.y));
  });
}

template <typename TTerms>
void
SumBlocks(Context & context, const NoiseImage & image, const TTerms & terms, const NoiseNodes & nodes)
{
  if (image.axes == 3)
  {
    image.mask ? SumRows<3, true>(context, image, terms, nodes) : SumRows<3, false>(context, image, terms, nodes);
  }
  else
  {
    image.mask ? SumRows<2, true>(context, image, terms, nodes) : SumRows<2, false>(context, image, terms, nodes);
  }
}

} // namespace

void
SumComponents(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  SumBlocks(context, image, ComponentTerms(), nodes);
}

void
SumWeighted(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  SumBlocks(context, image, WeightedTerms(image), nodes);
}

void
UpdateNodes(Context & context, NodeStep step, const NoiseNodes & nodes)
{
  ForEachInRanges(context, NumberOfVoxels(nodes.extent), [&](std::int64_t i) { UpdateNode(step, nodes, i); });
}

NoiseMapPartial
WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map)
{
  const float                  unscale = 1.0f / image.scale;
  const ParallelRows           rows(image.extent);
  std::vector<NoiseMapPartial> partials(static_cast<std::size_t>(rows.Count()), NoiseMapPartial::Empty());
  rows.Run(context, [&](std::int64_t task, int y, int z, std::int64_t first) {
    AlignedBuffer      nodeRow(nodes.extent.x);
    AlignedBuffer      near(nodes.extent.x);
    const NodePosition alongY(static_cast<float>(y), image.blocksPerVoxel[1], nodes.extent.y);
    const NodePosition alongZ(static_cast<float>(z + image.firstPlane), image.blocksPerVoxel[2], nodes.extent.z);
    const NodeRow      row(nodes.extent, alongY, alongZ);
    for (int i = 0; i < nodes.extent.x; ++i)
    {
      near.Data()[i] = row.IsPositive(nodes.count, i) ? 1.0f : 0.0f;
    }
    const auto at = [&](int i) { return row.At(nodes.sigma, i); };
    FillFromNodes(nodeRow, nodes.extent.x, image.blocksPerVoxel[0], 0.0f, image.extent.x, at, map + first);
    for (int x = 0; x < image.extent.x; ++x)
    {
      const std::int64_t i = first + x;
      if (!IsNoiseVoxel(image.input[i], image.limit) || (image.mask && image.mask[i] == 0))
      {
        map[i] = 0.0f;
        continue;
      }
      const NodePosition position(static_cast<float>(x), image.blocksPerVoxel[0], nodes.extent.x);
      const bool         isNear = near.Data()[position.lower] + near.Data()[position.upper] > 0.0f;
      map[i] = isNear ? map[i] * unscale : 0.0f;
      partials[static_cast<std::size_t>(task)].Add(map[i]);
    }
  });
  NoiseMapPartial all = NoiseMapPartial::Empty();
  for (const NoiseMapPartial & partial : partials)
  {
    all.Include(partial);
  }
  return all;
}

} // namespace cudaneuro::cpu
