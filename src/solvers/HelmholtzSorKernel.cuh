// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorKernel_cuh
#define cudaneuro_solvers_HelmholtzSorKernel_cuh

#include "solvers/HelmholtzSorTile.cuh"

#include <cuda_pipeline.h>

#include <cstdint>

namespace cudaneuro::gpu
{

/** The sweeps of one component in one pass over memory. Reads \c from and \c force and writes \c to,
 * in its tile and planes.
 *
 * A block marches along z. At step k, half-sweep h updates plane k - h, for all h in increasing order: then the
 * neighbors above have just had half-sweep h - 1, those beside had it in the step before, and those below have not
 * yet had half-sweep h + 1. Since half-sweep h updates voxels with x + y + z + h even, a column is active at all its
 * planes in a step with x + y + k even, and at none in the others. A thread has pairs of neighboring columns, one of
 * which is active in each step: all values stay in its registers, rows beside come through shuffles and shared
 * memory.
 *
 * blockIdx.x numbers tiles, .y parts of z, .z components. */
template <typename TTile, bool VPairsAligned>
class SorMarch
{
public:
  using Tile = TTile;
  static constexpr int stages = Tile::stages;
  using Column = SorColumn<stages>;

  __device__ __forceinline__
  SorMarch(const SorArguments & arguments, typename Tile::Shared & shared)
    : m_Arguments(arguments)
    , m_Arrivals(shared.arrivals)
    , m_Exchange(shared.exchange)
  {
    m_Lane = static_cast<int>(threadIdx.x) % 32;
    m_Warp = static_cast<int>(threadIdx.x) / 32;
    const Extent & extent = arguments.extent;
    const int      tileX = static_cast<int>(blockIdx.x) % arguments.tilesX;
    const int      tileY = static_cast<int>(blockIdx.x) / arguments.tilesX;
    const int      originX = tileX * Tile::stepX - Tile::marginX;
    const int      originY = tileY * Tile::stepY;
    const int      x = originX + 2 * m_Lane;
    const int      y = originY + m_Warp * Tile::rows;
    m_Begin = static_cast<int>(blockIdx.y) * arguments.planes;
    m_End = min(m_Begin + arguments.planes, extent.z);
    m_PlaneStride = std::int64_t{ extent.x } * extent.y;
    const int endX = originX + Tile::width - Tile::halo;
    const int endY = originY + Tile::height - Tile::halo;
    const int firstX = tileX == 0 ? 0 : originX + Tile::halo;
    const int lastX = tileX == arguments.tilesX - 1 ? extent.x : endX;
    const int firstY = tileY == 0 ? 0 : originY + Tile::halo;
    const int lastY = tileY == arguments.tilesY - 1 ? extent.y : endY;
    for (int i = 0; i < 2 * Tile::rows; ++i)
    {
      const int ownX = x + i / Tile::rows;
      const int ownY = y + i % Tile::rows;
      m_Read |= (ownX >= 0 && ownX < extent.x && ownY < extent.y ? 1u : 0u) << i;
      m_Write |= (ownX >= firstX && ownX < lastX && ownY >= firstY && ownY < lastY ? 1u : 0u) << i;
    }
    const int          component = static_cast<int>(blockIdx.z);
    const std::int64_t pair = std::int64_t{ y } * extent.x + x;
    const std::int64_t first = this->FirstStep() * m_PlaneStride + pair;
    m_Value = first + (component == 0 ? arguments.from.x : (component == 1 ? arguments.from.y : arguments.from.z));
    m_Force = first + (component == 0 ? arguments.force.x : (component == 1 ? arguments.force.y : arguments.force.z));
    m_To = m_Begin * m_PlaneStride + pair +
           (component == 0 ? arguments.to.x : (component == 1 ? arguments.to.y : arguments.to.z));
  }

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
  __device__ __forceinline__ int
  FirstStep() const
  {
    return max(0, m_Begin - stages);
  }

  /** Known at compile time, so that loads go to their registers without a wait. */
  __device__ __forceinline__ static constexpr bool
  IsOddRow(int r)
  {
    static_assert(Tile::rows % 2 == 0 && Tile::stepY % 2 == 0, "The first row of a thread must be even");
    return r % 2 != 0;
  }

  __device__ __forceinline__ bool
  ReadsFirst(int r) const
  {
    return (m_Read & 1u << r) != 0;
  }

