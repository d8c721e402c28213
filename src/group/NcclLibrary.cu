// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/NcclLibrary.cuh"

#include "cudaneuro/Error.h"
#include "system/Environment.h"

#include <cstdlib>

namespace cudaneuro::nccl
{
namespace
{

/** Turns off NVLink multicast, which needs a permission of the fabric manager that shared hosts do not give: NCCL then
 * fails. NCCL reads the variable at its first use; a value that the user has set is kept. */
void
TurnMulticastOff()
{
  constexpr const char * name = "NCCL_NVLS_ENABLE";
  if (std::getenv(name) == nullptr)
  {
    system::SetVariable(name, "0");
  }
}

} // namespace

Library::Library(const std::vector<std::string> & names)
  : m_Library("Sum over CUDA devices", names)
{
  TurnMulticastOff();
  m_Library.Find("ncclGetVersion", getVersion);
  m_Library.Find("ncclCommInitAll", initializeAll);
  m_Library.Find("ncclCommDestroy", destroy);
  m_Library.Find("ncclAllReduce", allReduce);
  m_Library.Find("ncclGroupStart", groupStart);
  m_Library.Find("ncclGroupEnd", groupEnd);
  m_Library.Find("ncclGetErrorString", getErrorString);
}

std::string
Library::GetVersion() const
{
  int code = 0;
  this->Check(getVersion(&code), "ncclGetVersion");
  const int major = code < 10000 ? code / 1000 : code / 10000; // The code of 2.8.4 is 2804, that of 2.9.6 is 20906.
  const int minor = code / 100 % (code < 10000 ? 10 : 100);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(code % 100);
}

void
Library::Check(Result result, const char * call) const
{
  if (result != success)
  {
    throw Error(call, m_Library.GetName() + " says: " + getErrorString(result));
  }
}

Communicators::Communicators(const Library & library, const std::vector<int> & devices)
  : m_Library(library)
  , m_Communicators(devices.size())
{
  library.Check(library.initializeAll(m_Communicators.data(), static_cast<int>(devices.size()), devices.data()),
                "ncclCommInitAll");
}

Communicators::~Communicators()
{
  for (Communicator communicator : m_Communicators)
  {
    m_Library.destroy(communicator);
  }
}

} // namespace cudaneuro::nccl
