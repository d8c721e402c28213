// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/ListRun.h"

#include "files/base/Text.h"
#include "itkProcessObject.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <iostream>

std::string
TextOf(const TaskOutcome & outcome)
{
  return JsonText({ { "task", outcome.task }, { "error", outcome.error }, { "report", outcome.report } });
}

void
AttemptTask(TaskOutcome & outcome, const std::string & subject, const std::function<void()> & step)
{
  if (!outcome.error.empty())
  {
    return;
  }
  const MessageSubject scope(subject + ": ");
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
    outcome.error = OneLine(error.what());
  }
}

ListRun::ListRun(
  const std::string & noun, const std::string & label, const std::string & path, ListTable table, bool isQuiet)
  : m_Noun(noun)
  , m_Table(std::move(table))
  , m_IsQuiet(isQuiet)
  , m_File(path)
  , m_Bar(label, isQuiet)
{}

std::vector<std::size_t>
ListRun::Choose(const std::function<Report::Json(std::size_t task)> & readComplete)
{
  std::vector<std::size_t> chosen;
  for (std::size_t task = 0; task < m_Table.GetNumberOfRows(); ++task)
  {
    const Report::Json report = readComplete ? readComplete(task) : Report::Json();
    if (report.is_object())
    {
      m_Table.Set(task, "skipped", report, "");
    }
    else
    {
      chosen.push_back(task);
    }
  }
  this->Update();
  return chosen;
}

void
ListRun::Collect(const std::string & outcome)
{
  const Report::Json  json = Report::Json::parse(outcome);
  const auto          task = json.at("task").get<std::size_t>();
  const auto          error = json.at("error").get<std::string>();
  const std::string & name = m_Table.GetName(task);
  m_Table.Set(task, error.empty() ? "done" : "failed", json.at("report"), error);
  this->Update();
  if (!error.empty())
  {
    PrintWarning(m_Noun + ' ' + name + " failed: " + error);
  }
  else if (!m_IsQuiet)
  {
    ProgressBar::Erase();
    std::cout << name << " done, " << json.at("report").at("seconds").at("total").get<double>() << " s" << std::endl;
  }
}

/** Writes the table, and shows how many tasks are complete. */
void
ListRun::Update()
{
  WriteText(&m_File, m_Table.GetText());
  const std::size_t count = m_Table.GetNumberOfRows();
  const std::size_t complete = m_Table.GetNames("done").size() + m_Table.GetNames("skipped").size();
  SetInterruptionText("stopped; " + std::to_string(complete) + " of " + std::to_string(count) + ' ' + m_Noun +
                      "s are complete, and --resume goes on from there");
  m_Bar.Show(static_cast<double>(complete) / static_cast<double>(count), std::to_string(complete) + " done");
}

void
ListRun::PrintSummary() const
{
  if (!m_IsQuiet)
  {
    std::cout << m_Table.GetNames("done").size() << ' ' << m_Noun << "s done, " << m_Table.GetNames("skipped").size()
              << " skipped, " << m_Table.GetNames("failed").size() << " failed: " << m_File.GetPath() << std::endl;
  }
}

void
ListRun::RequireSuccess() const
{
  const std::vector<std::string> failed = m_Table.GetNames("failed");
  if (!failed.empty())
  {
    throw UserError(std::to_string(failed.size()) + " of " + std::to_string(m_Table.GetNumberOfRows()) + ' ' + m_Noun +
                    "s failed: " + Listed(failed));
  }
}

void
RunList(const Processes &                                                  processes,
        ListRun *                                                          list,
        const std::vector<std::size_t> &                                   tasks,
        std::size_t                                                        numberOfWorkers,
        const std::function<void(std::size_t worker, TaskQueue & queue)> & work)
{
  TaskQueue queue(processes, tasks, [list](const std::string & outcome) { list->Collect(outcome); });
  RunWorkers(numberOfWorkers, [&](std::size_t worker) { work(worker, queue); });
  queue.Finish();
}
