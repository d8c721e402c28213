// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/KernelGraph.h"

namespace cudaneuro
{

KernelGraph::KernelGraph(const GpuContext & gpu, const std::function<void()> & enqueue)
  : m_Stream(gpu.ComputeStream())
{
  cudaGraph_t recorded = nullptr;
  CUDANEURO_CUDA(cudaStreamBeginCapture(m_Stream, cudaStreamCaptureModeThreadLocal));
  try
  {
    enqueue();
  }
  catch (...)
  {
    if (cudaStreamEndCapture(m_Stream, &recorded) == cudaSuccess)
    {
      cudaGraphDestroy(recorded);
    }
    throw;
  }
  CUDANEURO_CUDA(cudaStreamEndCapture(m_Stream, &recorded));
  const cudaError_t status = cudaGraphInstantiate(&m_Graph, recorded, 0);
  cudaGraphDestroy(recorded);
  CUDANEURO_CUDA(status);
}

KernelGraph::~KernelGraph()
{
  cudaGraphExecDestroy(m_Graph);
}

} // namespace cudaneuro
