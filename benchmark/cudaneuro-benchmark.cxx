// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Times the kernels and filters of this module beside the limits of the machine, measured in the same run.

#include "Benchmark.h"
#include "BuildConfiguration.h"
#include "Limits.h"
#include "RegistrationRuns.h"
#include "Report.h"
#include "Runs.h"
#include "Tuning.h"
#include "itkComputeDevice.h"
#include "itkMacro.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>
#include <regex>
#include <stdexcept>

#ifndef CUDANEURO_COMMIT
#  define CUDANEURO_COMMIT "unknown"
#endif

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
  std::string              markdown;
  std::string              commit = CUDANEURO_COMMIT;
  bool                     quick = false;
  bool                     tune = false;
};

void
Define(CLI::App & app, Options & options)
{
  app.description(
    "Times the kernels and filters of CudaNeuro beside the limits of this machine, measured in the same "
    "run.\n'..., kernel' is device time on volumes that are on the device; '..., call' is the wall-clock time of "
    "a function of the engine on such volumes; '..., host to host' is that of a filter's second and "
    "later updates on itk::Image<float,3>.");
  app
    .add_option("--sizes",
                options.sizes,
                "Volume sizes, as 256x256x200; default: the five sizes of Howison's paper for denoising, and on a GPU "
                "240x240x240, 256x300x256 (unbiased) and 192x192x192 (diffeomorphic) for registration")
    ->delimiter(',');
  app.add_option("--filter", options.filter, "Run only the rows whose name matches this regular expression");
  app.add_option("--repeat", options.repeat, "Timed runs of each case; default: up to 15 in at most 0.4 s, at least 3")
    ->check(CLI::Range(1, 100000));
  app.add_option("--device", options.device, "auto, cpu or cuda:N; default: the environment variable CUDANEURO_DEVICE");
  app.add_option("--json", options.json, "Also write the results to this file, as JSON");
  app.add_option("--markdown", options.markdown, "Also write the results to this file, as a Markdown table");
  app.add_option("--commit", options.commit, "The commit to name in the results; default: the one that was built");
  app.add_flag("--quick", options.quick, "Small volumes, short registrations, 3 runs of each case");
  app.add_flag("--tune", options.tune, "Time the kernels' launch shapes instead: best, default and worst of each");
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

/** Before sizes are chosen for the rest. A CPU takes long: it registers what it is told to. */
RegistrationSettings
RegistrationSettingsOf(const Options & options, const Settings & settings)
{
  RegistrationSettings registration;
  registration.unbiasedSizes = settings.sizes;
  registration.diffeomorphicSizes = settings.sizes;
  if (options.quick)
  {
    registration.iterations = 5;
  }
  if (settings.sizes.empty() && options.quick)
  {
    registration.unbiasedSizes = { { 48, 48, 48 } };
    registration.diffeomorphicSizes = { { 48, 48, 48 } };
  }
  else if (settings.sizes.empty() && settings.device.IsCuda())
  {
    registration.unbiasedSizes = { { 240, 240, 240 }, { 256, 300, 256 } };
    registration.diffeomorphicSizes = { { 192, 192, 192 } };
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
          PrintSweeps(std::cout, { sweep });
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
  PrintHeading(std::cout, report);
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
  PrintHeading(std::cout, report);
  PrintTableHeading(std::cout);
  settings.report = [&report](const Result & result) {
    PrintRow(std::cout, result);
    report.results.push_back(result);
  };
  settings.reportMemory = [&report](const MemoryResult & result) { report.memory.push_back(result); };
  for (const Size & size : settings.sizes)
  {
    RunSize(settings, report.limits, size);
  }
  RunRegistrations(settings, report.limits);
  PrintMemory(std::cout, report.memory);
}

void
Run(const Options & options, const std::string & command)
{
  for (const std::string & fileName : { options.json, options.markdown })
  {
    if (!fileName.empty())
    {
      RequireWritable(fileName);
    }
  }
  const Settings settings = SettingsOf(options);
  Report         report;
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
    RunBenchmark(settings, report);
  }
  if (!options.json.empty())
  {
    WriteJson(options.json, report);
  }
  if (!options.markdown.empty())
  {
    WriteMarkdown(options.markdown, report);
  }
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
  Options  options;
  CLI::App app;
  Define(app, options);
  CLI11_PARSE(app, argc, argv);
  try
  {
    Run(options, CommandOf(argc, argv));
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << "cudaneuro-benchmark: " << error.GetDescription() << std::endl;
    return EXIT_FAILURE;
  }
  catch (const std::exception & error)
  {
    std::cerr << "cudaneuro-benchmark: " << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
