// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairColumn_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairColumn_cuh

#include "denoising/nonlocalmeans/NonLocalMeansPairSums.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansPairTerms.cuh"

namespace cudaneuro::gpu
{

/** PatchDistance (Buades et al. 2005) for one thread: a column of voxels along z at one x and TShape::rows of y.
 *
 * The weight of a pair of voxels is the same for both. So a block compares its voxels with that half of their
 * neighbors that come later in the order of z, x and y, and adds each weight to both ends: to the sums of its own
 * voxel ("near") and to those of the neighbor ("far"). CombinePairSumsKernel adds far sums that belong to other blocks.
 *
 * For an offset (dx, dz) all offsets along y are processed in sequence, unrolled, so that far sums of rows stay in
 * registers. They move by one lane before the next dx, which aligns them, and to shared memory after each dz.
 * \tparam VWindow the window's radius along all axes
 * \tparam VMaximum whether the largest weight is needed */
template <int VPatch, int VWindow, bool VRician, bool VMaximum, typename TShape>
struct NonLocalMeansPairColumn
{
  using Shape = TShape;
  using Terms = NonLocalMeansPairTerms<VPatch, TShape>;
  static constexpr int rows = TShape::rows;
  static constexpr int planes = TShape::planes;
  static constexpr int termRows = Terms::termRows;
  static constexpr int termPlanes = Terms::termPlanes;
  static constexpr int farRows = rows + 2 * VWindow;
  static constexpr int border = VPatch > VWindow ? VPatch : VWindow;
  static constexpr int sums = VMaximum ? 3 : 2;
  static constexpr int sumPlanes = (planes + VWindow + planes - 1) / planes * planes;
  /** Planes before its first one that a block also computes, because they contribute to its sums. */
  static constexpr int startPlanes = (VWindow + planes - 1) / planes * planes;
  using Sharing = StripSharing<startPlanes / planes, 20, 3, 5>;
  /** An exponent whose power of 2 underflows to 0. */
  static constexpr float noWeight = -1000.0f;
  static constexpr int   offsetsAlongY = 2 * VWindow + 1;
  using Tile = NonLocalMeansTile<VPatch, VPatch, rows, planes, TShape::warps, false, border, true>;
  using Sums = NonLocalMeansPairSums<sums, sumPlanes, Tile::tileY + 2 * VWindow>;

  /** A block's pointers into shared memory. */
  struct Block
  {
    Tile tile;
    Sums sums;
    /** A plane of the tile whose values are all 0. */
    float * zeros;
    /** For each row and offset along y: 1 / TermsInside(), and the bias of the exponent. */
    float2 * rowFactors;
  };
  /** Returns the bytes of shared memory that a block needs. */
  static std::size_t
  SharedBytes(const NonLocalMeansArguments & a)
  {
    const int floats = Sums::floats + 2 * Tile::tileY * offsetsAlongY + Tile::pitch * Tile::Rows(a);
    return sizeof(float) * floats + Tile::Bytes(a);
  }

  /** Sums of weighted values, sums of weights and, with VMaximum, largest weights. */
  float near[rows][sums][planes];
  float far[farRows][sums][planes];
  int   lane;
  int   firstRow;
  /** Whether the lane has outputs. The border lanes have none. */
  bool hasOutputs;

  /** Factors of the mean and biases of the exponent at one offset (dx, dz). */
  struct Factors
  {
    float scale[planes];
    float bias[planes];
    /** The bias for offsets along y up to 0. */
    float lowerBias;
  };

  template <PairRegion VRegion>
  __device__ __forceinline__ Factors
  FactorsOf(const NonLocalMeansArguments & a, const Tile & tile, int z, int dx, int dz) const
  {
    const int x = tile.xFirst + a.window[0] + lane;
    Factors   factors;
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      bool isCounted = hasOutputs;
      factors.scale[plane] = -1.0f / ((2 * VPatch + 1) * (2 * VPatch + 1) * (2 * VPatch + 1));
      if constexpr (VRegion == PairRegion::Border)
      {
        const float terms = TermsInside<VPatch>(x, dx, a.size.x) * TermsInside<VPatch>(z + plane, dz, a.size.z);
        factors.scale[plane] = -1.0f / terms;
        isCounted = isCounted && IsPairInside(x, dx, a.size.x) && IsPairInside(z + plane, dz, a.size.z);
      }
      factors.bias[plane] = isCounted ? 0.0f : noWeight;
    }
    // The center is no pair, and pairs along y are processed from their lower end only.
    factors.lowerBias = dz == 0 && dx == 0 ? noWeight : 0.0f;
    return factors;
  }

