// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_HostDevice_h
#define cudaneuro_core_HostDevice_h

/** Marks a formula that both compilers compile: the CPU implementation and the kernels run the same text. */
#if defined(__CUDACC__)
#  define CUDANEURO_HOST_DEVICE __host__ __device__ __forceinline__
#else
#  define CUDANEURO_HOST_DEVICE inline
#endif

#endif
