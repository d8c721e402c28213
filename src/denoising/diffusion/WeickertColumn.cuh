// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_WeickertColumn_cuh
#define cudaneuro_denoising_diffusion_WeickertColumn_cuh

#include "denoising/diffusion/WeickertHalo.cuh"
#include "denoising/diffusion/WeickertStencil.cuh"
#include "denoising/diffusion/WeickertVoxels.cuh"

/** The conductances and the sums of one step of Weickert26 and GeometricMean26, as a thread computes them. */
namespace cudaneuro::gpu
{

/** One thread's part of a step: 4 x rows voxels of each plane, while planes pass by. Plane t is the one whose
 * conductances are computed. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape, bool VPadded, bool VFirst>
class WeickertColumn : public WeickertVoxels<TShape, VPadded, VFirst>
{
  using Voxels = WeickertVoxels<TShape, VPadded, VFirst>;

public:
  using Tile = typename Voxels::Tile;
  using Voxels::rows;
  using Voxels::stride;

  __device__ __forceinline__
  WeickertColumn(
    const DiffusionArguments & a, const DiffusionBlock & block, const Tile & tile, float * conductances, float * slots)
    : Voxels(a, block, tile, conductances)
    , m_Slots(slots)
    , m_SumOfWeights(2.0f * (a.weight.x + a.weight.y + a.weight.z) + 4.0f * (a.weight.xy + a.weight.xz + a.weight.yz) +
                     8.0f * a.weight.xyz)
  {}

  /** Computes conductances of plane \p t, for this thread and for the others. Reads planes t - 1 to t + 1. */
  template <WeickertCase VCase>
  __device__ __forceinline__ void
  ComputeConductances(int t)
  {
    float * const conductances = this->ConductancePlane(t);
    float         above[rows][4];
    this->ReadOwn(m_Tile.Plane(t - 1), m_Below);
    this->ReadOwn(m_Tile.Plane(t), m_Here);
    this->ReadOwn(m_Tile.Plane(t + 1), above);
    this->ReadRows(m_Tile.Plane(t));
#pragma unroll
    for (int j = 0; j < rows; ++j)
    {
      float before[6];
      float here[6];
      float after[6];
#pragma unroll
      for (int i = 0; i < 6; ++i)
      {
        before[i] = m_V[j][i];
        here[i] = m_V[j + 1][i];
        after[i] = m_V[j + 2][i];
      }
      float noise[4];
      ReadInverseNoiseQuad<TShape::hasMap>(m_Arguments, this->X(), this->Y() + j, t, noise);
      float g[4];
      ComputeWeickertConductances<VStencil, VConductance, VCase, VPadded>(
        m_Arguments, this->X(), this->Y() + j, noise, before, here, after, m_Below[j], above[j], g);
      *reinterpret_cast<float4 *>(conductances + (this->RowInTile() + j + 1) * stride + this->ColumnInTile() + 4) =
        make_float4(g[0], g[1], g[2], g[3]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        m_G[j][i] = g[i];
      }
    }
    ComputeConductanceHalo<VStencil, VConductance, VCase, VPadded, TShape>(
      m_Arguments, m_Block, m_Tile, t, conductances);
  }

  /** Adds plane \p t to the sums of plane t - 1, which are then complete, and writes these to \p result. Reads plane t
   * and its conductances. */
  template <WeickertCase VCase>
  __device__ __forceinline__ void
  Exchange(int t, bool belowHasExcluded, float (&result)[rows][4])
  {
    if constexpr (VStencil == DiffusionStencil::GeometricMean26)
    {
      this->ExchangeByGeometricMean<VCase>(t, result);
    }
    else
    {
      this->ExchangeByMean<VCase>(t, belowHasExcluded, result);
    }
  }

  /** Sets results in the padding of rows to 0, the value beyond the image. */
  __device__ __forceinline__ void
  ClearPadding(float (&result)[rows][4]) const
  {
    this->ForEach([&](int j, int i) { result[j][i] = this->X() + i < m_Arguments.size.x ? result[j][i] : 0.0f; });
  }

private:
  using Voxels::m_Arguments;
  using Voxels::m_Block;
  using Voxels::m_G;
  using Voxels::m_Here;
  using Voxels::m_Tile;
  using Voxels::m_V;