  /** Returns the plane from which voxels of the strip are read. At the border, planes whose partner at \p dz is outside
   * are 0 at both ends, so that their terms are 0. */
  template <PairRegion VRegion>
  __device__ static __forceinline__ const float *
  PlaneForTerms(const NonLocalMeansArguments & a, const Block & block, int z, int plane, int dz, int shift)
  {
    const bool isUsed = VRegion != PairRegion::Border || IsPairInside(z - VPatch + plane, dz, a.size.z);
    return isUsed ? block.tile.Plane(plane + shift) : block.zeros;
  }

  /** Returns the value that a voxel contributes to another's mean. If its weight is 0, it must still be finite. */
  template <PairRegion VRegion>
  __device__ static __forceinline__ float
  Averaged(const NonLocalMeansArguments & a, float value)
  {
    const bool isFinite =
      VRegion == PairRegion::Inside || (VRegion == PairRegion::Border && !VRician) || TakesPart(value);
    return isFinite ? ValueToAverage<VRician>(a, value) : 0.0f;
  }

  /** Adds the weight of a pair to both ends. */
  template <PairRegion VRegion>
  __device__ __forceinline__ void
  AddPair(const NonLocalMeansArguments & a, int row, int plane, int step, float center, float value, float weight)
  {
    near[row][0][plane] += weight * Averaged<VRegion>(a, value);
    near[row][1][plane] += weight;
    far[row + step][0][plane] += weight * Averaged<VRegion>(a, center);
    far[row + step][1][plane] += weight;
    if constexpr (VMaximum)
    {
      near[row][2][plane] = fmaxf(near[row][2][plane], weight);
      far[row + step][2][plane] = fmaxf(far[row + step][2][plane], weight);
    }
  }

