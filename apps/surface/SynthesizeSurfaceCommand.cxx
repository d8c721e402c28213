// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticSurfaces.h"
#include "files/surfaces/SurfaceFile.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"
#include "surface/SurfaceCommands.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <optional>
#include <sstream>

namespace
{

struct SynthesizeOptions
{
  std::string           output;
  std::string           outputTrue;
  std::string           json;
  double                size = 50.0;
  std::optional<double> edgeLength;
  unsigned int          numberOfThreads = 0;
  bool                  isQuiet = false;

  cudaneuro::SyntheticShape         shape = cudaneuro::SyntheticShape::Blocks;
  cudaneuro::SurfaceNoiseParameters noise;
};

class SynthesizeReport : public Report
{
public:
  void
  Print() const override
  {
    PrintLine("surface",
              this->TextOf("/output") + ": " + this->TextOf("/shape") + ", " + this->TextOf("/triangles") +
                " triangles");
    PrintLine("noise",
              this->TextOf("/noise_kind") + ", " + this->TextOf("/noise") + " mean edges of " +
                this->TextOf("/mean_edge_mm") + " mm");
  }
};

template <typename TValue>
std::string
NameOf(TValue value)
{
  std::ostringstream name;
  name << value;
  return name.str();
}

/** Returns the values of an enumeration by their unchanged names. */
template <typename TEnum>
Choice<TEnum>
NamedValues()
{
  typename Choice<TEnum>::EntriesType entries;
  for (const TEnum value : cudaneuro::ValuesOf<TEnum>())
  {
    entries.emplace_back(NameOf(value), value);
  }
  return entries;
}

vtkSmartPointer<vtkPolyData>
ToVtk(const cudaneuro::SyntheticMesh & mesh)
{
  auto                       surface = vtkSmartPointer<vtkPolyData>::New();
  const vtkNew<vtkPoints>    points;
  const vtkNew<vtkCellArray> triangles;
  points->SetDataTypeToDouble();
  for (std::size_t i = 0; i < mesh.points.size(); i += 3)
  {
    points->InsertNextPoint(mesh.points.data() + i);
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
  {
    triangles->InsertNextCell({ mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2] });
  }
  surface->SetPoints(points);
  surface->SetPolys(triangles);
  return surface;
}

void
RunSynthesize(const SynthesizeOptions & options)
{
  const Stopwatch             stopwatch;
  FilesOfRun                  files;
  std::unique_ptr<OutputFile> outputTrue;
  CheckSurfaceFormat(options.output);
  const OutputFile output = files.AddOutput(options.output);
  if (!options.outputTrue.empty())
  {
    CheckSurfaceFormat(options.outputTrue);
    outputTrue = std::make_unique<OutputFile>(files.AddOutput(options.outputTrue));
  }
  const auto         json = files.AddTextOutput(options.json);
  cudaneuro::Context context(cudaneuro::Device(), options.numberOfThreads);
  ProgressBar        bar("Synthesizing", options.isQuiet);
  context.SetProgressFunction([&bar](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  cudaneuro::SyntheticMesh mesh;
  cudaneuro::SyntheticMesh noisy;
  itk::CudaNeuroDetail::Call([&] {
    const cudaneuro::SyntheticSurface surface(options.shape, options.size);
    constexpr double                  edgesOfSize = 25.0;
    mesh = surface.MakeMesh(context, options.edgeLength ? *options.edgeLength : options.size / edgesOfSize);
    noisy = cudaneuro::AddNoise(mesh, options.noise);
  });
  if (outputTrue != nullptr)
  {
    StageSurfaceFile(*outputTrue, ToVtk(mesh)).Commit();
  }
  StageSurfaceFile(output, ToVtk(noisy)).Commit();

  SynthesizeReport report;
  report.Set("/output", options.output);
  report.Set("/shape", NameOf(options.shape));
  report.Set("/size_mm", options.size);
  report.Set("/triangles", noisy.triangles.size() / 3);
  report.Set("/mean_edge_mm", cudaneuro::MeanEdgeLength(mesh.View()));
  report.Set("/volume_mm3", cudaneuro::EnclosedVolume(mesh.View()));
  report.Set("/noise_kind", NameOf(options.noise.noiseKind));
  report.Set("/noise", options.noise.deviation);
  report.Set("/seed", options.noise.seed);
  report.Set("/seconds", stopwatch.GetSeconds());
  report.WriteAndPrint(options.json, json.get(), options.isQuiet);
}

void
AddShapeOptions(CLI::App & app, SynthesizeOptions & options)
{
  using P = cudaneuro::SurfaceNoiseParameters;
  const char * const group = "Surface";
  const auto         shapes = NamedValues<cudaneuro::SyntheticShape>();
  AddChoice(
    app,
    "--shape",
    [&options, shapes](const std::string & name) { options.shape = shapes.GetValue(name); },
    shapes.GetNames(),
    "What it is",
    shapes.GetName(options.shape))
    ->group(group);
  app.add_option("--size", options.size, "Half the extent, in mm")->check(Positive())->option_text("X")->group(group);
  AddNumberOrAuto(app,
                  "--edge-length",
                  options.edgeLength,
                  "Length that edges have about, in mm; 1/50 to 1/5 of the size.\nDefault: auto, 1/25 of it")
    ->group(group);
  AddParameter(app, nullptr, options.noise, &P::deviation, { group, "--noise" });
  AddEnumParameter(app, nullptr, options.noise, &P::noiseKind, NamedValues<cudaneuro::SurfaceNoise>(), { group });
  AddParameter(app, nullptr, options.noise, &P::seed, { group });
}

} // namespace

void
AddSynthesizeCommand(CLI::App & program)
{
  constexpr const char * description =
    "Writes a noisy surface, and the one without noise, whose shape is known exactly.\n"
    "Choose it to try denoising with, and to time it.";
  constexpr const char * examples =
    "Example:\n"
    "  cudaneuro-surface synthesize -o noisy.ply --output-true true.ply --shape Nut --deviation 0.3\n"
    "  cudaneuro-surface denoise noisy.ply -o denoised.ply\n"
    "  cudaneuro-surface compare true.ply denoised.ply";

  const auto         options = std::make_shared<SynthesizeOptions>();
  CLI::App * const   app = program.add_subcommand("synthesize", description);
  const char * const group = "Outputs";
  app->add_option("-o,--output", options->output, "The noisy surface: .vtk, .vtp, .stl, .ply, .obj or .gii")
    ->option_text("FILE")
    ->type_name("geometry output fileExtensions=.vtp")
    ->required()
    ->group(group);
  app->add_option("--output-true", options->outputTrue, "The surface without noise")
    ->option_text("FILE")
    ->type_name("geometry output fileExtensions=.vtp")
    ->group(group);
  AddJsonFile(*app, options->json, group);
  AddShapeOptions(*app, *options);
  const char * const computing = "Computing";
  app->add_option("-t,--threads", options->numberOfThreads, "Number of CPU threads, at least 1. Default: all cores")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(computing);
  app->add_flag("-q,--quiet", options->isQuiet, "No progress bar and no summary")->group(computing);
  app->footer(examples);
  app->callback([=] { Try("synthesize a surface", [&] { RunSynthesize(*options); }); });
}
