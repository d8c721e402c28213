// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_GaussianSmoothing_h
#define cudaneuro_images_smoothing_GaussianSmoothing_h

#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "images/smoothing/GaussianWeights.h"

namespace cudaneuro
{

/** Arguments of the convolution of a volume with a Gaussian, in memory of the context's device. */
struct VolumeSmoothing
{
  Extent        extent;
  Boundary      boundary = Boundary::Repeat;
  const float * input = nullptr;
  /** Work space: a volume distinct from the others. */
  float * scratch = nullptr;
  /** The result; it may be the input. */
  float * output = nullptr;
};

/** Arguments of the convolution of the components of a field. */
struct FieldSmoothing
{
  Extent        extent;
  Boundary      boundary = Boundary::Repeat;
  ConstSoAField input;
  /** Work space: a distinct field; on a GPU also the output, if it is not the input and SmoothsThroughOutput holds. */
  SoAField scratch;
  SoAField output;
  /** Skips the work while it is closed; for GPUs only. */
  DeviceGate gate;
};

/** Smooths with standard deviations \p sigma in voxels; on a GPU, enqueues the work on the compute stream. */
void
SmoothVolume(Context & context, const std::array<double, 3> & sigma, const VolumeSmoothing & smoothing);

namespace gpu
{
/** Returns whether the output can be used as scratch without loss of speed: for volumes that fill the device with one
 * thread per column, and radii up to 32 voxels. */
bool
SmoothsThroughOutput(const Extent & extent, const GaussianWeights & weights, Boundary boundary);
} // namespace gpu

CUDANEURO_ON_BOTH(void SmoothVolume(Context &               context,
                                    const GaussianWeights & weights,
                                    const VolumeSmoothing & smoothing));

/** Convolves. On a GPU, radii up to 32 voxels take at most two kernels, which move 48 bytes per voxel. The work may be
 * captured in a graph. */
CUDANEURO_ON_BOTH(void SmoothField(Context &               context,
                                   const GaussianWeights & weights,
                                   const FieldSmoothing &  smoothing));

} // namespace cudaneuro

#endif
