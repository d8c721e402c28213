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

/** Convolution of a volume with a Gaussian, in memory of the context's device. */
struct VolumeSmoothing
{
  Extent        extent;
  Boundary      boundary = Boundary::Repeat;
  const float * input = nullptr;
  /** A volume of its own. */
  float * scratch = nullptr;
  /** May be the input. */
  float * output = nullptr;
};

/** The same for the components of a field. */
struct FieldSmoothing
{
  Extent        extent;
  Boundary      boundary = Boundary::Repeat;
  ConstSoAField input;
  /** A field of its own; on a GPU also the output, where that is not the input and SmoothsThroughOutput says so. */
  SoAField scratch;
  SoAField output;
  /** For GPUs. */
  DeviceGate gate;
};

/** Smooths with standard deviations \p sigma in voxels; on a GPU, enqueues that on the compute stream. */
void
SmoothVolume(Context & context, const std::array<double, 3> & sigma, const VolumeSmoothing & smoothing);

namespace gpu
{
/** Whether the output can serve as scratch without loss of speed: for volumes that fill the device with one thread a
 * column, and radii up to 32 voxels. */
bool
SmoothsThroughOutput(const Extent & extent, const GaussianWeights & weights, Boundary boundary);
} // namespace gpu

CUDANEURO_ON_BOTH(void SmoothVolume(Context &               context,
                                    const GaussianWeights & weights,
                                    const VolumeSmoothing & smoothing));

/** On a GPU, enqueues at most two kernels for radii up to 32 voxels, which move 48 bytes a voxel. May be captured in a
 * graph. */
CUDANEURO_ON_BOTH(void SmoothField(Context &               context,
                                   const GaussianWeights & weights,
                                   const FieldSmoothing &  smoothing));

} // namespace cudaneuro

#endif
