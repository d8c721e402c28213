// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/DeviceSum.h"

#include "cuda/GpuContext.h"
#include "group/NcclLibrary.cuh"

#include <atomic>
#include <cstdlib>
#include <set>

namespace cudaneuro::gpu
{
namespace
{

constexpr int
TypeOf(const std::int32_t *)
{
  return nccl::int32;
}
constexpr int
TypeOf(const std::int64_t *)
{
  return nccl::int64;
}

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

/** Sums by NCCL. The first device's thread enqueues the sums of all devices: were each to enqueue its own, and one failed
 * to, the kernels of the others would wait for it for ever. */
class NcclSum : public DeviceSum
{
public:
  NcclSum(std::unique_ptr<Claim>         claim,
          const std::string &            libraryName,
          const std::vector<Context *> & contexts,
          Meeting &                      meeting)
    : m_Claim(std::move(claim))
    , m_Contexts(contexts)
    , m_Meeting(meeting)
    , m_Library({ libraryName })
    , m_Communicators(m_Library, IndicesOf(contexts))
    , m_Values(contexts.size())
  {
    this->Connect();
  }

  std::string
  GetName() const override
  {
    return "NCCL " + m_Library.GetVersion();
  }

  void
  Sum(int device, std::int64_t * values, std::size_t count) override
  {
    this->SumValues(device, values, count);
  }
  void
  Sum(int device, std::int32_t * values, std::size_t count) override
  {
    this->SumValues(device, values, count);
  }

private:
  /** Sums one number, so that NCCL connects the devices and takes its memory now, and not in the middle of a job. */
  void
  Connect()
  {
    std::vector<DeviceBuffer<std::int64_t>> numbers;
    for (std::size_t i = 0; i < m_Contexts.size(); ++i)
    {
      const GpuContext & gpu = GpuOf(*m_Contexts[i]);
      const DeviceScope  scope(gpu.GetDevice());
      numbers.push_back(gpu.AllocateArray<std::int64_t>(1));
      CUDANEURO_CUDA(cudaMemsetAsync(numbers[i].Data(), 0, sizeof(std::int64_t), gpu.ComputeStream()));
      m_Values[i] = numbers[i].Data();
    }
    this->EnqueueAll(1, nccl::int64);
    for (const Context * const context : m_Contexts)
    {
      CUDANEURO_CUDA(cudaStreamSynchronize(GpuOf(*context).ComputeStream()));
    }
  }

  template <typename T>
  void
  SumValues(int device, T * values, std::size_t count)
  {
    m_Values[device] = values;
    m_Meeting.Wait();
    if (device == 0)
    {
      this->EnqueueAll(count, TypeOf(values));
    }
    m_Meeting.Wait();
  }

  /** Enqueues the sums of m_Values on all compute streams. */
  void
  EnqueueAll(std::size_t count, int type)
  {
    m_Library.Check(m_Library.groupStart(), "ncclGroupStart");
    nccl::Result result = nccl::success;
    for (std::size_t i = 0; i < m_Values.size() && result == nccl::success; ++i)
    {
      const cudaStream_t stream = GpuOf(*m_Contexts[i]).ComputeStream();
      result = m_Library.allReduce(m_Values[i], m_Values[i], count, type, nccl::sum, m_Communicators.Get(i), stream);
    }
    const nccl::Result resultOfGroup = m_Library.groupEnd(); // also after a failure: it ends what groupStart began
    m_Library.Check(result, "ncclAllReduce");
    m_Library.Check(resultOfGroup, "ncclGroupEnd");
  }

  std::unique_ptr<Claim> m_Claim;
  std::vector<Context *> m_Contexts;
  Meeting &              m_Meeting;
  nccl::Library          m_Library;
  nccl::Communicators    m_Communicators;
  /** Each device's values. */
  std::vector<void *> m_Values;
};

} // namespace

std::unique_ptr<DeviceSum>
MakeNcclSum(const std::vector<Context *> & contexts, Meeting & meeting)
{
  const char * const     variable = std::getenv("CUDANEURO_NCCL");
  const std::string      choice = variable ? variable : "";
  const std::vector<int> indices = IndicesOf(contexts);
  const bool             isEachThereOnce = std::set<int>(indices.begin(), indices.end()).size() == indices.size();
  if (choice == "0" || !isEachThereOnce)
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
    return std::make_unique<NcclSum>(std::move(claim), choice, contexts, meeting);
  }
  try
  {
    return std::make_unique<NcclSum>(std::move(claim), "libnccl.so.2", contexts, meeting);
  }
  catch (const Error &)
  {
    cudaGetLastError(); // NCCL's failure is none of the next launch.
    return nullptr;
  }
}

} // namespace cudaneuro::gpu
