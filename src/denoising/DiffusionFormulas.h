// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_DiffusionFormulas_h
#define cudaneuro_denoising_DiffusionFormulas_h

#include "ApproximateMath.h"
#include "Exp2.h"
#include "cudaneuroAnisotropicDiffusion.h"

#include <cmath>

namespace cudaneuro
{

/** 1 / sqrt(x) for x >= 1; on a device to 2 ulp. */
CUDANEURO_HOST_DEVICE float
ReciprocalRootOfPositive(float x)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / std::sqrt(x);
#endif
}

/** Conductance of q = (t / kappa)^2. */
template <DiffusionConductance VConductance>
CUDANEURO_HOST_DEVICE float
Conductance(float q)
{
  if constexpr (VConductance == DiffusionConductance::PeronaMalikExponential)
  {
    return Exp2(-static_cast<float>(log2OfE) * q);
  }
  else if constexpr (VConductance == DiffusionConductance::PeronaMalikRational)
  {
    return ReciprocalOfPositive(1.0f + q);
  }
  else if constexpr (VConductance == DiffusionConductance::Charbonnier)
  {
    return ReciprocalRootOfPositive(1.0f + q);
  }
  else
  {
    const float support = q < 1.0f ? 1.0f - q : 0.0f;
    return support * support;
  }
}

/** 1 / edge length by the axes along which the edge moves; 0 for the edges that a stencil or grid does not have. */
struct InverseEdgeLengths
{
  float x, y, z, xy, xz, yz, xyz;
};

/** Axes of size 1 have no edges. */
inline InverseEdgeLengths
MakeInverseEdgeLengths(DiffusionStencil stencil, const Grid & grid, bool useSpacing)
{
  const auto inverseLength = [&](int x, int y, int z) -> float {
    const int  moves[3] = { x, y, z };
    const int  numberOfMoves = x + y + z;
    const bool singleAxisOnly = stencil == DiffusionStencil::PeronaMalik6;
    if (singleAxisOnly && numberOfMoves > 1)
    {
      return 0.0f;
    }
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      if (moves[axis] != 0 && grid.size[axis] == 1)
      {
        return 0.0f;
      }
      const double step = useSpacing ? grid.spacing[axis] : 1.0;
      squared += moves[axis] * step * step;
    }
    return static_cast<float>(1.0 / std::sqrt(squared));
  };
  return { inverseLength(1, 0, 0), inverseLength(0, 1, 0), inverseLength(0, 0, 1), inverseLength(1, 1, 0),
           inverseLength(1, 0, 1), inverseLength(0, 1, 1), inverseLength(1, 1, 1) };
}

/** Sum over all neighbours of 1 / edge length. */
inline double
SumOfInverseEdgeLengths(const InverseEdgeLengths & l)
{
  return 2.0 * (double{ l.x } + l.y + l.z) + 4.0 * (double{ l.xy } + l.xz + l.yz) + 8.0 * l.xyz;
}

} // namespace cudaneuro

#endif
