// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What CudaGeodesicShootingRegistration says to bad input.

#include "DeviceTest.h"
#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkDevicePointSet.h"

#include <limits>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

using PointSetType = PointsOf<3>;
using RegistrationType = itk::CudaGeodesicShootingRegistration<PointSetType>;

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

} // namespace

class CudaGeodesicShootingRegistrationErrors : public DeviceTest
{
protected:
  /** The message of an update after a change of a registration that works, and works again with what was there
   * before. */
  template <typename TChange>
  std::string
  MessageAfter(const TChange & change)
  {
    const auto registration = MakeRegistration<PointSetType>(itk::ComputeDevice(this->GetParam()));
    registration->SetMaximumNumberOfIterations(2);
    return MessageOf([&] {
      change(registration.GetPointer());
      registration->Update();
    });
  }

  template <typename TChange>
  std::string
  MessageWithPositions(const TChange & change)
  {
    std::vector<double> positions = Lattice<3>();
    change(positions);
    return this->MessageAfter(
      [&](RegistrationType * registration) { registration->SetTargetPointSet(MakePointSet<PointSetType>(positions)); });
  }
};

TEST_P(CudaGeodesicShootingRegistrationErrors, Parameters)
{
  const auto message = [this](auto set, auto value) {
    return this->MessageAfter([&](RegistrationType * registration) { (registration->*set)(value); });
  };
  EXPECT_EQ(this->MessageAfter([](RegistrationType *) {}), "");
  EXPECT_TRUE(Contains(message(&RegistrationType::SetSigma, 0.0), "Sigma was not set"));
  EXPECT_TRUE(Contains(message(&RegistrationType::SetSigma, -2.5), "Sigma is -2.5; it must be"));
  EXPECT_TRUE(Contains(message(&RegistrationType::SetSigma, notANumber), "Sigma is nan; it must be"));
  EXPECT_TRUE(Contains(message(&RegistrationType::SetLambda, 0.0), "Lambda is 0; it must be"));
  EXPECT_TRUE(Contains(message(&RegistrationType::SetNumberOfTimeSteps, 4000000000u), "4000000000"));
  EXPECT_TRUE(Contains(message(&RegistrationType::SetGradientTolerance, 2.0), "GradientTolerance is 2; it must be"));
}

TEST_P(CudaGeodesicShootingRegistrationErrors, MissingInputs)
{
  const auto registration = RegistrationType::New();
  registration->SetSigma(1.0);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "Input TemplatePointSet is required but not set"));
  registration->SetTemplatePointSet(MakePointSet<PointSetType>(Lattice<3>()));
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "There is no target"));
  registration->SetTargetPointSet(2, MakePointSet<PointSetType>(Lattice<3>()));
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "Target 0 was not set, and there are 3 targets"));
  registration->SetTargetPointSet(2, nullptr);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "There is no target"));
  EXPECT_TRUE(Contains(this->MessageAfter([](RegistrationType * r) { r->SetWeights(4, { 1.0 }); }),
                       "weights or initial momenta of target 4, and there are 1 targets"));
}

TEST_P(CudaGeodesicShootingRegistrationErrors, NumbersOfPoints)
{
  EXPECT_TRUE(Contains(this->MessageWithPositions([](auto & positions) { positions.resize(27); }),
                       "Target 0 has 9 points and the template 27"));
  EXPECT_TRUE(Contains(this->MessageWithPositions([](auto & positions) { positions.clear(); }),
                       "Target 0 has 0 points and the template 27"));
  EXPECT_TRUE(Contains(
    this->MessageAfter([](RegistrationType * registration) { registration->SetTemplatePointSet(PointSetType::New()); }),
    "The template has no points"));
  EXPECT_TRUE(Contains(this->MessageAfter([](RegistrationType * registration) {
    registration->SetWeights({ 1.0, 2.0 });
  }),
                       "There are 2 weights of target 0 and 27 points"));
  EXPECT_TRUE(Contains(this->MessageAfter([](RegistrationType * registration) {
    registration->SetInitialMomenta(0, { 1.0, 2.0 });
  }),
                       "the number of components of initial momenta is 2; it must be 81"));
}

TEST_P(CudaGeodesicShootingRegistrationErrors, Values)
{
  EXPECT_TRUE(Contains(this->MessageWithPositions([](auto & positions) { positions[7] = notANumber; }),
                       "coordinate 1 of point 2 of target 0 is nan"));
  EXPECT_TRUE(Contains(this->MessageAfter([](RegistrationType * registration) {
    std::vector<double> positions = Lattice<3>();
    positions[80] = std::numeric_limits<double>::infinity();
    registration->SetTemplatePointSet(MakePointSet<PointSetType>(positions));
  }),
                       "coordinate 2 of point 26 of the template is inf"));
  const auto messageOfWeight = [this](double weight) {
    return this->MessageAfter([&](RegistrationType * registration) {
      std::vector<double> weights(27, 1.0);
      weights[4] = weight;
      registration->SetWeights(weights);
    });
  };
  EXPECT_TRUE(Contains(messageOfWeight(-1.0), "the weight of point 4 of target 0 is -1"));
  EXPECT_TRUE(Contains(messageOfWeight(notANumber), "the weight of point 4 of target 0 is nan"));
  EXPECT_TRUE(Contains(
    this->MessageAfter([](RegistrationType * registration) { registration->SetWeights(std::vector<double>(27, 0.0)); }),
    "the sum of the weights of target 0 is 0"));
  EXPECT_TRUE(Contains(this->MessageAfter([](RegistrationType * registration) {
    std::vector<double> momenta(81);
    momenta[4] = notANumber;
    registration->SetInitialMomenta(0, momenta);
  }),
                       "coordinate 1 of point 1 of the momenta is nan"));
}

/** Results of targets that are not there, and before there are any. */
TEST_P(CudaGeodesicShootingRegistrationErrors, Results)
{
  const auto registration = MakeRegistration<PointSetType>(itk::ComputeDevice(this->GetParam()));
  registration->SetMaximumNumberOfIterations(2);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetMomenta(); }), "There is no such result of target 0"));
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetTransform(); }), "There is no such result of target 0"));
  registration->Update();
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetLosses(1); }),
                       "There is no such result of target 1: there are results of 1 targets"));
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetOutput(1); }), "There is no output of target 1: there are 1"));
  // A failure leaves no results of the update before.
  registration->SetSigma(-1.0);
  EXPECT_THROW(registration->Update(), itk::ExceptionObject);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetMomenta(); }), "There is no such result of target 0"));
}

/** Points in a device's memory are matched there; those in host memory anywhere. */
TEST_P(CudaGeodesicShootingRegistrationErrors, PointsOnAnotherDevice)
{
  using DevicePointSetType = itk::DevicePointSet<double, 3>;
  const auto points = DevicePointSetType::New();
  points->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
  points->Allocate(4);
  const auto registration = itk::CudaGeodesicShootingRegistration<DevicePointSetType>::New();
  registration->SetTemplatePointSet(points);
  registration->SetTargetPointSet(points);
  registration->SetComputeDevice("cpu");
  registration->SetSigma(1.0);
  registration->SetLambda(-2.0);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }),
                       this->GetParam().IsCuda()
                         ? "The points of the template are on device cuda:0 and the registration computes on cpu"
                         : "Lambda is -2"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaGeodesicShootingRegistrationErrors);
