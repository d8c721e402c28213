// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelTermKernel_cuh
#define cudaneuro_registration_labels_LabelTermKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "cuda/WarpReduce.cuh"
#include "registration/labels/LabelTermFormulas.h"
#include "registration/labels/LabelTermHeads.cuh"

#include <cstdint>
#include <type_traits>

/** The kernels of the label term: the label of each cell, and the force of the labels with their energy. */
namespace cudaneuro
{
namespace
{

/** Shape of a block: a thread per voxel of its tile in a plane, and a warp per row. */
constexpr int labelThreadsX = 32;
constexpr int labelThreadsY = 8;
constexpr int labelThreads = labelThreadsX * labelThreadsY;
/** Blocks per multiprocessor, which limits the registers: occupancy hides the latency of gathers. */
constexpr int labelBlocks = 5;
constexpr int symmetricLabelBlocks = 4;

struct LabelForceArguments
{
  Extent            extent;
  CellGrid          grid;
  const StepState * state;
  LabelSide         moving;
  LabelSide         fixed; // without maps unless both heads move
  LabelWeights      weights;
  /** Factor of the force along each axis; with 0, forces are left as they are. */
  float scale[3];
  int   planesPerBlock;
  /** The sum of each block. */
  double *       sums;
  unsigned int * finishedBlocks; // 0 between launches
  double         perVoxel;       // 1 / number of voxels
  double *       energy;
};

/** The label of all corners of a cell: severalLabels where they differ, and noLabel where one of them has none. */
__device__ __forceinline__ std::uint16_t
                           LabelOfCell(const CornerLabels & corners)
{
  if (corners.HaveGap())
  {
    return static_cast<std::uint16_t>(noLabel);
  }
  return static_cast<std::uint16_t>(corners.DifferenceFrom(corners.at[0]) == 0 ? corners.at[0] : severalLabels);
}

/** cells(x, y, z) = the label of the cell whose lower corner the voxel is; noLabel where there is no such cell. */
static __global__ void
__launch_bounds__(labelThreads)
  LabelCellsKernel(Extent extent, CellGrid grid, const std::uint16_t * labels, std::uint16_t * cells)
{
  const int x = static_cast<int>(blockIdx.x * labelThreadsX + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * labelThreadsY + threadIdx.y);
  if (x >= extent.x || y >= extent.y)
  {
    return;
  }
  const bool isInPlane = x + 1 < extent.x && (y + 1 < extent.y || extent.y == 1);
  for (int z = static_cast<int>(blockIdx.z); z < extent.z; z += static_cast<int>(gridDim.z))
  {
    Cell cell;
    cell.offset = z * grid.plane + y * grid.row + x;
    const bool isCell = isInPlane && (z + 1 < extent.z || extent.z == 1);
    cells[cell.offset] = isCell ? LabelOfCell(CornerLabels(grid, cell, labels)) : static_cast<std::uint16_t>(noLabel);
  }
}

/** A warp's part of a row of voxels, through some planes. Few voxels see several labels, but many rows have such a
 * voxel: their indices are collected, and evaluated 32 at a time, one per lane. */
template <typename TFixedHead>
class LabelRow
{
public:
  __device__ __forceinline__
  LabelRow(const LabelForceArguments & arguments, const TFixedHead & fixed, int y, int * noted)
    : m_Arguments(arguments)
    , m_Moving(arguments.moving, *arguments.state)
    , m_Fixed(fixed)
    , m_FirstX(blockIdx.x * labelThreadsX)
    , m_Y(y)
    , m_Noted(noted)
  {}

