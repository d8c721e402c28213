// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/blocks/BlockAgreementFormulas.h"

#include "core/ParallelRows.h"

namespace cudaneuro::cpu
{
namespace
{

CUDANEURO_ALWAYS_INLINE void
AddVoxel(const BlockView & view, int x, int y, int z, BlockSums & sums)
{
  const BlockVoxel voxel = view.VoxelAt<std::int64_t>(x, y, z);
  if (voxel.weight > 0.0f)
  {
    const BlockTerms terms = view.TermsOf<std::int64_t>(voxel, 0);
    sums.visible += terms.visible;
    sums.source += terms.source;
    for (int shift = 0; shift < view.numberOfShifts; ++shift)
    {
      const BlockTerms shifted = shift == 0 ? terms : view.TermsOf<std::int64_t>(voxel, shift);
      sums.lengths[shift] += shifted.lengths;
      sums.aligned[shift] += shifted.aligned;
    }
  }
}

/** Returns the sums of a block, added voxel by voxel. */
CUDANEURO_ALWAYS_INLINE BlockSums
SumBlock(const BlockView & view, int block)
{
  const BlockBox box = view.BoxOf(block);
  BlockSums      sums;
  for (int z = box.begin[2]; z < box.begin[2] + box.size[2]; ++z)
  {
    for (int y = box.begin[1]; y < box.begin[1] + box.size[1]; ++y)
    {
      for (int x = box.begin[0]; x < box.begin[0] + box.size[0]; ++x)
      {
        AddVoxel(view, x, y, z, sums);
      }
    }
  }
  return sums;
}

} // namespace

std::vector<std::int64_t>
CountGradients(Context & context, const GradientSource & source)
{
  const ParallelRows rows(source.extent);
  std::vector<int>   bins(static_cast<std::size_t>(NumberOfVoxels(source.extent)));
  rows.Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < source.extent.x; ++x)
    {
      bins[first + x] = source.BinAt(x, y, z);
    }
  });
  std::vector<std::int64_t> counts(gradientBins);
  for (const int bin : bins)
  {
    if (bin >= 0)
    {
      ++counts[bin];
    }
  }
  return counts;
}

void
NormalizeGradients(Context & context, const GradientSource & source, double noise, GradientVoxel * gradients)
{
  const ParallelRows rows(source.extent);
  rows.Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < source.extent.x; ++x)
    {
      gradients[first + x] = source.NormalizedAt(x, y, z, noise);
    }
  });
}

std::vector<BlockSums>
SumBlocks(Context & context, const std::vector<BlockView> & views)
{
  std::vector<BlockSums> sums;
  for (const BlockView & view : views)
  {
    const std::size_t first = sums.size();
    sums.resize(first + view.NumberOfBlocks());
    context.ParallelFor(view.NumberOfBlocks(), [&](std::int64_t block) {
      BlockSums & ofBlock = sums[first + block];
      VectorDispatch([&] { ofBlock = SumBlock(view, static_cast<int>(block)); });
    });
  }
  return sums;
}

} // namespace cudaneuro::cpu
