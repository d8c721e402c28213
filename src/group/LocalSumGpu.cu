// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/LocalSum.h"

namespace cudaneuro::gpu
{

LocalSum::LocalSum(const std::vector<Context *> & contexts)
  : m_Contexts(contexts)
{
  const DeviceScope scope(contexts[0]->GetDevice().cudaIndex);
  for (std::size_t i = 0; i < contexts.size(); ++i)
  {
    m_Events.push_back(std::make_unique<Event>());
  }
}

void
LocalSum::EnqueueSumIntoFirst(const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  const GpuContext & first = GpuOf(this->GetFirst());
  const DeviceScope  scope(first.GetDevice());
  this->LetFirstWaitForOthers();
  gpu::EnqueueSumIntoFirst(first, arrays, count, type);
  this->LetOthersWaitForFirst();
}

void
LocalSum::EnqueueCopiesOfFirst(const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  const GpuContext & first = GpuOf(this->GetFirst());
  const DeviceScope  scope(first.GetDevice());
  gpu::EnqueueCopiesOfFirst(first, arrays, count, type);
  this->LetOthersWaitForFirst();
}

void
LocalSum::EnqueueSumIntoAll(const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  const GpuContext & first = GpuOf(this->GetFirst());
  const DeviceScope  scope(first.GetDevice());
  this->LetFirstWaitForOthers();
  gpu::EnqueueSumIntoAll(first, arrays, count, type);
  this->LetOthersWaitForFirst();
}

void
LocalSum::LetFirstWaitForOthers()
{
  const cudaStream_t first = GpuOf(this->GetFirst()).ComputeStream();
  for (std::size_t i = 1; i < m_Contexts.size(); ++i)
  {
    m_Events[i]->Order(GpuOf(*m_Contexts[i]).ComputeStream(), first);
  }
}

void
LocalSum::LetOthersWaitForFirst()
{
  if (m_Contexts.size() > 1)
  {
    m_Events[0]->Record(GpuOf(this->GetFirst()).ComputeStream());
  }
  for (std::size_t i = 1; i < m_Contexts.size(); ++i)
  {
    CUDANEURO_CUDA(cudaStreamWaitEvent(GpuOf(*m_Contexts[i]).ComputeStream(), m_Events[0]->Get(), 0));
  }
}

} // namespace cudaneuro::gpu
