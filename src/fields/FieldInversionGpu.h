// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldInversionGpu_h
#define cudaneuro_fields_FieldInversionGpu_h

#include "fields/FieldInversionFormulas.h"

namespace cudaneuro::gpu
{

/** Computes the inverse, which overlaps with nothing else, and its residuals. */
InversionResult
Invert(Context & context, const FieldInversion & inversion);

} // namespace cudaneuro::gpu

#endif
