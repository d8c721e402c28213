// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_Warp_h
#define cudaneuro_fields_Warp_h

#include "cudaneuro/DisplacementField.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"

namespace cudaneuro
{

/** A map of the voxels of a grid, index -> indexMap(index + field(index)). A field of null pointers is 0. */
struct IndexMapping
{
  AffineMap     indexMap;
  ConstSoAField field;
};

/** output(i) = input(mapping(i)), as in WarpImage; volumes are in memory of the context's device. */
struct VolumeWarp
{
  Extent        inputExtent;
  const float * input = nullptr;
  /** May be null. */
  const unsigned char * inputMask = nullptr;
  Extent                outputExtent;
  IndexMapping          mapping;
  Interpolation         interpolation = Interpolation::Linear;
  float                 defaultValue = 0.0f;
  float *               output = nullptr;
};

/** Computes the output; on a GPU, enqueues that on the compute stream. */
CUDANEURO_DISPATCHED(void WarpVolume(Context & context, const VolumeWarp & warp));

} // namespace cudaneuro

#endif
