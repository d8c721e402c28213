// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairTable.h"
#include "register/PairWorker.h"

namespace
{

/** Reads the pairs, each of which prints only a line.
 * \param device for which they are checked */
RegisterPairs
ReadQuietPairs(const RegisterOptions & options, TransformParts parts, const itk::ComputeDevice & device)
{
  RegisterPairs pairs = ReadPairs(options, parts);
  for (RegisterPair & pair : pairs)
  {
    pair.files.compute.isQuiet = true;
    pair.files.compute.device = device.GetName();
  }
  return pairs;
}

/** Returns the complete report of a pair's earlier run, or null. If success is required, a pair with an unsuccessful
 * alignment has failed, though it has outputs. */
Report::Json
ReportOfEarlierRun(const CLI::App & app, const RegisterMethod & method, const RegisterPair & pair)
{
  const Report::Json report = ReadCompleteReport(app, pair, RecordInputs(app, method, pair));
  const bool         isFailed = method.isSuccessRequired && report.is_object() &&
                        !report.value(Report::Json::json_pointer("/alignment/is_success"), true);
  return isFailed ? Report::Json() : report;
}

} // namespace

void
RunPairs(const CLI::App &                        app,
         const RegisterMethod &                  method,
         const RegisterOptions &                 options,
         const std::vector<itk::ComputeDevice> & devices)
{
  const Processes &        processes = *options.processes;
  RegisterPairs            pairs;
  NewFolders               folders;
  std::unique_ptr<ListRun> list;
  std::vector<std::size_t> chosen;
  if (processes.IsFirst())
  {
    pairs = ReadQuietPairs(options, method.parts, devices.front());
    CheckPairs(app, method, options, pairs, folders);
    list =
      std::make_unique<ListRun>("pair", "Registering", options.table, MakePairTable(pairs), options.compute.isQuiet);
    const auto readComplete = [&](std::size_t pair) { return ReportOfEarlierRun(app, method, pairs[pair]); };
    chosen = list->Choose(options.isResumed ? readComplete : std::function<Report::Json(std::size_t)>());
  }
  processes.Wait();
  if (!processes.IsFirst())
  {
    pairs = ReadQuietPairs(options, method.parts, devices.front());
  }
  RunList(processes, list.get(), chosen, devices.size(), [&](std::size_t worker, TaskQueue & queue) {
    PairWorker(app, method, pairs, devices[worker]).Run(queue);
  });
  if (list)
  {
    list->PrintSummary();
    WarnOfUntrustedAlignments(list->GetTable(), options.table);
    list->RequireSuccess();
  }
}
