// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorKernel_cuh
#define cudaneuro_solvers_HelmholtzSorKernel_cuh

#include "solvers/HelmholtzSorPairs.cuh"
#include "solvers/HelmholtzSorTile.cuh"

#include <cuda_pipeline.h>

/** The kernel of successive over-relaxation: several sweeps in one pass over memory. */
namespace cudaneuro::gpu
{

/** The sweeps of one component in one pass over memory. Reads \c from and \c force and writes \c to,
 * in its tile and planes.
 *
 * A block marches along z. At step k, half-sweep h updates plane k - h, for all h in increasing order: then the
 * neighbors above have just had half-sweep h - 1, the neighbors beside had it in the previous step, and those below
 * have not yet had half-sweep h + 1. Since half-sweep h updates voxels with x + y + z + h even, a column is active at
 * all its planes in a step with x + y + k even, and at none in the others. A thread has pairs of neighboring columns,
 * one of which is active in each step: all values stay in its registers, and rows beside them come through shuffles and
 * shared memory.
 *
 * blockIdx.x numbers tiles, .y parts of z, .z components. */
template <typename TTile, bool VPairsAligned>
class SorMarch : private SorPairs<TTile, VPairsAligned>
{
  using Pairs = SorPairs<TTile, VPairsAligned>;

public:
  using Tile = TTile;
  using Pairs::stages;
  using Column = SorColumn<stages>;

  __device__ __forceinline__
  SorMarch(const SorArguments & arguments, typename Tile::Shared & shared)
    : Pairs(arguments)
    , m_Arrivals(shared.arrivals)
    , m_Exchange(shared.exchange)
  {}

  __device__ __forceinline__ void
  Run()
  {
    for (int i = static_cast<int>(threadIdx.x); i < 2 * stages * 32; i += Tile::threads)
    {
      float(&rows)[Tile::sharedRows][32] = m_Exchange[i / 32 / stages][i / 32 % stages];
      rows[0][i % 32] = 0.0f;
      rows[Tile::sharedRows - 1][i % 32] = 0.0f;
    }
    int k = this->FirstStep();
    this->Start(k);
    for (; k < m_End + stages - 1; k += 2)
    {
      if (k >= stages - 1 && k + 1 < m_Arguments.extent.z)
      {
        this->Step<0, true>(k, m_Even, m_Odd);
        this->Step<1, true>(k + 1, m_Odd, m_Even);
      }
      else
      {
        this->Step<0, false>(k, m_Even, m_Odd);
        this->Step<1, false>(k + 1, m_Odd, m_Even);
      }
    }
  }

private:
  using Pairs::IsOddRow;
  using Pairs::m_Arguments;
  using Pairs::m_Begin;
  using Pairs::m_End;
  using Pairs::m_Force;
  using Pairs::m_Lane;
  using Pairs::m_PlaneStride;
  using Pairs::m_To;
  using Pairs::m_Value;
  using Pairs::m_Warp;
  using Pairs::Share;

  /** Starts at plane \p k. Earlier planes count as 0: they are outside the grid, or too far away to matter. */
  __device__ __forceinline__ void
  Start(int k)
  {
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r)
    {
      Column & even = m_Even[r];
      Column & odd = m_Odd[r];
#pragma unroll
      for (int i = 0; i < stages + 3; ++i)
      {
        even.value[i] = 0.0f;
        odd.value[i] = 0.0f;
      }
#pragma unroll
      for (int h = 0; h < stages; ++h)
      {
        even.force[h] = 0.0f;
        odd.force[h] = 0.0f;
      }
      Share(this->Load(m_Value, k, r), r, even.value[1], odd.value[2]);
      Share(this->Load(m_Value + m_PlaneStride, k + 1, r), r, even.value[0], odd.value[1]);
      Share(this->Load(m_Value + 2 * m_PlaneStride, k + 2, r), r, even.pendingValue, odd.value[0]);
      Share(this->Load(m_Force, k, r), r, even.force[0], odd.force[1]);
      Share(this->Load(m_Force + m_PlaneStride, k + 1, r), r, even.pendingForce, odd.force[0]);
#pragma unroll
      for (int place = 0; place < Tile::planes; ++place)
      {
        // These values stay 0 where nothing is copied.
        m_Arrivals[place][0][r][threadIdx.x] = make_float2(0.0f, 0.0f);
        m_Arrivals[place][1][r][threadIdx.x] = make_float2(0.0f, 0.0f);
      }
    }
    m_Value += 3 * m_PlaneStride;
    m_Force += 2 * m_PlaneStride;
    for (int step = 0; step < Tile::planes - 1; ++step)
    {
      this->Fetch(k + step);
    }
    this->Publish<1>(m_Odd);
    __syncthreads();
  }

  template <int VBuffer>
  __device__ __forceinline__ void
  Publish(const Column (&columns)[Tile::rows])
  {
#pragma unroll
    for (int h = 0; h < stages; ++h)
    {
      m_Exchange[VBuffer][h][1 + 2 * m_Warp][m_Lane] = columns[0].value[h + 2];
      m_Exchange[VBuffer][h][2 + 2 * m_Warp][m_Lane] = columns[Tile::rows - 1].value[h + 2];
    }
  }

