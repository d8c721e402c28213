// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// So many points and targets that a CUDA device evaluates them in two batches, in turn with what the host does.

#include "DeviceTest.h"
#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkCommand.h"

#include <limits>
#include <set>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

using PointSetType = PointsOf<3>;
using RegistrationType = itk::CudaGeodesicShootingRegistration<PointSetType>;

/** How far targets are moved, in mm. The third one is the template. */
constexpr double millimeters[] = { 1.5, -0.5, 0.0, 1.0, 0.3 };

/** 12,167 points, of which an H200 evaluates two targets at a time, so that five are in batches of two. */
std::vector<double>
ManyPoints()
{
  return Lattice<3>(23);
}

} // namespace

class CudaGeodesicShootingBatches : public DeviceTest
{
protected:
  /** A registration without targets that needs different numbers of iterations for these. */
  RegistrationType::Pointer
  MakeRegistrationOfMany()
  {
    const auto registration = RegistrationType::New();
    registration->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
    registration->SetTemplatePointSet(MakePointSet<PointSetType>(ManyPoints()));
    registration->SetSigma(latticeSigma);
    registration->SetLambda(100.0);
    registration->SetNumberOfTimeSteps(2);
    registration->SetMaximumNumberOfIterations(12);
    registration->SetConvergenceThreshold(0.1);
    return registration;
  }

  RegistrationType::Pointer
  MakeRegistrationToAll()
  {
    const auto registration = this->MakeRegistrationOfMany();
    for (unsigned int target = 0; target < std::size(millimeters); ++target)
    {
      registration->SetTargetPointSet(target, MakePointSet<PointSetType>(Moved<3>(ManyPoints(), millimeters[target])));
    }
    return registration;
  }
};

/** Each target has what it has alone, to the bit, although others are done before it. */
TEST_P(CudaGeodesicShootingBatches, AreAsEachTargetAlone)
{
  const auto together = this->MakeRegistrationToAll();
  together->Update();
  std::set<unsigned int> evaluations;
  for (unsigned int target = 0; target < std::size(millimeters); ++target)
  {
    SCOPED_TRACE(target);
    const auto alone = this->MakeRegistrationOfMany();
    alone->SetTargetPointSet(MakePointSet<PointSetType>(Moved<3>(ManyPoints(), millimeters[target])));
    alone->Update();
    EXPECT_EQ(together->GetMomenta(target), alone->GetMomenta());
    EXPECT_EQ(together->GetLosses(target), alone->GetLosses());
    EXPECT_EQ(together->GetNumberOfEvaluations(target), alone->GetNumberOfEvaluations());
    EXPECT_EQ(together->GetStopReason(target), alone->GetStopReason());
    EXPECT_EQ(Positions(together->GetOutput(target)), Positions(alone->GetOutput()));
    evaluations.insert(together->GetNumberOfEvaluations(target));
  }
  EXPECT_GE(evaluations.size(), 3u) << ::testing::PrintToString(evaluations);
}

/** Targets whose evaluations are under way stay where they were. */
TEST_P(CudaGeodesicShootingBatches, Stop)
{
  const auto   registration = this->MakeRegistrationToAll();
  unsigned int iterations = 0;
  registration->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    if (++iterations == 4)
    {
      registration->StopIterations();
    }
  });
  registration->Update();
  unsigned int stopped = 0;
  unsigned int total = 0;
  for (unsigned int target = 0; target < std::size(millimeters); ++target)
  {
    total += registration->GetNumberOfIterations(target);
    stopped += registration->GetStopReasonName(target) == "Stopped" ? 1 : 0;
    EXPECT_EQ(registration->GetLosses(target).size(), registration->GetNumberOfIterations(target) + 1u);
  }
  EXPECT_GE(stopped, 2u);
  EXPECT_EQ(total, iterations);
}

TEST_P(CudaGeodesicShootingBatches, AbortAndRunAgain)
{
  const auto registration = this->MakeRegistrationToAll();
  registration->Update();
  const std::vector<double> momenta = registration->GetMomenta(4);
  bool                      aborts = true;
  registration->AddObserver(itk::IterationEvent(),
                            [&](const itk::EventObject &) { registration->SetAbortGenerateData(aborts); });
  registration->Modified();
  EXPECT_THROW(registration->Update(), itk::ProcessAborted);
  aborts = false;
  registration->Modified();
  registration->Update();
  EXPECT_EQ(registration->GetMomenta(4), momenta);
}

/** An error of the batch that was started last, or of the first. */
TEST_P(CudaGeodesicShootingBatches, Fail)
{
  for (const unsigned int target : { 0u, 4u })
  {
    SCOPED_TRACE(target);
    const auto          registration = this->MakeRegistrationToAll();
    std::vector<double> momenta(ManyPoints().size());
    momenta[4] = std::numeric_limits<double>::quiet_NaN();
    registration->SetInitialMomenta(target, momenta);
    EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "coordinate 1 of point 1 of the momenta is nan"));
    momenta[4] = 0.0;
    registration->SetInitialMomenta(target, momenta);
    EXPECT_NO_THROW(registration->Update());
  }
}

CUDANEURO_TEST_ON_CUDA(CudaGeodesicShootingBatches);
