// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/ParallelFile.h"

#include "files/base/FormatFiles.h"
#include "files/base/Interruption.h"
#include "files/base/SystemFile.h"
#include "files/output/DeflatedBlock.h"
#include "itk_zlib.h"

#include <libdeflate.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace
{

/** A multiple of what a compressed block holds. A thread needs twice as much memory. */
constexpr std::size_t largestPart = std::size_t{ 16 } * 65520;

/** One of as many leases as there are cores; the constructor waits for a free one. Without them, many files that are written at once
 * would leave no core to what computes the next result. */
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
  static inline unsigned int            s_Free = std::max(1u, std::thread::hardware_concurrency());
};

/** Lets threads that make the parts of a file append them in their order. */
class Turns
{
public:
  /** Waits until all earlier parts are appended, and then calls a function, unless one of another part has thrown. */
  template <typename TAppend>
  void
  Take(std::uint64_t part, const TAppend & append)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    m_Changed.wait(lock, [&] { return m_Next == part || m_IsBroken; });
    if (!m_IsBroken)
    {
      append();
      ++m_Next;
      m_Changed.notify_all();
    }
  }

  /** The number of a part that no thread has begun. */
  std::uint64_t
  Begin()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_Begun++;
  }

  void
  Break()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_IsBroken = true;
    m_Changed.notify_all();
  }

  bool
  IsBroken()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_IsBroken;
  }

private:
  std::mutex              m_Mutex;
  std::condition_variable m_Changed;
  std::uint64_t           m_Begun = 0;
  std::uint64_t           m_Next = 0;
  bool                    m_IsBroken = false;
};

/** The header is part 0. */
std::uint64_t
CountParts(const FileContent & content)
{
  return 1 + content.bytes / largestPart + (content.bytes % largestPart > 0 ? 1 : 0);
}

std::size_t
CopyPart(const FileContent & content, std::uint64_t part, std::vector<char> & to)
{
  if (part == 0)
  {
    std::copy(content.header.begin(), content.header.end(), to.begin());
    return content.header.size();
  }
  const std::uint64_t begin = (part - 1) * largestPart;
  const auto          count = static_cast<std::size_t>(std::min<std::uint64_t>(largestPart, content.bytes - begin));
  content.copy(begin, count, to.data());
  return count;
}

class ParallelWriter
{
public:
  ParallelWriter(const std::string & path, const FileContent & content)
    : m_Content(content)
    , m_Parts(CountParts(content))
    , m_IsGzip(HasEnding(path, ".gz"))
    , m_File(path)
  {}

  void
  Write()
  {
    // The type of a gzip file (RFC 1952) whose system is unknown.
    constexpr unsigned char gzipHeader[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff };
    if (m_IsGzip)
    {
      m_File.Write(gzipHeader, sizeof(gzipHeader));
    }
    this->WriteParts();
    if (m_IsGzip)
    {
      this->EndGzip();
    }
    m_File.Close();
  }

private:
  void
  WriteParts()
  {
    const std::uint64_t            cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::future<void>> threads;
    for (std::uint64_t i = 0; i < std::min(cores, m_Parts); ++i)
    {
      threads.push_back(std::async(std::launch::async, [this] { this->WriteSomeParts(); }));
    }
    for (std::future<void> & thread : threads)
    {
      thread.wait();
    }
    for (std::future<void> & thread : threads)
    {
      thread.get();
    }
  }

  /** What a thread does. */
  void
  WriteSomeParts()
  {
    try
    {
      BlockDeflater              deflater;
      std::vector<char>          bytes(std::max(largestPart, m_Content.header.size()));
      std::vector<unsigned char> stream;
      for (std::uint64_t part = m_Turns.Begin(); part < m_Parts && !m_Turns.IsBroken(); part = m_Turns.Begin())
      {
        ThrowIfInterrupted();
        std::size_t   count = 0;
        std::uint32_t checksum = 0;
        {
          const CoreLease core;
          count = CopyPart(m_Content, part, bytes);
          if (m_IsGzip)
          {
            stream.clear();
            deflater.Append(bytes.data(), count, stream);
            checksum = libdeflate_crc32(0, bytes.data(), count);
          }
        }
        m_Turns.Take(part, [&] {
          m_IsGzip ? m_File.Write(stream.data(), stream.size()) : m_File.Write(bytes.data(), count);
          m_Checksum = crc32_combine(m_Checksum, checksum, static_cast<z_off_t>(count));
        });
      }
    }
    catch (...)
    {
      m_Turns.Break();
      throw;
    }
  }

  /** Writes the stream's last block, which is empty, the checksum, and the number of bytes. */
  void
  EndGzip()
  {
    std::vector<unsigned char> end{ 3, 0 };
    const std::uint64_t        bytes = m_Content.header.size() + m_Content.bytes;
    for (const std::uint64_t number : { static_cast<std::uint64_t>(m_Checksum), bytes })
    {
      for (unsigned int shift = 0; shift < 32; shift += 8)
      {
        end.push_back(static_cast<unsigned char>(number >> shift));
      }
    }
    m_File.Write(end.data(), end.size());
  }

  const FileContent & m_Content;
  const std::uint64_t m_Parts;
  const bool          m_IsGzip;
  NewFile             m_File;
  Turns               m_Turns;
  uLong               m_Checksum = 0;
};

} // namespace

void
WriteInParallel(const std::string & path, const FileContent & content)
{
  ParallelWriter(path, content).Write();
}
