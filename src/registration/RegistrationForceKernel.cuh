// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceKernel_cuh
#define cudaneuro_registration_RegistrationForceKernel_cuh

#include "CellSampler.h"
#include "LevelState.cuh"
#include "ResidentBlocks.cuh"
#include "UnbiasedFormulas.h"

#include <cuda_pipeline.h>

namespace cudaneuro
{
namespace
{

/** Where the force of the images comes from. */
enum class ImageForce
{
  /** The difference of moving image and fixed image. */
  Difference,
  /** A volume that has the derivative of the energy by the deformed image already. */
  Derivative
};

struct ForceArguments
{
  Extent             extent;
  CellGrid           grid;
  CandidatePair      displacements;
  const LevelState * state;
  const float *      moving;
  /** The fixed image, or the derivative. */
  const float *  other;
  PlanarField    force;
  ForcePartial * partials;
  /** The weight of the bias, for twice a derivative and four times a cofactor. */
  float stressWeight;
  float metric[3];
  int   planesPerBlock;
};

/** Threads of a block: one a voxel of a plane of its tile and of a margin of one voxel around it, where only stresses are
 * computed, for the tile's own. */
constexpr int forceThreadsX = 32;
constexpr int forceThreadsY = 12;
constexpr int forceThreads = forceThreadsX * forceThreadsY;
/** Blocks that a multiprocessor has room for: more of them would leave too few registers. */
constexpr int forceBlocks = 2;
constexpr int forceTileX = forceThreadsX - 2;
constexpr int forceTileY = forceThreadsY - 2;

/** The displacements of a plane around the tile, with a margin of two voxels. */
struct DisplacementPlane
{
  static constexpr int pitch = forceThreadsX + 2;
  static constexpr int count = pitch * (forceThreadsY + 2);

  float values[3][count];
};

/** Planes in shared memory: three that are read, three on their way; a power of 2. */
constexpr int displacementPlanes = 8;
constexpr int planesOnTheirWay = 3;

/** What a thread copies of each plane: one value a component, or two; the edge is repeated. */
class PlaneLoader
{
public:
  __device__ __forceinline__
  PlaneLoader(const ForceArguments & arguments, int firstX, int firstY, int thread)
    : m_Field(arguments.displacements.Candidate(*arguments.state))
    , m_LastPlane(arguments.extent.z - 1)
    , m_PlaneVoxels(arguments.grid.plane)
    , m_Thread(thread)
    , m_First(OffsetOf(arguments.extent, firstX, firstY, thread))
    , m_Second(OffsetOf(arguments.extent, firstX, firstY, min(thread + forceThreads, DisplacementPlane::count - 1)))
  {}

  /** Starts to copy plane \p z to its place among the planes. */
  __device__ __forceinline__ void
  Load(int z, DisplacementPlane * planes) const
  {
    const int plane = min(max(z, 0), m_LastPlane) * m_PlaneVoxels;
    float *   to = planes[z & (displacementPlanes - 1)].values[0] + m_Thread;
    this->Copy(plane + m_First, to);
    if (m_Thread < DisplacementPlane::count - forceThreads)
    {
      this->Copy(plane + m_Second, to + forceThreads);
    }
    __pipeline_commit();
  }

private:
  __device__ __forceinline__ static int
  OffsetOf(const Extent & extent, int firstX, int firstY, int i)
  {
    const int x = min(max(firstX + i % DisplacementPlane::pitch, 0), extent.x - 1);
    const int y = min(max(firstY + i / DisplacementPlane::pitch, 0), extent.y - 1);
    return y * extent.x + x;
  }

  __device__ __forceinline__ void
  Copy(int from, float * to) const
  {
    __pipeline_memcpy_async(to, m_Field.x + from, sizeof(float));
    __pipeline_memcpy_async(to + DisplacementPlane::count, m_Field.y + from, sizeof(float));
    __pipeline_memcpy_async(to + 2 * DisplacementPlane::count, m_Field.z + from, sizeof(float));
  }

  PlanarField m_Field;
  int         m_LastPlane;
  int         m_PlaneVoxels;
  int         m_Thread;
  int         m_First;
  int         m_Second;
};

struct Vector3
{
  float x;
  float y;
  float z;
};

/** Where a voxel is on its axis, for differences of neighbours that are one-sided at the border, and their transpose. */
template <bool VInterior>
struct AxisPosition
{
  int   lower; // way to the lower neighbour; 0 where there is none
  int   upper;
  float scale;     // of the difference, to be twice the derivative
  float lowerSign; // beyond the border is minus the voxel's own
  float upperSign;

