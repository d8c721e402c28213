// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_VoxelSteps_h
#define cudaneuro_denoising_adaptive_VoxelSteps_h

#include "core/IntensityScale.h"
#include "denoising/adaptive/BlockLayout.h"
#include "denoising/adaptive/ShrinkageFormulas.h"
#include "images/noise/NoiseValues.h"

#include <cmath>
#include <cstdint>
#include <limits>

/** The steps that treat each voxel, or each reference, separately: functions of its index, for the CPU and the GPU. */
namespace cudaneuro
{

/** Residuals are added as integers, in units of the noise over this number, so that sums have the same bits in any
 * order. The error of a voxel is at most a ten-thousandth of the noise. */
constexpr float residualsPerNoise = 32768.0f;

/** Voxels that differ from a typical one by more than 2^24 times the noise keep their value: float cannot represent
 * the noise there. */
constexpr float largestOverNoise = 16777216.0f;

/** The image, mask and noise of the current planes, in memory of the context's device, and their scaling. */
struct NoisyImage
{
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  /** The noise map, or null where the noise is constant. */
  const float * noise = nullptr;
  /** The extent of the blocks' image, whose axes may be permuted against the input's: its thin axis is the last. */
  Extent extent;
  /** Distances in the input, in voxels, between neighbors along the axes of the blocks' image. */
  std::int64_t strides[3] = { 1, 1, 1 };
  /** Divides intensities by the largest noise to be removed, which includes the smoothing factor. */
  IntensityScale scale;
  /** Larger magnitudes are codes or errors, and excluded. */
  float limit = 0.0f;
  float largestNoise = 1.0f;
  /** For writing results: the divisor of the scale, and the largest noise without the smoothing factor. */
  float unit = 1.0f;
  float sigma = 1.0f;

  CUDANEURO_HOST_DEVICE std::int64_t
                        InputIndex(std::int64_t voxel) const
  {
    const std::int64_t row = voxel / extent.x;
    return (voxel - row * extent.x) * strides[0] + row % extent.y * strides[1] + row / extent.y * strides[2];
  }

  /** Returns the noise over the largest noise. */
  CUDANEURO_HOST_DEVICE float
  RelativeNoise(std::int64_t i) const
  {
    return noise == nullptr ? 1.0f : cudaneuro::RelativeNoise(largestNoise, noise[i]);
  }

  /** Returns the scaled intensity at an index of the input; NaN where the voxel is excluded. */
  CUDANEURO_HOST_DEVICE float
  Scaled(std::int64_t i) const
  {
    const float value = input[i];
    const float scaled = ScaledIntensity(scale, value);
    const bool  takesPart = fabsf(value) <= limit && fabsf(scaled) <= largestOverNoise &&
                           (mask == nullptr || mask[i] != 0) && (noise == nullptr || noise[i] > 0.0f);
    return takesPart ? scaled : std::numeric_limits<float>::quiet_NaN();
  }
};

CUDANEURO_HOST_DEVICE bool
IsGap(float scaled)
{
  return !(scaled == scaled);
}

/** Writes the scaled intensity of each voxel. */
struct ScaleVoxel
{
  NoisyImage image;
  float *    scaled;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t voxel) const
  {
    scaled[voxel] = image.Scaled(image.InputIndex(voxel));
  }
};

/** Replaces each excluded voxel by the mean of the other voxels within the reach of a block, so that blocks at the
 * border of a mask have no edge there; by noValue where there are none. */
struct FillGap
{
  Extent        extent;
  int           depth; // voxels of a block along z
  const float * scaled;
  float *       filled;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t voxel) const
  {
    const float value = scaled[voxel];
    filled[voxel] = IsGap(value) ? this->MeanAround(voxel) : value;
  }

private:
  CUDANEURO_HOST_DEVICE float
  MeanAround(std::int64_t voxel) const
  {
    const std::int64_t row = voxel / extent.x;
    const int          x = static_cast<int>(voxel - row * extent.x);
    const int          y = static_cast<int>(row % extent.y);
    const int          z = static_cast<int>(row / extent.y);
    const int          beginX = x > blockEdge - 1 ? x - (blockEdge - 1) : 0;
    const int          endX = x + blockEdge < extent.x ? x + blockEdge : extent.x;
    const int          beginY = y > blockEdge - 1 ? y - (blockEdge - 1) : 0;
    const int          endY = y + blockEdge < extent.y ? y + blockEdge : extent.y;
    const int          beginZ = z > depth - 1 ? z - (depth - 1) : 0;
    const int          endZ = z + depth < extent.z ? z + depth : extent.z;
    float              sum = 0.0f;
    int                count = 0;
    for (int otherZ = beginZ; otherZ < endZ; ++otherZ)
    {
      for (int otherY = beginY; otherY < endY; ++otherY)
      {
        const float * const others = scaled + (static_cast<std::int64_t>(otherZ) * extent.y + otherY) * extent.x;
        for (int otherX = beginX; otherX < endX; ++otherX)
        {
          const float value = others[otherX];
          sum += IsGap(value) ? 0.0f : value;
          count += IsGap(value) ? 0 : 1;
        }
      }
    }
    return count > 0 ? sum / static_cast<float>(count) : noValue;
  }
};

