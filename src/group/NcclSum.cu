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

/** Claims NCCL for one group of the process at a time. Kernels of NCCL wait on the device for those of the other
 * devices: kernels of two groups could fill the devices in different orders, and wait for each other. */
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

/** NCCL's connection of some devices. It takes a fifth of a second to make, and is kept for the process's next group
 * of the same devices. */
struct Connection
{
  std::string         libraryName;
  std::vector<int>    devices;
  nccl::Library       library;
  nccl::Communicators communicators;

  Connection(const std::string & name, const std::vector<int> & indices)
    : libraryName(name)
    , devices(indices)
    , library({ name })
    , communicators(library, indices)
  {}

  /** Returns the last connection, for the owner of the claim. It is never destroyed: at the end of the process CUDA may
   * have ended before. */
  static std::shared_ptr<Connection> &
  Last()
  {
    static auto * const last = new std::shared_ptr<Connection>();
    return *last;
  }
};

/** Sums by NCCL. */
class NcclSum : public SumBetweenDevices
{
public:
  NcclSum(std::unique_ptr<Claim> claim, const std::string & libraryName, const std::vector<Context *> & contexts)
    : m_Claim(std::move(claim))
    , m_Contexts(contexts)
    , m_Connection(std::move(Connection::Last()))
  {
    Connection::Last() = nullptr;
    const std::vector<int> devices = IndicesOf(contexts);
    if (!m_Connection || m_Connection->libraryName != libraryName || m_Connection->devices != devices)
    {
      m_Connection = std::make_shared<Connection>(libraryName, devices);
      this->Connect();
    }
  }
  ~NcclSum() override
  {
    if (!m_HasFailed)
    {
      Connection::Last() = m_Connection;
    }
  }
  NcclSum(const NcclSum &) = delete;
  NcclSum &
  operator=(const NcclSum &) = delete;

  std::string
  GetName() const override
  {
    return "NCCL " + m_Connection->library.GetVersion();
  }

  void
  Enqueue(const std::vector<void *> & arrays, std::size_t count, SumType type) override
  {
    const nccl::Library & library = m_Connection->library;
    const int             typeOfNccl = type == SumType::Int32 ? nccl::int32 : nccl::int64;
    m_HasFailed = true; // until all has been enqueued
    library.Check(library.groupStart(), "ncclGroupStart");
    nccl::Result result = nccl::success;
    for (std::size_t i = 0; i < arrays.size() && result == nccl::success; ++i)
    {
      const cudaStream_t stream = GpuOf(*m_Contexts[i]).ComputeStream();
      const auto         communicator = m_Connection->communicators.Get(i);
      result = library.allReduce(arrays[i], arrays[i], count, typeOfNccl, nccl::sum, communicator, stream);
    }
    const nccl::Result resultOfGroup = library.groupEnd(); // also after a failure: it ends what groupStart began
    library.Check(result, "ncclAllReduce");
    library.Check(resultOfGroup, "ncclGroupEnd");
    m_HasFailed = false;
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

  std::unique_ptr<Claim>      m_Claim;
  std::vector<Context *>      m_Contexts;
  std::shared_ptr<Connection> m_Connection;
  bool                        m_HasFailed = false;
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
    cudaGetLastError(); // clears NCCL's failure, or the next launch would report it
    return nullptr;
  }
}

} // namespace cudaneuro::gpu
