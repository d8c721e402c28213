// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchRun.h"

#include "files/images/ImageGrid.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkDefaultStaticMeshTraits.h"
#include "itkPointSet.h"
#include "landmarks/TargetOutputs.h"
#include "shared/ProgramSupport.h"

#include <iomanip>
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
MakePointSet(const PointData & data)
{
  const auto points = PointSetOf<VDimension>::New();
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    points->SetPoint(i, typename PointSetOf<VDimension>::PointType(data.coordinates.data() + i * VDimension));
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

template <unsigned int VDimension>
void
Configure(const MatchJob & job, Registration<VDimension> & registration)
{
  const MatchOptions & options = job.GetOptions();
  registration.SetTemplatePointSet(MakePointSet<VDimension>(job.GetPoints().templatePoints));
  for (std::size_t target = 0; target < job.GetPoints().targets.size(); ++target)
  {
    registration.SetTargetPointSet(static_cast<unsigned int>(target),
                                   MakePointSet<VDimension>(job.GetPoints().targets[target]));
  }
  registration.SetWeights(job.GetPoints().weights);
  registration.SetPointAlignment(PointAlignments().GetValue(options.align));
  registration.SetSigma(options.sigma);
  registration.SetLambda(options.lambda);
  registration.SetNumberOfTimeSteps(options.timeSteps);
  registration.SetIntegrator(Integrators().GetValue(options.integrator));
  registration.SetPrecision(Precisions().GetValue(options.precision));
  registration.SetMaximumNumberOfIterations(options.iterations);
  registration.SetConvergenceThreshold(options.convergence);
  registration.SetGradientTolerance(options.gradientTolerance);
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
DescribeTarget(const MatchJob & job, std::size_t index, const Registration<VDimension> & registration)
{
  const auto   target = static_cast<unsigned int>(index);
  Report::Json json;
  json["name"] = job.GetTargetName(index);
  json["target"] = job.GetOptions().targets[index];
  json["stop_reason"] = WithUnderscores(registration.GetStopReasonName(target));
  json["number_of_iterations"] = registration.GetNumberOfIterations(target);
  json["number_of_evaluations"] = registration.GetNumberOfEvaluations(target);
  json["unreachable_points"] = registration.GetNumberOfUnreachablePoints(target);
  json["remains_far"] = registration.GetRemainsFar(target);
  json["distance_before"]["mean_mm"] = registration.GetInitialMeanDistance(target);
  json["distance_before"]["maximum_mm"] = registration.GetInitialMaximumDistance(target);
  json["distance_before"]["root_mean_square_mm"] = registration.GetInitialRootMeanSquareDistance(target);
  if (job.GetOptions().align != "none")
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

template <unsigned int VDimension>
void
WriteTargets(MatchJob & job, Registration<VDimension> & registration)
{
  const MatchOptions &                         options = job.GetOptions();
  typename itk::ImageBase<VDimension>::Pointer grid;
  if (!options.reference.empty())
  {
    grid = ReadGrid<VDimension>(job.GetReference());
  }
  Report::Json targets = Report::Json::array();
  for (std::size_t index = 0; index < options.targets.size(); ++index)
  {
    const auto               target = static_cast<unsigned int>(index);
    TargetResult<VDimension> result;
    const auto               whole = registration.GetCompositeTransform(target);
    result.transform = whole.GetPointer();
    if (options.align == "none")
    {
      result.transform = registration.GetTransform(target).GetPointer();
    }
    result.movedPoints = CoordinatesOf<VDimension>(*registration.GetOutput(target));
    result.momenta = registration.GetMomenta(target);
    if (NeedsTrajectory(options))
    {
      result.trajectory = registration.GetTrajectory(target);
      if (options.align != "none")
      {
        // As the other outputs: the paths end at the target.
        const cudaneuro::AffineMap map =
          itk::CudaNeuroDetail::LinearMapOf<VDimension>(whole->GetNthTransformConstPointer(0));
        result.trajectory = cudaneuro::MapPoints(map, VDimension, result.trajectory);
      }
    }
    targets.push_back(DescribeTarget<VDimension>(job, index, registration));
    targets.back()["outputs"] = WriteOutputs<VDimension>(job, index, grid, result);
  }
  job.GetReport().Set("/targets", targets);
}

} // namespace

template <unsigned int VDimension>
void
MatchPointsOf(MatchJob & job)
{
  const auto registration = Registration<VDimension>::New();
  Configure<VDimension>(job, *registration);
  const Stopwatch matching;
  UpdateFilter(*registration, job.GetOptions().compute, "Matching", [&] {
    std::ostringstream text;
    text << "loss " << std::setprecision(5);
    registration->GetProgress() > 0.0f ? text << registration->GetCurrentLoss() : text << '-';
    return text.str();
  });
  job.GetReport().Set("/seconds/matching", matching.GetSeconds());
  if (registration->GetComputeDevice().IsCuda())
  {
    job.GetReport().Set("/seconds/on_device", registration->GetDeviceMilliseconds() / 1000.0);
  }
  const Stopwatch writing;
  WriteTargets<VDimension>(job, *registration);
  job.GetReport().Set("/seconds/writing", writing.GetSeconds());
}

template void
MatchPointsOf<2>(MatchJob &);
template void
MatchPointsOf<3>(MatchJob &);
