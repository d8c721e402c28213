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

/** What happens to each voxel, or each reference, by itself: functions of its index, which both processors call. */
namespace cudaneuro
{

/** Residuals are added as whole multiples of this part of the noise, so that sums have the same bits in any order. The
 * error of a voxel is a ten-thousandth of the noise at most. */
constexpr float residualsPerNoise = 32768.0f;

/** Voxels that differ from a typical one by more than so many times the noise, 2^24, keep their value: float has no
 * digits for the noise there. */
constexpr float largestOverNoise = 16777216.0f;

/** The image, mask and noise of the planes at hand, in memory of the context's device, and how they are scaled. */
struct NoisyImage
{
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  /** The map, or null where the noise is the same everywhere. */
  const float * noise = nullptr;
  /** Of the blocks' image, whose axes may be others than those of the input: its thin axis is the last. */
  Extent extent;
  /** Voxels of the input from one to the next along the axes of the blocks' image. */
  std::int64_t strides[3] = { 1, 1, 1 };
  /** Makes intensities multiples of the largest noise that is taken away, with the smoothing factor. */
  IntensityScale scale;
  /** Largest magnitude that is not a code or an error. */
  float limit = 0.0f;
  float largestNoise = 1.0f;
  /** For results: what the scale divides by, and the largest noise without the smoothing factor. */
  float unit = 1.0f;
  float sigma = 1.0f;

  CUDANEURO_HOST_DEVICE std::int64_t
                        InputIndex(std::int64_t voxel) const
  {
    const std::int64_t row = voxel / extent.x;
    return (voxel - row * extent.x) * strides[0] + row % extent.y * strides[1] + row / extent.y * strides[2];
  }

  /** The noise over the largest. */
  CUDANEURO_HOST_DEVICE float
  RelativeNoise(std::int64_t i) const
  {
    return noise == nullptr ? 1.0f : cudaneuro::RelativeNoise(largestNoise, noise[i]);
  }

  /** The scaled intensity at an index of the input; NaN where it takes no part. */
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

/** Writes the scaled intensities. */
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

/** Fills gaps with the mean of the voxels that take part within the reach of a block, so that blocks at the border of a
 * mask have no edge there; noValue where there are none. */
struct FillGap
{
  Extent        extent;
  int           depth; // of blocks
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

/** Writes the mean variance of the noise of the voxels of each reference that take part, over the largest variance; 0
 * where there are none. */
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

/** What has been added to the voxels, and how many blocks began at each. */
struct ResidualSums
{
  std::int64_t * sums = nullptr;
  int *          counts = nullptr;
};

/** The mean of what the blocks add to a voxel, in multiples of the largest noise; 0 where it is in no block. */
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

/** Writes the result of the first pass. */
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

/** Writes the result in intensity units, in the order of the input, from its voxel \c first on. */
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