  __device__ __forceinline__ bool
  ReadsSecond(int r) const
  {
    return (m_Read & 1u << (Tile::rows + r)) != 0;
  }

  /** Reads a pair of row \p r of \p plane, which is 0 outside the grid. */
  __device__ __forceinline__ float2
  Load(const float * pair, int plane, int r) const
  {
    float2 values = make_float2(0.0f, 0.0f);
    if (plane < m_Arguments.extent.z)
    {
      const float * const from = pair + std::int64_t{ r } * m_Arguments.extent.x;
      if (this->ReadsFirst(r))
      {
        values.x = from[0];
      }
      if (this->ReadsSecond(r))
      {
        values.y = from[1];
      }
    }
    return values;
  }

  /** Starts to copy a pair of row \p r, whose voxels outside the grid stay as they are. */
  __device__ __forceinline__ void
  Copy(const float * pair, int r, float2 & to) const
  {
    const float * const from = pair + std::int64_t{ r } * m_Arguments.extent.x;
    if constexpr (VPairsAligned)
    {
      if (this->ReadsFirst(r))
      {
        __pipeline_memcpy_async(&to, from, sizeof(float2));
      }
    }
    else
    {
      if (this->ReadsFirst(r))
      {
        __pipeline_memcpy_async(&to.x, from, sizeof(float));
      }
      if (this->ReadsSecond(r))
      {
        __pipeline_memcpy_async(&to.y, from + 1, sizeof(float));
      }
    }
  }

  /** Gives the voxels of a pair of row \p r to the columns: \p even is the voxel of even x + y. */
  __device__ __forceinline__ static void
  Share(const float2 & pair, int r, float & even, float & odd)
  {
    (IsOddRow(r) ? odd : even) = pair.x;
    (IsOddRow(r) ? even : odd) = pair.y;
  }

  __device__ __forceinline__ void
  Store(int r, float even, float odd) const
  {
    const float   first = IsOddRow(r) ? odd : even;
    const float   second = IsOddRow(r) ? even : odd;
    float * const pair = m_To + std::int64_t{ r } * m_Arguments.extent.x;
    const bool    writesFirst = (m_Write & 1u << r) != 0;
    if constexpr (VPairsAligned)
    {
      if (writesFirst)
      {
        *reinterpret_cast<float2 *>(pair) = make_float2(first, second);
      }
    }
    else
    {
      if (writesFirst)
      {
        pair[0] = first;
      }
      if ((m_Write & 1u << (Tile::rows + r)) != 0)
      {
        pair[1] = second;
      }
    }
  }

  /** Starts at plane \p k and takes the planes before it as 0: they are outside the grid, or too far away to matter. */
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
        // Stays so where nothing is copied.
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

  /** Sum of the neighbors in the plane and the one below. */
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

  /** Starts to copy what step \p k loads. Steps are fetched in order. */
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

  /** Loads the values with which the next step of the columns begins. */
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
      // What arrives for the other columns waits for the step after that.
      float & value = others[r].pendingValue;
      float & force = others[r].pendingForce;
      Share(
        arrival[0][r][threadIdx.x], r, VActive == 0 ? column.value[0] : value, VActive == 0 ? value : column.value[0]);
      Share(
        arrival[1][r][threadIdx.x], r, VActive == 0 ? column.force[0] : force, VActive == 0 ? force : column.force[0]);
    }
  }

  /** Step \p k, where \p columns are active. VInside: all planes that are updated are in the grid. */
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
    // Takes the place of what the step before has loaded.
    this->Fetch(k + Tile::planes - 1);
    this->LoadNext<VActive>(columns, others);
    __syncthreads();
  }

  const SorArguments & m_Arguments;
  typename Tile::Arrival (&m_Arrivals)[Tile::planes];
  typename Tile::Exchange & m_Exchange;
  /** Place of the arrival that is fetched next. Just after that of a step, it is that of the arrival to load. */
  int           m_Fetched = 0;
  const float * m_Value;
  const float * m_Force;
  float *       m_To;
  int           m_Lane;
  int           m_Warp;
  int           m_Begin;
  int           m_End;
  std::int64_t  m_PlaneStride;
  /** Bit r is the first voxel of the pair in row r, bit Tile::rows + r the second: the voxels in the grid, and those
   * that this block writes. */
  unsigned int m_Read = 0;
  unsigned int m_Write = 0;
  Column       m_Even[Tile::rows];
  Column       m_Odd[Tile::rows];
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
