// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

#include "ItkDeviceTest.h"
#include "LandmarkPoints.h"
#include "TestImages.h"
#include "itkCommand.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkMesh.h"
#include "itkTriangleCell.h"

#include <algorithm>
#include <cmath>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

using PointSetType = PointsOf<3>;
using RegistrationType = itk::CudaGeodesicShootingRegistration<PointSetType>;

/** The last of times in an array of shape (times, points, dimension). */
std::vector<double>
Last(const std::vector<double> & overTime, std::size_t times)
{
  return { overTime.end() - static_cast<std::ptrdiff_t>(overTime.size() / times), overTime.end() };
}

/** Mean and largest distance of points. */
template <unsigned int VDimension>
std::pair<double, double>
Distances(const std::vector<double> & a, const std::vector<double> & b)
{
  double sum = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); i += VDimension)
  {
    double square = 0.0;
    for (std::size_t k = i; k < i + VDimension; ++k)
    {
      square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum += std::sqrt(square);
    largest = std::max(largest, std::sqrt(square));
  }
  return { sum * VDimension / static_cast<double>(a.size()), largest };
}

} // namespace

class CudaGeodesicShootingRegistration : public ItkDeviceTest
{
protected:
  template <typename TPointSet>
  void
  CheckMatching()
  {
    constexpr unsigned int dimension = TPointSet::PointDimension;
    const auto             registration = MakeRegistration<TPointSet>(this->GetDevice());
    registration->Update();
    const std::vector<double> from = Positions(registration->GetTemplatePointSet());
    const std::vector<double> to = Positions(registration->GetTargetPointSet());
    const std::vector<double> moved = Positions(registration->GetOutput());
    const auto [mean, largest] = Distances<dimension>(moved, to);
    const auto [meanBefore, largestBefore] = Distances<dimension>(from, to);
    // The trajectory of the output may be computed by another sum than that of the loss, in single precision.
    EXPECT_NEAR(registration->GetMeanDistance(), mean, 2e-5);
    EXPECT_NEAR(registration->GetMaximumDistance(), largest, 2e-5);
    EXPECT_NEAR(registration->GetInitialMeanDistance(), meanBefore, 1e-12);
    EXPECT_NEAR(registration->GetInitialMaximumDistance(), largestBefore, 1e-12);
    EXPECT_GT(meanBefore, 0.5);
    EXPECT_LT(largest, 0.01); // of 1.5 mm; lambda leaves a distance of p / lambda, some micrometers
    EXPECT_EQ(registration->GetOutput()->GetNumberOfPoints(), from.size() / dimension);

    // The transform takes the template to the output, and back.
    const auto transform = registration->GetTransform();
    const auto inverse = transform->GetInverseTransform();
    for (std::size_t i = 0; i < from.size() / dimension; ++i)
    {
      const typename decltype(transform)::ObjectType::InputPointType point(&from[dimension * i]);
      const auto                                                     there = transform->TransformPoint(point);
      EXPECT_LT(inverse->TransformPoint(there).EuclideanDistanceTo(point), 1e-9);
      for (unsigned int axis = 0; axis < dimension; ++axis)
      {
        EXPECT_NEAR(there[axis], moved[dimension * i + axis], 2e-5); // single precision of coordinates of 30 mm
      }
    }
  }
};

TEST_P(CudaGeodesicShootingRegistration, MatchesPointsIn2D)
{
  this->CheckMatching<PointsOf<2>>();
}

TEST_P(CudaGeodesicShootingRegistration, MatchesPointsIn3D)
{
  this->CheckMatching<PointsOf<3>>();
}

/** ITK's default coordinates. */
TEST_P(CudaGeodesicShootingRegistration, MatchesPointsOfFloat)
{
  this->CheckMatching<itk::PointSet<float, 3>>();
}

