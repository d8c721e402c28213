// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchJob.h"

#include "files/output/DistinctNames.h"
#include "files/images/ImageFile.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"
#include "files/transforms/TransformFile.h"
#include "landmarks/PathPicture.h"
#include "shared/ErrorList.h"
#include "files/base/Text.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace
{

constexpr const char * placeholder = "{name}";

std::string
CountOf(const PointData & data)
{
  const std::size_t count = data.GetNumberOfPoints();
  return std::to_string(count) + (count == 1 ? " point" : " points");
}

PointData
ReadPointsLike(const std::string & path, const PointData & other, const std::string & otherPath)
{
  PointData data = ReadPointFile(path);
  if (data.dimension != other.dimension)
  {
    RefuseInput(path,
                "its points have " + std::to_string(data.dimension) + " coordinates, and those of " + otherPath + " " +
                  std::to_string(other.dimension));
  }
  return data;
}

MatchTarget
ReadTarget(const std::string & path, const PointData & templatePoints, const std::string & templatePath)
{
  const PointData data = ReadPointsLike(path, templatePoints, templatePath);
  MatchTarget     target{ PairPoints(templatePoints, templatePath, data, path), {}, {} };
  target.coordinates = PickCoordinates(data, target.pairs.second);
  target.notes = { NotesOf(data, path), target.pairs.note };
  return target;
}

/** Returns the options of outputs that each target has. */
std::vector<const std::string *>
OutputsOf(const MatchOptions & options)
{
  return { &options.outputTransform, &options.outputInverseTransform, &options.outputPoints,  &options.outputMesh,
           &options.outputField,     &options.outputInverseField,     &options.outputMomenta, &options.outputTrajectory,
           &options.picture };
}

void
RequireEnding(const std::string & path, const std::vector<std::string> & endings)
{
  std::string known;
  for (const std::string & ending : endings)
  {
    if (path.empty() || EndingOf(path) == ending)
    {
      return;
    }
    known += (known.empty() ? "" : " or ") + ending;
  }
  throw UserError("cannot write " + path + ": its ending must be " + known);
}

} // namespace