  template <WeickertCase VCase>
  __device__ __forceinline__ void
  ExchangeByGeometricMean(int t, float (&result)[rows][4])
  {
    this->ReadCorners(m_Tile.Plane(t));
    if (VCase == WeickertCase::Excluded)
    {
      this->ClearExcluded();
    }
    float s[rows + 2][6];
    this->ReadConductances(this->ConductancePlane(t), s);
    float sBelow[rows][4];
    this->ReadOwn(this->ConductancePlane(t - 1) - stride, sBelow);
    float own[rows][4];
    {
      const WeickertSums<rows> sums(m_Arguments.weight, s);
      this->ForEach([&](int j, int i) {
        result[j][i] = -m_Below[j][i] * sums.next[j][i];
        own[j][i] = -m_Here[j][i] * (sums.own[j][i] + m_LowerG[j][i]);
        m_LowerG[j][i] = sums.next[j][i];
      });
    }
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
#pragma unroll
      for (int i = 0; i < 6; ++i)
      {
        s[j][i] *= m_V[j][i];
      }
    }
    const WeickertSums<rows> products(m_Arguments.weight, s);
    this->ForEach([&](int j, int i) {
      result[j][i] = fmaf(sBelow[j][i], result[j][i] + products.next[j][i], m_Sum[j][i]);
      m_Sum[j][i] = fmaf(m_G[j][i], own[j][i] + (products.own[j][i] + m_LowerGv[j][i]), m_Here[j][i]);
      m_LowerGv[j][i] = products.next[j][i];
    });
  }

  template <WeickertCase VCase>
  __device__ __forceinline__ void
  ExchangeByMean(int t, [[maybe_unused]] bool belowHasExcluded, float (&result)[rows][4])
  {
    // The sum of plane t - 1 so far assumes that none of its neighbors above, in plane t, is excluded.
    constexpr bool someExcluded = VCase == WeickertCase::Excluded;
    this->ReadCorners(m_Tile.Plane(t));
    if (someExcluded)
    {
      this->WeighExcluded(belowHasExcluded);
    }
    float g[rows + 2][6];
    this->ReadConductances(this->ConductancePlane(t), g);
    float gBelow[rows][4];
    this->ReadOwn(this->ConductancePlane(t - 1) - stride, gBelow);
    float weights[rows][places];
    if (VCase == WeickertCase::Border)
    {
      this->WeighBorder(weights);
    }
    float sum[rows][4];
    {
      const WeickertSums<rows> v(m_Arguments.weight, m_V);
      this->ForEach([&](int j, int i) {
        const float next = someExcluded ? fmaf(*this->Slot(2, j, i), m_Below[j][i], v.next[j][i]) : v.next[j][i];
        const float weight = someExcluded                    ? *this->Slot(1, j, i)
                             : VCase == WeickertCase::Border ? weights[j][Place(i)]
                                                             : m_SumOfWeights;
        result[j][i] = fmaf(gBelow[j][i], next, m_Sum[j][i]);
        const float difference = fmaf(-weight, m_Here[j][i], v.own[j][i] + m_LowerV[j][i]);
        sum[j][i] = fmaf(m_G[j][i], difference, m_Here[j][i]);
        m_LowerV[j][i] = v.next[j][i];
      });
    }
    {
      const WeickertSums<rows> sums(m_Arguments.weight, g);
      this->ForEach([&](int j, int i) {
        result[j][i] = fmaf(-m_Below[j][i], sums.next[j][i], result[j][i]);
        sum[j][i] = fmaf(-m_Here[j][i], sums.own[j][i] + m_LowerG[j][i], sum[j][i]);
        m_LowerG[j][i] = sums.next[j][i];
      });
    }
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
#pragma unroll
      for (int i = 0; i < 6; ++i)
      {
        g[j][i] *= m_V[j][i];
      }
    }
    const WeickertSums<rows> products(m_Arguments.weight, g);
    this->ForEach([&](int j, int i) {
      result[j][i] += products.next[j][i];
      m_Sum[j][i] = sum[j][i] + (products.own[j][i] + m_LowerGv[j][i]);
      m_LowerGv[j][i] = products.next[j][i];
    });
  }

  /** The places in a thread's row that differ in their neighbors along x: the first voxel, inner ones, and the last;
   * each voxel, where the image may end at any of them. */
  static constexpr int places = VPadded ? 4 : 3;
  static constexpr CUDANEURO_HOST_DEVICE int
  Place(int i)
  {
    return VPadded ? i : i == 0 ? 0 : i == 3 ? 2 : 1;
  }

  /** Returns A[1] and B[1] at a place of row \p j, if no voxel of the image is excluded. */
  __device__ __forceinline__ float
  SumOfOwnWeights(int j, int place) const
  {
    const auto & w = m_Arguments.weight;
    const float  nx = this->NeighborsAlongX(place);
    const float  ny = this->NeighborsAlongY(j);
    return w.x * nx + w.y * ny + w.xy * nx * ny;
  }
  __device__ __forceinline__ float
  SumOfNextWeights(int j, int place) const
  {
    const auto & w = m_Arguments.weight;
    const float  nx = this->NeighborsAlongX(place);
    const float  ny = this->NeighborsAlongY(j);
    return w.z + w.xz * nx + w.yz * ny + w.xyz * nx * ny;
  }
  __device__ __forceinline__ float
  NeighborsAlongX(int place) const
  {
    const bool hasNext =
      VPadded ? this->X() + place + 1 < m_Arguments.size.x : place < 2 || this->X() + 4 < m_Arguments.size.x;
    return static_cast<float>((place > 0 || this->X() > 0) + hasNext);
  }
  __device__ __forceinline__ float
  NeighborsAlongY(int j) const
  {
    return static_cast<float>((this->Y() + j > 0) + (this->Y() + j + 1 < m_Arguments.size.y));
  }

  /** Computes L at each place, if no voxel of the image is excluded. */
  __device__ __forceinline__ void
  WeighBorder(float (&weights)[rows][places]) const
  {
#pragma unroll
    for (int j = 0; j < rows; ++j)
    {
#pragma unroll
      for (int place = 0; place < places; ++place)
      {
        weights[j][place] = this->SumOfOwnWeights(j, place) + 2.0f * this->SumOfNextWeights(j, place);
      }
    }
  }

  /** Sets m_V to 0 in excluded voxels. */
  __device__ __forceinline__ void
  ClearExcluded()
  {
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
#pragma unroll
      for (int i = 0; i < 6; ++i)
      {
        m_V[j][i] = isnan(m_V[j][i]) ? 0.0f : m_V[j][i];
      }
    }
  }

  /** Sets m_V to 0 in excluded voxels. Stores in slot 0 B[1] of this plane, for the next one; in slot 1 L, as if no
   * neighbor above were excluded; and in slot 2 the weight that the neighbors above plane t - 1 lack. */
  __device__ __forceinline__ void
  WeighExcluded(bool belowHasExcluded)
  {
    float takesPart[rows + 2][6];
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
      const int  y = this->Y() + j - 1;
      const bool rowInside = y >= 0 && y < m_Arguments.size.y;
#pragma unroll
      for (int i = 0; i < 6; ++i)
      {
        const int x = this->X() + i - 1;
        takesPart[j][i] = rowInside && x >= 0 && x < m_Arguments.size.x && !isnan(m_V[j][i]) ? 1.0f : 0.0f;
        m_V[j][i] = isnan(m_V[j][i]) ? 0.0f : m_V[j][i];
      }
    }
    const WeickertSums<rows> sums(m_Arguments.weight, takesPart);
    this->ForEach([&](int j, int i) {
      const float upper = this->SumOfNextWeights(j, Place(i));
      const float lower = belowHasExcluded ? *this->Slot(0, j, i) : upper;
      *this->Slot(0, j, i) = sums.next[j][i];
      *this->Slot(1, j, i) = sums.own[j][i] + upper + lower;
      *this->Slot(2, j, i) = upper - sums.next[j][i];
    });
  }

  /** Returns a float of this thread in shared memory. Only planes of Weickert26 with excluded voxels use these. */
  __device__ __forceinline__ volatile float *
  Slot(int slot, int j, int i) const
  {
    return m_Slots + ((slot * rows + j) * 4 + i) * TShape::threads + threadIdx.x;
  }

  float * m_Slots;
  float   m_SumOfWeights; // L of a voxel with all 26 neighbors
  float   m_Below[rows][4];
  float   m_Sum[rows][4] = {};    // result of plane t - 1, without its neighbors above
  float   m_LowerV[rows][4] = {}; // B of plane t - 1, of V, g, and g V
  float   m_LowerG[rows][4] = {};
  float   m_LowerGv[rows][4] = {};
};

} // namespace cudaneuro::gpu

#endif
