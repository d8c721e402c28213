// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/SumBetweenDevices.h"

#include "core/IntegerMath.h"
#include "group/ArraySum.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

/** A device's resources for the sums. The arrays that are summed are accessed by their own device's stream only; other
 * streams use the scratch memory, which lives as long as the group. So a job may free its array, in order of its
 * stream, even if an exception ends it in the middle of a sum. */
struct Member
{
  explicit Member(Context & context)
    : gpu(GpuOf(context))
    , scratch(gpu.Allocate(scratchBytes))
  {
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream())); // after this all streams may use the scratch
  }

  /** Memory for the parts of arrays that are exchanged at once. Larger arrays need several turns. */
  static constexpr std::size_t scratchBytes = std::size_t{ 32 } << 20;

  const GpuContext & gpu;
  DeviceMemory       scratch;
  Event              event;
};

/** Sums by copies. The elements are divided into slices, one per device. Each device sends its values of every slice to
 * the device of the slice, which adds them in its scratch; then each device fetches all sums. */
class PeerSum : public SumBetweenDevices
{
public:
  PeerSum(const std::vector<Context *> & contexts, bool doAllReach)
    : m_DoAllReach(doAllReach)
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
  Enqueue(const std::vector<void *> & arrays, std::size_t count, SumType type) override
  {
    const std::size_t perTurn = m_SlotBytes / BytesOf(type) * m_Members.size();
    for (std::size_t begin = 0; begin < count; begin += perTurn)
    {
      const Turn turn{ begin, std::min(perTurn, count - begin), type };
      this->LetAllWaitForAll(); // others may still read the scratch of the previous turn
      this->ForDevices([&](std::size_t device) { this->Send(device, arrays[device], turn); });
      this->LetAllWaitForAll();
      this->ForDevices([&](std::size_t device) { this->Add(device, turn); });
      this->LetAllWaitForAll();
      this->ForDevices([&](std::size_t device) { this->Gather(device, arrays[device], turn); });
    }
  }

private:
  /** The elements that are exchanged at once. */
  struct Turn
  {
    std::size_t begin;
    std::size_t count;
    SumType     type;
  };

  /** A range of the bytes of a turn's elements. */
  struct Slice
  {
    std::size_t begin;
    std::size_t length;
  };

  template <typename TWork>
  void
  ForDevices(const TWork & work)
  {
    for (std::size_t device = 0; device < m_Members.size(); ++device)
    {
      const DeviceScope scope(m_Members[device]->gpu.GetDevice());
      work(device);
    }
  }

  /** Makes each stream wait for the work now enqueued on all streams, through the first stream. */
  void
  LetAllWaitForAll()
  {
    Member & first = *m_Members[0];
    for (std::size_t i = 1; i < m_Members.size(); ++i)
    {
      m_Members[i]->event.Order(m_Members[i]->gpu.ComputeStream(), first.gpu.ComputeStream());
    }
    first.event.Record(first.gpu.ComputeStream());
    for (std::size_t i = 1; i < m_Members.size(); ++i)
    {
      CUDANEURO_CUDA(cudaStreamWaitEvent(m_Members[i]->gpu.ComputeStream(), first.event.Get(), 0));
    }
  }

  /** Copies the device's values of every slice to the device's slot on the slice's device. */
  void
  Send(std::size_t device, const void * array, const Turn & turn)
  {
    const auto * const values = static_cast<const char *>(array) + turn.begin * BytesOf(turn.type);
    for (std::size_t to = 0; to < m_Members.size(); ++to)
    {
      const Slice slice = this->SliceOf(to, turn);
      this->Copy(device, this->SlotOf(to, device), to, values + slice.begin, device, slice.length);
    }
  }

  /** Adds the slots of the device's slice into the first slot. */
  void
  Add(std::size_t device, const Turn & turn)
  {
    const std::size_t count = this->SliceOf(device, turn).length / BytesOf(turn.type);
    if (count > 0)
    {
      std::vector<void *> slots;
      for (std::size_t from = 0; from < m_Members.size(); ++from)
      {
        slots.push_back(this->SlotOf(device, from));
      }
      EnqueueSumIntoFirst(m_Members[device]->gpu, slots, count, turn.type);
    }
  }

  /** Fetches the sums of every slice. */
  void
  Gather(std::size_t device, void * array, const Turn & turn)
  {
    auto * const values = static_cast<char *>(array) + turn.begin * BytesOf(turn.type);
    for (std::size_t from = 0; from < m_Members.size(); ++from)
    {
      const Slice slice = this->SliceOf(from, turn);
      this->Copy(device, values + slice.begin, device, this->SlotOf(from, 0), from, slice.length);
    }
  }

  /** Returns the place in the scratch of \p device for the values that \p from has sent. */
  void *
  SlotOf(std::size_t device, std::size_t from) const
  {
    return static_cast<char *>(m_Members[device]->scratch.Data()) + from * m_SlotBytes;
  }

  /** Copies from memory of one device to that of another, in order of the stream of \p device. */
  void
  Copy(
    std::size_t device, void * to, std::size_t toDevice, const void * from, std::size_t fromDevice, std::size_t bytes)
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
    // The driver copies through the host.
    const auto indexOf = [&](std::size_t i) { return m_Members[i]->gpu.GetDevice(); };
    CUDANEURO_CUDA(cudaMemcpyPeerAsync(to, indexOf(toDevice), from, indexOf(fromDevice), bytes, stream));
  }

  /** Returns the slice that a device adds; the last slices may be empty. */
  Slice
  SliceOf(std::size_t device, const Turn & turn) const
  {
    const std::size_t length = DivideUp(turn.count, m_Members.size());
    const std::size_t begin = std::min(turn.count, device * length);
    return { begin * BytesOf(turn.type), std::min(length, turn.count - begin) * BytesOf(turn.type) };
  }

  bool                                 m_DoAllReach;
  std::size_t                          m_SlotBytes;
  std::vector<std::unique_ptr<Member>> m_Members;
};

} // namespace

std::unique_ptr<SumBetweenDevices>
MakePeerSum(const std::vector<Context *> & contexts, bool doAllReach)
{
  return std::make_unique<PeerSum>(contexts, doAllReach);
}

} // namespace cudaneuro::gpu
