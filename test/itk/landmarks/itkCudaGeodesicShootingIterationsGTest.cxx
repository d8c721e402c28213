// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Iterations of CudaGeodesicShootingRegistration: losses, how they end, stop and go on, and when they run again.
// itkCudaGeodesicShootingRegistrationGTest.cxx instantiates these tests.

#include "GeodesicShootingTest.h"
#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkCommand.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace landmarkpoints;
using namespace landmarkregistration;
using namespace testimages;

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
