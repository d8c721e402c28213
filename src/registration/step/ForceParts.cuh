// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_ForceParts_cuh
#define cudaneuro_registration_step_ForceParts_cuh

#include "fields/CellSampler.h"
#include "fields/JacobianFormulas.h"
#include "metrics/JointHistogram.cuh"
#include "registration/step/StepFormulas.h"

/** The parts common to the force kernels with and without the unbiased term. */
namespace cudaneuro
{
namespace
{

/** The source of the images' force. */
enum class ImageForce
{
  /** The difference between moving and fixed image. */
  Difference,
  /** A volume with the derivative of the energy by the deformed image. */
  Derivative,
  /** The slopes of the mutual information, looked up by the bins of the fixed image. */
  Information
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
  /** For ImageForce::Information: the slopes of all pairs of bins in which a voxel can be, and the number of bins. */
  const InformationSlope * slopes;
  int                      bins;
  SoAField                 force;
  ForceSums *              sums;
  /** unbiasedWeight / 8: derivatives are computed doubled, and cofactors four times as large. */
  float stressWeight;
  /** Factor of the images' force. */
  float share;
  float descentScale[3];
  int   planesPerBlock;
};

struct Vector3
{
  float x;
  float y;
  float z;
};

__device__ __forceinline__ Vector3
operator-(const Vector3 & a, const Vector3 & b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

__device__ __forceinline__ Vector3
operator+(const Vector3 & a, const Vector3 & b)
{
  return { a.x + b.x, a.y + b.y, a.z + b.z };
}

/** The position of a thread's voxel on an axis, clamped to the grid. Derivatives are central differences, one-sided
 * at the border. The force takes the transpose f(i) = (w(i - 1) s(i - 1) - w(i + 1) s(i + 1)) / 2 with w = 1 inside
 * and 2 at the border; outside, w s is minus the border's value. */
struct AxisPosition
{
  int onGrid;
  /** Weight of this voxel's stress in the force. */
  float weight;

  __device__ __forceinline__
  AxisPosition(int i, int length)
    : onGrid(min(max(i, 0), length - 1))
    , weight((onGrid > 0 && onGrid < length - 1 ? 1.0f : 2.0f) * (onGrid == i ? 1.0f : -1.0f))
  {}

  /** The factor that makes the neighbors' difference twice the derivative. */
  __device__ __forceinline__ float
  Scale() const
  {
    return fabsf(weight);
  }
};

/** Twice the derivative of the map from the differences between the displacements of the neighbors on each axis. */
__device__ __forceinline__ FieldGradient
TwiceMapGradient(
  const Vector3 & alongX, const Vector3 & alongY, const Vector3 & alongZ, float scaleX, float scaleY, float scaleZ)
{
  FieldGradient map;
  map.xx = fmaf(scaleX, alongX.x, 2.0f);
  map.yx = scaleX * alongX.y;
  map.zx = scaleX * alongX.z;
  map.xy = scaleY * alongY.x;
  map.yy = fmaf(scaleY, alongY.y, 2.0f);
  map.zy = scaleY * alongY.z;
  map.xz = scaleZ * alongZ.x;
  map.yz = scaleZ * alongZ.y;
  map.zz = fmaf(scaleZ, alongZ.z, 2.0f);
  return map;
}

/** The images' values at one voxel, loaded a plane ahead to hide memory latency. */
struct ImageSample
{
  float      other; // NaN where the images have no value or none is needed
  Cell       cell;  // undefined where other is NaN, as are the values
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

/** The derivative of the energy by the deformed image, whose value at the voxel is \p value. */
template <ImageForce VImageForce>
__device__ __forceinline__ float
DerivativeBy(const ForceArguments & arguments, float other, float value)
{
  if constexpr (VImageForce == ImageForce::Difference)
  {
    return value - other;
  }
  if constexpr (VImageForce == ImageForce::Information)
  {
    const gpu::MovingBin fixed(other, arguments.bins);
    const gpu::MovingBin moving(value, arguments.bins);
    const auto           rows = static_cast<unsigned int>(gpu::HistogramRows(arguments.bins));
    const float4         slope =
      __ldg(reinterpret_cast<const float4 *>(arguments.slopes) + (fixed.Second() * rows + moving.Second()));
    return InformationSlope{ slope.x, slope.y, slope.z, slope.w }.At(moving.fraction);
  }
  return other;
}

/** The force from the images, 0 where an image has no value; adds to the energy. Its direction is the gradient of the
 * moving image at the deformed position or, with \p VDeformedGradient, of the deformed image. \p map is twice the
 * derivative of the map. */
template <ImageForce VImageForce, bool VDeformedGradient>
__device__ __forceinline__ Vector3
ImageForceOf(const ForceArguments & arguments, const ImageSample & image, const FieldGradient & map, float & energy)
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
  const float ofVoxel = DerivativeBy<VImageForce>(arguments, image.other, sample.value);
  if (VImageForce == ImageForce::Difference)
  {
    energy = fmaf(0.5f * ofVoxel, ofVoxel, energy);
  }
  const float derivative = arguments.share * ofVoxel;
  Vector3     gradient{ sample.x, sample.y, sample.z };
  if (VDeformedGradient)
  {
    gradient = { 0.5f * (map.xx * sample.x + map.yx * sample.y + map.zx * sample.z),
                 0.5f * (map.xy * sample.x + map.yy * sample.y + map.zy * sample.z),
                 0.5f * (map.xz * sample.x + map.yz * sample.y + map.zz * sample.z) };
  }
  // Products are rounded before they are added, so that two channels at half weight give the bits of one.
  return { __fmul_rn(derivative, gradient.x), __fmul_rn(derivative, gradient.y), __fmul_rn(derivative, gradient.z) };
}

/** Writes the force, multiplied along each axis by descentScale. */
__device__ __forceinline__ void
WriteForce(const ForceArguments & arguments, int i, const Vector3 & force)
{
  arguments.force.x[i] = arguments.descentScale[0] * force.x;
  arguments.force.y[i] = arguments.descentScale[1] * force.y;
  arguments.force.z[i] = arguments.descentScale[2] * force.z;
}

/** The sum of the forces that other channels have written. */
__device__ __forceinline__ Vector3
ReadForce(const ForceArguments & arguments, int i)
{
  return { arguments.force.x[i], arguments.force.y[i], arguments.force.z[i] };
}

/** Writes the force of a channel after the first one, or adds it. */
template <ForceUse VUse>
__device__ __forceinline__ void
LeaveForce(const ForceArguments & arguments, int i, const Vector3 & force)
{
  const Vector3 before = VUse == ForceUse::Added ? ReadForce(arguments, i) : Vector3{ 0.0f, 0.0f, 0.0f };
  arguments.force.x[i] = before.x + force.x;
  arguments.force.y[i] = before.y + force.y;
  arguments.force.z[i] = before.z + force.z;
}

/** Adds up the sums of a block of VWarps warps in a fixed order, and writes them. */
template <int VWarps>
__device__ __forceinline__ void
WriteBlockSums(const ForceArguments & arguments, int thread, ForceSums sums)
{
  __shared__ ForceSums perWarp[VWarps];
  for (int distance = 16; distance > 0; distance /= 2)
  {
    ForceSums other;
    other.imageEnergy = __shfl_down_sync(0xffffffffu, sums.imageEnergy, distance);
    other.biasEnergy = __shfl_down_sync(0xffffffffu, sums.biasEnergy, distance);
    other.minimumJacobian = __shfl_down_sync(0xffffffffu, sums.minimumJacobian, distance);
    sums.Include(other);
  }
  if (thread % 32 == 0)
  {
    perWarp[thread / 32] = sums;
  }
  __syncthreads();
  if (thread == 0)
  {
    for (int warp = 1; warp < VWarps; ++warp)
    {
      sums.Include(perWarp[warp]);
    }
    arguments.sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = sums;
  }
}

} // namespace
} // namespace cudaneuro

#endif
