// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageGrid.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkDefaultStaticMeshTraits.h"
#include "itkPointSet.h"
#include "landmarks/LandmarksCommands.h"
#include "landmarks/TargetOutputs.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <CLI/CLI.hpp>

#include <iomanip>
#include <map>
#include <sstream>

namespace
{

/** Coordinates of double; those of ITK's point sets are float by default. */
template <unsigned int VDimension>
using PointSetOf =
  itk::PointSet<double, VDimension, itk::DefaultStaticMeshTraits<double, VDimension, VDimension, double>>;
template <unsigned int VDimension>
using Registration = itk::CudaGeodesicShootingRegistration<PointSetOf<VDimension>>;

template <unsigned int VDimension>
typename PointSetOf<VDimension>::Pointer
MakePointSet(const std::vector<double> & coordinates)
{
  const auto points = PointSetOf<VDimension>::New();
  for (std::size_t i = 0; i < coordinates.size() / VDimension; ++i)
  {
    points->SetPoint(i, typename PointSetOf<VDimension>::PointType(coordinates.data() + i * VDimension));
  }
  return points;
}

template <unsigned int VDimension>
std::vector<double>
CoordinatesOf(const PointSetOf<VDimension> & points)
{
  std::vector<double> coordinates;
  coordinates.reserve(VDimension * points.GetNumberOfPoints());
  for (itk::SizeValueType i = 0; i < points.GetNumberOfPoints(); ++i)
  {
    const auto point = points.GetPoint(i);
    coordinates.insert(coordinates.end(), point.Begin(), point.End());
  }
  return coordinates;
}

/** Targets that have the same points of the template, which are matched together. */
using TargetGroup = std::vector<std::size_t>;

std::vector<TargetGroup>
GroupTargets(const std::vector<MatchTarget> & targets)
{
  std::map<std::vector<std::size_t>, TargetGroup> groups;
  for (std::size_t target = 0; target < targets.size(); ++target)
  {
    groups[targets[target].pairs.first].push_back(target);
  }
  std::vector<TargetGroup> result;
  for (auto & [points, group] : groups)
  {
    result.push_back(std::move(group));
  }
  return result;
}

template <unsigned int VDimension>
void
Configure(const MatchJob & job, const TargetGroup & group, Registration<VDimension> & registration)
{
  const MatchOptions & options = job.GetOptions();
  const MatchPoints &  points = job.GetPoints();
  const auto &         common = points.targets[group.front()].pairs.first;
  registration.SetTemplatePointSet(MakePointSet<VDimension>(PickCoordinates(points.templatePoints, common)));
  for (std::size_t i = 0; i < group.size(); ++i)
  {
    registration.SetTargetPointSet(static_cast<unsigned int>(i),
                                   MakePointSet<VDimension>(points.targets[group[i]].coordinates));
  }
  std::vector<double> weights;
  for (std::size_t i = 0; i < common.size() && !points.weights.empty(); ++i)
  {
    weights.push_back(points.weights[common[i]]);
  }
  registration.SetWeights(weights);
  registration.SetParameters(options.parameters);
  registration.SetComputeTrajectories(NeedsTrajectory(options));
}

/** Returns line_search_failed for LineSearchFailed. */
std::string
WithUnderscores(const std::string & name)
{
  std::string words;
  for (const char c : name)
  {
    const bool isCapital = c >= 'A' && c <= 'Z';
    words += isCapital && !words.empty() ? "_" : "";
    words += isCapital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

template <unsigned int VDimension>
Report::Json
DescribeTarget(const MatchJob &                 job,
               std::size_t                      index,
               unsigned int                     target,
               const Registration<VDimension> & registration)
{
  const PointPairs & pairs = job.GetPoints().targets[index].pairs;
  Report::Json       json;
  json["name"] = job.GetTargetName(index);
  json["target"] = job.GetOptions().targets[index];
  json["matched_by"] = pairs.isByLabel ? "label" : "order";
  json["matched_points"] = pairs.first.size();
  json["left_out"]["template"] = pairs.onlyFirst;
  json["left_out"]["target"] = pairs.onlySecond;
  json["stop_reason"] = WithUnderscores(registration.GetStopReasonName(target));
  json["number_of_iterations"] = registration.GetNumberOfIterations(target);
  json["number_of_evaluations"] = registration.GetNumberOfEvaluations(target);
  json["unreachable_points"] = registration.GetNumberOfUnreachablePoints(target);
  json["remains_far"] = registration.GetRemainsFar(target);
  json["distance_before"]["mean_mm"] = registration.GetInitialMeanDistance(target);
  json["distance_before"]["maximum_mm"] = registration.GetInitialMaximumDistance(target);
  json["distance_before"]["root_mean_square_mm"] = registration.GetInitialRootMeanSquareDistance(target);
  if (job.GetOptions().IsAligned())
  {
    json["distance_aligned"]["root_mean_square_mm"] = registration.GetAlignedRootMeanSquareDistance(target);
  }
  json["distance_after"]["mean_mm"] = registration.GetMeanDistance(target);
  json["distance_after"]["maximum_mm"] = registration.GetMaximumDistance(target);
  json["distance_after"]["root_mean_square_mm"] = registration.GetRootMeanSquareDistance(target);
  json["iterations"]["loss"] = registration.GetLosses(target);
  json["iterations"]["kinetic_energy"] = registration.GetKineticEnergies(target);
  json["iterations"]["mismatch"] = registration.GetMismatches(target);
  return json;
}

/** Writes the outputs of a target, and describes it.
 * \param target its number in the registration */
template <unsigned int VDimension>
Report::Json
WriteTarget(const MatchJob & job, std::size_t index, unsigned int target, Registration<VDimension> & registration)
{
  const MatchOptions &                         options = job.GetOptions();
  typename itk::ImageBase<VDimension>::Pointer grid;
  if (!options.reference.empty())
  {
    grid = ReadGrid<VDimension>(job.GetReference());
  }
  TargetResult<VDimension> result;
  const auto               whole = registration.GetCompositeTransform(target);
  result.transform = whole.GetPointer();
  if (!options.IsAligned())
  {
    result.transform = registration.GetTransform(target).GetPointer();
  }
  result.movedPoints = CoordinatesOf<VDimension>(*registration.GetOutput(target));
  result.momenta = registration.GetMomenta(target);
  if (NeedsTrajectory(options))
  {
    result.trajectory = registration.GetTrajectory(target);
    if (options.IsAligned())
    {
      // Paths end at the target, like the other outputs.
      const cudaneuro::AffineMap map =
        itk::CudaNeuroDetail::LinearMapOf<VDimension>(whole->GetNthTransformConstPointer(0));
      result.trajectory = cudaneuro::MapPoints(map, VDimension, result.trajectory);
    }
  }
  Report::Json json = DescribeTarget<VDimension>(job, index, target, registration);
  json["outputs"] = WriteOutputs<VDimension>(job, index, grid, result);
  return json;
}

/** Matches the points of a job, writes the requested outputs, and reports the results. The files of a target are moved
 * to their places when all of them are complete.
 * \throws UserError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
MatchPointsOf(MatchJob & job)
{
  const std::vector<TargetGroup> groups = GroupTargets(job.GetPoints().targets);
  std::vector<Report::Json>      targets(job.GetPoints().targets.size());
  std::map<std::string, double>  seconds;
  ProgressBar::ExpectStages(static_cast<unsigned int>(groups.size()));
  for (const TargetGroup & group : groups)
  {
    const auto registration = Registration<VDimension>::New();
    Configure<VDimension>(job, group, *registration);
    const Stopwatch matching;
    UpdateFilter(*registration, job.GetOptions().compute, "Matching", [&] {
      std::ostringstream text;
      text << "loss " << std::setprecision(5);
      registration->GetProgress() > 0.0f ? text << registration->GetCurrentLoss() : text << '-';
      return text.str();
    });
    seconds["/seconds/matching"] += matching.GetSeconds();
    if (registration->GetComputeDevice().IsCuda())
    {
      seconds["/seconds/on_device"] += registration->GetDeviceMilliseconds() / 1000.0;
    }
    const Stopwatch writing;
    for (std::size_t i = 0; i < group.size(); ++i)
    {
      targets[group[i]] = WriteTarget<VDimension>(job, group[i], static_cast<unsigned int>(i), *registration);
    }
    seconds["/seconds/writing"] += writing.GetSeconds();
  }
  job.GetReport().Set("/targets", targets);
  for (const auto & [name, value] : seconds)
  {
    job.GetReport().Set(name, value);
  }
}

void
RequireOutputs(const MatchOptions & options)
{
  const std::vector<std::pair<const char *, std::string>> outputs{
    { "--output-transform", options.outputTransform },
    { "--output-inverse-transform", options.outputInverseTransform },
    { "--output-points", options.outputPoints },
    { "--output-mesh", options.outputMesh },
    { "--output-field", options.outputField },
    { "--output-inverse-field", options.outputInverseField },
    { "--output-momenta", options.outputMomenta },
    { "--output-trajectory", options.outputTrajectory },
    { "--picture", options.picture },
    { "--animation", options.animation }
  };
  bool        hasAny = !options.json.empty();
  std::string names;
  for (const auto & [name, path] : outputs)
  {
    hasAny = hasAny || !path.empty();
    names += name + std::string(", ");
    if (options.targets.size() > 1 && !path.empty() && path.find("{name}") == std::string::npos)
    {
      throw UserError(std::string(name) + " is " + path + "; with " + std::to_string(options.targets.size()) +
                      " targets it must have {name} in it, which stands for that of the target's file");
    }
  }
  if (options.json.find("{name}") != std::string::npos)
  {
    throw UserError("--json is " + options.json +
                    "; there is one report of all targets, and {name} stands for one of them");
  }
  if (!hasAny)
  {
    throw CLI::RequiredError("At least one of " + names + "--json");
  }
}

} // namespace

void
AddMatchCommand(CLI::App & program)
{
  constexpr const char * description =
    "Finds the diffeomorphism of space, on a geodesic, that takes the points of a template to those of a target "
    "(Wang;\n"
    "Allassonniere, Trouve and Younes).\n"
    "Choose it to carry points, meshes and images along with corresponding landmarks, by a map with an inverse that "
    "does\n"
    "not fold.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-landmarks match template.csv target.csv --sigma 5 --output-transform map.h5 --output-points "
    "moved.csv\n"
    "  cudaneuro-landmarks match template.vtk target.vtk --sigma 3 --output-mesh moved.vtk --mesh fine.vtk\n"
    "  cudaneuro-landmarks match template.csv subject*.csv --sigma 3 --output-transform 'maps/{name}.h5' --json "
    "report.json";

  const auto       options = std::make_shared<MatchOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("match", description);
  AddMatchOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RequireOutputs(*options);
    MatchJob job(*options);
    Try("match " + options->templatePoints + " with " +
          (options->targets.size() == 1 ? options->targets.front()
                                        : std::to_string(options->targets.size()) + " targets"),
        [&] { job.GetDimension() == 2 ? MatchPointsOf<2>(job) : MatchPointsOf<3>(job); });
    job.Finish();
  });
}
