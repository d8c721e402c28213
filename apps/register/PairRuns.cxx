// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Text.h"
#include "register/PairTable.h"
#include "shared/ProgressBar.h"

#include <future>
#include <iostream>

#ifdef __GLIBC__
#  include <malloc.h>
#endif

namespace
{

/** A pair on its way through reading, computing and writing. */
struct PairWork
{
  std::size_t                  pair = 0;
  Report::Json                 madeWith;
  std::unique_ptr<RegisterRun> run;
  /** Why it failed; empty as long as it did not. */
  std::string  error;
  Report::Json report;
};

/** Gives freed memory back to the system. Threads that come and go leave images of up to 32 MB in glibc's arenas, where
 * the next threads do not find them: memory would grow with the list. */
void
ReleaseFreedMemory()
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

class PairPipeline
{
public:
  PairPipeline(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options)
    : m_App(app)
    , m_Method(method)
    , m_Options(options)
    , m_Pairs(ReadPairs(options, method.parts))
    , m_Table(m_Pairs)
  {
    for (RegisterPair & pair : m_Pairs)
    {
      // A line for each is enough.
      pair.files.compute.isQuiet = true;
    }
    CheckPairs(app, method, options, m_Pairs, m_Folders);
    m_TableFile = std::make_unique<OutputFile>(options.table);
  }

  void
  Run()
  {
    const std::vector<std::size_t> pairs = this->Choose();
    this->SetStateForSignals();
    this->WriteTable();
    ProgressBar           bar("Registering", m_Options.compute.isQuiet);
    std::future<PairWork> reading = pairs.empty() ? std::future<PairWork>() : this->StartReading(pairs.front());
    std::future<PairWork> writing;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
      bar.Show(static_cast<double>(i) / static_cast<double>(pairs.size()), m_Pairs[pairs[i]].name.substr(0, 20));
      PairWork work = reading.get();
      if (i + 1 < pairs.size())
      {
        reading = this->StartReading(pairs[i + 1]);
      }
      this->Attempt(work, [&] { TakeStep(*work.run, &RegisterRun::Compute); });
      this->Collect(writing);
      writing = this->StartWriting(std::move(work));
    }
    this->Collect(writing);
    this->Conclude();
  }

private:
  /** The pairs that are to be registered. Those that are complete are noted as skipped. */
  std::vector<std::size_t>
  Choose()
  {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < m_Pairs.size(); ++i)
    {
      Report::Json report;
      if (m_Options.isResumed)
      {
        report = ReadCompleteReport(m_App, m_Pairs[i], RecordInputs(m_App, m_Method, m_Pairs[i]));
      }
      // Where success is required, a pair that was not aligned has failed, though it has outputs.
      const Report::Json::json_pointer success("/alignment/is_success");
      const bool isFailed = m_Method.isSuccessRequired && report.is_object() && !report.value(success, true);
      if (report.is_object() && !isFailed)
      {
        m_Table.Set(i, "skipped", report, "");
      }
      else
      {
        chosen.push_back(i);
      }
    }
    return chosen;
  }

  /** Takes a step of a pair that has not failed, and notes why it fails. Interruptions are rethrown. */
  void
  Attempt(PairWork & work, const std::function<void()> & step) const
  {
    if (!work.error.empty())
    {
      return;
    }
    const MessageSubject subject("pair " + m_Pairs[work.pair].name + ": ");
    try
    {
      step();
    }
    catch (const itk::ProcessAborted &)
    {
      throw;
    }
    catch (const std::exception & error)
    {
      ThrowIfInterrupted();
      work.error = OneLine(error.what());
      work.run.reset();
    }
  }

  std::future<PairWork>
  StartReading(std::size_t pair) const
  {
    return std::async(std::launch::async, [this, pair] {
      PairWork work;
      work.pair = pair;
      this->Attempt(work, [&] {
        RemoveReport(m_Pairs[pair]);
        // Before it reads, so that a file that changes meanwhile is seen to have changed.
        work.madeWith = RecordInputs(m_App, m_Method, m_Pairs[pair]);
        work.run = MakeRun(m_Method, m_Pairs[pair].files);
        TakeStep(*work.run, &RegisterRun::Read);
      });
      return work;
    });
  }

  std::future<PairWork>
  StartWriting(PairWork && work) const
  {
    return std::async(std::launch::async, [this, work = std::make_shared<PairWork>(std::move(work))] {
      this->Attempt(*work, [&] { this->Write(*work); });
      work->run.reset();
      return std::move(*work);
    });
  }

  /** Writes the results of a pair, and its report, which stands for that they are complete. */
  void
  Write(PairWork & work) const
  {
    TakeStep(*work.run, &RegisterRun::Write);
    RegisterJob &    job = work.run->GetJob();
    RegisterReport & report = job.GetReport();
    NoteRecord(report, m_Pairs[work.pair], work.madeWith);
    job.Finish();
    work.report = Report::Json::parse(report.GetJson());
    if (m_Method.isSuccessRequired)
    {
      report.RequireSuccess();
    }
  }

  /** Waits for a pair to be written, if there is one, and notes what became of it. */
  void
  Collect(std::future<PairWork> & writing)
  {
    if (!writing.valid())
    {
      return;
    }
    const PairWork      work = writing.get();
    const std::string & name = m_Pairs[work.pair].name;
    m_Table.Set(work.pair, work.error.empty() ? "done" : "failed", work.report, work.error);
    ReleaseFreedMemory();
    this->WriteTable();
    if (!work.error.empty())
    {
      PrintWarning("pair " + name + " failed: " + work.error);
    }
    else if (!m_Options.compute.isQuiet)
    {
      ProgressBar::Erase();
      std::cout << name << " done, " << work.report.at("seconds").at("total").get<double>() << " s" << std::endl;
    }
    this->SetStateForSignals();
  }

  /** What a report of a signal says. */
  void
  SetStateForSignals() const
  {
    const std::size_t complete = m_Table.GetNames("done").size() + m_Table.GetNames("skipped").size();
    SetInterruptionText("stopped; " + std::to_string(complete) + " of " + std::to_string(m_Pairs.size()) +
                        " pairs are complete, and --resume goes on from there");
  }

  void
  WriteTable() const
  {
    WriteText(m_TableFile.get(), m_Table.GetText());
  }

  void
  Conclude() const
  {
    const std::vector<std::string> failed = m_Table.GetNames("failed");
    if (!m_Options.compute.isQuiet)
    {
      std::cout << m_Table.GetNames("done").size() << " pairs done, " << m_Table.GetNames("skipped").size()
                << " skipped, " << failed.size() << " failed: " << m_Options.table << std::endl;
    }
    m_Table.WarnOfFailures(m_Options.table);
    if (!failed.empty())
    {
      throw UserError(std::to_string(failed.size()) + " of " + std::to_string(m_Pairs.size()) +
                      " pairs failed: " + Listed(failed));
    }
  }

  const CLI::App &            m_App;
  const RegisterMethod &      m_Method;
  const RegisterOptions &     m_Options;
  NewFolders                  m_Folders;
  RegisterPairs               m_Pairs;
  PairTable                   m_Table;
  std::unique_ptr<OutputFile> m_TableFile;
};

} // namespace

void
RunPairs(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options)
{
  PairPipeline(app, method, options).Run();
}
