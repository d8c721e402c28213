// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticLandmarks.h"
#include "files/output/NewFolders.h"
#include "files/points/PointFile.h"
#include "itkCudaNeuroDetail.h"
#include "landmarks/LandmarksCommands.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"
#include "files/base/Text.h"
#include "shared/Files.h"

#include <algorithm>
#include <filesystem>

namespace detail = itk::CudaNeuroDetail;
namespace fs = std::filesystem;

namespace
{

struct SynthesizeOptions
{
  std::string  folder;
  std::string  json;
  unsigned int numberOfTargets = 1;
  bool         writesSurfaces = false;
  bool         isQuiet = false;
  unsigned int numberOfThreads = 0;

  cudaneuro::SyntheticLandmarksParameters landmarks;
};

class SynthesizeReport : public Report
{
public:
  void
  Print() const override
  {
    PrintLine("template", this->TextOf("/template") + ": " + this->TextOf("/number_of_points") + " points");
    PrintLine("targets", this->TextOf("/number_of_targets"));
  }
};

/** Writes landmarks and their targets. */
class Synthesis
{
public:
  explicit Synthesis(const SynthesizeOptions & options)
    : m_Options(options)
    , m_Context(cudaneuro::Device(), static_cast<int>(options.numberOfThreads))
    , m_Bar("Synthesizing", options.isQuiet)
  {}

  /** Every place is checked before anything is computed, and each file written when it is its turn. */
  void
  Write()
  {
    m_Folders.Make(m_Options.folder);
    FilesOfRun files;
    const auto json = files.AddTextOutput(m_Options.json);
    for (unsigned int index = 0; index <= m_Options.numberOfTargets; ++index)
    {
      files.AddOutput(this->PathOf(index, ".csv"));
      if (m_Options.writesSurfaces)
      {
        files.AddOutput(this->PathOf(index, "_surface.vtk"));
      }
    }
    this->FollowProgress(0);
    detail::Call([&] {
      const cudaneuro::SyntheticLandmarks landmarks(m_Context, m_Options.landmarks);
      this->WriteTemplate(landmarks);
      for (unsigned int target = 1; target <= m_Options.numberOfTargets; ++target)
      {
        this->FollowProgress(target);
        this->WriteTarget(landmarks, target);
      }
    });
    this->Finish(json.get());
  }

private:
  /** The path of a file of the template, which is number 0, or of a target. */
  std::string
  PathOf(unsigned int index, const std::string & ending) const
  {
    return (fs::path(m_Options.folder) / ((index == 0 ? "template" : "target_" + FourDigits(index)) + ending)).string();
  }

  static void
  WritePoints(const std::string & path, std::vector<double> coordinates, std::vector<MeshCell> cells = {})
  {
    PointData data;
    data.coordinates = std::move(coordinates);
    data.cells = std::move(cells);
    StagePointFile(OutputFile(path), data).Commit();
  }

  /** Draws the progress of a part: that of the template, and of each target. */
  void
  FollowProgress(unsigned int part)
  {
    const double parts = m_Options.numberOfTargets + 1;
    m_Context.SetProgressFunction([this, part, parts](float fraction) {
      m_Bar.Show((part + static_cast<double>(fraction)) / parts);
      return !IsInterrupted();
    });
  }

  void
  WriteTemplate(const cudaneuro::SyntheticLandmarks & landmarks)
  {
    WritePoints(this->PathOf(0, ".csv"), landmarks.GetTemplate());
    if (!m_Options.writesSurfaces)
    {
      return;
    }
    constexpr int subdivisions = 5;
    const auto    surface = cudaneuro::SyntheticLandmarks::MakeSurface(subdivisions);
    for (std::size_t i = 0; i < surface.triangles.size(); i += 3)
    {
      MeshCell cell;
      for (std::size_t corner = 0; corner < 3; ++corner)
      {
        cell.points.push_back(static_cast<std::uint32_t>(surface.triangles[i + corner]));
      }
      m_Triangles.push_back(std::move(cell));
    }
    m_Surface = surface.positions;
    WritePoints(this->PathOf(0, "_surface.vtk"), m_Surface, m_Triangles);
  }

