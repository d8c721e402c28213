// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchRun.h"

#include "files/images/ImageGrid.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkDefaultStaticMeshTraits.h"
#include "itkPointSet.h"
#include "landmarks/TargetOutputs.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <iomanip>
#include <map>
#include <sstream>

namespace
{

/** ITK's points are of float unless they are told otherwise. */
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

/** The words of a name such as LineSearchFailed: line_search_failed. */
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
      // As the other outputs: the paths end at the target.
      const cudaneuro::AffineMap map =
        itk::CudaNeuroDetail::LinearMapOf<VDimension>(whole->GetNthTransformConstPointer(0));
      result.trajectory = cudaneuro::MapPoints(map, VDimension, result.trajectory);
    }
  }
  Report::Json json = DescribeTarget<VDimension>(job, index, target, registration);
  json["outputs"] = WriteOutputs<VDimension>(job, index, grid, result);
  return json;
}

} // namespace

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

template void
MatchPointsOf<2>(MatchJob &);
template void
MatchPointsOf<3>(MatchJob &);
