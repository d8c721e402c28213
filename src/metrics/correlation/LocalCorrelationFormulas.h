// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationFormulas_h
#define cudaneuro_metrics_correlation_LocalCorrelationFormulas_h

#include "core/HostDevice.h"
#include "metrics/correlation/WeightUnits.h"

#include <cstdint>

/** The local correlation coefficient of the deformed moving image W with the fixed image R, over the box around each
 * voxel, and the derivative of minus the sum of its squares by W. Intensities are in standard deviations of the
 * fixed image, or of each image itself. */
namespace cudaneuro
{

/** The boxes whose correlations are summed. */
enum class BoxesOf
{
  AllVoxels,
  /** Boxes around voxels where the deformed image has a value. */
  VoxelsWithValue,
  /** The same boxes, with the weights of their voxels. */
  WeightedVoxels
};

/** Sums over the voxels of a box that have a value in both images. */
struct CorrelationSums
{
  float count = 0.0f;
  float w = 0.0f;
  float r = 0.0f;
  float ww = 0.0f;
  float rr = 0.0f;
  float wr = 0.0f;
};

constexpr int correlationSums = 6;

/** Added to variances, so that regions with less contrast than this, whose correlation is unreliable, have little
 * weight. */
constexpr float correlationVarianceFloor = 1e-3f;

/** The terms of a box. The derivative at voxel y is W(y) sum q - R(y) sum p + sum s, over the boxes that contain y. */
struct CorrelationTerm
{
  float square = 0.0f;
  float p = 0.0f;
  float q = 0.0f;
  float s = 0.0f;
};

constexpr int correlationTerms = 3;

CUDANEURO_HOST_DEVICE CorrelationTerm
CorrelationTermOf(const CorrelationSums & sums)
{
  CorrelationTerm term;
  if (sums.count > 0.5f)
  {
    const float inverseCount = 1.0f / sums.count;
    const float meanW = sums.w * inverseCount;
    const float meanR = sums.r * inverseCount;
    // Rounding can make a variance slightly negative.
    const float varianceW = sums.ww * inverseCount - meanW * meanW;
    const float varianceR = sums.rr * inverseCount - meanR * meanR;
    const float b = (varianceW > 0.0f ? varianceW : 0.0f) + correlationVarianceFloor;
    const float c = (varianceR > 0.0f ? varianceR : 0.0f) + correlationVarianceFloor;
    const float a = sums.wr * inverseCount - meanW * meanR;
    const float inverseBC = 1.0f / (b * c);
    term.square = a * a * inverseBC;
    term.p = 2.0f * a * inverseBC * inverseCount;
    term.q = term.p * a / b;
    term.s = term.p * meanR - term.q * meanW;
  }
  return term;
}

/** The weight, in units, of a box that counts in full. */
template <BoxesOf VBoxes>
constexpr int wholeBox = VBoxes == BoxesOf::WeightedVoxels ? 255 : 1;

/** Returns the weight of the box around a voxel, in units: 0 where the voxel has no value in the deformed image.
 * \param weights for WeightedVoxels only */
template <BoxesOf VBoxes>
CUDANEURO_HOST_DEVICE int
WeightOfBox(const float * deformed, const unsigned char * weights, std::int64_t i)
{
  const bool hasValue = VBoxes == BoxesOf::AllVoxels || deformed[i] == deformed[i];
  if constexpr (VBoxes == BoxesOf::WeightedVoxels)
  {
    return hasValue ? weights[i] : 0;
  }
  return hasValue ? 1 : 0;
}

/** Returns the term of a box with a weight of \p units units. */
template <BoxesOf VBoxes>
CUDANEURO_HOST_DEVICE CorrelationTerm
Weighted(const CorrelationTerm & term, int units)
{
  if constexpr (VBoxes != BoxesOf::WeightedVoxels)
  {
    return units != 0 ? term : CorrelationTerm();
  }
  const float weight = static_cast<float>(units) * weightPerUnit;
  return { weight * term.square, weight * term.p, weight * term.q, weight * term.s };
}

} // namespace cudaneuro

#endif
