// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansSumColumn_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansSumColumn_cuh

#include "denoising/nonlocalmeans/NonLocalMeansColumn.cuh"

namespace cudaneuro::gpu
{

/** PatchSum (Howison eq. 8-10) for one thread: a column of voxels along z at one x and TShape::rows of y.
 *
 * The patch sum of an offset t is a box filter of the terms g(y) = 2^-(V(y) - V(y + t))^2. Along y, a thread computes
 * the terms of the border rows itself. Along x, the lanes exchange sums. Along z, it computes each plane's terms once,
 * and adds their share of the patch sum, times V(x + t), to all outputs whose patches hold them. After a strip of
 * TShape::planes planes, the 2 VPatchZ highest outputs therefore lack the terms of the next strips, and are carried
 * along.
 *
 * Where no offset leads to an excluded voxel (VClean), the sum of weights is the box filter of the sum of terms.
 * Elsewhere weights are summed for each output.
 *
 * With VMap, each voxel y has its own h.
 *
 * VWindowZ is the window's radius along z, for which the code is unrolled, or 0 to take it from the arguments. */
template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, bool VMap, typename TShape>
struct NonLocalMeansSumColumn : NonLocalMeansPrecision<VMap, TShape::rows + 2 * VPatch, TShape::planes>
{
  using Shape = TShape;
  static constexpr int rows = TShape::rows;
  static constexpr int planes = TShape::planes;
  static constexpr int termRows = rows + 2 * VPatch;
  static constexpr int outputs = planes + 2 * VPatchZ;

  static_assert((2 * VPatchZ) % planes == 0, "strips must end where outputs are complete");
  static_assert(planes <= 2 * VPatchZ + 1, "partial sums are made of prefixes and suffixes");

  /** A plane depends on planes up to window + patchesToReach patch radii away. */
  static constexpr int patchesToReach = 2;
  /** A block's lowest outputs need the terms of strips below them. */
  using Sharing = StripSharing<2 * VPatchZ / planes, 12, 2, 6>;

  using Tile = NonLocalMeansTile<VPatch, VPatchZ, rows, planes, TShape::warps, VMap>;

  float weightedSum[rows][outputs];
  float weightSum[rows][outputs];

  /** Begins the next strip: the carried outputs become the lowest. */
  __device__ __forceinline__ void
  Shift()
  {
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
#pragma unroll
      for (int output = 0; output < outputs; ++output)
      {
        const bool carried = output + planes < outputs;
        weightedSum[row][output] = carried ? weightedSum[row][output + planes < outputs ? output + planes : 0] : 0.0f;
        weightSum[row][output] = carried ? weightSum[row][output + planes < outputs ? output + planes : 0] : 0.0f;
      }
    }
  }

  /** Sums, for each output, the planes of the strip within VPatchZ of it. */
  __device__ static __forceinline__ void
  SumsForOutputs(const float (&plane)[planes], float (&sums)[outputs])
  {
    float prefix = plane[0];
#pragma unroll
    for (int output = 0; output <= 2 * VPatchZ; ++output)
    {
      if (output > 0 && output < planes)
      {
        prefix += plane[output < planes ? output : 0];
      }
      sums[output] = prefix;
    }
    float suffix = 0.0f;
#pragma unroll
    for (int output = outputs - 1; output > 2 * VPatchZ; --output)
    {
      const float value = plane[output - 2 * VPatchZ < planes ? output - 2 * VPatchZ : 0];
      suffix = output == outputs - 1 ? value : suffix + value;
      sums[output] = suffix;
    }
  }

  /** Adds one offset. \p neighbor is, for every term row, a ring of neighbor planes; the lowest output's plane is at
   * VFirst. */
  template <bool VClean, int VFirst>
  __device__ __forceinline__ void
  AddOffset(const NonLocalMeansArguments & a,
            const float (&base)[termRows][planes],
            const float (&neighbor)[termRows][outputs],
            float (&termSum)[rows][planes])
  {
    float patch[rows][planes];
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      float terms[termRows];
#pragma unroll
      for (int row = 0; row < termRows; ++row)
      {
        const float difference = base[row][plane] - neighbor[row][(VFirst + VPatchZ + plane) % outputs];
        terms[row] = Exp2(-this->Scaled(difference * difference, row, plane));
      }
      float sums[rows];
      BoxSums<rows, VPatch>(terms, sums);
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        patch[row][plane] = LaneBoxSum<VPatch>(sums[row]);
      }
    }
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      if constexpr (VClean)
      {
#pragma unroll
        for (int plane = 0; plane < planes; ++plane)
        {
          termSum[row][plane] += patch[row][plane];
        }
      }
      float sums[outputs];
      SumsForOutputs(patch[row], sums);
