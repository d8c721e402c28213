// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorKernel_cuh
#define cudaneuro_solvers_HelmholtzSorKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/DeviceGate.h"
#include "solvers/HelmholtzFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace cudaneuro::gpu
{

struct SorArguments
{
  Extent          extent;
  SorCoefficients coefficients;
  ConstSoAField   force;
  ConstSoAField   from;
  SoAField        to;
  DeviceGate      gate;
  int             tilesX;
  int             tilesY;
  /** Planes that a block writes; even. */
  int planes;
};

/** The columns of voxels that a block of the kernel has. A warp has rows of 32 pairs. */
template <int VSweeps, int VRows, int VWarps>
struct SorTile
{
  static constexpr int stages = 2 * VSweeps;
  /** Voxels at the edge of a tile inside the grid whose results are wrong and discarded. */
  static constexpr int halo = stages;
  /** Columns left empty beside the first and the last of the grid: lanes 0 and 31 need no neighbors there. */
  static constexpr int marginX = 2;
  static constexpr int width = 64;
  static constexpr int height = VRows * VWarps;
  static constexpr int stepX = width - 2 * halo;
  static constexpr int stepY = height - 2 * halo;
  static constexpr int threads = 32 * VWarps;

  /** Tiles for \p n columns: an inner tile gives \p step columns, an outer one those up to the edge. */
  static int
  Count(int n, int step, int margin)
  {
    const int single = step + 2 * halo - 2 * margin;
    return n <= single ? 1 : 1 + DivideUp(n - single, step);
  }

  /** Rows that other warps read: the first and the last row of each warp, between two rows of zeros. */
  static constexpr int sharedRows = 2 * VWarps + 2;
  using Exchange = float[2][stages][sharedRows][32];
};

/** The values of one of the two columns of a thread, x and x + 1; the "even" one has even x + y. */
template <int VStages>
struct SorColumn
{
  /** At a step k where it is active, index i is plane k + 1 - i. */
  float value[VStages + 3];
  /** Index h is plane k - h, times the force coefficient; 0 and 1 are multiplied at the beginning of the step. */
  float force[VStages];
  /** Values that are read one step ahead: plane k + 2 of the field, and plane k + 1 of the force. */
  float pendingValue;
  float pendingForce;
};

/** VSweeps sweeps of one component in one pass over memory. Reads \c from and \c force and writes \c to,
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
template <int VSweeps, int VRows, int VWarps, bool VPairsAligned>
class SorMarch
{
public:
  using Tile = SorTile<VSweeps, VRows, VWarps>;
  static constexpr int stages = Tile::stages;
  using Column = SorColumn<stages>;

  __device__ __forceinline__
  SorMarch(const SorArguments & arguments, typename Tile::Exchange & exchange)
    : m_Arguments(arguments)
    , m_Exchange(exchange)
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
    m_Y = originY + m_Warp * VRows;
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
    for (int i = 0; i < 2 * VRows; ++i)
    {
      const int ownX = x + i / VRows;
      const int ownY = m_Y + i % VRows;
      m_Read |= (ownX >= 0 && ownX < extent.x && ownY < extent.y ? 1u : 0u) << i;
      m_Write |= (ownX >= firstX && ownX < lastX && ownY >= firstY && ownY < lastY ? 1u : 0u) << i;
    }
    const int first = max(0, m_Begin - stages);
    m_Value += first * m_PlaneStride + rowBase;
    m_Force += first * m_PlaneStride + rowBase;
    m_To += (first - (stages - 1)) * m_PlaneStride + rowBase;
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
    static_assert(VRows % 2 == 0 && Tile::stepY % 2 == 0, "The first row of a thread must be even");
    return r % 2 != 0;
  }

  /** Reads a pair of row \p r, which is 0 outside the grid: \p even is the voxel of even x + y. \p row is the pair of
   * row 0, and \p read has the bits of m_Read, or none. */
  __device__ __forceinline__ void
  Load(const float * row, unsigned int read, int r, float & even, float & odd) const
  {
    const float * const pair = row + std::int64_t{ r } * m_Arguments.extent.x;
    float &             first = IsOddRow(r) ? odd : even;
    float &             second = IsOddRow(r) ? even : odd;
    const bool          readsFirst = (read & 1u << r) != 0;
    if constexpr (VPairsAligned)
    {
      const float2 both = readsFirst ? *reinterpret_cast<const float2 *>(pair) : make_float2(0.0f, 0.0f);
      first = both.x;
      second = both.y;
    }
    else
    {
      first = readsFirst ? pair[0] : 0.0f;
      second = (read & 1u << (VRows + r)) != 0 ? pair[1] : 0.0f;
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
      if ((m_Write & 1u << (VRows + r)) != 0)
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
    for (int r = 0; r < VRows; ++r)
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
      const unsigned int read[3] = { ReadOfPlane(k), ReadOfPlane(k + 1), ReadOfPlane(k + 2) };
      this->Load(m_Value, read[0], r, even.value[1], odd.value[2]);
      this->Load(m_Value + plane, read[1], r, even.value[0], odd.value[1]);
      this->Load(m_Value + 2 * plane, read[2], r, even.pendingValue, odd.value[0]);
      this->Load(m_Force, read[0], r, even.force[0], odd.force[1]);
      this->Load(m_Force + plane, read[1], r, even.pendingForce, odd.force[0]);
    }
    m_Value += 3 * m_PlaneStride;
    m_Force += 2 * m_PlaneStride;
    this->Publish<1>(m_Odd);
    __syncthreads();
  }

  template <int VBuffer>
  __device__ __forceinline__ void
  Publish(const Column (&columns)[VRows])
  {
#pragma unroll
    for (int h = 0; h < stages; ++h)
    {
      m_Exchange[VBuffer][h][1 + 2 * m_Warp][m_Lane] = columns[0].value[h + 2];
      m_Exchange[VBuffer][h][2 + 2 * m_Warp][m_Lane] = columns[VRows - 1].value[h + 2];
    }
  }

  /** Sum of the neighbors in the plane and the one below. */
  template <int VActive>
  __device__ __forceinline__ float
  SumOfFive(int h, int r, int beside, const Column & column, const Column (&others)[VRows]) const
  {
    constexpr int other = 1 - VActive;
    const float   own = others[r].value[h + 2];
    const float   back = r > 0 ? others[r > 0 ? r - 1 : 0].value[h + 2] : m_Exchange[other][h][2 * m_Warp][m_Lane];
    const float   front =
      r < VRows - 1 ? others[r < VRows - 1 ? r + 1 : 0].value[h + 2] : m_Exchange[other][h][2 * m_Warp + 3][m_Lane];
    return SorSumOfFive(own, __shfl_sync(0xffffffffu, own, beside), back, front, column.value[h + 2]);
  }

  /** Loads the values with which the next step of the columns after \p k begins. */
  template <int VActive>
  __device__ __forceinline__ void
  LoadNext(int k, Column (&columns)[VRows], Column (&others)[VRows])
  {
    const unsigned int readValues = this->ReadOfPlane(k + 3);
    const unsigned int readForces = this->ReadOfPlane(k + 2);
#pragma unroll
    for (int r = 0; r < VRows; ++r)
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
      this->Load(m_Value, readValues, r, evenValue, oddValue);
      this->Load(m_Force, readForces, r, evenForce, oddForce);
    }
    m_Value += m_PlaneStride;
    m_Force += m_PlaneStride;
  }

  /** Step \p k, where \p columns are active. */
  template <int VActive>
  __device__ __forceinline__ void
  Step(int k, Column (&columns)[VRows], Column (&others)[VRows])
  {
    const SorCoefficients & c = m_Arguments.coefficients;
    const bool              isInside = k - (stages - 1) >= 0 && k < m_Arguments.extent.z;
#pragma unroll
    for (int r = 0; r < VRows; ++r)
    {
      Column &    column = columns[r];
      const bool  isSecond = IsOddRow(r) == (VActive == 0);
      const int   beside = isSecond ? m_Lane + 1 : m_Lane - 1;
      const bool  isVoxel = (m_Read & 1u << (isSecond ? VRows + r : r)) != 0;
      const float neighbor = isVoxel ? c.neighbor : 0.0f;
      column.force[0] *= c.force;
      column.force[1] *= c.force;
#pragma unroll
      for (int h = stages - 1; h >= 0; --h)
      {
        const float sum = this->SumOfFive<VActive>(h, r, beside, column, others);
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
      for (int r = 0; r < VRows; ++r)
      {
        const float active = columns[r].value[stages + 2];
        const float passive = others[r].value[stages + 1];
        this->Store(r, VActive == 0 ? active : passive, VActive == 0 ? passive : active);
      }
    }
    m_To += m_PlaneStride;
    this->LoadNext<VActive>(k, columns, others);
    __syncthreads();
  }

  const SorArguments &      m_Arguments;
  typename Tile::Exchange & m_Exchange;
  /** Address of the thread's first row in the planes that are read and written next. */
  const float * m_Value;
  const float * m_Force;
  float *       m_To;
  int           m_Lane;
  int           m_Warp;
  int           m_Y;
  int           m_Begin;
  int           m_End;
  std::int64_t  m_PlaneStride;
  /** Bit r is the first voxel of the pair in row r, bit VRows + r the second: the voxels in the grid, and those that
   * this block writes. */
  unsigned int m_Read = 0;
  unsigned int m_Write = 0;
  Column       m_Even[VRows];
  Column       m_Odd[VRows];
};

template <int VSweeps, int VRows, int VWarps, bool VPairsAligned>
static __global__ void __launch_bounds__(32 * VWarps, 1) SorKernel(const __grid_constant__ SorArguments arguments)
{
  extern __shared__ float sorShared[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  using Exchange = typename SorTile<VSweeps, VRows, VWarps>::Exchange;
  SorMarch<VSweeps, VRows, VWarps, VPairsAligned> march(arguments, *reinterpret_cast<Exchange *>(sorShared));
  march.Run();
}

} // namespace cudaneuro::gpu

#endif
