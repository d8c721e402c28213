// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LabelTermKernel_cuh
#define cudaneuro_registration_LabelTermKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "cuda/WarpReduce.cuh"
#include "registration/LabelTermFormulas.h"

namespace cudaneuro
{
namespace
{

/** Threads of a block, which are also the voxels of its tile. A warp is a row. */
constexpr int labelThreadsX = 32;
constexpr int labelThreadsY = 8;
constexpr int labelThreads = labelThreadsX * labelThreadsY;
/** Blocks per multiprocessor, which limits the registers: the kernel waits for what it gathers. */
constexpr int labelBlocks = 5;

/** A map that moves, and its labels. */
struct LabelSide
{
  MapPair               maps;
  const std::uint16_t * labels;
  SoAField              force;
};

struct LabelForceArguments
{
  Extent            extent;
  CellGrid          grid;
  const StepState * state;
  LabelSide         moving;
  LabelSide         fixed; // has no maps unless both heads move
  LabelWeights      weights;
  /** What a force is multiplied by; 0 leaves the forces alone. */
  float scale[3];
  int   planesPerBlock;
  /** One per block. */
  double *       sums;
  unsigned int * finishedBlocks; // 0 between launches
  double         perVoxel;       // 1 / number of voxels
  double *       energy;
};

/** Where a voxel is taken to. */
struct LabelPosition
{
  float x;
  float y;
  float z;

  LabelPosition() = default;
  __device__ __forceinline__
  LabelPosition(const SoAField & displacement, int i, int voxelX, int voxelY, int voxelZ)
    : x(static_cast<float>(voxelX) + __ldg(displacement.x + i))
    , y(static_cast<float>(voxelY) + __ldg(displacement.y + i))
    , z(static_cast<float>(voxelZ) + __ldg(displacement.z + i))
  {}
};

/** The labels of a head that does not move. */
struct StillHead
{
  const std::uint16_t * labels;

  /** What is read of a voxel first, and what that leads to. */
  using First = int;
  using Labels = StillLabel;

  __device__ __forceinline__ int
  Read(int i, int, int, int) const
  {
    return __ldg(labels + i);
  }
  __device__ __forceinline__ static bool
  IsSeen(const CellGrid &, int label)
  {
    return label != noLabel;
  }
  __device__ __forceinline__ StillLabel
  Find(const CellGrid &, int label) const
  {
    return { label };
  }
  __device__ __forceinline__ static int
  LabelsOf(const StillLabel & still)
  {
    return still.label;
  }
  __device__ __forceinline__ void
  Add(int, const float (&)[3], const LabelForce &) const
  {}
};

/** The labels of a head that moves. */
struct MovingHead
{
  SoAField              displacement;
  const std::uint16_t * labels;
  SoAField              force;

  using First = LabelPosition;
  using Labels = DeformedLabels;

  __device__ __forceinline__
  MovingHead(const LabelSide & side, const StepState & state)
    : displacement(side.maps.Candidate(state))
    , labels(side.labels)
    , force(side.force)
  {}

  __device__ __forceinline__ LabelPosition
  Read(int i, int x, int y, int z) const
  {
    return { displacement, i, x, y, z };
  }
  __device__ __forceinline__ static bool
  IsSeen(const CellGrid & grid, const LabelPosition & at)
  {
    return grid.Contains(at.x, at.y, at.z);
  }
  __device__ __forceinline__ DeformedLabels
  Find(const CellGrid & grid, const LabelPosition & at) const
  {
    DeformedLabels found;
    found.cell = Cell(grid, at.x, at.y, at.z);
    found.corners = CornerLabels(grid, found.cell, labels);
    return found;
  }
  __device__ __forceinline__ static const CornerLabels &
  LabelsOf(const DeformedLabels & deformed)
  {
    return deformed.corners;
  }
  __device__ __forceinline__ void
  Add(int i, const float (&scale)[3], const LabelForce & added) const
  {
    if (!added.IsZero())
    {
      force.x[i] = fmaf(scale[0], added.x, force.x[i]);
      force.y[i] = fmaf(scale[1], added.y, force.y[i]);
      force.z[i] = fmaf(scale[2], added.z, force.z[i]);
    }
  }
};

/** A warp's part of a row of voxels, which goes through some planes. Few voxels have a term, but most warps have such a
 * voxel: they are noted, and 32 of them are computed at once. */
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
    const int                  x = m_FirstX + static_cast<int>(threadIdx.x);
    const bool                 isInside = x < m_Arguments.extent.x && m_Y < m_Arguments.extent.y;
    const int                  plane = m_Arguments.grid.plane;
    int                        i = begin * plane + (isInside ? m_Y * m_Arguments.grid.row + x : 0);
    LabelPosition              position = m_Moving.Read(i, x, m_Y, begin);
    typename TFixedHead::First ofFixed = m_Fixed.Read(i, x, m_Y, begin);
    for (int z = begin; z < end; ++z)
    {
      // The next plane is on its way while this one's labels are compared.
      i += z + 1 < end ? plane : 0;
      const LabelPosition              nextPosition = m_Moving.Read(i, x, m_Y, z + 1);
      const typename TFixedHead::First nextOfFixed = m_Fixed.Read(i, x, m_Y, z + 1);
      this->Note(z, isInside && this->HasTerm(position, ofFixed));
      position = nextPosition;
      ofFixed = nextOfFixed;
    }
    this->Compute(0, m_Count);
    return m_Energy;
  }

private:
  __device__ __forceinline__ bool
  HasTerm(const LabelPosition & position, const typename TFixedHead::First & ofFixed) const
  {
    const CellGrid & grid = m_Arguments.grid;
    if (!MovingHead::IsSeen(grid, position) || !TFixedHead::IsSeen(grid, ofFixed))
    {
      return false;
    }
    return HasLabelTerm(MovingHead::LabelsOf(m_Moving.Find(grid, position)),
                        TFixedHead::LabelsOf(m_Fixed.Find(grid, ofFixed)));
  }

  /** Notes the lanes' voxels of plane \p z that have a term, in the order of the lanes. */
  __device__ __forceinline__ void
  Note(int z, bool hasTerm)
  {
    const unsigned int lanes = __ballot_sync(0xffffffffu, hasTerm);
    if (hasTerm)
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

  /** Computes \p count noted voxels from \p first on. */
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
    const int              i = z * grid.plane + m_Y * grid.row + x;
    const auto             fixed = m_Fixed.Find(grid, m_Fixed.Read(i, x, m_Y, z));
    const LabelTermOfVoxel term(m_Arguments.weights, m_Moving.Find(grid, m_Moving.Read(i, x, m_Y, z)), fixed);
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
  /** The voxels that are noted, in shared memory: each as plane * labelThreadsX + lane. */
  int * m_Noted;
  int   m_Count = 0;
  float m_Energy = 0.0f;
};

/** The sum of a block's values, in a fixed order; thread 0 has it. */
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
 * Reads the candidate displacement (12 bytes per voxel), the moving labels around the deformed position (2) and the
 * fixed ones (2); where both heads move, the displacement of the other one, too (12). Reads and writes the force (12
 * and 12) only where the labels differ. */
template <bool VBothMove>
static __global__ void
__launch_bounds__(labelThreads, ResidentBlocks(VBothMove ? labelBlocks - 1 : labelBlocks, labelThreads))
  LabelForceKernel(const __grid_constant__ LabelForceArguments arguments)
{
  // Fewer than a warp wait for others, and a plane adds a warp at most.
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
