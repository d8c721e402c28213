// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityArguments_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityArguments_cuh

#include "core/ApproximateMath.h"
#include "core/SoAField.h"
#include "denoising/similarity/StructuralSimilarityFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>

namespace cudaneuro::gpu
{

/** Outputs of a block along x. */
constexpr int similarityTileX = 16;

/** Sums are kept for blocks of this many planes, counted from the volume's plane 0, so that their bits do not depend on
 * how planes are divided among launches. */
constexpr int similarityBlockPlanes = 8;

/** Planes after which the reference of sums along z may change, to an average of the same number of earlier planes. */
constexpr int similarityReferencePlanes = 2;

/** Planes on either side on which a plane's bits depend: the window, and the planes that set its reference. */
constexpr int similarityReach = similarityWindowRadius + 2 * similarityReferencePlanes - 1;

/** Blocks of planes begin where references may change. */
static_assert(similarityBlockPlanes % similarityReferencePlanes == 0 &&
              similarityReach % similarityReferencePlanes == 0);

/** Sums over one warp's voxels of one block of planes. */
struct SimilarityPartial
{
  double       squaredDifference;
  float        similarity;
  unsigned int numberOfSimilarities;
  unsigned int numberOfDifferences;
};

struct StructuralSimilarityArguments
{
  const float *         reference = nullptr;
  const float *         image = nullptr;
  const unsigned char * mask = nullptr;
  float *               map = nullptr;
  SimilarityPartial *   partials = nullptr;
  Extent                size;
  int                   zBegin = 0;
  int                   zEnd = 0;
  /** The box of the voxels whose similarity is averaged. */
  int   averagedBegin[3] = { 0, 0, 0 };
  int   averagedEnd[3] = { 0, 0, 0 };
  float taps[similarityWindowRadius + 1] = {};
  /** The weight that each pending sum along z has received before a plane is added. */
  float weightsSoFar[2 * similarityWindowRadius] = {};
  /** Intensities that are subtracted from the reference and from the image; their sum and their difference. */
  float referenceOffset = 0.0f;
  float imageOffset = 0.0f;
  float sumOffset = 0.0f;
  float differenceOffset = 0.0f;
  /** The largest allowed change along z of a reference intensity, and its largest value. Larger ones, which do not
   * occur inside the data range, would cost digits: outputs whose windows contain them become NaN, and the fallback
   * kernel computes these outputs. */
  float largestStep = 0.0f;
  float largestReference = 0.0f;
  /** The references of sums of s and of d are multiples of these. Where images change little, references stay, and no
   * sums need to be changed. */
  float                      quantum[2] = { 0.0f, 0.0f };
  float                      inverseQuantum[2] = { 0.0f, 0.0f };
  SimilarityConstants<float> constants{ 0.0f, 0.0f };
  int                        tilesX = 0;
  int                        tilesY = 0;
  /** Whether rows of both images are whole quads at aligned addresses. */
  bool isQuadAligned = false;
};

/** Sets the arguments for all planes of a volume, except pointers and tiles. */
inline StructuralSimilarityArguments
MakeStructuralSimilarityArguments(const StructuralSimilarityParameters & parameters,
                                  const Grid &                           grid,
                                  float                                  referenceOffset,
                                  float                                  imageOffset)
{
  constexpr int                 radius = similarityWindowRadius;
  StructuralSimilarityArguments arguments;
  arguments.size = ExtentOf(grid);
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto size = static_cast<int>(grid.size[axis]);
    const int  border = size >= 2 * radius + 1 ? radius : 0;
    arguments.averagedBegin[axis] = border;
    arguments.averagedEnd[axis] = size - border;
  }
  arguments.zEnd = arguments.size.z;
  const auto taps = SimilarityWindow(parameters);
  for (int offset = 0; offset <= radius; ++offset)
  {
    arguments.taps[offset] = static_cast<float>(taps[offset]);
  }
  double weight = 0.0;
  for (int i = 2 * radius - 1; i >= 0; --i)
  {
    // Pending sum i has received planes -radius to radius - 1 - i around its output.
    weight += arguments.taps[std::abs(radius - 1 - i)];
    arguments.weightsSoFar[i] = static_cast<float>(weight);
  }
  arguments.referenceOffset = referenceOffset;
  arguments.imageOffset = imageOffset;
  arguments.sumOffset = static_cast<float>(double{ referenceOffset } + imageOffset);
  arguments.differenceOffset = static_cast<float>(double{ referenceOffset } - imageOffset);
  // Sums of two images inside the data range differ by at most twice the range.
  arguments.largestStep = static_cast<float>(4.0 * parameters.dataRange);
  arguments.largestReference = static_cast<float>(20.0 * parameters.dataRange);
  // Variances lose 6e-8 of the squared distance from the reference for each sum, at most 1/4 of the range for s and 1/8
  // for d. The map changes by 1e-5 if these variances change by 3.6e-8 and 0.9e-8 of the squared range.
  for (int which = 0; which < 2; ++which)
  {
    const double quantum = (which == 0 ? 0.5 : 0.25) * parameters.dataRange;
    arguments.quantum[which] = static_cast<float>(quantum);
    arguments.inverseQuantum[which] = static_cast<float>(1.0 / quantum);
  }
  arguments.constants = MakeSimilarityConstants<float>(parameters);
  return arguments;
}

#if defined(__CUDACC__)
/** Returns, in all lanes, the sum over a warp. */
template <typename TValue>
__device__ __forceinline__ TValue
WarpSum(TValue value)
{
#  pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
  {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}
#endif

} // namespace cudaneuro::gpu

#endif
