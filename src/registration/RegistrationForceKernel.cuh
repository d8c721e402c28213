// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceKernel_cuh
#define cudaneuro_registration_RegistrationForceKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "fields/CellSampler.h"
#include "registration/DisplacementRing.cuh"
#include "registration/StepFormulas.h"
#include "registration/UnbiasedFormulas.h"

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
  Extent            extent;
  CellGrid          grid;
  MapPair           maps;
  const StepState * state;
  const float *     moving;
  /** The fixed image, or the derivative. */
  const float * other;
  SoAField      force;
  ForceSums *   sums;
  /** The weight of the bias, for twice a derivative and four times a cofactor. */
  float stressWeight;
  float descentScale[3];
  int   planesPerBlock;
};

/** Blocks that a multiprocessor has room for: more of them would leave too few registers. */
constexpr int forceBlocks = 2;
constexpr int forceTileX = forceThreadsX - 2;
constexpr int forceTileY = forceThreadsY - 2;

struct Vector3
{
  float x;
  float y;
  float z;
};

/** A voxel of a thread on an axis: its position, or the nearest one on the grid. Differences there are central, or one-sided
 * at the border, and the force takes their transpose: half of what the lower neighbor's weighted stress is above the upper
 * one's, where the border's stress counts twice, and beyond the border there is its negative. */
struct AxisPosition
{
  int onGrid;
  /** Of the stress. Its absolute value scales the neighbors' difference to be twice the derivative. */
  float weight;

  __device__ __forceinline__
  AxisPosition(int i, int length)
    : onGrid(min(max(i, 0), length - 1))
    , weight((onGrid > 0 && onGrid < length - 1 ? 1.0f : 2.0f) * (onGrid == i ? 1.0f : -1.0f))
  {}

  /** Of the difference. */
  __device__ __forceinline__ float
  Scale() const
  {
    return fabsf(weight);
  }
};

/** The value, which the compiler is not to compute again in each iteration of a loop. */
__device__ __forceinline__ int
KeptInRegister(int value)
{
  asm("" : "+r"(value));
  return value;
}

/** What the lower lane of a warp has, less what the upper one has. */
__device__ __forceinline__ float
DifferenceInWarp(float value)
{
  return __shfl_up_sync(0xffffffffu, value, 1) - __shfl_down_sync(0xffffffffu, value, 1);
}

/** Where a thread finds its voxel and the neighbors in a plane in shared memory; itself beyond the border along x. Rows
 * beyond the border are there. */
struct PlaneNeighbors
{
  int own;
  int lowerX;
  int upperX;

  __device__ __forceinline__
  PlaneNeighbors(int x, int y, int lengthX, const DisplacementWindow & window)
    : own(KeptInRegister((y - window.firstY) * DisplacementPlane::pitch + x - window.firstX))
    , lowerX(KeptInRegister(x > 0 ? own - 1 : own))
    , upperX(KeptInRegister(x < lengthX - 1 ? own + 1 : own))
  {}

  __device__ __forceinline__ Vector3
  Displacement(const DisplacementPlane & plane) const
  {
    return { plane.values[0][own], plane.values[1][own], plane.values[2][own] };
  }

  /** Twice I - Du, where u of the planes \p below and \p above is the voxel's. */
  __device__ __forceinline__ FieldGradient
  Map(const DisplacementPlane & plane,
      const Vector3 &           below,
      const Vector3 &           above,
      float                     scaleX,
      float                     scaleY,
      float                     scaleZ) const
  {
    const auto alongX = [&](int i) { return plane.values[i][lowerX] - plane.values[i][upperX]; };
    const auto alongY = [&](int i) {
      return plane.values[i][own - DisplacementPlane::pitch] - plane.values[i][own + DisplacementPlane::pitch];
    };
    FieldGradient map;
    map.xx = fmaf(scaleX, alongX(0), 2.0f);
    map.yx = scaleX * alongX(1);
    map.zx = scaleX * alongX(2);
    map.xy = scaleY * alongY(0);
    map.yy = fmaf(scaleY, alongY(1), 2.0f);
    map.zy = scaleY * alongY(2);
    map.xz = scaleZ * (below.x - above.x);
    map.yz = scaleZ * (below.y - above.y);
    map.zz = fmaf(scaleZ, below.z - above.z, 2.0f);
    return map;
  }
};

