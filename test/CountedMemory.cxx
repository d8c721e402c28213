// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "CountedMemory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace
{

std::mutex  mutex; // constructed at compile time, before the first allocation
std::size_t used = 0;
std::size_t most = 0;
std::size_t atBegin = 0;

/** Precedes what is returned. */
struct Header
{
  void *      begin;
  std::size_t bytes;
};

void *
Allocate(std::size_t bytes, std::size_t alignment) noexcept
{
  std::size_t  room = bytes + alignment;
  void * const begin = std::malloc(sizeof(Header) + room);
  if (begin == nullptr)
  {
    return nullptr;
  }
  void * data = static_cast<char *>(begin) + sizeof(Header);
  data = std::align(std::max(alignment, alignof(Header)), bytes, data, room);
  *(static_cast<Header *>(data) - 1) = { begin, bytes };
  const std::lock_guard<std::mutex> lock(mutex);
  used += bytes;
  most = std::max(most, used);
  return data;
}

void
Free(void * data) noexcept
{
  if (data == nullptr)
  {
    return;
  }
  const Header header = *(static_cast<Header *>(data) - 1);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    used -= header.bytes;
  }
  std::free(header.begin);
}

} // namespace

void
countedmemory::Begin()
{
  const std::lock_guard<std::mutex> lock(mutex);
  atBegin = used;
  most = used;
}

std::size_t
countedmemory::MostBytes()
{
  const std::lock_guard<std::mutex> lock(mutex);
  return most - atBegin;
}

// In place of those of the standard library, in the whole program.

void *
operator new(std::size_t bytes, std::align_val_t alignment)
{
  if (void * const data = Allocate(bytes, static_cast<std::size_t>(alignment)))
  {
    return data;
  }
  throw std::bad_alloc();
}

void *
operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept
{
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}

void
operator delete(void * data, std::align_val_t) noexcept
{
  Free(data);
}

void
operator delete(void * data, std::size_t, std::align_val_t) noexcept
{
  Free(data);
}
