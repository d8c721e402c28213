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
    const int component = static_cast<int>(blockIdx.z);
    m_Value = component == 0 ? arguments.from.x : (component == 1 ? arguments.from.y : arguments.from.z);
    m_Force = component == 0 ? arguments.force.x : (component == 1 ? arguments.force.y : arguments.force.z);
    m_To = component == 0 ? arguments.to.x : (component == 1 ? arguments.to.y : arguments.to.z);
    m_Lane = static_cast<int>(threadIdx.x) % 32;
    m_Warp = static_cast<int>(threadIdx.x) / 32;
    const Extent & extent = arguments.extent;
    const int      tileX = static_cast<int>(blockIdx.x) % arguments.tilesX;
    const int      tileY = static_cast<int>(blockIdx.x) / arguments.tilesX;
    const int      originX = tileX * Tile::stepX - Tile::marginX;
    const int      originY = tileY * Tile::stepY;
    const int      x = originX + 2 * m_Lane;
    m_Y = originY + m_Warp * Tile::rows;
    m_Begin = static_cast<int>(blockIdx.y) * arguments.planes;
    m_End = min(m_Begin + arguments.planes, extent.z);
    m_PlaneStride = std::int64_t{ extent.x } * extent.y;
    const std::int64_t rowBase = std::int64_t{ m_Y } * extent.x + x;
    const int          endX = originX + Tile::width - Tile::halo;
    const int          endY = originY + Tile::height - Tile::halo;
    const int          firstX = tileX == 0 ? 0 : originX + Tile::halo;
    const int          lastX = tileX == arguments.tilesX - 1 ? extent.x : endX;
    const int          firstY = tileY == 0 ? 0 : originY + Tile::halo;
    const int          lastY = tileY == arguments.tilesY - 1 ? extent.y : endY;
    for (int i = 0; i < 2 * Tile::rows; ++i)
    {
      const int ownX = x + i / Tile::rows;
      const int ownY = m_Y + i % Tile::rows;
      m_Read |= (ownX >= 0 && ownX < extent.x && ownY < extent.y ? 1u : 0u) << i;
      m_Write |= (ownX >= firstX && ownX < lastX && ownY >= firstY && ownY < lastY ? 1u : 0u) << i;
    }
    const int first = max(0, m_Begin - stages);
    m_Offset = first * m_PlaneStride + rowBase;
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
    int k = max(0, m_Begin - stages);
    this->Start(k);
    for (; k < m_End + stages - 1; k += 2)
    {
      this->Step<0>(k, m_Even, m_Odd);
      this->Step<1>(k + 1, m_Odd, m_Even);
    }
  }

