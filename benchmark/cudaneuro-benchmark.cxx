// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Times the kernels and filters of this module beside the limits of the machine, measured in the same run.

#include "Report.h"
#include "Topics.h"
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
  bool                     list = false;
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
  modes.Add(
    app.add_flag("--list", options.list, "Print the names and sizes of the rows, and measure nothing")->group(cases),
    "rows, not with --tune",
    [&options] { return !options.tune; });
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

/** Returns the sizes of Howison's table of run times. */
std::vector<Size>
SizesOfThePaper()
{
  return { { 480, 480, 36 }, { 256, 256, 200 }, { 1024, 1024, 20 }, { 352, 352, 249 }, { 576, 576, 300 } };
}

/** Sets default sizes where none were given. A CPU, which takes long, registers only sizes that were given. */
void
SetDefaultSizes(const Options & options, Settings & settings)
{
  if (options.quick)
  {
    settings.sizes = { { 96, 80, 32 } };
    settings.unbiasedSizes = { { 48, 48, 48 } };
    settings.greedySizes = { { 48, 48, 48 } };
    settings.linearSizes = { { 64, 64, 64 } };
    return;
  }
  settings.sizes = options.tune ? std::vector<Size>{ { 352, 352, 249 } } : SizesOfThePaper();
  if (settings.device.IsCuda())
  {
    settings.unbiasedSizes = { { 240, 240, 240 }, { 256, 300, 256 } };
    settings.greedySizes = { { 192, 192, 192 } };
    settings.linearSizes = { { 256, 256, 256 } };
  }
}

Settings
SettingsOf(const Options & options)
{
  Settings settings;
  settings.device =
    (options.device.empty() ? itk::ComputeDevice::GetDefault() : itk::ComputeDevice::FromName(options.device))
      .GetEngineDevice();
  settings.repetition.count = options.quick && options.repeat == 0 ? 3 : options.repeat;
  settings.isQuick = options.quick;
  settings.iterations = options.quick ? 5 : 100;
  for (const std::string & name : options.sizes)
  {
    settings.sizes.push_back(SizeOfName(name));
  }
  settings.unbiasedSizes = settings.greedySizes = settings.linearSizes = settings.sizes;
  if (settings.sizes.empty())
  {
    SetDefaultSizes(options, settings);
  }
  return settings;
}

/** Returns the rows whose names match the filter. */
Table
WantedRows(const Settings & settings, const std::regex & filter)
{
  Table table;
  for (const auto & rowsOfTopic : { DenoisingRows,
                                    RegistrationRows,
                                    LinearRows,
                                    AtlasRows,
                                    LandmarkRows,
                                    NeighborRows,
                                    SurfaceRows,
                                    MeshRows,
                                    LabelRows })
  {
    Append(table, rowsOfTopic(settings));
  }
  const auto isUnwanted = [&](const Row & row) { return !std::regex_search(row.name, filter); };
  table.erase(std::remove_if(table.begin(), table.end(), isUnwanted), table.end());
  return table;
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
Tune(const Size & size, const std::regex & filter)
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
      if (std::regex_search(topic.first, filter))
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
RunTuning(const Settings & settings, const std::regex & filter, Report & report)
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
    for (cudaneuro::tuning::KernelSweep & sweep : Tune(size, filter))
    {
      report.sweeps.push_back(std::move(sweep));
    }
  }
}

void
RunBenchmark(const Settings & settings, const std::regex & filter, Report & report)
{
  if (!cudaneuro::builtWithCuda)
  {
    std::cout << "This program was built without CUDA: it times the implementation for the CPU.\n";
  }
  report.limits = MeasureLimits(settings.device);
  PrintHeading(report);
  RunRows(WantedRows(settings, filter), report.limits, [&report](const Record & record) {
    Print(record);
    report.records.push_back(record);
  });
}

/** \throws UserError with the number of failed rows */
void
ThrowIfRowsFailed(const Report & report)
{
  const std::vector<Record> & records = report.records;
  const auto                  failed =
    std::count_if(records.begin(), records.end(), [](const Record & record) { return record.hasFailed; });
  if (failed > 0)
  {
    throw UserError(std::to_string(failed) + " of " + std::to_string(records.size()) + " rows failed");
  }
}

void
Run(const Options & options, const std::string & command)
{
  FilesOfRun                        files;
  const std::unique_ptr<OutputFile> json = files.AddTextOutput(options.json);
  const Settings                    settings = SettingsOf(options);
  const std::regex                  filter = ExpressionOf(options.filter);
  if (options.list)
  {
    PrintNames(WantedRows(settings, filter));
    return;
  }
  Report report;
  report.commit = options.commit;
  report.device = itk::ComputeDevice(settings.device).GetDescription();
  report.date = CurrentDate();
  report.command = command;
  if (options.tune)
  {
    RunTuning(settings, filter, report);
  }
  else
  {
    const ProgressBar bar("Timing");
    RunBenchmark(settings, filter, report);
  }
  if (!options.json.empty())
  {
    WriteText(json.get(), JsonOf(report));
  }
  ThrowIfRowsFailed(report);
}

/** Returns the command as it was typed, without the folder of the program. */
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
  app.group("Developer Tools"); // the category in 3D Slicer's list of modules
  app.get_formatter()->column_width(32);
  Define(app, options, modes);
  app.callback([&] {
    modes.Check();
    Run(options, CommandOf(argc, argv));
  });
  return RunProgram(app, argc, argv);
}
