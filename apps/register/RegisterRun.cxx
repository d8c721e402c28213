// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterRun.h"

#include "processes/DeviceList.h"
#include "register/PairList.h"
#include "shared/ProgramSupport.h"
#include "shared/registration/AlignmentReports.h"

namespace
{

std::string
TaskOf(const RegisterOptions & files)
{
  return HasImages(files)              ? "register " + files.moving + " to " + files.fixed
         : !files.movingPoints.empty() ? "register " + files.movingPoints + " to " + files.fixedPoints
                                       : "register " + files.movingLabels + " to " + files.fixedLabels;
}

void
RunPair(const RegisterMethod & method, const RegisterOptions & options)
{
  const std::unique_ptr<RegisterRun> run = MakeRun(method, options);
  TakeStep(*run, &RegisterRun::Read);
  TakeStep(*run, &RegisterRun::Compute);
  TakeStep(*run, &RegisterRun::Write);
  run->GetJob().Finish();
  const RegisterReport & report = run->GetJob().GetReport();
  if (method.isSuccessRequired)
  {
    report.RequireSuccess();
  }
  UntrustedAlignments untrusted;
  untrusted.AddFrom(options.moving, Report::Json::parse(report.GetJson()));
  untrusted.Warn(1, options.json == "-" ? "" : options.json);
}

/** Refuses several devices for a single pair. */
void
RequireOneDevice(const RegisterOptions & options, const std::vector<itk::ComputeDevice> & devices)
{
  if (options.processes->GetSize() > 1)
  {
    throw UserError("one pair is registered by one process, and mpirun started " +
                    std::to_string(options.processes->GetSize()) + ": they share a list of --pairs");
  }
  if (devices.size() > 1)
  {
    throw UserError("--device is " + options.compute.device + ", " + std::to_string(devices.size()) +
                    " devices; one pair is registered by one: several share a list of --pairs");
  }
}

} // namespace

std::unique_ptr<RegisterRun>
MakeRun(const RegisterMethod & method, const RegisterOptions & files)
{
  auto                         job = std::make_unique<RegisterJob>(method.name, files, method.parts);
  std::unique_ptr<RegisterRun> run;
  Try(TaskOf(files), [&] { run = method.make(std::move(job)); });
  return run;
}

void
TakeStep(RegisterRun & run, void (RegisterRun::*step)())
{
  Try(TaskOf(run.GetJob().GetOptions()), [&] { (run.*step)(); });
}

void
RunMethod(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options)
{
  RequireFiles(options, method.parts);
  Processes & processes = *options.processes;
  const auto  devices = DevicesOf(options.compute, processes);
  processes.BeginMessages("cudaneuro-register");
  if (processes.IsFirst())
  {
    WarnOfUnusedMemoryLimit(options.compute, devices);
  }
  if (!options.pairs.empty())
  {
    RunPairs(app, method, options, devices);
    return;
  }
  RequireOneDevice(options, devices);
  RegisterOptions files = options;
  files.compute.device = devices.front().GetName();
  RunPair(method, files);
}