  /** \returns this lane's share of the energy of planes [begin, end) */
  __device__ __forceinline__ float
  Run(int begin, int end)
  {
    const int  x = m_FirstX + static_cast<int>(threadIdx.x);
    const bool isInside = x < m_Arguments.extent.x && m_Y < m_Arguments.extent.y;
    const int  inPlane = isInside ? m_Y * m_Arguments.grid.row + x : 0;
    const auto read = [&](const auto & head, int z) {
      return head.Read(min(z, end - 1) * m_Arguments.grid.plane + inPlane);
    };
    const auto labelAt = [&](const auto & head, int z, const auto & first) {
      return head.LabelAt(m_Arguments.grid, { x, m_Y, z }, first);
    };
    int                        ofMoving = labelAt(m_Moving, begin, read(m_Moving, begin));
    int                        ofFixed = labelAt(m_Fixed, begin, read(m_Fixed, begin));
    float3                     nextOfMoving = read(m_Moving, begin + 1);
    typename TFixedHead::First nextOfFixed = read(m_Fixed, begin + 1);
    for (int z = begin; z < end; ++z)
    {
      // Loads are pipelined: while the labels of this plane are compared, those of the next plane are in flight, and so
      // are the displacements of the plane after it, which determine where its labels are.
      const float3                     afterNextOfMoving = read(m_Moving, z + 2);
      const typename TFixedHead::First afterNextOfFixed = read(m_Fixed, z + 2);
      const int                        nextMovingLabel = labelAt(m_Moving, z + 1, nextOfMoving);
      const int                        nextFixedLabel = labelAt(m_Fixed, z + 1, nextOfFixed);
      this->Compare(z, isInside, ofMoving, ofFixed);
      ofMoving = nextMovingLabel;
      ofFixed = nextFixedLabel;
      nextOfMoving = afterNextOfMoving;
      nextOfFixed = afterNextOfFixed;
    }
    this->Compute(0, m_Count);
    return m_Energy;
  }

private:
  /** Adds the energy of voxels where each head has one label, or notes those where one has several. */
  __device__ __forceinline__ void
  Compare(int z, bool isInside, int moving, int fixed)
  {
    const bool isSeen = isInside && moving != noLabel && fixed != noLabel;
    const bool hasSeveral = moving == severalLabels || fixed == severalLabels;
    if (isSeen && moving != fixed && !hasSeveral)
    {
      // Inside cells of one label, the gradient is 0.
      m_Energy += 0.5f * (WeightOf(m_Arguments.weights, moving) + WeightOf(m_Arguments.weights, fixed));
    }
    this->Note(z, isSeen && hasSeveral);
  }

  /** Appends the lanes' voxels of plane \p z that may have a force to the list, in the order of the lanes. */
  __device__ __forceinline__ void
  Note(int z, bool isNoted)
  {
    const unsigned int lanes = __ballot_sync(0xffffffffu, isNoted);
    if (isNoted)
    {
      const unsigned int lower = lanes & ((1u << threadIdx.x) - 1u);
      m_Noted[m_Count + __popc(lower)] = z * labelThreadsX + static_cast<int>(threadIdx.x);
    }
    m_Count += __popc(lanes);
    if (m_Count >= labelThreadsX)
    {
      m_Count -= labelThreadsX;
      this->Compute(m_Count, labelThreadsX);
    }
  }

  /** Evaluates \p count noted voxels from \p first on, one per lane. */
  __device__ __forceinline__ void
  Compute(int first, int count)
  {
    __syncwarp();
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < count)
    {
      const int noted = m_Noted[first + lane];
      this->ComputeVoxel(m_FirstX + noted % labelThreadsX, noted / labelThreadsX);
    }
    __syncwarp();
  }

  __device__ __forceinline__ void
  ComputeVoxel(int x, int z)
  {
    const CellGrid &       grid = m_Arguments.grid;
    const LabelVoxel       voxel{ x, m_Y, z };
    const int              i = z * grid.plane + m_Y * grid.row + x;
    const auto             ofFixed = m_Fixed.Read(i);
    const DeformedLabels   moving = m_Moving.Find(grid, voxel, m_Moving.Read(i));
    const LabelTermOfVoxel term(m_Arguments.weights, moving, m_Fixed.Find(grid, voxel, ofFixed));
    m_Energy += term.energy;
    if (m_Arguments.scale[0] != 0.0f)
    {
      m_Moving.Add(i, m_Arguments.scale, term.ofMoving);
      m_Fixed.Add(i, m_Arguments.scale, term.ofFixed);
    }
  }

