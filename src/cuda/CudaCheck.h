// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_CudaCheck_h
#define cudaneuro_cuda_CudaCheck_h

#include "cudaneuro/Error.h"

#include <cuda_runtime.h>

namespace cudaneuro
{

/** \throws Error with the call and CUDA's reason. */
void
ThrowCudaError(cudaError_t status, const char * call, const char * file, int line);

inline void
CheckCuda(cudaError_t status, const char * call, const char * file, int line)
{
  if (status != cudaSuccess)
  {
    ThrowCudaError(status, call, file, line);
  }
}

/** Makes a device current, and the caller's device again when destroyed. */
class DeviceScope
{
public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &
  operator=(const DeviceScope &) = delete;

private:
  int m_CallersDevice = -1;
};

} // namespace cudaneuro

/** Checks a CUDA call. */
#define CUDANEURO_CUDA(call) ::cudaneuro::CheckCuda((call), #call, __FILE__, __LINE__)

/** Checks the launch just made; \a kernel is the kernel's name for the message. */
#define CUDANEURO_CUDA_LAUNCHED(kernel) \
  ::cudaneuro::CheckCuda(cudaGetLastError(), "launch of " kernel, __FILE__, __LINE__)

#endif
