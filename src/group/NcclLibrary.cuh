// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_NcclLibrary_cuh
#define cudaneuro_group_NcclLibrary_cuh

#include "core/SharedLibrary.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

/** NCCL, version 2, opened at its first use: a build needs neither its header nor the library. The declarations follow
 * NCCL's manual, "API". */
namespace cudaneuro::nccl
{

using Result = int;
using Communicator = struct CommunicatorTag *;

constexpr Result success = 0;
constexpr int    int32 = 2;
constexpr int    int64 = 4;
constexpr int    sum = 0;

class Library
{
public:
  /** \throws Error if none of \p names can be opened. */
  explicit Library(const std::vector<std::string> & names);

  // Arguments: the code of the version.
  Result (*getVersion)(int *) = nullptr;
  // Arguments: communicators to be made, their number, devices.
  Result (*initializeAll)(Communicator *, int, const int *) = nullptr;
  Result (*destroy)(Communicator) = nullptr;
  // Arguments: addends, sums, count, type, operation, communicator, stream.
  Result (*allReduce)(const void *, void *, std::size_t, int, int, Communicator, cudaStream_t) = nullptr;
  Result (*groupStart)() = nullptr;
  Result (*groupEnd)() = nullptr;
  const char * (*getErrorString)(Result) = nullptr;

  /** Returns the version, for example "2.27.3". */
  std::string
  GetVersion() const;

  /** \throws Error with the call and NCCL's reason, unless the result is success. */
  void
  Check(Result result, const char * call) const;

private:
  SharedLibrary m_Library;
};

/** Owns the communicators of some devices of this process. */
class Communicators
{
public:
  /** \throws Error */
  Communicators(const Library & library, const std::vector<int> & devices);
  ~Communicators();
  Communicators(const Communicators &) = delete;
  Communicators &
  operator=(const Communicators &) = delete;

  Communicator
  Get(std::size_t device) const
  {
    return m_Communicators[device];
  }

private:
  const Library &           m_Library;
  std::vector<Communicator> m_Communicators;
};

} // namespace cudaneuro::nccl

#endif
