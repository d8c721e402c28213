// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_SplineCoefficients_h
#define cudaneuro_fields_warp_SplineCoefficients_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

namespace cudaneuro
{

/** Coefficients of cubic B-splines through the voxels of a volume, in memory of the context's device. */
struct SplineCoefficients
{
  DeviceMemory values; // one float per voxel
  /** An int: whether the volume has a voxel that is not finite. */
  DeviceMemory hasNotFinite;

  const float *
  GetValues() const
  {
    return static_cast<const float *>(values.Data());
  }
  const int *
  GetHasNotFinite() const
  {
    return static_cast<const int *>(hasNotFinite.Data());
  }
};

/** Computes the coefficients, with the volume mirrored at its ends. A voxel that is not finite is replaced by
 * FiniteValue, because it would spread along all axes. On a GPU, this enqueues work on the compute stream; the memory
 * of a second volume is used meanwhile. */
CUDANEURO_DISPATCHED(SplineCoefficients MakeSplineCoefficients(Context &      context,
                                                               const Extent & extent,
                                                               const float *  volume));

} // namespace cudaneuro

#endif
