// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticLandmarks.h"
#include "files/base/Text.h"
#include "files/system/SystemFile.h"
#include "files/points/PointFile.h"
#include "itkCudaNeuroDetail.h"
#include "landmarks/LandmarksCommands.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/SynthesisRun.h"

namespace detail = itk::CudaNeuroDetail;

namespace
{

struct SynthesizeOptions : SynthesisOptions
{
  unsigned int numberOfTargets = 1;
  bool         writesSurfaces = false;

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
    , m_NumberOfTargets(static_cast<int>(options.numberOfTargets))
    , m_Run(options)
  {}

  /** Checks every place before anything is computed, then computes and writes file by file. */
  void
  Write()
  {
    m_Run.folders.Make(ToPath(m_Options.folder));
    FilesOfRun files;
    const auto json = files.AddTextOutput(m_Options.json);
    for (int index = 0; index <= m_NumberOfTargets; ++index)
    {
      files.AddOutput(this->PathOf(index, ".csv"));
      if (m_Options.writesSurfaces)
      {
        files.AddOutput(this->PathOf(index, "_surface.vtk"));
      }
    }
    this->FollowProgress(0);
    detail::Call([&] {
      const cudaneuro::SyntheticLandmarks landmarks(m_Run.context, m_Options.landmarks);
      this->WriteTemplate(landmarks);
      for (int target = 1; target <= m_NumberOfTargets; ++target)
      {
        this->FollowProgress(target);
        this->WriteTarget(landmarks, target);
      }
    });
    this->Finish(json.get());
  }

private:
  /** Returns the path of a file of the template (index 0) or of a target. */
  std::string
  PathOf(int index, const std::string & ending) const
  {
    const std::string name = index == 0 ? "template" : "target_" + FourDigits(static_cast<std::size_t>(index));
    return m_Run.PathOf(name + ending);
  }

  static void
  WritePoints(const std::string & path, std::vector<double> coordinates, std::vector<MeshCell> cells = {})
  {
    PointData data;
    data.coordinates = std::move(coordinates);
    data.cells = std::move(cells);
    StagePointFile(OutputFile(path), data).Commit();
  }

  /** Draws the progress: the template is part 0, each target another part. */
  void
  FollowProgress(int part)
  {
    m_Run.FollowProgress(part, m_NumberOfTargets + 1);
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
  WriteTarget(const cudaneuro::SyntheticLandmarks & landmarks, int number)
  {
    const int target = number - 1;
    WritePoints(this->PathOf(number, ".csv"), landmarks.MakeTarget(m_Run.context, target));
    if (m_Options.writesSurfaces)
    {
      WritePoints(
        this->PathOf(number, "_surface.vtk"), landmarks.MovePoints(m_Run.context, target, m_Surface), m_Triangles);
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
    m_Run.Finish(report, json);
  }

  const SynthesizeOptions & m_Options;
  int                       m_NumberOfTargets;
  SynthesisRun              m_Run;
  std::vector<double>       m_Surface;
  std::vector<MeshCell>     m_Triangles;
};

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
  AddSynthesisFolder(app, options, "Folder for template.csv, target_0001.csv and so on");
  app
    .add_flag("--surfaces",
              options.writesSurfaces,
              "Write template_surface.vtk, target_0001_surface.vtk and so on,\ntoo: the surface on which the points "
              "are, and it under each map")
    ->group("Outputs");
  AddJsonFile(app, options.json, "Outputs");
  AddLandmarkOptions(app, options);
  AddSynthesisComputing(app, options);
}

} // namespace

void
AddSynthesizeCommand(CLI::App & program)
{
  constexpr const char * description =
    "Writes landmarks on a folded closed surface, and targets of them under random maps that do not fold.\n"
    "Choose it to try matching with, and to time it.";
  constexpr const char * examples =
    "Example:\n"
    "  cudaneuro-landmarks synthesize --output-folder points --targets 34\n"
    "  cudaneuro-landmarks match points/template.csv points/target_*.csv --sigma 1.5 --json report.json";

  const auto       options = std::make_shared<SynthesizeOptions>();
  CLI::App * const app = program.add_subcommand("synthesize", description);
  AddSynthesizeOptions(*app, *options);
  app->footer(examples);
  app->callback([=] { Try("synthesize landmarks", [&] { Synthesis(*options).Write(); }); });
}
