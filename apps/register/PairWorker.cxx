// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairWorker.h"

#ifdef __GLIBC__
#  include <malloc.h>
#endif

/** A pair that is being read, computed or written. */
struct PairWorker::Work
{
  TaskOutcome                  outcome;
  Report::Json                 madeWith;
  std::unique_ptr<RegisterRun> run;
};

namespace
{

/** Returns freed memory to the system. Threads that end leave images of up to 32 MB in glibc's arenas, where
 * later threads do not find them, so that memory would grow with the list. */
void
ReleaseFreedMemory()
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

} // namespace

void
PairWorker::Run(TaskQueue & queue) const
{
  const auto collect = [&queue](Step & writing) {
    if (writing.valid())
    {
      queue.Return(TextOf(writing.get()->outcome));
      ReleaseFreedMemory();
    }
  };
  const auto readNext = [&] {
    const std::optional<std::size_t> next = queue.Take();
    return next ? this->StartReading(*next) : Step();
  };
  Step writing;
  for (Step reading = readNext(); reading.valid();)
  {
    std::unique_ptr<Work> work = reading.get();
    reading = readNext();
    this->Attempt(*work, [&] { TakeStep(*work->run, &RegisterRun::Compute); });
    collect(writing);
    writing = this->StartWriting(std::move(work));
  }
  collect(writing);
}

/** Runs a step of a pair, and drops the run if it fails. */
void
PairWorker::Attempt(Work & work, const std::function<void()> & step) const
{
  AttemptTask(work.outcome, "pair " + m_Pairs[work.outcome.task].name, step);
  if (!work.outcome.error.empty())
  {
    work.run.reset();
  }
}

PairWorker::Step
PairWorker::StartReading(std::size_t pair) const
{
  return std::async(std::launch::async, [this, pair] {
    auto work = std::make_unique<Work>();
    work->outcome.task = pair;
    this->Attempt(*work, [&] {
      RemoveReport(m_Pairs[pair]);
      // Before reading, so that a change of a file in the meantime is noticed.
      work->madeWith = RecordInputs(m_App, m_Method, m_Pairs[pair]);
      RegisterOptions files = m_Pairs[pair].files;
      files.compute.device = m_Device.GetName();
      work->run = MakeRun(m_Method, files);
      TakeStep(*work->run, &RegisterRun::Read);
    });
    return work;
  });
}

PairWorker::Step
PairWorker::StartWriting(std::unique_ptr<Work> work) const
{
  return std::async(
    std::launch::async,
    [this](std::unique_ptr<Work> own) {
      this->Attempt(*own, [&] { this->Write(*own); });
      own->run.reset();
      return own;
    },
    std::move(work));
}

/** Writes the results of a pair, and then its report, which shows that they are complete. */
void
PairWorker::Write(Work & work) const
{
  TakeStep(*work.run, &RegisterRun::Write);
  RegisterJob &    job = work.run->GetJob();
  RegisterReport & report = job.GetReport();
  NoteRecord(report, m_Pairs[work.outcome.task], work.madeWith);
  job.Finish();
  work.outcome.report = Report::Json::parse(report.GetJson());
  if (m_Method.isSuccessRequired)
  {
    report.RequireSuccess();
  }
}