/** What a voxel needs of the images, loaded a plane ahead: it takes long to come. */
struct ImageSample
{
  float      other; // NaN where the images have no value, or none is wanted
  Cell       cell;  // this and the values are neither set nor used there
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

/** The image's part: adds its energy, and returns its force, 0 where an image has no value. \p map is twice I - Du. */
template <ImageForce VImageForce, bool VDeformedGradient>
__device__ __forceinline__ Vector3
ImageForceOf(const ImageSample & image, const FieldGradient & map, float & energy)
{
  // Comparing with itself leaves out NaN.
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

/** Writes a voxel's force. */
__device__ __forceinline__ void
WriteForce(const ForceArguments & arguments, int i, const Vector3 & force)
{
  arguments.force.x[i] = arguments.descentScale[0] * force.x;
  arguments.force.y[i] = arguments.descentScale[1] * force.y;
  arguments.force.z[i] = arguments.descentScale[2] * force.z;
}

/** What the threads of a block share. */
template <bool VUnbiased>
struct ForceTile
{
  DisplacementPlane planes[displacementPlanes];
  /** Of a plane, for neighbors in y; two planes take turns. */
  float stresses[2][3][VUnbiased ? forceThreads : 1];
};

/** The force of the candidate map, its energy and its least Jacobian determinant.
 *
 * Reads the candidate displacement (12 bytes a voxel), the moving image around the deformed position (4) and the fixed
 * image or the derivative (4); writes the force (12). A block takes a tile of 30 x 10 voxels through its planes, has
 * displacements of some planes and stresses of two in shared memory, and adds the stresses along z on the way.
 * J below or equal to 0 gives nonsense in the force, which nobody uses: the candidate is refused for it.
 * \p VInPairs: rows are of even length. */
template <ImageForce VImageForce, bool VUnbiased, bool VDeformedGradient, bool VInPairs>
static __global__ void
__launch_bounds__(forceThreads, ResidentBlocks(forceBlocks, forceThreads))
  RegistrationForceKernel(ForceArguments arguments)
{
  extern __shared__ float shared[];
  auto &                  tile = *reinterpret_cast<ForceTile<VUnbiased> *>(shared);
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const Extent &     extent = arguments.extent;
  const int          thread = threadIdx.y * forceThreadsX + threadIdx.x;
  const int          x = blockIdx.x * forceTileX + static_cast<int>(threadIdx.x) - 1;
  const int          y = blockIdx.y * forceTileY + static_cast<int>(threadIdx.y) - 1;
  const int          zBegin = blockIdx.z * arguments.planesPerBlock;
  const int          zEnd = min(zBegin + arguments.planesPerBlock, extent.z);
  const AxisPosition axisX(x, extent.x);
  const AxisPosition axisY(y, extent.y);
  const bool         isInTile = threadIdx.x >= 1 && threadIdx.x <= forceTileX && threadIdx.y >= 1 &&
                        threadIdx.y <= forceTileY && axisX.onGrid == x && axisY.onGrid == y;

  // Without stresses, only the block's own planes are needed.
  const int                first = VUnbiased ? max(zBegin - 1, 0) : zBegin;
  const int                end = VUnbiased ? min(zEnd + 1, extent.z) : zEnd;
  const SoAField           displacement = arguments.maps.Candidate(*arguments.state);
  const DisplacementWindow window{
    displacement, extent, static_cast<int>(blockIdx.x) * forceTileX - 2, static_cast<int>(blockIdx.y) * forceTileY - 2
  };
  const PlaneLoader<VInPairs> loader(window, thread);
  // A plane's place is known when the code is compiled: steps are counted from 0, and as many at a time as there are places.
  const auto placeOf = [&](int step) -> DisplacementPlane & { return tile.planes[step % displacementPlanes]; };
  const auto load = [&](int step) {
    if (first + step <= end)
    {
      loader.Load(min(first + step, extent.z - 1) * arguments.grid.plane, placeOf(step));
    }
    __pipeline_commit();
  };
  for (int step = 0; step < displacementPlanes; ++step)
  {
    load(step);
  }
  const int beneath = (max(first - 1, 0) * extent.y + axisY.onGrid) * extent.x + axisX.onGrid;
  Vector3   below{ displacement.x[beneath], displacement.y[beneath], displacement.z[beneath] };
  __pipeline_wait_prior(planesOnTheirWay);
  __syncthreads();

  const PlaneNeighbors neighbors(axisX.onGrid, axisY.onGrid, extent.x, window);
  const auto           isWanted = [&](int z) { return isInTile && z >= zBegin && z < zEnd; };
  ImageSample          image;
  const auto           loadImage = [&](int z, int voxel, const Vector3 & u) {
    image.Load(arguments,
               isWanted(z),
               voxel,
               static_cast<float>(x) - u.x,
               static_cast<float>(y) - u.y,
               static_cast<float>(z) - u.z);
  };

  float   imageEnergy = 0.0f;
  float   biasEnergy = 0.0f;
  float   minimumJacobian = 3.4e38f;
  Vector3 pending{};        // force of the plane before, without what comes from this one
  Vector3 previousStress{}; // along z, of the plane before
  Vector3 own = neighbors.Displacement(placeOf(0));
  int     voxel = (first * extent.y + y) * extent.x + x;
  loadImage(first, voxel, own);
  // One barrier a plane: before it, everything of the plane's neighbors is read, its stresses are written, and the plane
  // after the next one has come.
#pragma unroll(displacementPlanes)
  for (int step = 0; step < end - first; ++step)
  {
    const int           z = first + step;
    const float         scaleZ = z > 0 && z < extent.z - 1 ? 1.0f : 2.0f;
    const Vector3       above = neighbors.Displacement(placeOf(step + 1));
    const FieldGradient map = neighbors.Map(placeOf(step), below, above, axisX.Scale(), axisY.Scale(), scaleZ);
    Vector3             force = ImageForceOf<VImageForce, VDeformedGradient>(image, map, imageEnergy);
    loadImage(z + 1, voxel + arguments.grid.plane, above);
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
      const float weight = arguments.stressWeight * bias.derivative;
      const float weightX = weight * axisX.weight;
      const float weightY = weight * axisY.weight;
      const float weightZ = weight * scaleZ;
      auto &      alongY = tile.stresses[step % 2];
      alongY[0][thread] = weightY * cofactors.xy;
      alongY[1][thread] = weightY * cofactors.yy;
      alongY[2][thread] = weightY * cofactors.zy;
      stress = { weightZ * cofactors.xz, weightZ * cofactors.yz, weightZ * cofactors.zz };
      force.x += DifferenceInWarp(weightX * cofactors.xx);
      force.y += DifferenceInWarp(weightX * cofactors.yx);
      force.z += DifferenceInWarp(weightX * cofactors.zx);
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
        const auto differenceY = [&](int i) {
          return alongY[i][thread - forceThreadsX] - alongY[i][thread + forceThreadsX];
        };
        const bool hasLower = z > 0;
        force.x += differenceY(0) + (hasLower ? previousStress.x : -stress.x);
        force.y += differenceY(1) + (hasLower ? previousStress.y : -stress.y);
        force.z += differenceY(2) + (hasLower ? previousStress.z : -stress.z);
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
    load(step + displacementPlanes);
    // Without stresses nothing is pending, and the last plane of the volume has nothing to wait for.
    if (isWanted(z) && (!VUnbiased || z == extent.z - 1))
    {
      WriteForce(arguments, voxel, { force.x + stress.x, force.y + stress.y, force.z + stress.z });
    }
    pending = force;
    previousStress = stress;
    below = own;
    own = above;
    voxel += arguments.grid.plane;
  }

  ForceSums sums{ static_cast<double>(imageEnergy), static_cast<double>(biasEnergy), minimumJacobian };
  ReduceBlock(sums);
  if (thread == 0)
  {
    arguments.sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = sums;
  }
}

} // namespace
} // namespace cudaneuro

#endif
