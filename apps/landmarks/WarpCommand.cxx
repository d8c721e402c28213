// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/input/InputFile.h"
#include "files/transforms/TransformFile.h"
#include "landmarks/LandmarksCommands.h"
#include "shared/registration/MapOutputs.h"
#include "shared/CommandOptions.h"
#include "shared/Files.h"
#include "shared/ImageOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace
{

struct WarpOptions
{
  std::string transform;
  bool        isInverse = false;
  std::string points;
  std::string reference;
  std::string outputPoints;
  std::string outputField;
  std::string json;

  ComputeOptions compute;

  /** The images that a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

class WarpReport : public Report
{
public:
  void
  Print() const override
  {
    PrintLine("map", this->TextOf("/transform") + ": " + this->TextOf("/transform_description"));
    if (this->Has("/outputs/points"))
    {
      PrintLine("points", this->TextOf("/number_of_points") + " to " + this->TextOf("/outputs/points"));
    }
    if (this->Has("/outputs/field"))
    {
      PrintLine("field", this->TextOf("/outputs/field"));
    }
    PrintLine("seconds", this->TextOfAll("/seconds"));
  }
};

/** One run. Reads and checks everything, and makes the places of outputs, before it computes. */
class WarpJob
{
public:
  explicit WarpJob(const WarpOptions & options)
    : m_Options(options)
  {
    WarnOfUnusedMemoryLimit(options.compute);
    if (!options.points.empty())
    {
      m_Points = ReadPointFile(options.points);
      m_Dimension = m_Points.dimension;
    }
    this->OpenReference();
    this->AddFiles();
  }

  unsigned int
  GetDimension() const
  {
    return m_Dimension;
  }

  template <unsigned int VDimension>
  void
  Run()
  {
    const auto        transform = this->ReadMap<VDimension>();
    const std::string notes = NotesOf(m_Points, m_Options.points);
    if (!notes.empty())
    {
      Warn(notes);
    }
    ProgressBar::ExpectStages(m_PointsFile && m_FieldFile ? 2 : 1);
    m_Report.Set("/transform", m_Options.transform);
    m_Report.Set("/transform_description", transform->GetNameOfClass());
    m_Report.Set("/inverse", m_Options.isInverse);
    std::vector<StagedFile> files;
    if (m_PointsFile)
    {
      const ProgressBar bar("Moving points", m_Options.compute.isQuiet);
      m_Report.Set("/number_of_points", m_Points.GetNumberOfPoints());
      files.push_back(
        StagePointFile(*m_PointsFile, MovePoints<VDimension>(*transform, m_Points, ComputingOf(m_Options.compute))));
      m_Report.Set("/outputs/points", m_PointsFile->GetPath());
    }
    if (m_FieldFile)
    {
      const auto grid = ReadGrid<VDimension>(*m_Reference);
      files.push_back(StageField<VDimension>(*m_FieldFile, *transform, grid, m_Options.compute));
      m_Report.Set("/outputs/field", m_FieldFile->GetPath());
    }
    for (StagedFile & file : files)
    {
      file.Commit();
    }
  }

  void
  Finish()
  {
    m_Report.Set("/device", m_Options.compute.GetDevice().GetName());
    m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
    m_Report.WriteAndPrint(m_Options.json, m_Json.get(), m_Options.compute.isQuiet);
  }

private:
  void
  OpenReference()
  {
    if (m_Options.reference.empty())
    {
      return;
    }
    m_Reference = m_Options.opened->Open(m_Options.reference);
    const unsigned int axes = m_Reference->dimension;
    if (m_Dimension != 0 && axes != m_Dimension)
    {
      throw UserError(m_Options.reference + " has " + std::to_string(axes) + " axes, and the points of " +
                      m_Options.points + " " + std::to_string(m_Dimension));
    }
    m_Dimension = axes;
  }

  void
  AddFiles()
  {
    for (const std::string & path : { m_Options.transform, m_Options.points, m_Options.reference })
    {
      m_Files.AddInput(path);
    }
    if (!m_Options.outputPoints.empty())
    {
      CheckPointFormat(m_Options.outputPoints, m_Dimension);
      m_PointsFile = std::make_unique<OutputFile>(m_Files.AddOutput(m_Options.outputPoints));
    }
    if (!m_Options.outputField.empty())
    {
      CheckOutputFormat(m_Options.outputField);
      m_FieldFile = std::make_unique<OutputFile>(m_Files.AddOutput(m_Options.outputField));
    }
    m_Json = m_Files.AddTextOutput(m_Options.json);
  }

  /** Returns the transform of the file, or its inverse. */
  template <unsigned int VDimension>
  typename itk::Transform<double, VDimension, VDimension>::ConstPointer
  ReadMap() const
  {
    using TransformType = itk::Transform<double, VDimension, VDimension>;
    const std::string what =
      m_Options.points.empty() ? "the axes of " + m_Options.reference : "the points of " + m_Options.points;
    const typename TransformType::Pointer transform =
      ReadTransforms<VDimension>({ m_Options.transform }, m_Options.opened->reading, what);
    RequireRegular<VDimension>(m_Options.transform, *transform);
    if (!m_Options.isInverse)
    {
      return transform.GetPointer();
    }
    const auto                                 inverse = transform->GetInverseTransform();
    const typename TransformType::ConstPointer result = dynamic_cast<const TransformType *>(inverse.GetPointer());
    if (result.IsNull())
    {
      throw UserError(m_Options.transform + " has a " + transform->GetNameOfClass() +
                      " whose inverse is not known; cudaneuro-transform invert finds that of displacements");
    }
    return result;
  }

  const WarpOptions &         m_Options;
  Stopwatch                   m_Stopwatch;
  PointData                   m_Points;
  unsigned int                m_Dimension = 0;
  std::optional<OpenedImage>  m_Reference;
  FilesOfRun                  m_Files;
  std::unique_ptr<OutputFile> m_PointsFile;
  std::unique_ptr<OutputFile> m_FieldFile;
  std::unique_ptr<OutputFile> m_Json;
  WarpReport                  m_Report;
};

void
AddWarpOptions(CLI::App & app, WarpOptions & options)
{
  app
    .add_option("TRANSFORM",
                options.transform,
                "A transform file (.h5, .tfm, .txt, .mat) of cudaneuro-landmarks,\ncudaneuro-register or ITK, or an "
                "image of displacements")
    ->option_text(" ")
    ->type_name("file input fileExtensions=.h5,.tfm,.txt,.mat")
    ->required();
  const char * const inputs = "Inputs";
  const char * const outputs = "Outputs (at least one; the ending decides the format)";
  const auto         add =
    [&](const char * name, std::string & path, const char * text, const char * group, const char * kind) {
      return app.add_option(name, path, text)->option_text("FILE")->group(group)->type_name(kind);
    };
  app.add_flag("--inverse", options.isInverse, "Apply the inverse map")->group(inputs);
  CLI::Option * const points = add("--points",
                                   options.points,
                                   "Points or a mesh, as for match, to move",
                                   inputs,
                                   "pointfile input type=point fileExtensions=.mrk.json coordinateSystem=lps");
  CLI::Option * const reference =
    add("--reference", options.reference, "An image whose grid the displacements have", inputs, "image input");
  CLI::Option * const outputPoints = add("-o,--output-points",
                                         options.outputPoints,
                                         "The moved points; with the cells in the formats of meshes",
                                         outputs,
                                         "pointfile output type=point fileExtensions=.mrk.json coordinateSystem=lps");
  CLI::Option * const outputField = add("--output-field",
                                        options.outputField,
                                        "Displacements in mm, LPS",
                                        outputs,
                                        "transform output type=nonlinear fileExtensions=.nrrd");
  AddImageOptions(app, options.opened, inputs);
  points->needs(outputPoints);
  outputPoints->needs(points);
  reference->needs(outputField);
  outputField->needs(reference);
  AddJsonFile(app, options.json, outputs);
  AddComputeOptions(app, options.compute);
}

} // namespace

void
AddWarpCommand(CLI::App & program)
{
  constexpr const char * description =
    "Applies a map that was found to points and meshes, and writes its displacements on the grid of an image.\n"
    "Choose it to carry along what was not there when landmarks were matched, forth or back.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-landmarks warp map.h5 --points surface.vtk --output-points moved.vtk\n"
    "  cudaneuro-landmarks warp map.h5 --inverse --reference head.nii.gz --output-field back.nii.gz";

  const auto       options = std::make_shared<WarpOptions>();
  CLI::App * const app = program.add_subcommand("warp", description);
  AddWarpOptions(*app, *options);
  app->footer(examples);
  app->callback([=] {
    if (options->outputPoints.empty() && options->outputField.empty())
    {
      throw CLI::RequiredError("At least one of --output-points and --output-field");
    }
    WarpJob job(*options);
    Try("apply " + options->transform, [&] { job.GetDimension() == 2 ? job.Run<2>() : job.Run<3>(); });
    job.Finish();
  });
}
