// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/ParallelFile.h"

#include "files/base/FormatFiles.h"
#include "files/base/Interruption.h"
#include "files/base/ParallelParts.h"
#include "cudaneuro/detail/NewFile.h"
#include "files/output/DeflatedPiece.h"
#include "files/system/SystemFile.h"
#include "itk_zlib.h"

#include <libdeflate.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cudaneuro::files
{

namespace
{

unsigned int
CountCores()
{
  return std::max(1u, std::thread::hardware_concurrency());
}

/** A lease of a core; the constructor waits for a free one. Without leases, many files that are
 * written at once would leave no core for computing the next result. */
class CoreLease
{
public:
  CoreLease()
  {
    std::unique_lock<std::mutex> lock(s_Mutex);
    s_Changed.wait(lock, [] { return s_Free > 0; });
    --s_Free;
  }

  ~CoreLease()
  {
    const std::lock_guard<std::mutex> lock(s_Mutex);
    ++s_Free;
    s_Changed.notify_one();
  }

  CoreLease(const CoreLease &) = delete;
  CoreLease &
  operator=(const CoreLease &) = delete;

private:
  static inline std::mutex              s_Mutex;
  static inline std::condition_variable s_Changed;
  static inline unsigned int            s_Free = CountCores();
};

/** Returns the number of parts; the header is part 0. */
std::uint64_t
CountParts(const FileContent & content)
{
  return 1 + content.bytes / content.bytesOfPart + (content.bytes % content.bytesOfPart > 0 ? 1 : 0);
}

/** A pool of memory for parts, because new memory from the system comes page by page for each part. */
class PartMemory
{
public:
  using Pointer = std::unique_ptr<char[]>;

  explicit PartMemory(std::size_t bytesOfPart)
    : m_BytesOfPart(bytesOfPart)
  {}

  Pointer
  Take()
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      if (!m_Free.empty())
      {
        Pointer memory = std::move(m_Free.back());
        m_Free.pop_back();
        return memory;
      }
    }
    return Pointer(new char[m_BytesOfPart]);
  }

  /** \param memory may be null */
  void
  GiveBack(Pointer memory)
  {
    if (memory)
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Free.push_back(std::move(memory));
    }
  }

private:
  const std::size_t    m_BytesOfPart;
  std::mutex           m_Mutex;
  std::vector<Pointer> m_Free;
};

/** A part of a file while it is written. */
struct WrittenPart
{
  const char * data = nullptr;
  std::size_t  size = 0;
  /** Holds the data, if it is not in memory already. */
  PartMemory::Pointer copied;
  std::vector<char>   deflated;
  /** The checksum of the bytes before compression, and their number. */
  std::uint32_t checksum = 0;
  std::size_t   count = 0;
};

/** Compresses the bytes of a part. If there are fewer parts than cores, all cores compress pieces of it. */
std::vector<char>
Deflate(const WrittenPart & part, std::uint64_t parts)
{
  const std::size_t              pieces = std::max<std::size_t>(1, (part.size + bytesOfPiece - 1) / bytesOfPiece);
  const std::uint64_t            piecesOfThread = pieces * std::min<std::uint64_t>(parts, CountCores()) / CountCores();
  std::vector<std::vector<char>> deflated(pieces);
  ForParts(pieces, std::max<std::uint64_t>(1, piecesOfThread), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
    {
      deflated[i] =
        DeflatePiece(part.data + i * bytesOfPiece, std::min<std::size_t>(bytesOfPiece, part.size - i * bytesOfPiece));
    }
  });
  for (std::size_t i = 1; i < pieces; ++i)
  {
    deflated.front().insert(deflated.front().end(), deflated[i].begin(), deflated[i].end());
  }
  return std::move(deflated.front());
}

WrittenPart
MakePart(const FileContent & content, std::uint64_t index, bool isGzip, PartMemory & memory)
{
  ThrowIfInterrupted();
  const CoreLease core;
  WrittenPart     part;
  if (index == 0)
  {
    part.data = content.header.data();
    part.size = content.header.size();
  }
  else
  {
    const std::uint64_t begin = (index - 1) * content.bytesOfPart;
    part.size = static_cast<std::size_t>(std::min<std::uint64_t>(content.bytesOfPart, content.bytes - begin));
    if (content.memory == nullptr)
    {
      part.copied = memory.Take();
      content.copy(begin, part.size, part.copied.get());
    }
    part.data = content.memory == nullptr ? part.copied.get() : content.memory + begin;
  }
  part.count = part.size;
  if (isGzip)
  {
    part.checksum = libdeflate_crc32(0, part.data, part.size);
    part.deflated = Deflate(part, CountParts(content) - 1);
    part.data = part.deflated.data();
    part.size = part.deflated.size();
    memory.GiveBack(std::move(part.copied));
  }
  return part;
}

/** Returns the end of gzip data (RFC 1952): an empty last block, the checksum, and the number of bytes. */
std::string
MakeGzipEnd(std::uint64_t checksum, std::uint64_t bytes)
{
  std::string end{ '\3', '\0' };
  for (const std::uint64_t number : { checksum, bytes })
  {
    for (unsigned int shift = 0; shift < 32; shift += 8)
    {
      end += static_cast<char>(number >> shift & 0xff);
    }
  }
  return end;
}

} // namespace

void
WriteInParallel(const std::string & path, const FileContent & content)
{
  const bool          isGzip = HasEnding(path, ".gz");
  const std::uint64_t parts = CountParts(content);
  // Writing alone needs no threads.
  const auto                 policy = isGzip || content.memory == nullptr ? std::launch::async : std::launch::deferred;
  const std::size_t          most = content.partsAtOnce > 0 ? content.partsAtOnce : CountCores() + 1;
  uLong                      checksum = 0;
  cudaneuro::detail::NewFile file(ToPath(path));
  // The header has no name and no time, and an unknown system.
  const std::string gzipBegin{ '\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, '\xff' };
  file.Write(gzipBegin.data(), isGzip ? gzipBegin.size() : 0);
  PartMemory                           memory(content.bytesOfPart);
  std::deque<std::future<WrittenPart>> made;
  for (std::uint64_t next = 0; next < parts || !made.empty();)
  {
    if (next < parts && made.size() < most)
    {
      made.push_back(
        std::async(policy, [&content, &memory, next, isGzip] { return MakePart(content, next, isGzip, memory); }));
      ++next;
      continue;
    }
    WrittenPart part = made.front().get();
    made.pop_front();
    file.Write(part.data, part.size);
    memory.GiveBack(std::move(part.copied));
    checksum = crc32_combine(checksum, part.checksum, static_cast<z_off_t>(part.count));
  }
  const std::string gzipEnd = MakeGzipEnd(checksum, content.header.size() + content.bytes);
  file.Write(gzipEnd.data(), isGzip ? gzipEnd.size() : 0);
  file.Close();
}

} // namespace cudaneuro::files