/** Losses fall; the last one is the sum of its terms, which are what they say. */
TEST_P(CudaGeodesicShootingRegistration, TellsWhatItDid)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetMaximumNumberOfIterations(12);
  registration->SetLambda(1000.0);
  registration->SetPrecision("Double");
  registration->Update();
  const std::vector<double> losses = registration->GetLosses();
  ASSERT_EQ(losses.size(), 13u);
  EXPECT_TRUE(std::is_sorted(losses.rbegin(), losses.rend())) << ::testing::PrintToString(losses);
  EXPECT_EQ(registration->GetNumberOfIterations(), 12u);
  EXPECT_GE(registration->GetNumberOfEvaluations(), 13u);
  EXPECT_LE(registration->GetNumberOfEvaluations(), 25u);
  EXPECT_EQ(registration->GetStopReasonName(), "MaximumNumberOfIterations");
  EXPECT_EQ(registration->GetNumberOfUnreachablePoints(), 0u);

  const std::vector<double> from = Lattice<3>();
  const std::vector<double> to = Moved<3>(from);
  const std::vector<double> moved = Positions(registration->GetOutput());
  double                    squares = 0.0;
  for (std::size_t i = 0; i < to.size(); ++i)
  {
    squares += (moved[i] - to[i]) * (moved[i] - to[i]);
  }
  EXPECT_NEAR(registration->GetMismatches().back(), 1000.0 * squares, 1e-9 * losses.front());
  const std::vector<double> & momenta = registration->GetMomenta();
  double                      energy = 0.0;
  for (std::size_t i = 0; i < from.size(); i += 3)
  {
    for (std::size_t j = 0; j < from.size(); j += 3)
    {
      double square = 0.0;
      double product = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        square += std::pow(from[i + axis] - from[j + axis], 2);
        product += momenta[i + axis] * momenta[j + axis];
      }
      energy += 0.5 * std::exp(-square / (2.0 * latticeSigma * latticeSigma)) * product;
    }
  }
  EXPECT_NEAR(registration->GetKineticEnergies().back(), energy, 1e-9 * energy);
  EXPECT_EQ(registration->GetKineticEnergies().front(), 0.0);
  EXPECT_EQ(losses.back(), registration->GetKineticEnergies().back() + registration->GetMismatches().back());
}

TEST_P(CudaGeodesicShootingRegistration, KeepsTrajectories)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->Update();
  const std::vector<double> trajectory = registration->GetTrajectory();
  const std::vector<double> momenta = registration->GetMomentaOverTime();
  ASSERT_EQ(trajectory.size(), 11u * 81u);
  ASSERT_EQ(momenta.size(), trajectory.size());
  const std::vector<double> from = Lattice<3>();
  EXPECT_LT(LargestDifference({ trajectory.begin(), trajectory.begin() + 81 }, from), 2e-6);
  EXPECT_LT(LargestDifference({ momenta.begin(), momenta.begin() + 81 }, registration->GetMomenta()), 1e-6);
  EXPECT_EQ(Last(trajectory, 11), Positions(registration->GetOutput()));

  const std::vector<double> moved = Positions(registration->GetOutput());
  registration->ComputeTrajectoriesOff();
  registration->Update();
  EXPECT_EQ(Positions(registration->GetOutput()), moved);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetTrajectory(); }), "There is no such result of target 0"));
}

/** Cells and data of a mesh go along; those of the template are shared, not copied. */
TEST_P(CudaGeodesicShootingRegistration, KeepsCellsAndDataOfAMesh)
{
  using MeshType = itk::Mesh<float, 3>;
  const auto                registration = MakeRegistration<MeshType>(this->GetDevice());
  const auto                mesh = MakePointSet<MeshType>(Lattice<3>());
  MeshType::CellAutoPointer cell;
  cell.TakeOwnership(new itk::TriangleCell<MeshType::CellType>);
  const MeshType::PointIdentifier corners[] = { 0, 1, 3 };
  cell->SetPointIds(corners);
  mesh->SetCell(0, cell);
  mesh->SetCellData(0, 4.5F);
  mesh->SetPointData(2, -1.5F);
  registration->SetTemplatePointSet(mesh);
  registration->Update();
  MeshType * const output = registration->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), 1u);
  ASSERT_TRUE(output->GetCell(0, cell));
  EXPECT_TRUE(std::equal(cell->PointIdsBegin(), cell->PointIdsEnd(), corners));
  float value = 0.0F;
  EXPECT_TRUE(output->GetCellData(0, &value));
  EXPECT_EQ(value, 4.5F);
  EXPECT_TRUE(output->GetPointData(2, &value));
  EXPECT_EQ(value, -1.5F);
  EXPECT_NE(output->GetPoint(0), mesh->GetPoint(0));
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

