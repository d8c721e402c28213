// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/Processes.h"

#include "files/system/Requests.h"
#include "files/system/Streams.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

Processes::Processes() = default;

Processes::Processes(int & argc, char **& argv)
  : m_Group(JoinProcessGroup(argc, argv))
{
  if (!this->IsFirst())
  {
    SetMessagesMuted(true);
    SetInterruptionText("");
    // Only the first process prints help and versions.
    [[maybe_unused]] std::FILE * const none = std::freopen(cudaneuro::files::nullDevice, "w", stdout);
  }
}

Processes::~Processes() = default;

void
Processes::Sum(std::vector<std::int64_t> & values) const
{
  if (m_Group)
  {
    m_Group->Sum(values.data(), values.size());
  }
}

void
Processes::Wait() const
{
  std::vector<std::int64_t> none{ 0 };
  this->Sum(none);
}

void
Processes::BeginMessages(const std::string & program)
{
  m_HasBegun = true;
  if (this->GetSize() > 1)
  {
    SetNameOfMessages(program + ": rank " + std::to_string(this->GetRank()));
  }
  SetMessagesMuted(false);
}

void
Processes::End(int status)
{
  if (!m_Group)
  {
    return;
  }
  if (m_IsEndAgreed)
  {
    m_Group.reset();
    return;
  }
  if (!m_HasBegun && !this->IsFirst())
  {
    // The first process, whose command line is the same, prints the error and ends all.
    constexpr std::chrono::seconds patience(5);
    std::this_thread::sleep_for(patience);
  }
  m_Group->Abort(status);
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
        // This process ends with the same status.
        std::raise(static_cast<int>(number));
      }
      throw Interrupted();
    }
  }
}

int
RunWithProcesses(const std::string &                                             name,
                 int                                                             argc,
                 char **                                                         argv,
                 const std::function<int(Processes &, int argc, char ** argv)> & run)
{
  try
  {
    Processes processes(argc, argv);
    return run(processes, argc, argv);
  }
  catch (const std::exception & error)
  {
    std::fprintf(stderr, "%s: error: %s\n", name.c_str(), error.what());
    return 1;
  }
}
