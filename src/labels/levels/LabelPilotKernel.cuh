// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelPilotKernel_cuh
#define cudaneuro_labels_levels_LabelPilotKernel_cuh

#include "core/SoAField.h"
#include "labels/levels/LabelLevelsKernel.cuh"
#include "labels/levels/LabelPilot.h"

/** Kernels of the Gaussian that smooths a label initially. */
namespace cudaneuro::gpu
{

/** Weighted sums over labels inside, and over all labels, for all versions. */
struct alignas(16) PilotSums
{
  float4 inside;
  float4 all;
};

__device__ __forceinline__ void
AddScaled(float weight, const float4 & from, float4 & into)
{
  into.x += weight * from.x;
  into.y += weight * from.y;
  into.z += weight * from.z;
  into.w += weight * from.w;
}

__device__ __forceinline__ PilotSums
SumsOf(unsigned int code)
{
  const float4 all = make_float4(IsUsed(code, 0) ? 1.0f : 0.0f,
                                 IsUsed(code, 1) ? 1.0f : 0.0f,
                                 IsUsed(code, 2) ? 1.0f : 0.0f,
                                 IsUsed(code, 3) ? 1.0f : 0.0f);
  const bool isInside = (code & isInsideBit) != 0;
  return { isInside ? all : make_float4(0.0f, 0.0f, 0.0f, 0.0f), all };
}

/** A Gaussian along an axis of the box. */
struct DeviceAxis
{
  const float * weights;
  int           radius;
  /** Number of voxels along the axis. */
  int size;
  /** Fraction of voxels beyond the box that have a label. */
  float background;
  /** Number of the box's voxels per voxel of the image, along each axis. */
  int division[3];
};

/** The Gaussian at place i; from(j) returns the sums at place j. */
template <typename TFrom>
__device__ __forceinline__ PilotSums
SmoothedAt(const DeviceAxis & axis, int i, float background, const TFrom & from)
{
  PilotSums sums{};
  float     beyond = 1.0f;
  const int first = max(i - axis.radius, 0);
  const int last = min(i + axis.radius, axis.size - 1);
  for (int j = first; j <= last; ++j)
  {
    const float     weight = axis.weights[abs(j - i)];
    const PilotSums other = from(j);
    beyond -= weight;
    AddScaled(weight, other.inside, sums.inside);
    AddScaled(weight, other.all, sums.all);
  }
  AddScaled(
    fmaxf(beyond, 0.0f) * background, make_float4(UsedShare(0), UsedShare(1), UsedShare(2), UsedShare(3)), sums.all);
  return sums;
}

/** Smooths along x, from the codes of the box. A thread per voxel. */
__global__ void
__launch_bounds__(labelThreads) PilotAlongXKernel(Extent                             extent,
                                                  const std::uint8_t *               codes,
                                                  const __grid_constant__ DeviceAxis axis,
                                                  PilotSums *                        sums)
{
  const std::int64_t voxel = LabelItem();
  if (voxel >= std::int64_t{ extent.x } * extent.y * extent.z)
  {
    return;
  }
  const int  x = static_cast<int>(voxel % extent.x);
  const int  y = static_cast<int>(voxel / extent.x % extent.y);
  const int  z = static_cast<int>(voxel / extent.x / extent.y);
  const bool isKnown = z % axis.division[2] == axis.division[2] / 2 && y % axis.division[1] == axis.division[1] / 2;
  const std::uint8_t * const row = codes + (voxel - x);
  sums[voxel] = SmoothedAt(axis, x, isKnown ? axis.background : 0.0f, [&](int j) { return SumsOf(row[j]); });
}

/** Smooths along y, from the sums along x. */
__global__ void
__launch_bounds__(labelThreads)
  PilotAlongYKernel(Extent extent, const PilotSums * from, const __grid_constant__ DeviceAxis axis, PilotSums * sums)
{
  const std::int64_t voxel = LabelItem();
  if (voxel >= std::int64_t{ extent.x } * extent.y * extent.z)
  {
    return;
  }
  const int               y = static_cast<int>(voxel / extent.x % extent.y);
  const int               z = static_cast<int>(voxel / extent.x / extent.y);
  const bool              isKnown = z % axis.division[2] == axis.division[2] / 2;
  const PilotSums * const column = from + (voxel - std::int64_t{ y } * extent.x);
  sums[voxel] = SmoothedAt(axis, y, isKnown ? axis.background : 0.0f, [&](int j) -> const PilotSums & {
    return column[std::int64_t{ j } * extent.x];
  });
}

/** Smooths along z at the voxels of the band, and writes the distances of all versions. */
__global__ void
__launch_bounds__(labelThreads) PilotAlongZKernel(Extent                             extent,
                                                  std::int32_t                       count,
                                                  const std::int32_t *               voxels,
                                                  const PilotSums *                  from,
                                                  const __grid_constant__ DeviceAxis axis,
                                                  float                              sigma,
                                                  float4 *                           levels)
{
  const std::int64_t i = LabelItem();
  if (i >= count)
  {
    return;
  }
  const std::int64_t      plane = std::int64_t{ extent.x } * extent.y;
  const std::int64_t      voxel = voxels[i];
  const int               z = static_cast<int>(voxel / plane);
  const PilotSums * const column = from + voxel % plane;
  const PilotSums         sums =
    SmoothedAt(axis, z, axis.background, [&](int j) -> const PilotSums & { return column[j * plane]; });
  const auto distanceOf = [&](float inside, float all) {
    return DistanceOfFraction(all > 0.0f ? inside / all : 0.5f, sigma);
  };
  levels[i] = make_float4(distanceOf(sums.inside.x, sums.all.x),
                          distanceOf(sums.inside.y, sums.all.y),
                          distanceOf(sums.inside.z, sums.all.z),
                          distanceOf(sums.inside.w, sums.all.w));
}

} // namespace cudaneuro::gpu

#endif
