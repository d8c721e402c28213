// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Times the kernels and filters of this module beside the limits of the machine, measured in the same run.

#include "AtlasRuns.h"
#include "Benchmark.h"
#include "LandmarkRuns.h"
#include "Limits.h"
#include "LinearRuns.h"
#include "MeshRuns.h"
#include "NeighborRuns.h"
#include "RegistrationRuns.h"
#include "Report.h"
#include "Runs.h"
#include "SurfaceRuns.h"
#include "Tuning.h"
#include "core/Dispatch.h"
#include "files/output/OutputFile.h"
#include "itkComputeDevice.h"
#include "shared/CommandOptions.h"
#include "shared/Messages.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <regex>
#include <stdexcept>

#ifndef CUDANEURO_COMMIT
#  define CUDANEURO_COMMIT "unknown"
#endif

using namespace cudaneuro::files;

namespace
{

using namespace cudaneuro::benchmark;

struct Options
{
  std::vector<std::string> sizes;
  std::string              filter;
  int                      repeat = 0;
  std::string              device;
  std::string              json;
  std::string              commit = CUDANEURO_COMMIT;
  bool                     quick = false;
  bool                     tune = false;
};

void
Define(CLI::App & app, Options & options, OptionModes & modes)
{
  const std::string cases = "Cases";
  app
    .add_option("--sizes",
                options.sizes,
                "Volume sizes in voxels, as 256x256x200. Default: the five\n"
                "sizes of Howison's paper for denoising, and on a GPU\n"
                "240x240x240, 256x300x256 (unbiased), 192x192x192\n"
                "(greedy) and 256x256x256 (linear) for registration")
    ->delimiter(',')
    ->option_text("SIZE[,SIZE...]")
    ->group(cases);
  app.add_option("--filter", options.filter, "Run only the rows whose name matches this regular expression")
    ->option_text("TEXT")
    ->group(cases);
  modes.Add(app
              .add_option("--repeat",
                          options.repeat,
                          "Number of timed runs of each case, 1 to 100000.\n"
                          "Default: up to 15 in at most 0.4 s, at least 3")
              ->check(CLI::Range(1, 100000))
              ->option_text("N")
              ->group(cases),
            "rows, not with --tune",
            [&options] { return !options.tune; });
  AddDeviceOption(app, options.device, "Computing");
  const std::string files = "Files";
  app
    .add_option("--json",
                options.json,
                "Also write the results to this file, as JSON, of which\nbenchmark/tables.py makes tables")
    ->option_text("FILE")
    ->type_name("file output fileExtensions=.json")
    ->group(files);
  app.add_option("--commit", options.commit, "The commit to name in the results. Default: the one that\nwas built")
    ->option_text("TEXT")
    ->group(files);
  app.add_flag("--quick", options.quick, "Small volumes, short registrations, 3 runs of each case")->group(cases);
  app.add_flag("--tune", options.tune, "Time the kernels' launch shapes instead: best, default and\nworst of each")
    ->group(cases);
}

std::regex
ExpressionOf(const std::string & text)
{
  try
  {
    return std::regex(text);
  }
  catch (const std::regex_error &)
  {
    throw std::invalid_argument("\"" + text + "\" is no regular expression");
  }
}

/** The registrations to run. A CPU, which takes long, registers only sizes that were given. */
RegistrationSettings
RegistrationSettingsOf(const Options & options, const Settings & settings)
{
  RegistrationSettings registration;
  registration.unbiasedSizes = settings.sizes;
  registration.greedySizes = settings.sizes;
  registration.linearSizes = settings.sizes;
  if (options.quick)
  {
    registration.iterations = 5;
  }
  if (settings.sizes.empty() && options.quick)
  {
    registration.unbiasedSizes = { { 48, 48, 48 } };
    registration.greedySizes = { { 48, 48, 48 } };
    registration.linearSizes = { { 64, 64, 64 } };
  }
  else if (settings.sizes.empty() && settings.device.IsCuda())
  {
    registration.unbiasedSizes = { { 240, 240, 240 }, { 256, 300, 256 } };
    registration.greedySizes = { { 192, 192, 192 } };
    registration.linearSizes = { { 256, 256, 256 } };
  }
  return registration;
}

Settings
SettingsOf(const Options & options)
{
  Settings settings;
  settings.device =
    (options.device.empty() ? itk::ComputeDevice::GetDefault() : itk::ComputeDevice::FromName(options.device))
      .GetEngineDevice();
  for (const std::string & name : options.sizes)
  {
    settings.sizes.push_back(SizeOfName(name));
  }
  settings.repetition.count = options.repeat;
  settings.isQuick = options.quick;
  if (options.quick && options.repeat == 0)
  {
    settings.repetition.count = 3;
  }
  settings.registration = RegistrationSettingsOf(options, settings);
  if (settings.sizes.empty())
  {
    settings.sizes = options.quick  ? std::vector<Size>{ { 96, 80, 32 } }
                     : options.tune ? std::vector<Size>{ { 352, 352, 249 } }
                                    : SizesOfThePaper();
  }
  settings.wants = [expression = ExpressionOf(options.filter)](const std::string & name) {
    return std::regex_search(name, expression);
  };
  return settings;
}

Limits
MeasureLimits(const cudaneuro::Device & device)
{
  if constexpr (cudaneuro::builtWithCuda)
  {
    if (device.IsCuda())
    {
      return MeasureCudaLimits(device);
    }
  }
  return MeasureHostLimits();
}

std::vector<cudaneuro::tuning::KernelSweep>
Tune(const Settings & settings, const Size & size)
{
  std::vector<cudaneuro::tuning::KernelSweep> all;
  if constexpr (cudaneuro::builtWithCuda)
  {
    namespace tuning = cudaneuro::tuning;
    const std::pair<const char *, std::vector<tuning::KernelSweep> (*)(const Size &)> topics[] = {
      { "bilateral", tuning::TuneBilateral },
      { "diffusion", tuning::TuneAnisotropicDiffusion },
      { "non-local means", tuning::TuneNonLocalMeans },
      { "MSSIM", tuning::TuneStructuralSimilarity }
    };
    for (const auto & topic : topics)
    {
      if (settings.wants(topic.first))
      {
        for (tuning::KernelSweep & sweep : topic.second(size))
        {
          sweep.kernel += ", " + NameOf(size);
          Print(sweep);
          all.push_back(std::move(sweep));
        }
      }
    }
  }
  return all;
}

void
RunTuning(const Settings & settings, Report & report)
{
  if (!cudaneuro::builtWithCuda)
  {
    throw std::runtime_error("This program was built without CUDA: there are no launch shapes to tune.");
  }
  if (settings.device.cudaIndex != 0)
  {
    throw std::runtime_error("Launch shapes are tuned on the device cuda:0.");
  }
  PrintHeading(report);
  for (const Size & size : settings.sizes)
  {
    for (cudaneuro::tuning::KernelSweep & sweep : Tune(settings, size))
    {
      report.sweeps.push_back(std::move(sweep));
    }
  }
}

void
RunBenchmark(Settings settings, Report & report)
{
  if (!cudaneuro::builtWithCuda)
  {
    std::cout << "This program was built without CUDA: it times the implementation for the CPU.\n";
  }
  report.limits = MeasureLimits(settings.device);
  PrintHeading(report);
  settings.report = [&report](const Result & result) {
    Print(result);
    report.results.push_back(result);
  };
  settings.reportMemory = [&report](const MemoryResult & result) {
    Print(result);
    report.memory.push_back(result);
  };
  settings.reportMatching = [&report](const MatchingResult & result) {
    Print(result);
    report.matchings.push_back(result);
  };
  for (const Size & size : settings.sizes)
  {
    RunSize(settings, report.limits, size);
  }
  RunRegistrations(settings, report.limits);
  RunLinear(settings, report.limits);
  RunAtlases(settings, report.limits);
  RunLandmarks(settings, report.limits);
  RunNeighbors(settings);
  RunSurfaces(settings, report.limits);
  RunMeshes(settings, report.limits);
}

/** \throws UserError that tells how many rows failed */
void
ThrowIfRowsFailed(const Report & report)
{
  const auto failed = std::count_if(
    report.results.begin(), report.results.end(), [](const Result & result) { return !result.error.empty(); });
  if (failed > 0)
  {
    const std::size_t rows = report.results.size() + report.memory.size() + report.matchings.size();
    throw UserError(std::to_string(failed) + " of " + std::to_string(rows) + " rows failed");
  }
}

void
Run(const Options & options, const std::string & command)
{
  FilesOfRun                        files;
  const std::unique_ptr<OutputFile> json = files.AddTextOutput(options.json);
  const Settings                    settings = SettingsOf(options);
  Report                            report;
  report.commit = options.commit;
  report.device = itk::ComputeDevice(settings.device).GetDescription();
  report.date = CurrentDate();
  report.command = command;
  if (options.tune)
  {
    RunTuning(settings, report);
  }
  else
  {
    const ProgressBar bar("Timing");
    RunBenchmark(settings, report);
  }
  if (!options.json.empty())
  {
    WriteText(json.get(), JsonOf(report));
  }
  ThrowIfRowsFailed(report);
}

/** The command as it was typed, without the folder of the program. */
std::string
CommandOf(int argc, char * argv[])
{
  const std::string program = argc > 0 ? argv[0] : "";
  std::string       command = program.substr(program.find_last_of('/') + 1);
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    const bool        isPlain = argument.find_first_of(" ()|*?$'\"\\;&<>") == std::string::npos;
    command += ' ' + (isPlain ? argument : '\'' + argument + '\'');
  }
  return command;
}

} // namespace

int
main(int argc, char * argv[])
{
  Options     options;
  OptionModes modes;
  CLI::App    app(
    "Times the kernels and filters of CudaNeuro beside the limits of this machine, measured in the same run.\n"
       "'..., kernel' is device time on volumes that are on the device; '..., call' is the wall-clock time of\n"
       "a function of the engine on such volumes; '..., host to host' is that of a filter's second and\n"
       "later updates on itk::Image<float,3>. Sizes of landmarks are points x time steps x targets,\n"
       "those of neighbors vectors x components x neighbors, those of surfaces voxels of the band x\n"
       "voxels of a patch x neighbors, those of meshes vertices x triangles x 1.",
    "cudaneuro-benchmark");
  app.group("Developer Tools"); // in the list of modules of 3D Slicer
  app.get_formatter()->column_width(32);
  Define(app, options, modes);
  app.callback([&] {
    modes.Check();
    Run(options, CommandOf(argc, argv));
  });
  return RunProgram(app, argc, argv);
}