/** Writes, for each reference, the mean noise variance of its voxels that are not excluded, over the largest variance;
 * 0 where all are excluded. */
struct FindVariance
{
  NoisyImage    image;
  BlockImage    blocks;
  const float * scaled;
  float *       variances;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t reference) const
  {
    const std::int64_t row = reference / blocks.references.x;
    const int          x = ReferenceX(blocks, static_cast<int>(reference - row * blocks.references.x));
    const int          y = ReferenceY(blocks, static_cast<int>(row % blocks.references.y));
    const int          referenceZ = static_cast<int>(row / blocks.references.y);
    const int          z = blocks.depth > 1 ? ReferencePlane(BlockShape<blockEdge>(), blocks, referenceZ)
                                            : ReferencePlane(BlockShape<1>(), blocks, referenceZ);
    float              sum = 0.0f;
    int                count = 0;
    for (int i = 0; i < blocks.depth * blockEdge * blockEdge; ++i)
    {
      const std::int64_t plane = z + i / (blockEdge * blockEdge);
      const std::int64_t voxelRow = plane * blocks.extent.y + y + i / blockEdge % blockEdge;
      const std::int64_t voxel = voxelRow * blocks.extent.x + x + i % blockEdge;
      if (!IsGap(scaled[voxel]))
      {
        const float relative = image.RelativeNoise(image.InputIndex(voxel));
        sum += relative * relative;
        ++count;
      }
    }
    variances[reference] = count > 0 ? sum / static_cast<float>(count) : 0.0f;
  }
};

/** The sum of the residuals that blocks added to each voxel, and the number of blocks that began at each voxel. */
struct ResidualSums
{
  std::int64_t * sums = nullptr;
  int *          counts = nullptr;
};

/** Returns the mean residual of a voxel over its blocks, in multiples of the largest noise; 0 where it has none. */
CUDANEURO_HOST_DEVICE float
MeanResidual(const ResidualSums & residuals, const Extent & extent, int depth, std::int64_t voxel)
{
  const std::int64_t row = voxel / extent.x;
  const int          x = static_cast<int>(voxel - row * extent.x);
  const int          y = static_cast<int>(row % extent.y);
  const int          z = static_cast<int>(row / extent.y);
  const int          lengthX = x < blockEdge ? x + 1 : blockEdge;
  const int          lengthY = y < blockEdge ? y + 1 : blockEdge;
  const int          lengthZ = z < depth ? z + 1 : depth;
  int                count = 0;
  for (int k = 0; k < lengthZ; ++k)
  {
    for (int j = 0; j < lengthY; ++j)
    {
      const int * const counts = residuals.counts + voxel - (static_cast<std::int64_t>(k) * extent.y + j) * extent.x;
      for (int i = 0; i < lengthX; ++i)
      {
        count += counts[-i];
      }
    }
  }
  return count > 0 ? static_cast<float>(residuals.sums[voxel]) / (residualsPerNoise * static_cast<float>(count)) : 0.0f;
}

/** Writes the result of the first pass, the estimate that guides the second. */
struct EstimateVoxel
{
  Extent        extent;
  int           depth;
  ResidualSums  residuals;
  const float * noisy;
  float *       estimate;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t voxel) const
  {
    estimate[voxel] = noisy[voxel] + MeanResidual(residuals, extent, depth, voxel);
  }
};

/** Writes the result in intensity units, in the order of the input, starting at voxel \c first. */
struct WriteVoxel
{
  NoisyImage   image;
  int          depth;
  bool         isRician;
  std::int64_t first;
  ResidualSums residuals;
  float *      output;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t index) const
  {
    const std::int64_t voxel = first + index;
    const std::int64_t i = image.InputIndex(voxel);
    const float        value = image.input[i];
    if (IsGap(image.Scaled(i)))
    {
      output[i - first] = value;
      return;
    }
    const float mean = value + image.unit * MeanResidual(residuals, image.extent, depth, voxel);
    const float sigma = image.sigma * image.RelativeNoise(i);
    output[i - first] = isRician ? sigma * RicianSignal(mean / sigma) : mean;
  }
};

} // namespace cudaneuro

#endif
