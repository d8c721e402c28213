// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_WarpGpu_h
#define cudaneuro_fields_WarpGpu_h

#include "fields/FieldPrimitives.h"

namespace cudaneuro::gpu
{

/** WarpVolume of fields/FieldPrimitives.h. */
void
WarpVolume(Context &             context,
           Interpolation         interpolation,
           float                 defaultValue,
           const Extent &        inputExtent,
           const float *         input,
           const unsigned char * inputMask,
           const Extent &        outputExtent,
           const IndexMapping &  mapping,
           float *               output,
           unsigned char *       validity);

} // namespace cudaneuro::gpu

#endif