void
MatchReport::Print() const
{
  PrintLine("template", this->TextOf("/template") + ": " + this->TextOf("/template_description"));
  PrintLine("method", this->TextOfAll("/parameters"));
  for (std::size_t i = 0; this->Has("/targets/" + std::to_string(i)); ++i)
  {
    const std::string target = "/targets/" + std::to_string(i);
    const std::string aligned = target + "/distance_aligned/root_mean_square_mm";
    PrintLine("target",
              this->TextOf(target + "/target") + ": distance " + this->TextOf(target + "/distance_before/mean_mm") +
                " mm before, " + this->TextOf(target + "/distance_after/mean_mm") + " after; largest " +
                this->TextOf(target + "/distance_before/maximum_mm") + " before, " +
                this->TextOf(target + "/distance_after/maximum_mm") + " after; " +
                this->TextOf(target + "/number_of_iterations") + " iterations, " +
                this->TextOf(target + "/stop_reason") + "; " + this->TextOf(target + "/matched_points") +
                " points matched by " + this->TextOf(target + "/matched_by"));
    if (this->Has(aligned))
    {
      PrintLine("aligned",
                "root mean square distance " + this->TextOf(target + "/distance_before/root_mean_square_mm") +
                  " mm before, " + this->TextOf(aligned) + " aligned, " +
                  this->TextOf(target + "/distance_after/root_mean_square_mm") + " after");
    }
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
}

MatchJob::MatchJob(const MatchOptions & options)
  : m_Options(options)
  , m_Names(DistinctNames(options.targets))
{
  options.compute.GetDevice(); // throws if it does not exist
  WarnOfUnusedMemoryLimit(options.compute);
  this->ReadPoints();
  this->OpenReference();
  this->CheckFormats();
  this->AddFiles();
  this->BeginReport();
}

void
MatchJob::ReadPoints()
{
  const MatchOptions & options = m_Options;
  m_Points.templatePoints = ReadPointFile(options.templatePoints);
  ErrorList errors;
  for (const std::string & path : options.targets)
  {
    errors.Check(
      [&] { m_Points.targets.push_back(ReadTarget(path, m_Points.templatePoints, options.templatePoints)); });
  }
  if (!options.weights.empty())
  {
    errors.Check(
      [&] { m_Points.weights = ReadPointWeights(options.weights, m_Points.templatePoints, options.templatePoints); });
  }
  if (!options.mesh.empty())
  {
    errors.Check(
      [&] { m_Points.mesh = ReadPointsLike(options.mesh, m_Points.templatePoints, options.templatePoints); });
  }
  errors.ThrowIfAny();
  std::vector<std::string> notes{ NotesOf(m_Points.templatePoints, options.templatePoints),
                                  NotesOf(m_Points.mesh, options.mesh) };
  for (const MatchTarget & target : m_Points.targets)
  {
    notes.insert(notes.end(), target.notes.begin(), target.notes.end());
  }
  notes.erase(std::remove(notes.begin(), notes.end(), ""), notes.end());
  std::for_each(notes.begin(), notes.end(), Warn);
}

void
MatchJob::OpenReference()
{
  if (m_Options.reference.empty())
  {
    return;
  }
  m_Reference = m_Options.opened->Open(m_Options.reference);
  const unsigned int axes = m_Reference->dimension;
  if (axes != this->GetDimension())
  {
    throw UserError(m_Options.reference + " has " + std::to_string(axes) + " axes, and the points of " +
                    m_Options.templatePoints + " " + std::to_string(this->GetDimension()));
  }
}

void
MatchJob::CheckFormats() const
{
  const MatchOptions & options = m_Options;
  for (const std::string * const path : { &options.outputTransform, &options.outputInverseTransform })
  {
    if (!path->empty())
    {
      CheckTransformFormat(*path, options.IsAligned() ? TransformParts::Several : TransformParts::One);
    }
  }
  for (const std::string * const path : { &options.outputPoints, &options.outputMesh })
  {
    if (!path->empty())
    {
      CheckPointFormat(*path, this->GetDimension());
    }
  }
  for (const std::string * const path : { &options.outputField, &options.outputInverseField })
  {
    if (!path->empty())
    {
      CheckOutputFormat(*path);
    }
  }
  RequireEnding(options.outputMomenta, { ".csv" });
  RequireEnding(options.outputTrajectory,
                this->GetDimension() == 3 ? std::vector<std::string>{ ".csv", ".vtk" }
                                          : std::vector<std::string>{ ".csv" });
  RequireEnding(options.picture, { ".png" });
  const bool        draws = !options.picture.empty() || !options.animation.empty();
  const std::string reason = draws ? GetReasonForNoPicture() : "";
  if (!reason.empty())
  {
    throw UserError((options.picture.empty() ? "--animation" : "--picture") + std::string(" cannot be drawn: ") +
                    reason);
  }
}

std::string
MatchJob::GetPath(const std::string & pattern, std::size_t target) const
{
  return Replaced(pattern, placeholder, m_Names[target]);
}

std::string
MatchJob::FramePath(const std::string & folder, unsigned int frame)
{
  return NameInFolder(folder, "frame_" + FourDigits(frame) + ".png");
}

void
MatchJob::AddAnimation(FilesOfRun & files, const std::string & folder)
{
  m_Folders.Make(ToPath(folder));
  const auto lastFrame = static_cast<unsigned int>(m_Options.parameters.shooting.numberOfTimeSteps);
  for (unsigned int frame = 0; frame <= lastFrame; ++frame)
  {
    files.AddOutput(FramePath(folder, frame));
  }
}

void
MatchJob::AddFiles()
{
  FilesOfRun files;
  for (const std::string & path : { m_Options.templatePoints, m_Options.weights, m_Options.reference, m_Options.mesh })
  {
    files.AddInput(path);
  }
  for (const std::string & path : m_Options.targets)
  {
    files.AddInput(path);
  }
  for (std::size_t target = 0; target < m_Names.size(); ++target)
  {
    for (const std::string * const pattern : OutputsOf(m_Options))
    {
      const std::string path = this->GetPath(*pattern, target);
      if (!path.empty())
      {
        m_Outputs.Add(files, path);
      }
    }
    if (!m_Options.animation.empty())
    {
      this->AddAnimation(files, this->GetPath(m_Options.animation, target));
    }
  }
  m_Json = files.AddTextOutput(m_Options.json);
}

void
MatchJob::BeginReport()
{
  const MatchOptions &     options = m_Options;
  const itk::ComputeDevice device = options.compute.GetDevice();
  m_Report.Set("/method", "geodesic-shooting");
  m_Report.Set("/template", options.templatePoints);
  m_Report.Set("/template_description",
               CountOf(m_Points.templatePoints) + " of " + std::to_string(this->GetDimension()) + "D");
  m_Report.Set("/number_of_points", m_Points.templatePoints.GetNumberOfPoints());
  m_Report.Set("/dimension", this->GetDimension());
  if (!options.weights.empty())
  {
    m_Report.Set("/weights", options.weights);
  }
  const auto & [shooting, matching, pointAlignment] = options.parameters;
  m_Report.Set("/parameters/align", OptionWordsOf(pointAlignment));
  m_Report.Set("/parameters/sigma", shooting.sigma);
  m_Report.Set("/parameters/lambda", shooting.lambda);
  m_Report.Set("/parameters/time_steps", shooting.numberOfTimeSteps);
  m_Report.Set("/parameters/integrator", OptionWordsOf(shooting.integrator));
  m_Report.Set("/parameters/precision", OptionWordsOf(shooting.precision));
  m_Report.Set("/parameters/iterations", matching.maximumNumberOfIterations);
  m_Report.Set("/parameters/convergence", matching.convergenceThreshold);
  m_Report.Set("/parameters/gradient_tolerance", matching.gradientTolerance);
  m_Report.SetDevice(device);
}

void
MatchJob::Finish()
{
  m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  m_Report.WriteAndPrint(m_Options.json, m_Json.get(), m_Options.compute.isQuiet);
}
