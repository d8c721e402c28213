// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_RegistrationForceKernel_cuh
#define cudaneuro_registration_step_RegistrationForceKernel_cuh

#include "cuda/DependentLaunch.cuh"
#include "cuda/ResidentBlocks.cuh"
#include "registration/step/ForceNeighbors.cuh"
#include "registration/step/ForceParts.cuh"
#include "registration/step/UnbiasedFormulas.h"

/** The force with the unbiased term. */
namespace cudaneuro
{
namespace
{

/** Blocks per multiprocessor; more would leave too few registers. */
constexpr int forceBlocks = 2;
constexpr int forceTileX = forceThreadsX - 2;
constexpr int forceTileY = forceThreadsY - 2;

/** Shared memory of a block. */
struct ForceTile
{
  DisplacementPlane planes[displacementPlanes];
  /** Stresses along y for the neighbors in y, in double buffers. */
  float stresses[2][3][forceThreads];
};

/** The march of a block through its planes. A thread has one voxel of each plane, in the tile or in the margin of one
 * voxel around it, where only stresses are computed. */
template <ImageForce VImageForce, ForceUse VUse, bool VInPairs>
class ForceMarch
{
public:
  __device__ __forceinline__
  ForceMarch(const ForceArguments & arguments, ForceTile & tile)
    : m_Arguments(arguments)
    , m_Tile(tile)
    , m_Thread(threadIdx.y * forceThreadsX + threadIdx.x)
    , m_X(blockIdx.x * forceTileX + static_cast<int>(threadIdx.x) - 1)
    , m_Y(blockIdx.y * forceTileY + static_cast<int>(threadIdx.y) - 1)
    , m_ZBegin(blockIdx.z * arguments.planesPerBlock)
    , m_ZEnd(min(m_ZBegin + arguments.planesPerBlock, arguments.extent.z))
    , m_First(max(m_ZBegin - 1, 0))
    , m_End(min(m_ZEnd + 1, arguments.extent.z))
    , m_AxisX(m_X, arguments.extent.x)
    , m_AxisY(m_Y, arguments.extent.y)
    , m_IsInTile(threadIdx.x >= 1 && threadIdx.x <= forceTileX && threadIdx.y >= 1 && threadIdx.y <= forceTileY &&
                 m_AxisX.onGrid == m_X && m_AxisY.onGrid == m_Y)
    , m_Displacement(arguments.maps.Candidate(*arguments.state))
    , m_Window{ m_Displacement,
                arguments.extent,
                static_cast<int>(blockIdx.x) * forceTileX - 2,
                static_cast<int>(blockIdx.y) * forceTileY - 2 }
    , m_Loader(m_Window, m_Thread)
    , m_Neighbors(m_AxisX.onGrid, m_AxisY.onGrid, arguments.extent.x, m_Window)
  {}

  __device__ __forceinline__ void
  Run()
  {
    this->Start();
    // One barrier per plane: before it, all neighbors of the plane are read, its stresses are written, and the plane
    // after the next one has arrived.
#pragma unroll(displacementPlanes)
    for (int step = 0; step < m_End - m_First; ++step)
    {
      this->Step(step);
    }
    WriteBlockSums<forceThreads / 32>(
      m_Arguments,
      m_Thread,
      { static_cast<double>(m_ImageEnergy), static_cast<double>(m_BiasEnergy), m_MinimumJacobian });
  }

private:
  /** A plane's buffer in shared memory. Its index is a compile-time constant, as steps count from 0 and the loop is
   * unrolled by the number of buffers. */
  __device__ __forceinline__ DisplacementPlane &
  PlaneOf(int step) const
  {
    return m_Tile.planes[step % displacementPlanes];
  }

  __device__ __forceinline__ void
  LoadPlane(int step) const
  {
    if (m_First + step <= m_End)
    {
      m_Loader.Load(min(m_First + step, m_Arguments.extent.z - 1) * m_Arguments.grid.plane, this->PlaneOf(step));
    }
    __pipeline_commit();
  }