  void
  WriteTarget(const cudaneuro::SyntheticLandmarks & landmarks, unsigned int number)
  {
    const int target = static_cast<int>(number) - 1;
    WritePoints(this->PathOf(number, ".csv"), landmarks.MakeTarget(m_Context, target));
    if (m_Options.writesSurfaces)
    {
      WritePoints(
        this->PathOf(number, "_surface.vtk"), landmarks.MovePoints(m_Context, target, m_Surface), m_Triangles);
    }
  }

  void
  Finish(const OutputFile * json)
  {
    SynthesizeReport report;
    report.Set("/template", this->PathOf(0, ".csv"));
    report.Set("/number_of_points", m_Options.landmarks.numberOfPoints);
    report.Set("/number_of_targets", m_Options.numberOfTargets);
    report.Set("/mean_distance", m_Options.landmarks.meanDistance);
    report.Set("/maximum_distance", m_Options.landmarks.maximumDistance);
    report.Set("/smoothness", m_Options.landmarks.smoothness);
    report.Set("/noise", m_Options.landmarks.noise);
    report.Set("/seed", m_Options.landmarks.seed);
    report.Set("/seconds/total", m_Stopwatch.GetSeconds());
    report.WriteAndPrint(m_Options.json, json, m_Options.isQuiet);
  }

  const SynthesizeOptions & m_Options;
  Stopwatch                 m_Stopwatch;
  cudaneuro::Context        m_Context;
  ProgressBar               m_Bar;
  NewFolders                m_Folders;
  std::vector<double>       m_Surface;
  std::vector<MeshCell>     m_Triangles;
};

constexpr const char * description =
  "Writes landmarks on a folded closed surface, and targets of them under random maps that do not fold.\n"
  "Choose it to try matching with, and to time it.";

constexpr const char * examples =
  "Example:\n"
  "  cudaneuro-landmarks synthesize --output-folder points --targets 34\n"
  "  cudaneuro-landmarks match points/template.csv points/target_*.csv --sigma 1.5 --json report.json";

void
AddLandmarkOptions(CLI::App & app, SynthesizeOptions & options)
{
  using P = cudaneuro::SyntheticLandmarksParameters;
  const char * const group = "Landmarks";
  P &                landmarks = options.landmarks;
  AddParameter(app, nullptr, landmarks, &P::numberOfPoints, { group, "--points" });
  app.add_option("--targets", options.numberOfTargets, "Number of targets")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(group);
  for (const auto member : { &P::meanDistance, &P::maximumDistance, &P::smoothness, &P::noise })
  {
    AddParameter(app, nullptr, landmarks, member, { group });
  }
  AddParameter(app, nullptr, landmarks, &P::seed, { group });
}

void
AddSynthesizeOptions(CLI::App & app, SynthesizeOptions & options)
{
  const char * const group = "Outputs";
  app.add_option("-o,--output-folder", options.folder, "Folder for template.csv, target_0001.csv and so on")
    ->option_text("FOLDER")
    ->type_name("directory output")
    ->required()
    ->group(group);
  app
    .add_flag("--surfaces",
              options.writesSurfaces,
              "Write template_surface.vtk, target_0001_surface.vtk and so on,\ntoo: the surface on which the points "
              "are, and it under each map")
    ->group(group);
  AddJsonFile(app, options.json, group);
  AddLandmarkOptions(app, options);
  const char * const computing = "Computing";
  app.add_option("-t,--threads", options.numberOfThreads, "Number of CPU threads, at least 1. Default: all cores")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(computing);
  app.add_flag("-q,--quiet", options.isQuiet, "No progress bar and no summary")->group(computing);
}

} // namespace

void
AddSynthesizeCommand(CLI::App & program)
{
  const auto       options = std::make_shared<SynthesizeOptions>();
  CLI::App * const app = program.add_subcommand("synthesize", description);
  AddSynthesizeOptions(*app, *options);
  app->footer(examples);
  app->callback([=] { Try("synthesize landmarks", [&] { Synthesis(*options).Write(); }); });
}
