// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_BuildConfiguration_h
#define cudaneuro_core_BuildConfiguration_h

namespace cudaneuro
{

/** Whether the CUDA sources are part of this build. Code under `if constexpr (builtWithCuda)` may name functions that
 * only those define. */
constexpr bool builtWithCuda = CUDANEURO_USE_CUDA;

} // namespace cudaneuro

#endif
