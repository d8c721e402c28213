// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairWorker_h
#define apps_register_PairWorker_h

#include "processes/ListRun.h"
#include "register/PairList.h"

#include <functional>
#include <future>

/** Registers pairs of a list on one device, in three overlapping steps: while one pair is computed, the next is read
 * and the previous one is written. */
class PairWorker
{
public:
  PairWorker(const CLI::App &           app,
             const RegisterMethod &     method,
             const RegisterPairs &      pairs,
             const itk::ComputeDevice & device)
    : m_App(app)
    , m_Method(method)
    , m_Pairs(pairs)
    , m_Device(device)
  {}

  /** Takes pairs from the queue until there are no more.
   * \throws Interrupted */
  void
  Run(TaskQueue & queue) const;

private:
  struct Work;
  using Step = std::future<std::unique_ptr<Work>>;

  Step
  StartReading(std::size_t pair) const;
  Step
  StartWriting(std::unique_ptr<Work> work) const;
  void
  Write(Work & work) const;
  void
  Attempt(Work & work, const std::function<void()> & step) const;

  const CLI::App &         m_App;
  const RegisterMethod &   m_Method;
  const RegisterPairs &    m_Pairs;
  const itk::ComputeDevice m_Device;
};

#endif