  /** Whether this block writes the force of the voxel in plane \p z. */
  __device__ __forceinline__ bool
  IsOwn(int z) const
  {
    return m_IsInTile && z >= m_ZBegin && z < m_ZEnd;
  }

  __device__ __forceinline__ void
  LoadImage(int z, int voxel, const Vector3 & d)
  {
    m_Image.Load(m_Arguments,
                 this->IsOwn(z),
                 voxel,
                 static_cast<float>(m_X) + d.x,
                 static_cast<float>(m_Y) + d.y,
                 static_cast<float>(z) + d.z);
  }

  __device__ __forceinline__ void
  Start()
  {
    for (int step = 0; step < displacementPlanes; ++step)
    {
      this->LoadPlane(step);
    }
    const Extent & extent = m_Arguments.extent;
    const int      below = (max(m_First - 1, 0) * extent.y + m_AxisY.onGrid) * extent.x + m_AxisX.onGrid;
    m_Below = { m_Displacement.x[below], m_Displacement.y[below], m_Displacement.z[below] };
    __pipeline_wait_prior(planesOnTheirWay);
    __syncthreads();
    m_Own = m_Neighbors.Displacement(this->PlaneOf(0));
    m_Voxel = (m_First * extent.y + m_Y) * extent.x + m_X;
    this->LoadImage(m_First, m_Voxel, m_Own);
  }

  __device__ __forceinline__ void
  Step(int step)
  {
    const int           z = m_First + step;
    const float         scaleZ = z > 0 && z < m_Arguments.extent.z - 1 ? 1.0f : 2.0f;
    const Vector3       above = m_Neighbors.Displacement(this->PlaneOf(step + 1));
    const FieldGradient map =
      m_Neighbors.Map(this->PlaneOf(step), m_Below, above, m_AxisX.Scale(), m_AxisY.Scale(), scaleZ);
    Vector3 force = ImageForceOf<VImageForce, false>(m_Arguments, m_Image, map, m_ImageEnergy);
    this->LoadImage(z + 1, m_Voxel + m_Arguments.grid.plane, above);
    __pipeline_wait_prior(planesOnTheirWay - 1);
    const Vector3 stress = this->AddStresses(step, scaleZ, map, force);
    this->LoadPlane(step + displacementPlanes);
    // In the last plane of the volume, no stress from above is missing.
    if (this->IsOwn(z) && z == m_Arguments.extent.z - 1)
    {
      WriteForce(m_Arguments, m_Voxel, { force.x + stress.x, force.y + stress.y, force.z + stress.z });
    }
    m_Pending = force;
    m_PreviousStress = stress;
    m_Below = m_Own;
    m_Own = above;
    m_Voxel += m_Arguments.grid.plane;
  }

