// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/CudaCheck.h"

#include <string>

namespace cudaneuro
{

void
ThrowCudaError(cudaError_t status, const char * call, const char * file, int line)
{
  cudaGetLastError(); // so that the next check does not see this error again
  const std::string where = std::string(call) + " (" + file + ":" + std::to_string(line) + ")";
  throw Error(where, std::string(cudaGetErrorName(status)) + ", " + cudaGetErrorString(status));
}

DeviceScope::DeviceScope(int device)
{
  CUDANEURO_CUDA(cudaGetDevice(&m_CallersDevice));
  if (m_CallersDevice == device)
  {
    m_CallersDevice = -1;
    return;
  }
  CUDANEURO_CUDA(cudaSetDevice(device));
}

DeviceScope::~DeviceScope()
{
  if (m_CallersDevice >= 0)
  {
    cudaSetDevice(m_CallersDevice);
  }
}

} // namespace cudaneuro
