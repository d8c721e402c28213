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
  /** The image's extent; axes longer than 1 come first, which leaves the order of voxels in memory the same. */
  Extent                extent;
  int                   axes = 3;                                 // number of axes of cubes: 2 or 3
  int                   block[3] = { 1, 1, 1 };                   // cubes of a block along each axis, powers of 2
  float                 blocksPerVoxel[3] = { 1.0f, 1.0f, 1.0f }; // 1 / block
  int                   firstPlane = 0;                           // counted in the whole image, a multiple of block[2]
  const float *         input = nullptr;
  const unsigned char * mask = nullptr; // null: all voxels are inside
  /** Larger magnitudes are codes or errors, and excluded. */
  float limit = 0.0f;
  /** Intensities are multiplied by this power of 2, so that their squares are normal numbers. */
  float scale = 1.0f;
  bool  isRician = false;
};

/** Values of the nodes, one in the center of each block, in memory of the context's device. Standard deviations refer
 * to scaled intensities. */
struct NoiseNodes
{
  Extent extent;
  /** Sums over a block's cubes, and these sums smoothed over blocks. */
  SoAField sums;
  SoAField smoothed;
  /** The number of a block's cubes that carry information on the noise. */
  float * count = nullptr;
  /** Logarithm of the block's own first value, the first estimate of its noise. */
  float * first = nullptr;
  /** Standard deviation of the noise. */
  float * sigma = nullptr;
  bool    isRician = false;
  float   inverseSquaredWidth = 1.0f; // 1 / SquaredNoiseWidth()
};

/** The computations on the nodes' values between two passes over the image. */
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

/** The statistics of the map over some voxels. */
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
  /** Includes the noise at a voxel that is not excluded. */
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

/** Writes, to sums, the sums of ComponentTerms over the cubes of each block that begins in the image.
 * Reads the image once. */
CUDANEURO_DISPATCHED(void SumComponents(Context & context, const NoiseImage & image, const NoiseNodes & nodes));

/** Writes, to sums, the sums of WeightedTerms over the same cubes. Reads the image once. */
CUDANEURO_DISPATCHED(void SumWeighted(Context & context, const NoiseImage & image, const NoiseNodes & nodes));

CUDANEURO_DISPATCHED(void UpdateNodes(Context & context, NodeStep step, const NoiseNodes & nodes));

/** Interpolates between the nodes. Reads the image once and writes the map once. */
CUDANEURO_DISPATCHED(
  NoiseMapPartial WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map));

/** EstimateNoiseMap for checked arguments, with a given number of planes in memory of the device at a time.
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
