// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuroVersion_h
#define cudaneuroVersion_h

#include "CudaNeuroExport.h"

namespace cudaneuro
{

/** The version of this library, as "0.1.0". */
CudaNeuro_EXPORT const char *
GetVersion() noexcept;

} // namespace cudaneuro

#endif