  __device__ __forceinline__
  AxisPosition(int i, int length, int step)
    : lower(i > 0 ? -step : 0)
    , upper(i < length - 1 ? step : 0)
    , scale(i > 0 && i < length - 1 ? 1.0f : 2.0f)
    , lowerSign(i > 0 ? 1.0f : -1.0f)
    , upperSign(i < length - 1 ? 1.0f : -1.0f)
  {}

  /** Minus twice the derivative. */
  __device__ __forceinline__ float
  Difference(const float * values) const
  {
    return scale * (values[lower] - values[upper]);
  }

  __device__ __forceinline__ float
  Divergence(const float * stresses) const
  {
    return fmaf(lowerSign, stresses[lower], -upperSign * stresses[upper]);
  }
};

/** The same away from the border. */
template <>
struct AxisPosition<true>
{
  static constexpr float scale = 1.0f;
  int                    step;

  __device__ __forceinline__
  AxisPosition(int, int, int stepToNeighbour)
    : step(stepToNeighbour)
  {}

  __device__ __forceinline__ float
  Difference(const float * values) const
  {
    return values[-step] - values[step];
  }

  __device__ __forceinline__ float
  Divergence(const float * stresses) const
  {
    return stresses[-step] - stresses[step];
  }
};

/** What a voxel needs of the images, loaded a plane ahead: it takes long to come. */
struct ImageSample
{
  bool       isInside;
  float      other;
  Cell       cell; // this and the values are neither set nor used outside
  CellValues values;

