// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansDistanceColumn_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansDistanceColumn_cuh

#include "denoising/nonlocalmeans/NonLocalMeansColumn.cuh"

namespace cudaneuro::gpu
{

/** PatchDistance (Buades et al. 2005) for one thread: a column of voxels along z at one x and TShape::rows of y.
 *
 * The patch distance of an offset t is a box filter of (V(y) - V(y + t))^2. A thread computes the terms of the border
 * rows and planes itself; along x the lanes exchange sums. Where a strip reads an excluded voxel, a second box filter
 * counts the terms. Elsewhere (VClean) their number is patchSize.
 *
 * With VMap, each output has an h of its own.
 *
 * VWindowZ is the window's radius along z, for which the code is unrolled, or 0 to take it from the arguments. */
template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, bool VMap, typename TShape>
struct NonLocalMeansDistanceColumn : NonLocalMeansPrecision<VMap, TShape::rows, TShape::planes>
{
  using Shape = TShape;
  static constexpr int rows = TShape::rows;
  static constexpr int planes = TShape::planes;
  static constexpr int termRows = rows + 2 * VPatch;
  static constexpr int termPlanes = planes + 2 * VPatchZ;
  static constexpr int patchSize = (2 * VPatch + 1) * (2 * VPatch + 1) * (2 * VPatchZ + 1);

  /** A plane depends on planes up to window + patchesToReach patch radii away. */
  static constexpr int patchesToReach = 1;
  /** The start of a block recomputes no strips. */
  using Sharing = StripSharing<0, 1, 2, 6>;

  using Tile = NonLocalMeansTile<VPatch, VPatchZ, rows, planes, TShape::warps, VMap>;

  float weightedSum[rows][planes];
  float weightSum[rows][planes];
  float largestWeight[rows][planes];

