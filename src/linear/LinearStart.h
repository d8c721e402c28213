// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearStart_h
#define cudaneuro_linear_LinearStart_h

#include "cudaneuro/LinearRegistration.h"

#include <vector>

namespace cudaneuro
{

/** The initial maps, and the point of the fixed image about which a search rotates. */
struct LinearStarts
{
  std::vector<AffineMap> maps;
  std::array<double, 3>  pivot{};
};

/** \param coarse the images at a low resolution, which suffices for moments, in memory of the context's device */
LinearStarts
MakeLinearStarts(Context &                  context,
                 LinearStart                start,
                 const LinearMetricImages & images,
                 const LinearMetricImages & coarse,
                 const AffineMap &          initialTransform);

/** Moments of an image's mass, which is the intensity above the image's minimum. */
struct MassMoments
{
  std::array<double, 3> center{};
  /** Covariance of the mass's positions, by rows, in mm^2. */
  std::array<double, 9> covariance{};
};

MassMoments
ComputeMassMoments(Context & context, const Geometry & geometry, const ConstVolume & image, const ConstVolume & mask);

/** The rotation whose columns are the eigenvectors of a symmetric matrix, in the order of decreasing eigenvalues. */
std::array<double, 9>
PrincipalAxesOf(const std::array<double, 9> & symmetric);

} // namespace cudaneuro

#endif
