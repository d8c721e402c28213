// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralShape_cuh
#define cudaneuro_denoising_bilateral_BilateralShape_cuh

namespace cudaneuro::gpu
{

/** Launch shape. A block of VThreadsX x VThreadsY threads computes 4 VThreadsX x VThreadsY x VPlanes voxels. Of 20
 * exponentials, VPolynomials are computed on the FMA units, which are not fully used, instead of on the special
 * function unit, which limits the speed of this kernel. VMap is for noise that varies. */
template <int VThreadsX, int VThreadsY, int VPlanes, int VPolynomials, int VMinimumBlocks = 1, bool VMap = false>
struct BilateralShape
{
  static constexpr int  threadsX = VThreadsX;
  static constexpr int  threadsY = VThreadsY;
  static constexpr int  planes = VPlanes;
  static constexpr int  polynomials = VPolynomials;
  static constexpr int  minimumBlocks = VMinimumBlocks;
  static constexpr int  threads = VThreadsX * VThreadsY;
  static constexpr bool hasMap = VMap;
};

/** The shape that was measured to be the fastest on an H200; see benchmark/tuning. */
template <int VRadiusX>
using BilateralDefaultShape = BilateralShape < 16,
      VRadiusX < 6 ? 8 : 16, VRadiusX == 1 ? 3 : 4,
      VRadiusX == 1   ? 0
      : VRadiusX == 2 ? 2
                      : 1,
      VRadiusX == 1 ? 5 : VRadiusX<6 ? 4 : 2>;

/** The shape for noise that varies. Each output needs a register for its precision, so there is one plane less. The
 * polynomials, which affect rounding, are the same: where the noise hardly varies, results round as with a number. */
template <int VRadiusX>
using BilateralMapShape = BilateralShape<16,
                                         BilateralDefaultShape<VRadiusX>::threadsY,
                                         BilateralDefaultShape<VRadiusX>::planes - 1,
                                         BilateralDefaultShape<VRadiusX>::polynomials,
                                         BilateralDefaultShape<VRadiusX>::minimumBlocks,
                                         true>;

} // namespace cudaneuro::gpu

#endif
