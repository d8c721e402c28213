// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Processes.h"

#include "files/system/Requests.h"
#include "files/system/Streams.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#if CUDANEURO_USE_MPI

#  include "atlas/MpiCommunicator.h"

namespace
{

/** Whether mpirun, or a batch system in its place, has started this process: Open MPI and MPICH each set one of
 * these. */
bool
IsStartedByMpi()
{
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

} // namespace

Processes::Processes(int & argc, char **& argv)
{
  if (!IsStartedByMpi())
  {
    return;
  }
  m_Mpi = std::make_unique<MpiCommunicator>(argc, argv);
  if (!this->IsFirst())
  {
    SetMessagesMuted(true);
    SetInterruptionText("");
    // The first prints help and versions.
    [[maybe_unused]] std::FILE * const none = std::freopen(cudaneuro::files::nullDevice, "w", stdout);
  }
}

int
Processes::GetRank() const
{
  return m_Mpi ? m_Mpi->GetRank() : 0;
}

int
Processes::GetSize() const
{
  return m_Mpi ? m_Mpi->GetSize() : 1;
}

int
Processes::GetLocalRank() const
{
  return m_Mpi ? m_Mpi->GetLocalRank() : 0;
}

int
Processes::GetLocalSize() const
{
  return m_Mpi ? m_Mpi->GetLocalSize() : 1;
}

cudaneuro::Communicator *
Processes::GetCommunicator() const
{
  return m_Mpi.get();
}

void
Processes::Sum(std::vector<std::int64_t> & values) const
{
  if (m_Mpi)
  {
    m_Mpi->Sum(values.data(), values.size());
  }
}

void
Processes::End(int status)
{
  if (!m_Mpi)
  {
    return;
  }
  if (m_IsEndAgreed)
  {
    m_Mpi.reset();
    return;
  }
  if (!m_HasBegun && !this->IsFirst())
  {
    // The first process, whose command line is the same, says what is wrong and ends all.
    constexpr std::chrono::seconds patience(5);
    std::this_thread::sleep_for(patience);
  }
  m_Mpi->Abort(status);
}

#else

class MpiCommunicator
{};

Processes::Processes(int &, char **&)
{}

int
Processes::GetRank() const
{
  return 0;
}

int
Processes::GetSize() const
{
  return 1;
}

int
Processes::GetLocalRank() const
{
  return 0;
}

int
Processes::GetLocalSize() const
{
  return 1;
}

cudaneuro::Communicator *
Processes::GetCommunicator() const
{
  return nullptr;
}

void
Processes::Sum(std::vector<std::int64_t> &) const
{}

void
Processes::End(int)
{}

#endif

Processes::~Processes() = default;

void
Processes::Wait() const
{
  std::vector<std::int64_t> none{ 0 };
  this->Sum(none);
}

void
Processes::BeginMessages()
{
  m_HasBegun = true;
  if (this->GetSize() > 1)
  {
    SetNameOfMessages("cudaneuro-atlas: rank " + std::to_string(this->GetRank()));
  }
  SetMessagesMuted(false);
}

void
Processes::ThrowIfAnyInterrupted()
{
  std::vector<std::int64_t> requests(static_cast<std::size_t>(cudaneuro::files::numberOfSignals), 0);
  requests[static_cast<std::size_t>(GetPendingSignal())] = 1;
  this->Sum(requests);
  for (std::size_t number = 1; number < requests.size(); ++number)
  {
    if (requests[number] > 0)
    {
      m_IsEndAgreed = true;
      if (!IsInterrupted())
      {
        // So that this process ends with the same status.
        std::raise(static_cast<int>(number));
      }
      throw Interrupted();
    }
  }
}
