// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_noisemap_NoiseMap_h
#define cudaneuro_denoising_noisemap_NoiseMap_h

#include "cudaneuro/NoiseMap.h"
#include "core/Dispatch.h"
#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cmath>

namespace cudaneuro
{

/** The image that the passes read, or some of its planes, in memory of the context's device. */
struct NoiseImage
{
  /** The axes longer than 1 come first: the order of voxels in memory is the same. */
  Extent                extent;
  int                   axes = 3;       // of cubes: 2 or 3
  int                   depthZ = 1;     // cubes of a block along z
  int                   firstPlane = 0; // of the whole image, a multiple of depthZ
  const float *         input = nullptr;
  const unsigned char * mask = nullptr; // null: all are inside
  /** Largest magnitude that is not a code or an error. */
  float limit = 0.0f;
  /** Intensities are multiplied by this power of 2, so that squares are normal numbers. */
  float scale = 1.0f;
  bool  isRician = false;
};

/** Values of the nodes, one in the center of each block, in memory of the context's device. Standard deviations are of
 * scaled intensities. */
struct NoiseNodes
{
  Extent extent;
  /** Sums over a block's cubes, and the same after smoothing over blocks. */
  SoAField sums;
  SoAField smoothed;
  /** Cubes that tell of the noise. */
  float * count = nullptr;
  /** Logarithm of the block's own first value. */
  float * first = nullptr;
  /** Standard deviation of the noise. */
  float * sigma = nullptr;
  bool    isRician = false;
  float   inverseSquaredWidth = 1.0f; // SquaredNoiseWidth
};

/** What becomes of the nodes' values between two passes. */
enum class NodeStep
{
  /** sums of SumComponents -> count, first, sums to smooth. */
  Begin,
  /** smoothed -> sums to smooth, with less weight for large first values. */
  WeighDown,
  /** smoothed -> sigma. */
  SetSigma,
  /** smoothed sums of SumWeighted -> sigma. */
  Refine
};

/** The map of some voxels. */
struct NoiseMapPartial
{
  double       sum;
  std::int64_t count;
  std::int64_t excluded;
  float        minimum;
  float        maximum;

  CUDANEURO_HOST_DEVICE static NoiseMapPartial
  Empty()
  {
    return { 0.0, 0, 0, HUGE_VALF, -HUGE_VALF };
  }
  CUDANEURO_HOST_DEVICE void
  Include(const NoiseMapPartial & other)
  {
    sum += other.sum;
    count += other.count;
    excluded += other.excluded;
    minimum = other.minimum < minimum ? other.minimum : minimum;
    maximum = other.maximum > maximum ? other.maximum : maximum;
  }
  /** Adds a voxel that takes part. */
  CUDANEURO_HOST_DEVICE void
  Add(float value)
  {
    if (value > 0.0f)
    {
      this->Include({ static_cast<double>(value), 1, 0, value, value });
    }
    else
    {
      ++excluded;
    }
  }
};

/** Sums of what the first values are made of, over the cubes of each block that begins in the image.
 * Reads the image once. */
CUDANEURO_DISPATCHED(void SumComponents(Context & context, const NoiseImage & image, const NoiseNodes & nodes));

/** Sums of weights and weighted squares over the same cubes. Reads the image once. */
CUDANEURO_DISPATCHED(void SumWeighted(Context & context, const NoiseImage & image, const NoiseNodes & nodes));

CUDANEURO_DISPATCHED(void UpdateNodes(Context & context, NodeStep step, const NoiseNodes & nodes));

/** Interpolates between the nodes. Reads the image and writes the map once. */
CUDANEURO_DISPATCHED(
  NoiseMapPartial WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map));

/** EstimateNoiseMap of arguments that have been checked, with so many planes in memory of the device at a time.
 * \param planes all, or a multiple of 8; grids without an axis of length 1 only */
NoiseMapResult
EstimateNoiseMapInSlabs(Context &                  context,
                        const NoiseMapParameters & parameters,
                        const Grid &               grid,
                        const ConstVolume &        input,
                        const ConstVolume &        mask,
                        const Volume &             map,
                        std::int64_t               planes);

} // namespace cudaneuro

#endif
