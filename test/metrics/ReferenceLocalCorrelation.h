// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceLocalCorrelation_h
#define ReferenceLocalCorrelation_h

#include "cudaneuro/Geometry.h"

#include <array>
#include <vector>

/** The local correlation of images that are seen through affine maps, slowly, in double precision. */
namespace reference
{

/** A fixed and a moving image. */
struct ImagePair
{
  std::array<int, 3>         fixedSize{};
  std::array<int, 3>         movingSize{};
  std::vector<float>         fixed;
  std::vector<float>         moving;
  std::vector<unsigned char> fixedMask; // or empty
  std::vector<unsigned char> movingMask;
  /** How much the box around a voxel of the fixed image counts, in 255ths; or empty, where all count the same. */
  std::vector<unsigned char> fixedWeights;
};

struct MetricValue
{
  double value = 0.0;
  /** Voxels that have a value, each by its weight. */
  double count = 0.0;
};

/** 1 minus the weighted mean of the squared correlation over boxes of half-width \p radius, cut at the border, around
 * the voxels of the fixed image that have a value in both.
 * \param varianceFloor is added to variances
 * \param map of indices of the fixed image to those of the moving image */
MetricValue
LocalCorrelation(const ImagePair & images, int radius, double varianceFloor, const cudaneuro::AffineMap & map);

} // namespace reference

#endif
