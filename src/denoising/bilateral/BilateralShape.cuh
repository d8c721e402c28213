// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralShape_cuh
#define cudaneuro_denoising_bilateral_BilateralShape_cuh

namespace cudaneuro::gpu
{

/** Launch shape. A block of VThreadsX x VThreadsY threads computes 4 VThreadsX x VThreadsY x VPlanes voxels. Of 20
 * exponentials, VPolynomials are computed on the FMA units, which have time to spare, instead of on the special
 * function unit, which limits the speed of this kernel. */
template <int VThreadsX, int VThreadsY, int VPlanes, int VPolynomials, int VMinimumBlocks = 1>
struct BilateralShape
{
  static constexpr int threadsX = VThreadsX;
  static constexpr int threadsY = VThreadsY;
  static constexpr int planes = VPlanes;
  static constexpr int polynomials = VPolynomials;
  static constexpr int minimumBlocks = VMinimumBlocks;
  static constexpr int threads = VThreadsX * VThreadsY;
};

/** Measured best on an H200; see benchmark/tuning. */
template <int VRadiusX>
using BilateralDefaultShape = BilateralShape < 16,
      VRadiusX < 6 ? 8 : 16, VRadiusX == 1 ? 3 : 4,
      VRadiusX == 1   ? 0
      : VRadiusX == 2 ? 2
                      : 1,
      VRadiusX == 1 ? 5 : VRadiusX<6 ? 4 : 2>;

} // namespace cudaneuro::gpu

#endif