  /** Adds the energy of the bias, and adds to the force the stresses of all neighbors except the one above; completes
   * and writes the force of the previous plane.
   * \returns the stress along z */
  __device__ __forceinline__ Vector3
  AddStresses(int step, float scaleZ, const FieldGradient & map, Vector3 & force)
  {
    const int           z = m_First + step;
    const FieldGradient cofactors = Cofactors(map); // four times the cofactors of the derivative of the map
    const float         jacobian = 0.125f * (map.xx * cofactors.xx + map.xy * cofactors.xy + map.xz * cofactors.xz);
    const BiasTerm      bias = BiasTermOf(jacobian);
    if (this->IsOwn(z))
    {
      m_BiasEnergy += bias.energy;
      // NaN counts as a fold.
      m_MinimumJacobian = fminf(m_MinimumJacobian, jacobian == jacobian ? jacobian : -1.0f);
    }
    const float weight = m_Arguments.stressWeight * bias.derivative;
    const float weightX = weight * m_AxisX.weight;
    const float weightY = weight * m_AxisY.weight;
    const float weightZ = weight * scaleZ;
    auto &      alongY = m_Tile.stresses[step % 2];
    alongY[0][m_Thread] = weightY * cofactors.xy;
    alongY[1][m_Thread] = weightY * cofactors.yy;
    alongY[2][m_Thread] = weightY * cofactors.zy;
    const Vector3 stress{ weightZ * cofactors.xz, weightZ * cofactors.yz, weightZ * cofactors.zz };
    if (VUse == ForceUse::Completed && this->IsOwn(z))
    {
      force = ReadForce(m_Arguments, m_Voxel) + force;
    }
    force.x += DifferenceInWarp(weightX * cofactors.xx);
    force.y += DifferenceInWarp(weightX * cofactors.yx);
    force.z += DifferenceInWarp(weightX * cofactors.zx);
    __syncthreads();
    if (m_IsInTile)
    {
      if (z > m_ZBegin)
      {
        WriteForce(m_Arguments,
                   m_Voxel - m_Arguments.grid.plane,
                   { m_Pending.x - stress.x, m_Pending.y - stress.y, m_Pending.z - stress.z });
      }
      const auto differenceY = [&](int i) {
        return alongY[i][m_Thread - forceThreadsX] - alongY[i][m_Thread + forceThreadsX];
      };
      const bool hasLower = z > 0;
      force.x += differenceY(0) + (hasLower ? m_PreviousStress.x : -stress.x);
      force.y += differenceY(1) + (hasLower ? m_PreviousStress.y : -stress.y);
      force.z += differenceY(2) + (hasLower ? m_PreviousStress.z : -stress.z);
    }
    return stress;
  }

  const ForceArguments & m_Arguments;
  ForceTile &            m_Tile;
  int                    m_Thread;
  int                    m_X;
  int                    m_Y;
  int                    m_ZBegin; // planes whose force the block writes
  int                    m_ZEnd;
  int                    m_First; // planes that it visits, including those whose stresses it needs
  int                    m_End;
  AxisPosition           m_AxisX;
  AxisPosition           m_AxisY;
  bool                   m_IsInTile;
  SoAField               m_Displacement;
  DisplacementWindow     m_Window;
  PlaneLoader<VInPairs>  m_Loader;
  PlaneNeighbors         m_Neighbors;
  ImageSample            m_Image; // values for the next step
  float                  m_ImageEnergy = 0.0f;
  float                  m_BiasEnergy = 0.0f;
  float                  m_MinimumJacobian = 3.4e38f;
  Vector3                m_Pending{};        // force of the previous plane, without the stress of this one
  Vector3                m_PreviousStress{}; // along z, in the previous plane
  Vector3                m_Below;            // displacements in the previous plane and in the next step's plane
  Vector3                m_Own;
  int                    m_Voxel = 0;
};

/** The force of the candidate map with the unbiased term, its energy and its minimum Jacobian determinant.
 *
 * Reads the candidate displacement (12 bytes per voxel), the moving image around the deformed position (4) and the
 * fixed image or the derivative (4); writes the force (12). Each block marches with a tile of 30 x 10 voxels through
 * its planes, keeps displacements of some planes and stresses of two in shared memory, and adds the stresses along z on
 * the way. Where J <= 0 the force is meaningless; DecisionKernel then rejects the candidate. \p VInPairs: rows are of
 * even length. */
template <ImageForce VImageForce, ForceUse VUse, bool VInPairs>
static __global__ void
__launch_bounds__(forceThreads, ResidentBlocks(forceBlocks, forceThreads))
  RegistrationForceKernel(ForceArguments arguments)
{
  extern __shared__ float shared[];
  LetNextKernelBegin();
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  auto & tile = *reinterpret_cast<ForceTile *>(shared);
  ForceMarch<VImageForce, VUse, VInPairs>(arguments, tile).Run();
}

} // namespace
} // namespace cudaneuro

#endif