  __device__ __forceinline__ void
  Load(const ForceArguments & arguments, bool isWanted, int voxel, float x, float y, float z)
  {
    isInside = isWanted && arguments.grid.Contains(x, y, z);
    if (isInside)
    {
      other = __ldg(arguments.other + voxel);
      cell = Cell(arguments.grid, x, y, z);
      values = cell.Load(arguments.grid, arguments.moving);
    }
  }
};

/** The image's part: adds its energy, and returns its force, 0 where an image has no value. \p map is twice I - Du. */
template <ImageForce VImageForce, bool VDeformedGradient>
__device__ __forceinline__ Vector3
ImageForceOf(const ImageSample & image, const FieldGradient & map, float & energy)
{
  const ValueAndGradient sample = image.cell.InterpolateWithGradient(image.values);
  const float            derivative = VImageForce == ImageForce::Difference ? sample.value - image.other : image.other;
  // Comparing with itself leaves out NaN, which a difference hands on.
  const bool hasValue = VImageForce == ImageForce::Difference || sample.value == sample.value;
  if (!image.isInside || !(derivative == derivative) || !hasValue)
  {
    return { 0.0f, 0.0f, 0.0f };
  }
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

/** Sums and least value over the block, in a fixed order; the result is thread 0's. */
__device__ __forceinline__ void
ReduceBlock(ForcePartial & partial)
{
  constexpr int           warps = forceThreadsX * forceThreadsY / 32;
  __shared__ ForcePartial perWarp[warps];
  const auto              combine = [](ForcePartial & into, const ForcePartial & from) {
    into.imageEnergy += from.imageEnergy;
    into.biasEnergy += from.biasEnergy;
    into.minimumJacobian = fminf(into.minimumJacobian, from.minimumJacobian);
  };
  for (int distance = 16; distance > 0; distance /= 2)
  {
    ForcePartial other;
    other.imageEnergy = __shfl_down_sync(0xffffffffu, partial.imageEnergy, distance);
    other.biasEnergy = __shfl_down_sync(0xffffffffu, partial.biasEnergy, distance);
    other.minimumJacobian = __shfl_down_sync(0xffffffffu, partial.minimumJacobian, distance);
    combine(partial, other);
  }
  if (threadIdx.x == 0)
  {
    perWarp[threadIdx.y] = partial;
  }
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
  {
    for (int warp = 1; warp < warps; ++warp)
    {
      combine(partial, perWarp[warp]);
    }
  }
}

/** Writes a voxel's force. */
__device__ __forceinline__ void
WriteForce(const ForceArguments & arguments, int i, const Vector3 & force)
{
  arguments.force.x[i] = arguments.metric[0] * force.x;
  arguments.force.y[i] = arguments.metric[1] * force.y;
  arguments.force.z[i] = arguments.metric[2] * force.z;
}

/** What the threads of a block share. */
template <bool VUnbiased>
struct ForceTile
{
  DisplacementPlane planes[displacementPlanes];
  /** Of a plane, for neighbours in x and in y: [axis][component][y][x]; two planes take turns. */
  float stresses[2][VUnbiased ? 6 * forceThreads : 1];
};

/** RegistrationForceKernel for a block; \p VInterior: its tile and margin are away from the border in x and y. */
template <ImageForce VImageForce, bool VUnbiased, bool VDeformedGradient, bool VInterior>
__device__ __forceinline__ ForcePartial
ForceOfBlock(const ForceArguments & arguments, ForceTile<VUnbiased> & tile)
{
  const Extent & extent = arguments.extent;
  const int      thread = threadIdx.y * forceThreadsX + threadIdx.x;
  const int      x = blockIdx.x * forceTileX + static_cast<int>(threadIdx.x) - 1;
  const int      y = blockIdx.y * forceTileY + static_cast<int>(threadIdx.y) - 1;
  const int      zBegin = blockIdx.z * arguments.planesPerBlock;
  const int      zEnd = min(zBegin + arguments.planesPerBlock, extent.z);
  const bool     isOnGrid = VInterior || (x >= 0 && x < extent.x && y >= 0 && y < extent.y);
  const bool     isInTile =
    isOnGrid && threadIdx.x >= 1 && threadIdx.x <= forceTileX && threadIdx.y >= 1 && threadIdx.y <= forceTileY;
  const AxisPosition<VInterior> axisX(x, extent.x, 1);
  const AxisPosition<VInterior> axisY(y, extent.y, DisplacementPlane::pitch);
  const int                     ownInPlane = (threadIdx.y + 1) * DisplacementPlane::pitch + threadIdx.x + 1;
  PlaneLoader                   loader(arguments, blockIdx.x * forceTileX - 2, blockIdx.y * forceTileY - 2, thread);

  // Without stresses, only the block's own planes are needed.
  const int first = VUnbiased ? max(zBegin - 1, 0) : zBegin;
  const int end = VUnbiased ? min(zEnd + 1, extent.z) : zEnd;

  float   imageEnergy = 0.0f;
  float   biasEnergy = 0.0f;
  float   minimumJacobian = 3.4e38f;
  Vector3 pending{};        // force of the plane before, without what comes from this one
  Vector3 previousStress{}; // along z, of the plane before

  for (int z = first - 1; z <= first + 1 + planesOnTheirWay; ++z)
  {
    loader.Load(z, tile.planes);
  }
  __pipeline_wait_prior(planesOnTheirWay);
  __syncthreads();
  const auto  planeAt = [&](int plane) { return tile.planes[plane & (displacementPlanes - 1)].values[0] + ownInPlane; };
  const auto  isWanted = [&](int plane) { return isInTile && plane >= zBegin && plane < zEnd; };
  ImageSample image;
  const auto  loadImage = [&](int plane, int voxel) {
    const float * const at = planeAt(plane);
    image.Load(arguments,
               isWanted(plane),
               voxel,
               static_cast<float>(x) - at[0],
               static_cast<float>(y) - at[DisplacementPlane::count],
               static_cast<float>(plane) - at[2 * DisplacementPlane::count]);
  };
  int voxel = (first * extent.y + y) * extent.x + x;
  loadImage(first, voxel);
  // One barrier a plane: before it, everything of the plane's neighbours is read, its stresses are written, and the plane
  // after the next one has come.
  for (int z = first; z < end; ++z, voxel += arguments.grid.plane)
  {
    const float * const ownAt = planeAt(z);
    const float * const below = planeAt(z - 1);
    const float * const above = planeAt(z + 1);
    const float         scaleZ = z > 0 && z < extent.z - 1 ? 1.0f : 2.0f;
    FieldGradient       map; // twice I - Du
    {
      const auto along = [&](int component, float & dx, float & dy, float & dz) {
        const int at = component * DisplacementPlane::count;
        dx = axisX.Difference(ownAt + at);
        dy = axisY.Difference(ownAt + at);
        dz = scaleZ * (below[at] - above[at]);
      };
      along(0, map.xx, map.xy, map.xz);
      along(1, map.yx, map.yy, map.yz);
      along(2, map.zx, map.zy, map.zz);
      map.xx += 2.0f;
      map.yy += 2.0f;
      map.zz += 2.0f;
    }
    Vector3 force{};
    if (isWanted(z))
    {
      force = ImageForceOf<VImageForce, VDeformedGradient>(image, map, imageEnergy);
    }
    loadImage(z + 1, voxel + arguments.grid.plane);
    // The plane after the next one has come when two are still on their way.
    __pipeline_wait_prior(planesOnTheirWay - 1);
    Vector3 stress{};
    if (VUnbiased)
    {
      const FieldGradient cofactors = Cofactors(map); // four times those of I - Du
      const float         jacobian = 0.125f * (map.xx * cofactors.xx + map.xy * cofactors.xy + map.xz * cofactors.xz);
      const BiasTerm      bias = BiasTermOf(jacobian);
      if (isWanted(z))
      {
        biasEnergy += bias.energy;
        minimumJacobian = fminf(minimumJacobian, jacobian);
      }
      const float   weight = arguments.stressWeight * bias.derivative;
      const float   weightX = weight * axisX.scale;
      const float   weightY = weight * axisY.scale;
      const float   weightZ = weight * scaleZ;
      float * const toX = tile.stresses[z & 1] + thread;
      float * const toY = toX + 3 * forceThreads;
      toX[0] = weightX * cofactors.xx;
      toX[forceThreads] = weightX * cofactors.yx;
      toX[2 * forceThreads] = weightX * cofactors.zx;
      toY[0] = weightY * cofactors.xy;
      toY[forceThreads] = weightY * cofactors.yy;
      toY[2 * forceThreads] = weightY * cofactors.zy;
      stress = { weightZ * cofactors.xz, weightZ * cofactors.yz, weightZ * cofactors.zz };
      __syncthreads();
      if (isInTile)
      {
        // What this plane gives to the one before it, which is then complete.
        if (z > zBegin)
        {
          WriteForce(arguments,
                     voxel - arguments.grid.plane,
                     { pending.x - stress.x, pending.y - stress.y, pending.z - stress.z });
        }
        const AxisPosition<VInterior> rowAxisY(y, extent.y, forceThreadsX);
        force.x += axisX.Divergence(toX) + rowAxisY.Divergence(toY);
        force.y += axisX.Divergence(toX + forceThreads) + rowAxisY.Divergence(toY + forceThreads);
        force.z += axisX.Divergence(toX + 2 * forceThreads) + rowAxisY.Divergence(toY + 2 * forceThreads);
        const bool hasLower = z > 0;
        force.x += hasLower ? previousStress.x : -stress.x;
        force.y += hasLower ? previousStress.y : -stress.y;
        force.z += hasLower ? previousStress.z : -stress.z;
      }
    }
    else
    {
      if (isInTile)
      {
        minimumJacobian = fminf(minimumJacobian, 0.125f * Determinant(map));
      }
      __syncthreads();
    }
    loader.Load(z + 2 + planesOnTheirWay, tile.planes);
    // Without stresses nothing is pending, and the last plane of the volume has nothing to wait for.
    if (isWanted(z) && (!VUnbiased || z == extent.z - 1))
    {
      WriteForce(arguments, voxel, { force.x + stress.x, force.y + stress.y, force.z + stress.z });
    }
    pending = force;
    previousStress = stress;
  }
  return { static_cast<double>(imageEnergy), static_cast<double>(biasEnergy), minimumJacobian };
}

/** The force of the candidate map, its energy and its least Jacobian determinant.
 *
 * Reads the candidate displacement (12 bytes a voxel), the moving image around the deformed position (4) and the fixed
 * image or the derivative (4); writes the force (12). A block takes a tile of 30 x 10 voxels through its planes, has
 * displacements of some planes and stresses of two in shared memory, and adds the stresses along z on the way.
 * J below or equal to 0 gives nonsense in the force, which nobody uses: the candidate is refused for it. */
template <ImageForce VImageForce, bool VUnbiased, bool VDeformedGradient>
static __global__ void
__launch_bounds__(forceThreads, ResidentBlocks(forceBlocks, forceThreads))
  RegistrationForceKernel(ForceArguments arguments)
{
  extern __shared__ float shared[];
  auto &                  tile = *reinterpret_cast<ForceTile<VUnbiased> *>(shared);
  if (arguments.state->run == 0)
  {
    return;
  }
  const bool isInterior = blockIdx.x > 0 && blockIdx.x * forceTileX + forceTileX + 1 < arguments.extent.x &&
                          blockIdx.y > 0 && blockIdx.y * forceTileY + forceTileY + 1 < arguments.extent.y;
  ForcePartial partial = isInterior ? ForceOfBlock<VImageForce, VUnbiased, VDeformedGradient, true>(arguments, tile)
                                    : ForceOfBlock<VImageForce, VUnbiased, VDeformedGradient, false>(arguments, tile);
  ReduceBlock(partial);
  if (threadIdx.x == 0 && threadIdx.y == 0)
  {
    arguments.partials[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = partial;
  }
}

} // namespace
} // namespace cudaneuro

#endif