  /** Returns the sum of the neighbors in the plane and of the one below. */
  template <int VActive>
  __device__ __forceinline__ float
  SumOfFive(int h, int r, bool isSecond, const Column & column, const Column (&others)[Tile::rows]) const
  {
    constexpr int other = 1 - VActive;
    const float   own = others[r].value[h + 2];
    const float   back = r > 0 ? others[r > 0 ? r - 1 : 0].value[h + 2] : m_Exchange[other][h][2 * m_Warp][m_Lane];
    const float   front = r < Tile::rows - 1 ? others[r < Tile::rows - 1 ? r + 1 : 0].value[h + 2]
                                             : m_Exchange[other][h][2 * m_Warp + 3][m_Lane];
    const float   beside = isSecond ? __shfl_down_sync(0xffffffffu, own, 1) : __shfl_up_sync(0xffffffffu, own, 1);
    return SorSumOfFive(own, beside, back, front, column.value[h + 2]);
  }

  /** Starts to copy the values that step \p k loads. Steps must be fetched in order. */
  __device__ __forceinline__ void
  Fetch(int k)
  {
    typename Tile::Arrival & arrival = m_Arrivals[m_Fetched];
    if (k + 3 < m_Arguments.extent.z)
    {
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r)
      {
        this->Copy(m_Value, r, arrival[0][r][threadIdx.x]);
        this->Copy(m_Force, r, arrival[1][r][threadIdx.x]);
      }
    }
    else
    {
      // Planes outside the grid are 0.
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r)
      {
        arrival[0][r][threadIdx.x] = make_float2(0.0f, 0.0f);
        arrival[1][r][threadIdx.x] = this->Load(m_Force, k + 2, r);
      }
    }
    __pipeline_commit();
    m_Value += m_PlaneStride;
    m_Force += m_PlaneStride;
    m_Fetched = m_Fetched == Tile::planes - 1 ? 0 : m_Fetched + 1;
  }

  /** Loads the values that the next step of the columns needs. */
  template <int VActive>
  __device__ __forceinline__ void
  LoadNext(Column (&columns)[Tile::rows], Column (&others)[Tile::rows])
  {
    const typename Tile::Arrival & arrival = m_Arrivals[m_Fetched];
    __pipeline_wait_prior(Tile::planes - 1);
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r)
    {
      Column & column = columns[r];
#pragma unroll
      for (int h = stages - 1; h >= 2; --h)
      {
        column.force[h] = column.force[h - 2];
      }
      column.force[1] = column.pendingForce;
      column.value[1] = column.pendingValue;
      // The values for the other columns are kept until the step after that.
      float & value = others[r].pendingValue;
      float & force = others[r].pendingForce;
      Share(
        arrival[0][r][threadIdx.x], r, VActive == 0 ? column.value[0] : value, VActive == 0 ? value : column.value[0]);
      Share(
        arrival[1][r][threadIdx.x], r, VActive == 0 ? column.force[0] : force, VActive == 0 ? force : column.force[0]);
    }
  }

  /** Does step \p k, in which \p columns are active. VInside: all updated planes are in the grid. */
  template <int VActive, bool VInside>
  __device__ __forceinline__ void
  Step(int k, Column (&columns)[Tile::rows], Column (&others)[Tile::rows])
  {
    const SorCoefficients & c = m_Arguments.coefficients;
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r)
    {
      Column &    column = columns[r];
      const bool  isSecond = IsOddRow(r) == (VActive == 0);
      const bool  isVoxel = isSecond ? this->ReadsSecond(r) : this->ReadsFirst(r);
      const float neighbor = isVoxel ? c.neighbor : 0.0f;
      column.force[0] *= c.force;
      column.force[1] *= c.force;
#pragma unroll
      for (int h = stages - 1; h >= 0; --h)
      {
        const float sum = this->SumOfFive<VActive>(h, r, isSecond, column, others);
        column.value[h + 3] = SorWithoutAbove(c.keep, neighbor, column.value[h + 1], column.force[h], sum);
      }
      column.value[2] = column.value[0];
      if constexpr (VInside)
      {
#pragma unroll
        for (int h = 0; h < stages; ++h)
        {
          column.value[h + 3] = SorWithAbove(neighbor, column.value[h + 3], column.value[h + 2]);
        }
      }
      else
      {
        // Planes outside the grid stay 0.
#pragma unroll
        for (int h = 0; h < stages; ++h)
        {
          const bool isPlane = k - h >= 0 && k - h < m_Arguments.extent.z;
          column.value[h + 3] = isPlane ? SorWithAbove(neighbor, column.value[h + 3], column.value[h + 2]) : 0.0f;
        }
      }
    }
    this->Publish<VActive>(columns);
    const int plane = k - (stages - 1);
    if (plane >= m_Begin && plane < m_End)
    {
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r)
      {
        const float active = columns[r].value[stages + 2];
        const float passive = others[r].value[stages + 1];
        this->Store(r, VActive == 0 ? active : passive, VActive == 0 ? passive : active);
      }
      m_To += m_PlaneStride;
    }
    // The new arrival replaces the one that the previous step has loaded.
    this->Fetch(k + Tile::planes - 1);
    this->LoadNext<VActive>(columns, others);
    __syncthreads();
  }

  typename Tile::Arrival (&m_Arrivals)[Tile::planes];
  typename Tile::Exchange & m_Exchange;
  /** The place of the arrival that is fetched next. After a step's fetch, it is that of the arrival to be loaded. */
  int    m_Fetched = 0;
  Column m_Even[Tile::rows];
  Column m_Odd[Tile::rows];
};

template <typename TTile, bool VPairsAligned>
static __global__ void
__launch_bounds__(TTile::threads, 1) SorKernel(const __grid_constant__ SorArguments arguments)
{
  extern __shared__ float2 sorShared[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  using March = SorMarch<TTile, VPairsAligned>;
  March march(arguments, *reinterpret_cast<typename March::Tile::Shared *>(sorShared));
  march.Run();
}

} // namespace cudaneuro::gpu

#endif
