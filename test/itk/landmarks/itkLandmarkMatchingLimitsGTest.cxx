// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParameterLimits.h"
#include "itkCudaNeuroLandmarkMatching.h"
#include "landmarks/ShootingTestCases.h"

namespace
{

/** The momenta after some iterations. */
parameterlimits::Outcome
Matched(cudaneuro::Context & context, const itk::CudaNeuroDetail::LandmarkMatchingParameters & parameters, double)
{
  const auto shooting = shootingtests::MakeShooting(context, shootingtests::MakeCase(3, 20));
  std::vector<itk::CudaNeuroDetail::LandmarkMatchingState> states;
  itk::CudaNeuroDetail::MatchLandmarks(context, *shooting, parameters, states);
  return { states[0].momenta, {} };
}

class LandmarkMatchingLimits : public DeviceTest
{};

TEST_P(LandmarkMatchingLimits, OfMatching)
{
  itk::CudaNeuroDetail::LandmarkMatchingParameters parameters;
  parameters.maximumNumberOfIterations = 5;
  std::vector<parameterlimits::NumberRun> list;
  parameterlimits::AddNumbers(list, parameters, Matched);
  parameterlimits::ExpectRefusedOrRight(this->GetContext(), list);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LandmarkMatchingLimits);

} // namespace