  /** Adds the pairs of all rows and planes at one offset; \p step is the offset along y plus VWindow. */
  template <PairRegion VRegion>
  __device__ __forceinline__ void
  AddPairs(const NonLocalMeansArguments & a,
           const Block &                  block,
           const Factors &                factors,
           const float (&base)[termRows][termPlanes],
           const float (&neighbor)[termRows][termPlanes],
           int step)
  {
    float squares[planes][rows];
    Terms::template SumSquares<VRegion>(base, neighbor, step, squares);
    float counts[rows];
    if constexpr (VRegion == PairRegion::Masked)
    {
      Terms::Count(base, neighbor, step, counts);
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        counts[row] = LaneBoxSum<VPatch>(counts[row]);
      }
    }
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      const float bias = factors.bias[plane] + (step <= VWindow ? factors.lowerBias : 0.0f);
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        const float value = neighbor[(row + VPatch + step) % termRows][VPatch + plane];
        const float center = base[row + VPatch][VPatch + plane];
        const float sum = LaneBoxSum<VPatch>(squares[plane][row]);
        float       weight;
        if constexpr (VRegion == PairRegion::Masked)
        {
          const float count = Terms::CountOfPlane(counts[row], plane);
          weight = TakesPart(value) && TakesPart(center) ? Exp2(bias - __fdividef(sum, fmaxf(count, 1.0f))) : 0.0f;
        }
        else if constexpr (VRegion == PairRegion::Border)
        {
          const float2 factor = block.rowFactors[(firstRow + row) * offsetsAlongY + step];
          weight = Exp2(fmaf(sum, factors.scale[plane] * factor.x, bias + factor.y));
        }
        else
        {
          weight = Exp2(fmaf(sum, factors.scale[plane], bias));
        }
        AddPair<VRegion>(a, row, plane, step, center, value, weight);
      }
    }
  }

  /** Adds the pairs at offsets (dx, dy, dz) for every dy of the window. */
  template <PairRegion VRegion>
  __device__ __forceinline__ void
  AddOffsetsAlongY(const NonLocalMeansArguments & a,
                   const Block &                  block,
                   int                            z,
                   int                            dx,
                   int                            dz,
                   const float (&base)[termRows][termPlanes])
  {
    const Factors factors = FactorsOf<VRegion>(a, block.tile, z, dx, dz);
    const int     start = firstRow * Tile::pitch + lane + VWindow + dx;
    const float * from[termPlanes];
    float         neighbor[termRows][termPlanes];
#pragma unroll
    for (int plane = 0; plane < termPlanes; ++plane)
    {
      from[plane] = PlaneForTerms<VRegion>(a, block, z, plane, dz, dz) + start;
#pragma unroll
      for (int row = 0; row < termRows - 1; ++row)
      {
        neighbor[row][plane] = from[plane][row * Tile::pitch];
      }
    }
#pragma unroll
    for (int step = 0; step < offsetsAlongY; ++step)
    {
#pragma unroll
      for (int plane = 0; plane < termPlanes; ++plane)
      {
        neighbor[(termRows - 1 + step) % termRows][plane] = from[plane][(termRows - 1 + step) * Tile::pitch];
      }
      AddPairs<VRegion>(a, block, factors, base, neighbor, step);
    }
  }

  /** Moves far sums one lane down. The lanes without outputs leave room for the far sums of every dx. */
  __device__ __forceinline__ void
  MoveFarSums()
  {
    const int next = (lane + 1) % 32;
#pragma unroll
    for (int row = 0; row < farRows; ++row)
    {
#pragma unroll
      for (int sum = 0; sum < sums; ++sum)
      {
#pragma unroll
        for (int plane = 0; plane < planes; ++plane)
        {
          far[row][sum][plane] = __shfl_sync(0xffffffffu, far[row][sum][plane], next);
        }
      }
    }
  }

  /** Adds the pairs at offsets (dx, dy, dz) for every dx and dy; at dz = 0 for half of them. */
  template <PairRegion VRegion>
  __device__ __forceinline__ void
  AddOffsetsInPlane(const NonLocalMeansArguments & a, const Block & block, int z, int dz)
  {
    float base[termRows][termPlanes];
#pragma unroll
    for (int plane = 0; plane < termPlanes; ++plane)
    {
      const float * from = PlaneForTerms<VRegion>(a, block, z, plane, dz, 0) + lane + VWindow;
#pragma unroll
      for (int row = 0; row < termRows; ++row)
      {
        const float value = from[(firstRow + VWindow + row) * Tile::pitch];
        base[row][plane] = VRegion == PairRegion::Inside ? value : FlipExcluded(value);
      }
    }
#pragma unroll 1
    for (int dx = dz == 0 ? 0 : -VWindow; dx <= VWindow; ++dx)
    {
      this->MoveFarSums();
      this->AddOffsetsAlongY<VRegion>(a, block, z, dx, dz, base);
    }
  }

  /** Adds near and far sums at one dz to those of the block. Warps share rows, so barriers separate groups of rows. */
  __device__ __forceinline__ void
  AddToBlock(const Block & block, int dz, bool hasSums) const
  {
    // After the last dx, a lane's far sums belong to the column 2 VWindow - border further.
    const int farColumn = (lane + 2 * VWindow - border) % 32;
    const int nearColumn = lane + VWindow - border;
#pragma unroll
    for (int group = 0; group < (farRows + rows - 1) / rows; ++group)
    {
      __syncthreads();
      if (!hasSums)
      {
        continue;
      }
#pragma unroll
      for (int row = group * rows; row < group * rows + rows && row < farRows; ++row)
      {
        block.sums.Include(far[row], dz, (firstRow + row) * 32 + farColumn);
      }
      __syncwarp();
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        if ((row + VWindow) / rows == group && hasOutputs)
        {
          block.sums.Include(near[row], 0, (firstRow + row + VWindow) * 32 + nearColumn);
        }
      }
    }
  }

  /** Adds the pairs of the strip that begins at plane \p z. */
  __device__ __forceinline__ void
  AddStrip(const NonLocalMeansArguments & a, const Block & block, int z)
  {
    const Tile & tile = block.tile;
    const int    yEnd = firstRow + termRows + 2 * VWindow;
    const int    y0 = firstRow + VWindow + VPatch;
    const int    x0 = VWindow + border;
    const bool   hasPairs = !tile.Scan(x0, x0 + Tile::tileX, y0, y0 + rows, VPatch, VPatch + planes).all;
    const auto   region = tile.HasExcludedVoxels(a, firstRow, yEnd) ? PairRegion::Masked
                          : tile.IsInside(a, firstRow, yEnd)        ? PairRegion::Inside
                                                                    : PairRegion::Border;
#pragma unroll 1
    for (int dz = 0; dz <= VWindow; ++dz)
    {
#pragma unroll
      for (int row = 0; row < farRows; ++row)
      {
        SetToZero(far[row]);
      }
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        SetToZero(near[row]);
      }
      if (hasPairs && region == PairRegion::Inside)
      {
        this->template AddOffsetsInPlane<PairRegion::Inside>(a, block, z, dz);
      }
      else if (hasPairs && region == PairRegion::Border)
      {
        this->template AddOffsetsInPlane<PairRegion::Border>(a, block, z, dz);
      }
      else if (hasPairs)
      {
        this->template AddOffsetsInPlane<PairRegion::Masked>(a, block, z, dz);
      }
      this->AddToBlock(block, dz, hasPairs);
    }
  }

  /** Initializes the block's shared memory for column \p column of tiles, starting at plane \p z. */
  __device__ __forceinline__ void
  Start(const NonLocalMeansArguments & a, float * shared, int column, int z, Block & block)
  {
    lane = static_cast<int>(threadIdx.x % 32);
    firstRow = static_cast<int>(threadIdx.x / 32) * rows;
    hasOutputs = lane >= border && lane < 32 - border;
    block.sums.Start(shared);
    block.rowFactors = reinterpret_cast<float2 *>(shared + Sums::floats);
    block.zeros = reinterpret_cast<float *>(block.rowFactors + Tile::tileY * offsetsAlongY);
    const int zeros = Tile::pitch * Tile::Rows(a);
    for (int i = threadIdx.x; i < zeros; i += Tile::threads)
    {
      block.zeros[i] = 0.0f;
    }
    for (int i = threadIdx.x; i < Tile::tileY * offsetsAlongY; i += Tile::threads)
    {
      const int y = column / a.tilesX * Tile::tileY + i / offsetsAlongY;
      const int dy = i % offsetsAlongY - VWindow;
      block.rowFactors[i] = { 1.0f / TermsInside<VPatch>(y, dy, a.size.y),
                              IsPairInside(y, dy, a.size.y) ? 0.0f : noWeight };
    }
    block.tile.Start(a, block.zeros + zeros, column, z);
  }

  /** Computes the sums of planes [zBegin, zEnd) of one column of tiles. */
  __device__ __forceinline__ void
  Run(NonLocalMeansArguments a, float * shared, int column, int zBegin, int zEnd)
  {
    // As constants, the radii and the values computed from them need no registers.
    a.window[0] = VWindow;
    a.window[1] = VWindow;
    a.window[2] = VWindow;
    Block block;
    int   z = max(0, zBegin - startPlanes);
    this->Start(a, shared, column, z, block);
    while (true)
    {
      this->AddStrip(a, block, z);
      __syncthreads();
      const std::int64_t plane = static_cast<std::int64_t>(column) * (a.zEnd - a.zBegin) + z - a.zBegin;
      block.sums.Release(planes, zBegin - z, zEnd - z, a.scratch + plane * (sums * Sums::floatsPerPlane));
      z += planes;
      if (z >= zEnd)
      {
        break;
      }
      block.tile.Advance(a);
    }
    __syncthreads();
  }
};

} // namespace cudaneuro::gpu

#endif
