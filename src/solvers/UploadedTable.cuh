// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_UploadedTable_cuh
#define cudaneuro_solvers_UploadedTable_cuh

#include "cuda/GpuContext.h"

#include <vector>

namespace cudaneuro::gpu
{

/** Returns a copy of \p values on the device, and waits for it, because the caller owns them. */
inline DeviceBuffer<float>
UploadTable(GpuContext & gpu, const std::vector<float> & values)
{
  DeviceBuffer<float> array = gpu.AllocateArray<float>(values.size());
  CUDANEURO_CUDA(cudaMemcpyAsync(
    array.Data(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice, gpu.ComputeStream()));
  CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  return array;
}

} // namespace cudaneuro::gpu

#endif