#pragma unroll
      for (int output = 0; output < outputs; ++output)
      {
        const float value = neighbor[row + VPatch][(VFirst + output) % outputs];
        const float averaged = ValueToAverage<VRician>(a, value);
        if constexpr (VClean)
        {
          weightedSum[row][output] += sums[output] * averaged;
        }
        else
        {
          AddIfTakesPart(value, averaged, sums[output], weightedSum[row][output], weightSum[row][output]);
        }
      }
    }
  }

  /** Reads the neighbor planes that \p offset along z needs and the offset before did not. */
  template <int VFirst>
  __device__ __forceinline__ static void
  ReadNext(const Tile & tile, int offset, int start, float (&neighbor)[termRows][outputs])
  {
    const float * centerPlane = tile.Plane(offset + outputs - 1) + start;
    const float * borderPlane = tile.Plane(offset + VPatchZ + planes - 1) + start;
#pragma unroll
    for (int row = 0; row < termRows; ++row)
    {
      if (row >= VPatch && row < VPatch + rows)
      {
        neighbor[row][(VFirst + outputs - 1) % outputs] = centerPlane[row * Tile::pitch];
      }
      else
      {
        neighbor[row][(VFirst + VPatchZ + planes - 1) % outputs] = borderPlane[row * Tile::pitch];
      }
    }
  }

  /** Adds all offsets along z from VStep on, unrolled: their latencies overlap, and the ring's values do not move. */
  template <bool VClean, int VStep>
  __device__ __forceinline__ void
  UnrolledOffsets(const NonLocalMeansArguments & a,
                  const Tile &                   tile,
                  int                            start,
                  const float (&base)[termRows][planes],
                  float (&neighbor)[termRows][outputs],
                  float (&termSum)[rows][planes])
  {
    if constexpr (VStep <= 2 * VWindowZ)
    {
      ReadNext<VStep>(tile, VStep, start, neighbor);
      this->template AddOffset<VClean, VStep>(a, base, neighbor, termSum);
      this->template UnrolledOffsets<VClean, VStep + 1>(a, tile, start, base, neighbor, termSum);
    }
  }

  /** Adds all offsets along z at one offset along x and y. \p start is the place of the neighbor of this thread's first
   * term row in a plane of the tile. Without VClean, \p excludedPlanes has a bit for each plane of the tile that holds
   * excluded voxels. */
  template <bool VClean>
  __device__ __forceinline__ void
  AddOffsetsAlongZ(const NonLocalMeansArguments & a,
                   const Tile &                   tile,
                   unsigned int                   excludedPlanes,
                   int                            start,
                   const float (&base)[termRows][planes],
                   float (&termSum)[rows][planes])
  {
    float neighbor[termRows][outputs];
#pragma unroll
    for (int plane = 0; plane < outputs - 1; ++plane)
    {
      const float * values = tile.Plane(plane) + start;
#pragma unroll
      for (int row = 0; row < termRows; ++row)
      {
        const bool center = row >= VPatch && row < VPatch + rows;
        if (center || (plane >= VPatchZ && plane < VPatchZ + planes - 1))
        {
          neighbor[row][plane] = values[row * Tile::pitch];
        }
      }
    }
    // Few strips have excluded voxels. Their code stays small, to leave the instruction cache to other strips.
    if constexpr (VClean && VWindowZ > 0)
    {
      this->template UnrolledOffsets<VClean, 0>(a, tile, start, base, neighbor, termSum);
    }
    else
    {
#pragma unroll 1
      for (int offset = 0; offset <= 2 * a.window[2]; ++offset)
      {
        ReadNext<0>(tile, offset, start, neighbor);
        if (VClean || (excludedPlanes >> offset & ((1u << outputs) - 1)) == 0)
        {
          this->template AddOffset<true, 0>(a, base, neighbor, termSum);
        }
        else
        {
          this->template AddOffset<false, 0>(a, base, neighbor, termSum);
        }
        MovePlanesDown(neighbor);
      }
    }
  }

  /** Adds all offsets of a strip. \p exclusion covers all voxels that the strip's outputs are compared with. */
  __device__ __forceinline__ void
  AddStrip(const NonLocalMeansArguments &   a,
           const Tile &                     tile,
           const typename Tile::Exclusion & exclusion,
           const float (&base)[termRows][planes],
           int firstRow)
  {
    float termSum[rows][planes];
    SetToZero(termSum);
    const int lane = threadIdx.x % 32;
    for (int ty = 0; ty <= 2 * a.window[1]; ++ty)
    {
      const bool rowsClean = ((exclusion.rows >> ty) & ((1u << rows) - 1)) == 0;
      for (int tx = 0; tx <= 2 * a.window[0]; ++tx)
      {
        const bool columnsClean = ((exclusion.columns >> (VPatch + tx)) & ((1ull << Tile::tileX) - 1)) == 0;
        const int  start = (firstRow + ty) * Tile::pitch + lane + tx;
        if (rowsClean || columnsClean)
        {
          this->template AddOffsetsAlongZ<true>(a, tile, 0, start, base, termSum);
        }
        else
        {
          this->template AddOffsetsAlongZ<false>(a, tile, exclusion.planes, start, base, termSum);
        }
      }
    }
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      float sums[outputs];
      SumsForOutputs(termSum[row], sums);
#pragma unroll
      for (int output = 0; output < outputs; ++output)
      {
        weightSum[row][output] += sums[output];
      }
    }
  }

  /** Writes the complete outputs, the lowest TShape::planes, which begin at plane \p z. */
  __device__ __forceinline__ void
  Write(const NonLocalMeansArguments & a, const Tile & tile, int firstRow, int z, int zBegin, int zEnd) const
  {
    const float * values[planes];
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      values[plane] = tile.Plane(a.window[2] + plane) + a.window[0] + threadIdx.x % 32;
    }
    ForEachOutput<VPatch, rows, planes>(
      a, tile, firstRow, z, zBegin, zEnd, [&](int row, int plane, std::int64_t voxel) {
        const float value = values[plane][(firstRow + VPatch + a.window[1] + row) * Tile::pitch];
        a.output[voxel] = IsDenoised(value)
                            ? NonLocalMeansResult<VRician, VMap>(
                                a, weightedSum[row][plane], weightSum[row][plane], PrecisionOfVoxel<VMap>(a, voxel))
                            : KeptIntensity<VRician>(value, a.input[voxel]);
      });
  }

  /** Computes planes [zBegin, zEnd) of one column of tiles. */
  __device__ __forceinline__ void
  Run(const NonLocalMeansArguments & a, float * shared, int column, int zBegin, int zEnd)
  {
    Tile      tile;
    const int firstRow = static_cast<int>(threadIdx.x / 32) * rows;
    int       z = zBegin - 2 * VPatchZ; // lowest output of the strip
    tile.Start(a, shared, column, z + VPatchZ);
    SetToZero(weightedSum);
    SetToZero(weightSum);
    while (true)
    {
      const int x0 = a.window[0];
      const int y0 = firstRow + VPatch + a.window[1];
      const int y1 = y0 + rows;
      if (!tile.Scan(x0 + VPatch, x0 + 32 - VPatch, y0, y1, a.window[2], a.window[2] + outputs).all)
      {
        const auto exclusion =
          tile.Scan(VPatch, Tile::Columns(a) - VPatch, y0 - a.window[1], y1 + a.window[1], 0, tile.planes);
        float base[termRows][planes];
        ReadCenters(a, tile, a.window[2] + VPatchZ, firstRow, base);
        this->ReadPrecision(a,
                            tile.xFirst + a.window[0] + static_cast<int>(threadIdx.x % 32),
                            tile.yFirst + a.window[1] + firstRow,
                            z + VPatchZ);
        this->AddStrip(a, tile, exclusion, base, firstRow);
      }
      this->Write(a, tile, firstRow, z, zBegin, zEnd);
      z += planes;
      if (z >= zEnd)
      {
        break;
      }
      this->Shift();
      tile.Advance(a);
    }
    __syncthreads();
  }
};

} // namespace cudaneuro::gpu

#endif
