// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldCompositionGpu_h
#define cudaneuro_fields_FieldCompositionGpu_h

#include "fields/FieldCompositionFormulas.h"

namespace cudaneuro::gpu
{

/** Computes the composition's output, which overlaps with nothing else of it. */
void
Compose(Context & context, const FieldComposition & composition);

} // namespace cudaneuro::gpu

#endif
