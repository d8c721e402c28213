// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldInversionCpu_h
#define cudaneuro_fields_FieldInversionCpu_h

#include "fields/FieldInversionFormulas.h"

namespace cudaneuro::cpu
{

/** Computes the inverse, which overlaps with nothing else, and its residuals. */
InversionResult
Invert(Context & context, const FieldInversion & inversion);

} // namespace cudaneuro::cpu

#endif
