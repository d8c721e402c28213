// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceKernel_cuh
#define cudaneuro_registration_RegistrationForceKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "fields/CellSampler.h"
#include "registration/ForceNeighbors.cuh"
#include "registration/StepFormulas.h"
#include "registration/UnbiasedFormulas.h"

namespace cudaneuro
{
namespace
{

/** Source of the force from the images. */
enum class ImageForce
{
  /** The difference between moving and fixed image. */
  Difference,
  /** A volume with the derivative of the energy by the deformed image. */
  Derivative
};

struct ForceArguments
{
  Extent            extent;
  CellGrid          grid;
  MapPair           maps;
  const StepState * state;
  const float *     moving;
  /** The fixed image or the derivative. */
  const float * other;
  SoAField      force;
  ForceSums *   sums;
  /** unbiasedWeight / 8: derivatives come doubled, and cofactors four times as large. */
  float stressWeight;
  float descentScale[3];
  int   planesPerBlock;
};

/** Blocks per multiprocessor; more would leave too few registers. */
constexpr int forceBlocks = 2;
constexpr int forceTileX = forceThreadsX - 2;
constexpr int forceTileY = forceThreadsY - 2;

/** Values of the images for one voxel, loaded a plane ahead to hide memory latency. */
struct ImageSample
{
  float      other; // NaN where the images have no value or none is wanted
  Cell       cell;  // undefined there, as the values are
  CellValues values;

  __device__ __forceinline__ void
  Load(const ForceArguments & arguments, bool isWanted, int voxel, float x, float y, float z)
  {
    other = __int_as_float(0x7fffffff);
    if (isWanted && arguments.grid.Contains(x, y, z))
    {
      other = __ldg(arguments.other + voxel);
      cell = Cell(arguments.grid, x, y, z);
      values = cell.Load(arguments.grid, arguments.moving);
    }
  }
};

/** The force from the images, 0 where an image has no value; adds to the energy. \p map is twice the derivative of
 * the map. */
template <ImageForce VImageForce, bool VDeformedGradient>
__device__ __forceinline__ Vector3
ImageForceOf(const ImageSample & image, const FieldGradient & map, float & energy)
{
  // NaN is unequal to itself.
  if (!(image.other == image.other))
  {
    return { 0.0f, 0.0f, 0.0f };
  }
  const ValueAndGradient sample = image.cell.InterpolateWithGradient(image.values);
  if (!(sample.value == sample.value))
  {
    return { 0.0f, 0.0f, 0.0f };
  }
  const float derivative = VImageForce == ImageForce::Difference ? sample.value - image.other : image.other;
  if (VImageForce == ImageForce::Difference)
  {
    energy = fmaf(0.5f * derivative, derivative, energy);
  }
  Vector3 gradient{ sample.x, sample.y, sample.z };
  if (VDeformedGradient)
  {
    gradient = { 0.5f * (map.xx * sample.x + map.yx * sample.y + map.zx * sample.z),
                 0.5f * (map.xy * sample.x + map.yy * sample.y + map.zy * sample.z),
                 0.5f * (map.xz * sample.x + map.yz * sample.y + map.zz * sample.z) };
  }
  return { derivative * gradient.x, derivative * gradient.y, derivative * gradient.z };
}

/** Sums over the block in a fixed order; the result is that of thread 0. */
__device__ __forceinline__ void
ReduceBlock(ForceSums & sums)
{
  constexpr int        warps = forceThreadsX * forceThreadsY / 32;
  __shared__ ForceSums perWarp[warps];
  for (int distance = 16; distance > 0; distance /= 2)
  {
    ForceSums other;
    other.imageEnergy = __shfl_down_sync(0xffffffffu, sums.imageEnergy, distance);
    other.biasEnergy = __shfl_down_sync(0xffffffffu, sums.biasEnergy, distance);
    other.minimumJacobian = __shfl_down_sync(0xffffffffu, sums.minimumJacobian, distance);
    sums.Include(other);
  }
  if (threadIdx.x == 0)
  {
    perWarp[threadIdx.y] = sums;
  }
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
  {
    for (int warp = 1; warp < warps; ++warp)
    {
      sums.Include(perWarp[warp]);
    }
  }
}

__device__ __forceinline__ void
WriteForce(const ForceArguments & arguments, int i, const Vector3 & force)
{
  arguments.force.x[i] = arguments.descentScale[0] * force.x;
  arguments.force.y[i] = arguments.descentScale[1] * force.y;
  arguments.force.z[i] = arguments.descentScale[2] * force.z;
}

/** Shared memory of a block. */
template <bool VUnbiased>
struct ForceTile
{
  DisplacementPlane planes[displacementPlanes];
  /** Stresses along y for the neighbors in y; two planes take turns. */
  float stresses[2][3][VUnbiased ? forceThreads : 1];
};

/** The march of a block through its planes. A thread has one voxel of each plane, of the tile or of the margin of one
 * voxel around it, where only stresses are computed. */
template <ImageForce VImageForce, bool VUnbiased, bool VDeformedGradient, bool VInPairs>
class ForceMarch
{
public:
  __device__ __forceinline__
  ForceMarch(const ForceArguments & arguments, ForceTile<VUnbiased> & tile)
    : m_Arguments(arguments)
    , m_Tile(tile)
    , m_Thread(threadIdx.y * forceThreadsX + threadIdx.x)
    , m_X(blockIdx.x * forceTileX + static_cast<int>(threadIdx.x) - 1)
    , m_Y(blockIdx.y * forceTileY + static_cast<int>(threadIdx.y) - 1)
    , m_ZBegin(blockIdx.z * arguments.planesPerBlock)
    , m_ZEnd(min(m_ZBegin + arguments.planesPerBlock, arguments.extent.z))
    , m_First(VUnbiased ? max(m_ZBegin - 1, 0) : m_ZBegin)
    , m_End(VUnbiased ? min(m_ZEnd + 1, arguments.extent.z) : m_ZEnd)
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
    ForceSums sums{ static_cast<double>(m_ImageEnergy), static_cast<double>(m_BiasEnergy), m_MinimumJacobian };
    ReduceBlock(sums);
    if (m_Thread == 0)
    {
      m_Arguments.sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = sums;
    }
  }

private:
  /** The place of a plane in shared memory. The compiler knows it, as steps count from 0 and loops are unrolled by the
   * number of places. */
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
    Vector3 force = ImageForceOf<VImageForce, VDeformedGradient>(m_Image, map, m_ImageEnergy);
    this->LoadImage(z + 1, m_Voxel + m_Arguments.grid.plane, above);
    __pipeline_wait_prior(planesOnTheirWay - 1);
    Vector3 stress{};
    if (VUnbiased)
    {
      stress = this->AddStresses(step, scaleZ, map, force);
    }
    else
    {
      if (m_IsInTile)
      {
        m_MinimumJacobian = fminf(m_MinimumJacobian, 0.125f * Determinant(map));
      }
      __syncthreads();
    }
    this->LoadPlane(step + displacementPlanes);
    // Without stresses the force is complete; so it is in the last plane of the volume.
    if (this->IsOwn(z) && (!VUnbiased || z == m_Arguments.extent.z - 1))
    {
      WriteForce(m_Arguments, m_Voxel, { force.x + stress.x, force.y + stress.y, force.z + stress.z });
    }
    m_Pending = force;
    m_PreviousStress = stress;
    m_Below = m_Own;
    m_Own = above;
    m_Voxel += m_Arguments.grid.plane;
  }