  const LabelForceArguments & m_Arguments;
  MovingHead                  m_Moving;
  TFixedHead                  m_Fixed;
  int                         m_FirstX;
  int                         m_Y;
  /** List of noted voxels in shared memory, each as plane * labelThreadsX + lane. */
  int * m_Noted;
  int   m_Count = 0;
  float m_Energy = 0.0f;
};

/** The sum of a block's values, in a fixed order; valid in thread 0. */
__device__ __forceinline__ double
SumOfBlock(double value)
{
  __shared__ double ofWarps[labelThreadsY];
  const auto        add = [](double a, double b) { return a + b; };
  const double      ofWarp = WarpReduce(value, add);
  if (threadIdx.x == 0)
  {
    ofWarps[threadIdx.y] = ofWarp;
  }
  __syncthreads();
  double sum = 0.0;
  if (threadIdx.x == 0 && threadIdx.y == 0)
  {
    for (const double other : ofWarps)
    {
      sum += other;
    }
  }
  __syncthreads();
  return sum;
}

/** Writes the block's part of the energy. The last block to do so adds up all parts, in a fixed order. */
__device__ __forceinline__ void
FinishEnergy(const LabelForceArguments & arguments, float energy)
{
  __shared__ bool    isLast;
  const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
  const unsigned int thread = threadIdx.y * labelThreadsX + threadIdx.x;
  const double       ofBlock = SumOfBlock(static_cast<double>(energy));
  if (thread == 0)
  {
    arguments.sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = ofBlock;
    __threadfence();
    isLast = atomicAdd(arguments.finishedBlocks, 1u) == blocks - 1;
  }
  __syncthreads();
  if (!isLast)
  {
    return;
  }
  __threadfence();
  double sum = 0.0;
  for (unsigned int block = thread; block < blocks; block += labelThreads)
  {
    sum += __ldcg(arguments.sums + block);
  }
  sum = SumOfBlock(sum);
  if (thread == 0)
  {
    *arguments.energy = arguments.perVoxel * sum;
    *arguments.finishedBlocks = 0;
  }
}

/** The force of the labels and their energy.
 *
 * Reads the candidate displacement (12 bytes per voxel), the label of the moving cell at the deformed position (2) and
 * the fixed label (2); where both heads move, also the displacement of the other one (12). Reads the corners of cells,
 * and reads and writes the force, only where a cell has several labels. */
template <bool VBothMove>
static __global__ void
__launch_bounds__(labelThreads, ResidentBlocks(VBothMove ? symmetricLabelBlocks : labelBlocks, labelThreads))
  LabelForceKernel(const __grid_constant__ LabelForceArguments arguments)
{
  // A list holds fewer than a warp of waiting voxels, and a plane adds at most a warp.
  __shared__ int    noted[labelThreadsY][2 * labelThreadsX];
  const StepState & state = *arguments.state;
  if (state.isRunning == 0)
  {
    return;
  }
  const int  begin = static_cast<int>(blockIdx.z) * arguments.planesPerBlock;
  const int  end = min(begin + arguments.planesPerBlock, arguments.extent.z);
  const int  y = static_cast<int>(blockIdx.y * labelThreadsY + threadIdx.y);
  const auto run = [&](const auto & fixed) {
    return LabelRow<std::decay_t<decltype(fixed)>>(arguments, fixed, y, noted[threadIdx.y]).Run(begin, end);
  };
  float energy = 0.0f;
  if constexpr (VBothMove)
  {
    energy = run(MovingHead(arguments.fixed, state));
  }
  else
  {
    energy = run(StillHead{ arguments.fixed.labels });
  }
  FinishEnergy(arguments, energy);
}

} // namespace
} // namespace cudaneuro

#endif
