// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/SumBetweenDevices.h"

#include "cuda/GpuContext.h"
#include "group/NcclLibrary.cuh"

#include <atomic>
#include <cstdlib>

namespace cudaneuro::gpu
{
namespace
{

std::vector<int>
IndicesOf(const std::vector<Context *> & contexts)
{
  std::vector<int> indices;
  for (const Context * const context : contexts)
  {
    indices.push_back(context->GetDevice().cudaIndex);
  }
  return indices;
}

/** Claims NCCL for one group of the process at a time. Kernels of NCCL wait on the device for those of the other devices:
 * two groups' could fill the devices in different orders, and wait for each other. */
class Claim
{
public:
  Claim()
    : m_IsGranted(!IsTaken().exchange(true))
  {}
  ~Claim()
  {
    if (m_IsGranted)
    {
      IsTaken() = false;
    }
  }
  Claim(const Claim &) = delete;
  Claim &
  operator=(const Claim &) = delete;

  bool
  IsGranted() const
  {
    return m_IsGranted;
  }

private:
  static std::atomic<bool> &
  IsTaken()
  {
    static std::atomic<bool> isTaken{ false };
    return isTaken;
  }

  const bool m_IsGranted;
};

/** Sums by NCCL. */
class NcclSum : public SumBetweenDevices
{
public:
  NcclSum(std::unique_ptr<Claim> claim, const std::string & libraryName, const std::vector<Context *> & contexts)
    : m_Claim(std::move(claim))
    , m_Contexts(contexts)
    , m_Library({ libraryName })
    , m_Communicators(m_Library, IndicesOf(contexts))
  {
    this->Connect();
  }

  std::string
  GetName() const override
  {
    return "NCCL " + m_Library.GetVersion();
  }

  void
  Enqueue(const std::vector<void *> & arrays, std::size_t count, SumType type) override
  {
    const int typeOfNccl = type == SumType::Int32 ? nccl::int32 : nccl::int64;
    m_Library.Check(m_Library.groupStart(), "ncclGroupStart");
    nccl::Result result = nccl::success;
    for (std::size_t i = 0; i < arrays.size() && result == nccl::success; ++i)
    {
      const cudaStream_t stream = GpuOf(*m_Contexts[i]).ComputeStream();
      result = m_Library.allReduce(arrays[i], arrays[i], count, typeOfNccl, nccl::sum, m_Communicators.Get(i), stream);
    }
    const nccl::Result resultOfGroup = m_Library.groupEnd(); // also after a failure: it ends what groupStart began
    m_Library.Check(result, "ncclAllReduce");
    m_Library.Check(resultOfGroup, "ncclGroupEnd");
  }

private:
  /** Sums one number, so that NCCL connects the devices and takes its memory now, and not in the middle of a job. */
  void
  Connect()
  {
    std::vector<DeviceBuffer<std::int64_t>> numbers;
    std::vector<void *>                     arrays;
    for (std::size_t i = 0; i < m_Contexts.size(); ++i)
    {
      const GpuContext & gpu = GpuOf(*m_Contexts[i]);
      const DeviceScope  scope(gpu.GetDevice());
      numbers.push_back(gpu.AllocateArray<std::int64_t>(1));
      CUDANEURO_CUDA(cudaMemsetAsync(numbers[i].Data(), 0, sizeof(std::int64_t), gpu.ComputeStream()));
      arrays.push_back(numbers[i].Data());
    }
    this->Enqueue(arrays, 1, SumType::Int64);
    for (const Context * const context : m_Contexts)
    {
      CUDANEURO_CUDA(cudaStreamSynchronize(GpuOf(*context).ComputeStream()));
    }
  }

  std::unique_ptr<Claim> m_Claim;
  std::vector<Context *> m_Contexts;
  nccl::Library          m_Library;
  nccl::Communicators    m_Communicators;
};

} // namespace

std::unique_ptr<SumBetweenDevices>
MakeNcclSum(const std::vector<Context *> & contexts)
{
  const char * const variable = std::getenv("CUDANEURO_NCCL");
  const std::string  choice = variable ? variable : "";
  if (choice == "0")
  {
    return nullptr;
  }
  auto claim = std::make_unique<Claim>();
  if (!claim->IsGranted())
  {
    return nullptr;
  }
  if (!choice.empty())
  {
    return std::make_unique<NcclSum>(std::move(claim), choice, contexts);
  }
  try
  {
    return std::make_unique<NcclSum>(std::move(claim), "libnccl.so.2", contexts);
  }
  catch (const Error &)
  {
    cudaGetLastError(); // NCCL's failure is none of the next launch.
    return nullptr;
  }
}

} // namespace cudaneuro::gpu
