// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/VectorDispatch.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"
#include "denoising/adaptive/BlockTileCpu.h"

#include <cstring>

namespace cudaneuro::cpu
{
namespace
{

/** Neighbors along x whose distances are computed at once: a multiple of the length of SIMD vectors. */
constexpr int lanesOfDistances = 16;

/** Finds the sorted keys of the best blocks of a window, without the reference.
 * \param window the window's first voxel
 * \param begin and \p end the range of places along x whose blocks are inside the image */
template <typename TShape>
CUDANEURO_ALWAYS_INLINE void
FindBest(const BlockTile<TShape> & tile,
         const float *             window,
         int                       row,
         int                       begin,
         int                       end,
         std::uint32_t (&keys)[otherMembers])
{
  constexpr int      self = TShape::candidates / 2;
  const float *      reference = window + tile.Place(0, self);
  const WindowPlanes planes = tile.PlanesOfWindow();
  for (int z = planes.begin; z < planes.end; ++z)
  {
    for (int y = tile.BeginOfWindow(row); y < tile.EndOfWindow(row); ++y)
    {
      const int           first = (z * TShape::width + y) * TShape::width;
      const float * const candidates = window + tile.Place(0, first);
      float               distances[lanesOfDistances] = {};
      for (int i = 0; i < TShape::depth * blockEdge; ++i)
      {
        const std::int64_t offset = i / blockEdge * tile.PlaneStride() + i % blockEdge * tile.RowStride();
        for (int x = 0; x < blockEdge; ++x)
        {
          const float value = reference[offset + x];
          for (int lane = 0; lane < lanesOfDistances; ++lane)
          {
            const float difference = candidates[offset + x + lane] - value;
            distances[lane] += difference * difference;
          }
        }
      }
      for (int x = begin; x < end; ++x)
      {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &distances[x], sizeof(bits));
        const std::uint32_t key = CandidateKey(bits, first + x);
        if (first + x != self && key < keys[otherMembers - 1])
        {
          InsertKey(key, keys);
        }
      }
    }
  }
}

template <typename TShape>
CUDANEURO_ALWAYS_INLINE void
MatchRows(const BlockImage & image, const BlockTile<TShape> & tile, const float * values, const BlockGroups & groups)
{
  for (int row = tile.FirstRow(); row < tile.EndRow(); ++row)
  {
    for (int i = 0; i < image.references.x; ++i)
    {
      const std::int64_t reference = tile.Reference(row, i);
      if (!(groups.variances[reference] > 0.0f))
      {
        continue;
      }
      std::uint32_t keys[otherMembers];
      std::fill_n(keys, otherMembers, noKey);
      const int x = ReferenceX(image, i);
      const int begin = std::max(TShape::reach - x, 0);
      const int end = std::min(image.extent.x - blockEdge - x + TShape::reach + 1, TShape::width);
      FindBest(tile, values + tile.WindowOfRow(row) + x, row, begin, end, keys);
      std::uint16_t * const members = groups.members + groupSize * reference;
      members[0] = TShape::candidates / 2;
      for (int k = 0; k < otherMembers; ++k)
      {
        members[k + 1] = MemberOfKey(keys[k]);
      }
    }
  }
}

} // namespace

void
MatchBlocks(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups)
{
  WithBlockShape(image.depth, [&](auto shape) {
    using Tile = BlockTile<decltype(shape)>;
    context.ParallelFor(Tile::NumberOfTasks(image), [&](std::int64_t task) {
      const Tile    tile(image, task);
      AlignedBuffer values(tile.Size());
      values.Fill(0.0f);
      tile.Gather(volume, values);
      VectorDispatch([&] { MatchRows(image, tile, values.Data(), groups); });
    });
  });
}

} // namespace cudaneuro::cpu