private:
  /** Known at compile time, so that loads go to their registers without a wait. */
  __device__ __forceinline__ static constexpr bool
  IsOddRow(int r)
  {
    static_assert(Tile::rows % 2 == 0 && Tile::stepY % 2 == 0, "The first row of a thread must be even");
    return r % 2 != 0;
  }

  /** Reads a pair of row \p r, which is 0 outside the grid: \p even is the voxel of even x + y. \p read has the bits
   * of m_Read, or none. */
  __device__ __forceinline__ static void
  Load(const float * pair, unsigned int read, int r, float & even, float & odd)
  {
    float &    first = IsOddRow(r) ? odd : even;
    float &    second = IsOddRow(r) ? even : odd;
    const bool readsFirst = (read & 1u << r) != 0;
    if constexpr (VPairsAligned)
    {
      const float2 both = readsFirst ? *reinterpret_cast<const float2 *>(pair) : make_float2(0.0f, 0.0f);
      first = both.x;
      second = both.y;
    }
    else
    {
      first = readsFirst ? pair[0] : 0.0f;
      second = (read & 1u << (Tile::rows + r)) != 0 ? pair[1] : 0.0f;
    }
  }

  /** Starts to copy the pair that Load reads with the same bits. */
  __device__ __forceinline__ static void
  Copy(const float * pair, unsigned int read, int r, float2 & to)
  {
    const bool readsFirst = (read & 1u << r) != 0;
    if constexpr (VPairsAligned)
    {
      if (readsFirst)
      {
        __pipeline_memcpy_async(&to, pair, sizeof(float2));
      }
    }
    else
    {
      if (readsFirst)
      {
        __pipeline_memcpy_async(&to.x, pair, sizeof(float));
      }
      if ((read & 1u << (Tile::rows + r)) != 0)
      {
        __pipeline_memcpy_async(&to.y, pair + 1, sizeof(float));
      }
    }
  }

  __device__ __forceinline__ unsigned int
  ReadOfPlane(int plane) const
  {
    return plane < m_Arguments.extent.z ? m_Read : 0u;
  }

  __device__ __forceinline__ void
  Store(int r, float even, float odd) const
  {
    const float first = IsOddRow(r) ? odd : even;
    const float second = IsOddRow(r) ? even : odd;
    // The plane that is written is stages - 1 planes below that of the step, for which Tile::planes - 1 more are fetched.
    float * const to = m_To - (stages + Tile::planes - 2) * m_PlaneStride;
    float * const pair = to + (m_Offset + std::int64_t{ r } * m_Arguments.extent.x);
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
      const std::int64_t plane = m_PlaneStride;
      const std::int64_t row = m_Offset + std::int64_t{ r } * m_Arguments.extent.x;
      const unsigned int read[3] = { ReadOfPlane(k), ReadOfPlane(k + 1), ReadOfPlane(k + 2) };
      Load(m_Value + row, read[0], r, even.value[1], odd.value[2]);
      Load(m_Value + (row + plane), read[1], r, even.value[0], odd.value[1]);
      Load(m_Value + (row + 2 * plane), read[2], r, even.pendingValue, odd.value[0]);
      Load(m_Force + row, read[0], r, even.force[0], odd.force[1]);
      Load(m_Force + (row + plane), read[1], r, even.pendingForce, odd.force[0]);
    }
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
    const unsigned int       readValues = this->ReadOfPlane(k + 3);
    const unsigned int       readForces = this->ReadOfPlane(k + 2);
    typename Tile::Arrival & arrival = m_Arrivals[m_Fetched];
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r)
    {
      const std::int64_t row = m_Offset + std::int64_t{ r } * m_Arguments.extent.x;
      Copy(m_Value + 3 * m_PlaneStride + row, readValues, r, arrival[0][r][threadIdx.x]);
      Copy(m_Force + 2 * m_PlaneStride + row, readForces, r, arrival[1][r][threadIdx.x]);
    }
    __pipeline_commit();
    m_Offset += m_PlaneStride;
    m_Fetched = m_Fetched == Tile::planes - 1 ? 0 : m_Fetched + 1;
  }

  /** Loads the values with which the next step of the columns after \p k begins. */
  template <int VActive>
  __device__ __forceinline__ void
  LoadNext(int k, Column (&columns)[Tile::rows], Column (&others)[Tile::rows])
  {
    const unsigned int             readValues = this->ReadOfPlane(k + 3);
    const unsigned int             readForces = this->ReadOfPlane(k + 2);
    const typename Tile::Arrival & arrival = m_Arrivals[m_Loaded];
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
      float & evenValue = VActive == 0 ? column.value[0] : others[r].pendingValue;
      float & oddValue = VActive == 0 ? others[r].pendingValue : column.value[0];
      float & evenForce = VActive == 0 ? column.force[0] : others[r].pendingForce;
      float & oddForce = VActive == 0 ? others[r].pendingForce : column.force[0];
      Load(&arrival[0][r][threadIdx.x].x, readValues, r, evenValue, oddValue);
      Load(&arrival[1][r][threadIdx.x].x, readForces, r, evenForce, oddForce);
    }
    m_Loaded = m_Loaded == Tile::planes - 1 ? 0 : m_Loaded + 1;
  }

  /** Step \p k, where \p columns are active. */
  template <int VActive>
  __device__ __forceinline__ void
  Step(int k, Column (&columns)[Tile::rows], Column (&others)[Tile::rows])
  {
    const SorCoefficients & c = m_Arguments.coefficients;
    const bool              isInside = k - (stages - 1) >= 0 && k < m_Arguments.extent.z;
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r)
    {
      Column &    column = columns[r];
      const bool  isSecond = IsOddRow(r) == (VActive == 0);
      const bool  isVoxel = (m_Read & 1u << (isSecond ? Tile::rows + r : r)) != 0;
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
      if (isInside)
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
    }
    // Takes the place of what the step before has loaded.
    this->Fetch(k + Tile::planes - 1);
    this->LoadNext<VActive>(k, columns, others);
    __syncthreads();
  }

  const SorArguments & m_Arguments;
  typename Tile::Arrival (&m_Arrivals)[Tile::planes];
  typename Tile::Exchange & m_Exchange;
  /** Places of the arrivals that are fetched and loaded next. */
  int           m_Fetched = 0;
  int           m_Loaded = 0;
  const float * m_Value;
  const float * m_Force;
  float *       m_To;
  /** Index of the thread's first voxel in the plane of the step that is fetched next. One for all volumes saves
   * registers. */
  std::int64_t m_Offset;
  int          m_Lane;
  int          m_Warp;
  int          m_Y;
  int          m_Begin;
  int          m_End;
  std::int64_t m_PlaneStride;
  /** Bit r is the first voxel of the pair in row r, bit Tile::rows + r the second: the voxels in the grid, and those that
   * this block writes. */
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
