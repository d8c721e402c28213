// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/DeviceSum.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

constexpr int          blockThreads = 256;
constexpr std::int64_t blocksPerMultiprocessor = 8;

/** What a device has for the sums. The arrays that are summed are touched by their own device's stream alone; other
 * streams use the scratch, which lives as long as the group. So a job may free its array, in order of its stream, also
 * while an exception ends it in the middle of a sum. */
struct Member
{
  explicit Member(Context & context)
    : gpu(GpuOf(context))
    , scratch(gpu.Allocate(scratchBytes))
  {
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream())); // Now all streams may use the scratch.
  }

  /** For the parts of arrays that travel at once. Larger ones take several turns. */
  static constexpr std::size_t scratchBytes = std::size_t{ 32 } << 20;

  const GpuContext & gpu;
  DeviceMemory       scratch;
  Event              sent;
  Event              summed;
  Event              gathered;
};

/** Adds the slots, of \p length elements and \p pitch elements apart, into the first: reads all, writes one. */
template <typename T>
__global__ void
__launch_bounds__(blockThreads) AddSlotsKernel(T * slots, std::int64_t length, std::int64_t pitch, int numberOfSlots)
{
  const std::int64_t stride = std::int64_t{ gridDim.x } * blockThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * blockThreads + threadIdx.x; i < length; i += stride)
  {
    T sum = slots[i];
    for (int slot = 1; slot < numberOfSlots; ++slot)
    {
      sum += slots[slot * pitch + i];
    }
    slots[i] = sum;
  }
}

/** Sums by copies. The elements are cut into slices, one a device. Each device sends its values of every slice to the
 * device of the slice, which adds them in its scratch; then each fetches all sums. Events order the streams. */
class PeerSum : public DeviceSum
{
public:
  PeerSum(const std::vector<Context *> & contexts, Meeting & meeting, bool doAllReach)
    : m_Meeting(meeting)
    , m_DoAllReach(doAllReach)
    , m_SlotBytes(RoundDown(Member::scratchBytes / contexts.size(), 256))
  {
    for (Context * const context : contexts)
    {
      const DeviceScope scope(context->GetDevice().cudaIndex);
      m_Members.push_back(std::make_unique<Member>(*context));
    }
  }

  std::string
  GetName() const override
  {
    return "peer copies";
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
  template <typename T>
  void
  SumValues(int device, T * values, std::size_t count)
  {
    const std::size_t perTurn = m_SlotBytes / sizeof(T) * m_Members.size();
    for (std::size_t begin = 0; begin < count; begin += perTurn)
    {
      const std::size_t countOfTurn = std::min(perTurn, count - begin);
      m_Meeting.Wait();
      this->WaitForAll(device, &Member::gathered); // They may still read the scratch, in the turn before.
      this->Send(device, values + begin, countOfTurn);
      m_Meeting.Wait();
      this->WaitForAll(device, &Member::sent);
      this->Add<T>(device, countOfTurn);
      m_Meeting.Wait();
      this->WaitForAll(device, &Member::summed);
      this->Gather(device, values + begin, countOfTurn);
    }
  }

  /** Copies the device's values of every slice to the device's slot at the slice's device. */
  template <typename T>
  void
  Send(int device, const T * values, std::size_t count)
  {
    for (std::size_t to = 0; to < m_Members.size(); ++to)
    {
      const Slice slice = this->SliceOf(to, count);
      char *      slot = static_cast<char *>(m_Members[to]->scratch.Data()) + device * m_SlotBytes;
      this->Copy(device, slot, to, values + slice.begin, device, slice.length * sizeof(T));
    }
    m_Members[device]->sent.Record(m_Members[device]->gpu.ComputeStream());
  }

  /** Adds the slots of the device's slice. */
  template <typename T>
  void
  Add(int device, std::size_t count)
  {
    Member &   self = *m_Members[device];
    const auto length = static_cast<std::int64_t>(this->SliceOf(device, count).length);
    if (length > 0)
    {
      const auto blocks = static_cast<unsigned int>(
        std::min(DivideUp(length, blockThreads), blocksPerMultiprocessor * self.gpu.NumberOfMultiprocessors()));
      AddSlotsKernel<<<blocks, blockThreads, 0, self.gpu.ComputeStream()>>>(
        static_cast<T *>(self.scratch.Data()),
        length,
        static_cast<std::int64_t>(m_SlotBytes / sizeof(T)),
        static_cast<int>(m_Members.size()));
      CUDANEURO_CUDA_LAUNCHED("AddSlotsKernel");
    }
    self.summed.Record(self.gpu.ComputeStream());
  }

  /** Fetches the sums of every slice. */
  template <typename T>
  void
  Gather(int device, T * values, std::size_t count)
  {
    for (std::size_t from = 0; from < m_Members.size(); ++from)
    {
      const Slice slice = this->SliceOf(from, count);
      this->Copy(device, values + slice.begin, device, m_Members[from]->scratch.Data(), from, slice.length * sizeof(T));
    }
    m_Members[device]->gathered.Record(m_Members[device]->gpu.ComputeStream());
  }

  /** Copies from memory of one device to that of another, in order of the stream of \p device. */
  void
  Copy(int device, void * to, std::size_t toDevice, const void * from, std::size_t fromDevice, std::size_t bytes)
  {
    const cudaStream_t stream = m_Members[device]->gpu.ComputeStream();
    if (bytes == 0)
    {
      return;
    }
    if (m_DoAllReach)
    {
      CUDANEURO_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
      return;
    }
    // The driver takes a way through the host.
    const auto indexOf = [&](std::size_t i) { return m_Members[i]->gpu.GetDevice(); };
    CUDANEURO_CUDA(cudaMemcpyPeerAsync(to, indexOf(toDevice), from, indexOf(fromDevice), bytes, stream));
  }

  struct Slice
  {
    std::size_t begin;
    std::size_t length;
  };

  /** The elements that a device adds; the last ones may have none. */
  Slice
  SliceOf(std::size_t device, std::size_t count) const
  {
    const std::size_t length = DivideUp(count, m_Members.size());
    const std::size_t begin = std::min(count, device * length);
    return { begin, std::min(length, count - begin) };
  }

  /** Makes the device's stream wait for that event of all devices, which have recorded it before the last meeting. */
  void
  WaitForAll(int device, Event Member::*event)
  {
    for (const std::unique_ptr<Member> & other : m_Members)
    {
      CUDANEURO_CUDA(cudaStreamWaitEvent(m_Members[device]->gpu.ComputeStream(), ((*other).*event).Get(), 0));
    }
  }

  Meeting &                            m_Meeting;
  bool                                 m_DoAllReach;
  std::size_t                          m_SlotBytes;
  std::vector<std::unique_ptr<Member>> m_Members;
};

} // namespace

std::unique_ptr<DeviceSum>
MakePeerSum(const std::vector<Context *> & contexts, Meeting & meeting, bool doAllReach)
{
  return std::make_unique<PeerSum>(contexts, meeting, doAllReach);
}

} // namespace cudaneuro::gpu