/** Each target of several has what it has alone, to the bit. */
TEST_P(CudaGeodesicShootingRegistration, SeveralTargetsAreAsEachAlone)
{
  const std::vector<double> from = Lattice<3>();
  const auto                together = MakeRegistration<PointSetType>(this->GetDevice());
  const std::vector<double> millimeters{ 1.5, -0.5, 0.0, 1.0, 0.25 };
  for (unsigned int target = 0; target < millimeters.size(); ++target)
  {
    together->SetTargetPointSet(target, MakePointSet<PointSetType>(Moved<3>(from, millimeters[target])));
  }
  std::vector<double> weights(from.size() / 3, 1.0);
  weights[5] = 0.0;
  together->SetWeights(3, weights);
  together->Update();
  EXPECT_EQ(together->GetNumberOfTargets(), 5u);
  for (unsigned int target = 0; target < millimeters.size(); ++target)
  {
    const auto alone = MakeRegistration<PointSetType>(this->GetDevice());
    alone->SetTargetPointSet(MakePointSet<PointSetType>(Moved<3>(from, millimeters[target])));
    alone->SetWeights(target == 3 ? weights : std::vector<double>());
    alone->Update();
    EXPECT_EQ(together->GetMomenta(target), alone->GetMomenta());
    EXPECT_EQ(together->GetLosses(target), alone->GetLosses());
    EXPECT_EQ(together->GetNumberOfEvaluations(target), alone->GetNumberOfEvaluations());
    EXPECT_EQ(together->GetStopReason(target), alone->GetStopReason());
    EXPECT_EQ(Positions(together->GetOutput(target)), Positions(alone->GetOutput()));
  }
  EXPECT_LT(together->GetMaximumDistance(2), 2e-6); // the template itself, up to single precision
}

/** A point of weight 0 goes where its neighbors carry it. */
TEST_P(CudaGeodesicShootingRegistration, Weights)
{
  std::vector<double> to = Moved<3>(Lattice<3>());
  to[13 * 3] += 50.0; // the point in the middle
  std::vector<double> weights(27, 1.0);
  weights[13] = 0.0;
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  registration->SetWeights(weights);
  registration->Update();
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
  EXPECT_LT(registration->GetInitialMaximumDistance(), 3.0);
  EXPECT_LT(std::abs(registration->GetOutput()->GetPoint(13)[0] - Lattice<3>()[13 * 3]), 3.0);
}

/** The results of what was stopped in its midst are on the way; going on from there ends where one update ends, up
 * to what the method forgets on the way. */
TEST_P(CudaGeodesicShootingRegistration, StopsAndGoesOn)
{
  const auto                registration = MakeRegistration<PointSetType>(this->GetDevice());
  std::vector<unsigned int> iterations;
  std::vector<double>       losses;
  registration->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    iterations.push_back(registration->GetCurrentIteration());
    losses.push_back(registration->GetCurrentLoss());
    EXPECT_EQ(registration->GetCurrentTarget(), 0u);
    EXPECT_EQ(registration->GetCurrentMeanDistance(), registration->GetMeanDistance());
    EXPECT_EQ(registration->GetMomenta().size(), 81u);
    if (iterations.size() == 4)
    {
      registration->StopIterations();
    }
  });
  registration->Update();
  EXPECT_EQ(iterations, (std::vector<unsigned int>{ 1, 2, 3, 4 }));
  EXPECT_EQ(registration->GetStopReasonName(), "Stopped");
  losses.insert(losses.begin(), registration->GetLosses().front());
  EXPECT_EQ(registration->GetLosses(), losses);
  EXPECT_LT(registration->GetMeanDistance(), registration->GetInitialMeanDistance());
  const double reached = losses.back();

  registration->SetInitialMomenta(0, registration->GetMomenta());
  registration->Update();
  EXPECT_EQ(registration->GetLosses().front(), reached);
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

TEST_P(CudaGeodesicShootingRegistration, Aborts)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  bool       aborts = true;
  float      progress = 0.0F;
  registration->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    EXPECT_GE(registration->GetProgress(), progress);
    progress = registration->GetProgress();
    if (aborts && progress > 0.0F)
    {
      registration->AbortGenerateDataOn();
    }
  });
  EXPECT_THROW(registration->Update(), itk::ProcessAborted);
  EXPECT_GT(registration->GetNumberOfEvaluations(), 0u);
  aborts = false;
  progress = 0.0F;
  registration->Modified();
  registration->Update();
  EXPECT_EQ(progress, 1.0F);
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

