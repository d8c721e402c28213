// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceSmoothing_h
#define ReferenceSmoothing_h

#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/ImageStatistics.h"

#include <array>
#include <vector>

/** Slow image operations in double precision, written from their definitions. */
namespace reference
{

/** Convolution with a sampled Gaussian, cut at 1e-6 of its peak: every sum over all offsets, axis by axis. Sigma in
 * voxels. An axis of one voxel is left alone. */
std::vector<double>
GaussianSmoothing(const std::array<std::int64_t, 3> & size,
                  const std::array<double, 3> &       sigma,
                  cudaneuro::Boundary                 boundary,
                  std::vector<double>                 values);

/** The value at a continuous index by linear interpolation, repeated beyond the edge. */
double
Interpolate(const std::array<std::int64_t, 3> & size,
            const std::vector<double> &         values,
            const std::array<double, 3> &       index);

/** Statistics of the voxels that are finite and inside the mask, which may be empty. */
cudaneuro::ImageStatistics
Statistics(const std::vector<double> & values, const std::vector<unsigned char> & mask);

} // namespace reference

#endif
