// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_KernelGraph_h
#define cudaneuro_cuda_KernelGraph_h

#include "cuda/GpuContext.h"

#include <functional>

namespace cudaneuro
{

/** Kernels that are launched repeatedly as one graph: single launches cost more than small kernels take. */
class KernelGraph
{
public:
  /** Records the work that \p enqueue puts on the context's compute stream, without running it. No allocations. */
  KernelGraph(const GpuContext & gpu, const std::function<void()> & enqueue);
  ~KernelGraph();
  KernelGraph(const KernelGraph &) = delete;
  KernelGraph &
  operator=(const KernelGraph &) = delete;

  /** Enqueues the kernels on the compute stream. */
  void
  Launch() const
  {
    CUDANEURO_CUDA(cudaGraphLaunch(m_Graph, m_Stream));
  }

private:
  cudaStream_t    m_Stream;
  cudaGraphExec_t m_Graph = nullptr;
};

} // namespace cudaneuro

#endif