/** What was changed is computed again, and nothing without a change. */
TEST_P(CudaGeodesicShootingRegistration, RunsAgainAfterAChange)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  int        runs = 0;
  registration->AddObserver(itk::StartEvent(), [&](const itk::EventObject &) { ++runs; });
  registration->Update();
  registration->Update();
  EXPECT_EQ(runs, 1);
  const std::vector<double> momenta = registration->GetMomenta();
  const auto                changes = [&](const auto & change) {
    change();
    const int before = runs;
    registration->Update();
    EXPECT_EQ(runs, before + 1);
  };
  changes([&] { registration->SetSigma(3.0); });
  EXPECT_NE(registration->GetMomenta(), momenta);
  changes([&] { registration->SetLambda(100.0); });
  changes([&] { registration->SetNumberOfTimeSteps(5); });
  changes([&] { registration->SetIntegrator("Heun"); });
  changes([&] { registration->SetPrecision("Double"); });
  changes([&] { registration->SetMaximumNumberOfIterations(20); });
  changes([&] { registration->SetConvergenceThreshold(1e-3); });
  changes([&] { registration->SetGradientTolerance(1e-3); });
  changes([&] { registration->SetNumberOfCorrections(3); });
  changes([&] { registration->SetWeights(std::vector<double>(27, 0.5)); });
  changes([&] { registration->SetTemplatePointSet(MakePointSet<PointSetType>(Moved<3>(Lattice<3>(), 0.3))); });
  // The output downstream of a change is what an update of it makes, too.
  registration->SetSigma(5.0);
  const int before = runs;
  registration->GetOutput()->Update();
  EXPECT_EQ(runs, before + 1);
}

TEST_P(CudaGeodesicShootingRegistration, Converges)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetLambda(10.0);
  registration->SetPrecision("Double");
  registration->SetConvergenceThreshold(1e-4);
  registration->SetMaximumNumberOfIterations(2000);
  registration->Update();
  EXPECT_EQ(registration->GetStopReasonName(), "Converged");
  EXPECT_LT(registration->GetNumberOfIterations(), 200u);
  const double loss = registration->GetLosses().back();
  registration->SetConvergenceThreshold(0.0);
  registration->Update();
  EXPECT_EQ(registration->GetStopReasonName(), "Converged"); // by the gradient
  EXPECT_LT(registration->GetLosses().back(), loss);
  EXPECT_GT(registration->GetLosses().back(), 0.99 * loss);
  // Without both, it ends at the last decrease that rounding leaves.
  registration->SetGradientTolerance(0.0);
  registration->Update();
  EXPECT_NE(registration->GetStopReasonName(), "MaximumNumberOfIterations");
  EXPECT_LT(registration->GetNumberOfIterations(), 2000u);

  // Where there is nothing to do, nothing is done.
  registration->SetTargetPointSet(registration->GetTemplatePointSet());
  registration->Update();
  EXPECT_EQ(registration->GetStopReasonName(), "Converged");
  EXPECT_EQ(registration->GetNumberOfIterations(), 0u);
  EXPECT_EQ(registration->GetMaximumDistance(), 0.0);
}

/** Two template points at one place, whose targets are 1 mm apart, go to the middle. */
TEST_P(CudaGeodesicShootingRegistration, TellsOfTargetsThatCannotBeReached)
{
  std::vector<double> from = Lattice<3>();
  std::vector<double> to = Moved<3>(from);
  from.insert(from.end(), from.begin(), from.begin() + 3);
  to.insert(to.end(), { to[0] + 1.0, to[1], to[2] });
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetTemplatePointSet(MakePointSet<PointSetType>(from));
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  {
    const WarningCapture warnings;
    registration->Update();
    EXPECT_TRUE(Contains(warnings.GetText(), "Target 0 cannot be reached: 2 points share their places"));
  }
  EXPECT_EQ(registration->GetNumberOfUnreachablePoints(), 2u);
  EXPECT_NEAR(registration->GetMaximumDistance(), 0.5, 0.01);
  EXPECT_NEAR(registration->GetOutput()->GetPoint(0)[0], to[0] + 0.5, 0.01);
  EXPECT_EQ(registration->GetOutput()->GetPoint(0), registration->GetOutput()->GetPoint(27));

  // With one target for both there is nothing to tell.
  to[81] = to[0];
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  const WarningCapture warnings;
  registration->Update();
  EXPECT_EQ(warnings.GetText(), "");
  EXPECT_EQ(registration->GetNumberOfUnreachablePoints(), 0u);
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

/** Momenta to start from that leave the range of numbers. */
TEST_P(CudaGeodesicShootingRegistration, RefusesAStartThatIsNotFinite)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetInitialMomenta(0, std::vector<double>(81, 1e150));
  EXPECT_TRUE(
    Contains(MessageOf([&] { registration->Update(); }), "The initial momenta of target 0 lead out of the range"));
  EXPECT_EQ(registration->GetStopReasonName(), "NotFinite");
  EXPECT_EQ(registration->GetNumberOfEvaluations(), 1u);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaGeodesicShootingRegistration);
