// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Version_h
#define cudaneuro_Version_h

#include "CudaNeuroExport.h"

namespace cudaneuro
{

/** The version of this library, as "0.1.0". */
CudaNeuro_EXPORT const char *
GetVersion() noexcept;

} // namespace cudaneuro

#endif