  /** Adds the energy of the bias, and to the force the stresses of the neighbors but for the one above; completes and
   * writes the force of the plane before.
   * \returns the stress along z. */
  __device__ __forceinline__ Vector3
  AddStresses(int step, float scaleZ, const FieldGradient & map, Vector3 & force)
  {
    const int           z = m_First + step;
    const FieldGradient cofactors = Cofactors(map); // four times those of the derivative of the map
    const float         jacobian = 0.125f * (map.xx * cofactors.xx + map.xy * cofactors.xy + map.xz * cofactors.xz);
    const BiasTerm      bias = BiasTermOf(jacobian);
    if (this->IsOwn(z))
    {
      m_BiasEnergy += bias.energy;
      m_MinimumJacobian = fminf(m_MinimumJacobian, jacobian);
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
  ForceTile<VUnbiased> & m_Tile;
  int                    m_Thread;
  int                    m_X;
  int                    m_Y;
  int                    m_ZBegin; // planes whose force the block writes
  int                    m_ZEnd;
  int                    m_First; // planes that it goes through, with those whose stresses it needs
  int                    m_End;
  AxisPosition           m_AxisX;
  AxisPosition           m_AxisY;
  bool                   m_IsInTile;
  SoAField               m_Displacement;
  DisplacementWindow     m_Window;
  PlaneLoader<VInPairs>  m_Loader;
  PlaneNeighbors         m_Neighbors;
  ImageSample            m_Image; // of the plane that the next step takes
  float                  m_ImageEnergy = 0.0f;
  float                  m_BiasEnergy = 0.0f;
  float                  m_MinimumJacobian = 3.4e38f;
  Vector3                m_Pending{};        // force of the plane before, but for the stress of this one
  Vector3                m_PreviousStress{}; // along z, of the plane before
  Vector3                m_Below;            // displacements of the planes before and at the next step
  Vector3                m_Own;
  int                    m_Voxel = 0;
};

/** The force of the candidate map, its energy and its least Jacobian determinant.
 *
 * Reads the candidate displacement (12 bytes per voxel), the moving image around the deformed position (4) and the
 * fixed image or the derivative (4); writes the force (12). A block marches with a tile of 30 x 10 voxels through
 * its planes, keeps displacements of some planes and stresses of two in shared memory, and adds the stresses along z
 * on the way. Where J <= 0 the force is meaningless; AcceptStepKernel then rejects the candidate. \p VInPairs: rows
 * are of even length. */
template <ImageForce VImageForce, bool VUnbiased, bool VDeformedGradient, bool VInPairs>
static __global__ void
__launch_bounds__(forceThreads, ResidentBlocks(forceBlocks, forceThreads))
  RegistrationForceKernel(ForceArguments arguments)
{
  extern __shared__ float shared[];
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  auto & tile = *reinterpret_cast<ForceTile<VUnbiased> *>(shared);
  ForceMarch<VImageForce, VUnbiased, VDeformedGradient, VInPairs>(arguments, tile).Run();
}

} // namespace
} // namespace cudaneuro

#endif