  /** Adds one offset. \p neighbor is a ring of planes, the lowest at VFirst. */
  template <bool VClean, int VFirst>
  __device__ __forceinline__ void
  AddOffset(const NonLocalMeansArguments & a,
            const float (&base)[termRows][termPlanes],
            const float (&neighbor)[termRows][termPlanes])
  {
    float distances[planes][termRows];
    float counts[planes][termRows];
#pragma unroll
    for (int row = 0; row < termRows; ++row)
    {
      float squares[termPlanes];
      float valid[termPlanes];
#pragma unroll
      for (int plane = 0; plane < termPlanes; ++plane)
      {
        const float difference = base[row][plane] - neighbor[row][(VFirst + plane) % termPlanes];
        const bool  takesPart = VClean || TakesPart(difference);
        squares[plane] = takesPart ? difference * difference : 0.0f;
        valid[plane] = takesPart ? 1.0f : 0.0f;
      }
      float sums[planes];
      float numbers[planes];
      BoxSums<planes, VPatchZ>(squares, sums);
      BoxSums<planes, VPatchZ>(valid, numbers);
#pragma unroll
      for (int plane = 0; plane < planes; ++plane)
      {
        distances[plane][row] = sums[plane];
        counts[plane][row] = numbers[plane];
      }
    }
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      float sums[rows];
      float numbers[rows];
      BoxSums<rows, VPatch>(distances[plane], sums);
      BoxSums<rows, VPatch>(counts[plane], numbers);
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        const float value = neighbor[row + VPatch][(VFirst + VPatchZ + plane) % termPlanes];
        const float sum = LaneBoxSum<VPatch>(sums[row]);
        float       weight;
        float       averaged = ValueToAverage<VRician>(a, value);
        if constexpr (VClean)
        {
          weight = PatchDistanceWeight(this->Scaled(sum * (1.0f / patchSize), row, plane));
        }
        else
        {
          const float count = LaneBoxSum<VPatch>(numbers[row]);
          weight = TakesPart(value) ? PatchDistanceWeight(this->Scaled(__fdividef(sum, fmaxf(count, 1.0f)), row, plane))
                                    : 0.0f;
          averaged = TakesPart(value) ? averaged : 0.0f;
        }
        weightedSum[row][plane] += weight * averaged;
        weightSum[row][plane] += weight;
        largestWeight[row][plane] = fmaxf(largestWeight[row][plane], weight);
      }
    }
  }

  /** Reads the neighbor plane that \p offset along z needs and the offset before did not. */
  template <int VFirst>
  __device__ __forceinline__ static void
  ReadNext(const Tile & tile, int offset, int start, float (&neighbor)[termRows][termPlanes])
  {
    const float * plane = tile.Plane(offset + termPlanes - 1) + start;
#pragma unroll
    for (int row = 0; row < termRows; ++row)
    {
      neighbor[row][(VFirst + termPlanes - 1) % termPlanes] = plane[row * Tile::pitch];
    }
  }

  /** Adds all offsets along z from VStep on, unrolled: their latencies overlap, and the ring's values do not move. */
  template <int VStep>
  __device__ __forceinline__ void
  UnrolledOffsets(const NonLocalMeansArguments & a,
                  const Tile &                   tile,
                  int                            start,
                  const float (&base)[termRows][termPlanes],
                  float (&neighbor)[termRows][termPlanes])
  {
    if constexpr (VStep <= 2 * VWindowZ)
    {
      ReadNext<VStep>(tile, VStep, start, neighbor);
      this->template AddOffset<true, VStep>(a, base, neighbor);
      this->template UnrolledOffsets<VStep + 1>(a, tile, start, base, neighbor);
    }
  }

  /** Adds all offsets along z except number \p skipped, at one offset along x and y. \p start is the place of the
   * neighbor of this thread's first term row in a plane of the tile. */
  template <bool VClean>
  __device__ __forceinline__ void
  AddOffsetsAlongZ(const NonLocalMeansArguments & a,
                   const Tile &                   tile,
                   int                            skipped,
                   int                            start,
                   const float (&base)[termRows][termPlanes])
  {
    float neighbor[termRows][termPlanes];
#pragma unroll
    for (int plane = 0; plane < termPlanes - 1; ++plane)
    {
      const float * values = tile.Plane(plane) + start;
#pragma unroll
      for (int row = 0; row < termRows; ++row)
      {
        neighbor[row][plane] = values[row * Tile::pitch];
      }
    }
    if (VClean && VWindowZ > 0 && skipped < 0)
    {
      if constexpr (VClean && VWindowZ > 0)
      {
        this->template UnrolledOffsets<0>(a, tile, start, base, neighbor);
      }
      return;
    }
#pragma unroll 1
    for (int offset = 0; offset <= 2 * a.window[2]; ++offset)
    {
      ReadNext<0>(tile, offset, start, neighbor);
      if (offset != skipped)
      {
        this->template AddOffset<VClean, 0>(a, base, neighbor);
      }
      MovePlanesDown(neighbor);
    }
  }

  /** Adds all offsets of a strip except 0. */
  template <bool VClean>
  __device__ __forceinline__ void
  AddStrip(const NonLocalMeansArguments & a, const Tile & tile, const float (&base)[termRows][termPlanes], int firstRow)
  {
    const int lane = threadIdx.x % 32;
    for (int ty = 0; ty <= 2 * a.window[1]; ++ty)
    {
      for (int tx = 0; tx <= 2 * a.window[0]; ++tx)
      {
        const int skipped = tx == a.window[0] && ty == a.window[1] ? a.window[2] : -1;
        const int start = (firstRow + ty) * Tile::pitch + lane + tx;
        this->template AddOffsetsAlongZ<VClean>(a, tile, skipped, start, base);
      }
    }
  }

  /** Adds the center and writes the strip, which begins at plane \p z. */
  __device__ __forceinline__ void
  Write(const NonLocalMeansArguments & a,
        const Tile &                   tile,
        const float (&base)[termRows][termPlanes],
        int firstRow,
        int z,
        int zEnd) const
  {
    ForEachOutput<VPatch, rows, planes>(a, tile, firstRow, z, z, zEnd, [&](int row, int plane, std::int64_t voxel) {
      const float value = base[row + VPatch][VPatchZ + plane];
      const float center = a.maximumCenterWeight ? MaximumCenterWeight(largestWeight[row][plane]) : 1.0f;
      const float sum = fmaf(center, ValueToAverage<VRician>(a, value), weightedSum[row][plane]);
      a.output[voxel] =
        IsDenoised(value)
          ? NonLocalMeansResult<VRician, VMap>(a, sum, center + weightSum[row][plane], this->Precision(row, plane))
          : KeptIntensity<VRician>(value, a.input[voxel]);
    });
  }

  /** Computes planes [zBegin, zEnd) of one column of tiles. */
  __device__ __forceinline__ void
  Run(const NonLocalMeansArguments & a, float * shared, int column, int zBegin, int zEnd)
  {
    Tile      tile;
    const int firstRow = static_cast<int>(threadIdx.x / 32) * rows;
    tile.Start(a, shared, column, zBegin);
    for (int z = zBegin; true;)
    {
      float base[termRows][termPlanes];
      ReadCenters(a, tile, a.window[2], firstRow, base);
      this->ReadPrecision(a,
                          tile.xFirst + a.window[0] + static_cast<int>(threadIdx.x % 32),
                          tile.yFirst + a.window[1] + VPatch + firstRow,
                          z);
      SetToZero(weightedSum);
      SetToZero(weightSum);
      SetToZero(largestWeight);
      const int x0 = a.window[0] + VPatch;
      const int y0 = a.window[1] + VPatch + firstRow;
      const int z0 = a.window[2] + VPatchZ;
      if (!tile.Scan(x0, x0 + Tile::tileX, y0, y0 + rows, z0, z0 + planes).all)
      {
        const int  yEnd = firstRow + termRows + 2 * a.window[1];
        const bool clean = tile.Scan(0, Tile::Columns(a), firstRow, yEnd, 0, tile.planes).rows == 0;
        if (clean)
        {
          this->template AddStrip<true>(a, tile, base, firstRow);
        }
        else
        {
          this->template AddStrip<false>(a, tile, base, firstRow);
        }
      }
      this->Write(a, tile, base, firstRow, z, zEnd);
      z += planes;
      if (z >= zEnd)
      {
        break;
      }
      tile.Advance(a);
    }
    __syncthreads();
  }
};

} // namespace cudaneuro::gpu

#endif
