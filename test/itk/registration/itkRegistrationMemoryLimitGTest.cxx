// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// MaximumDeviceMemory holds in the filters for registration and atlases. itkCudaNeuroMemoryLimitGTest.cxx instantiates
// these tests.

#include "AtlasPhantom.h"
#include "RegistrationPhantom.h"
#include "itk/MemoryLimitTest.h"
#include "itk/TestImages.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaLinearRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

#include <string>
#include <vector>

using namespace memorylimit;
using namespace testimages;

namespace
{

template <typename TFilter>
typename TFilter::Pointer
SmallRegistration()
{
  const auto filter = registrationphantom::MakeFilter<TFilter>(
    registrationphantom::Fixed<ImageType>(), registrationphantom::Moving<ImageType>(), itk::ComputeDevice());
  filter->SetNumberOfIterations(2);
  filter->ComputeInverseOn();
  return filter;
}

/** All numbers of the results. */
template <typename TFilter>
std::vector<double>
Results(TFilter * filter)
{
  std::vector<double> results = Values(filter->GetDisplacementField());
  for (const double value : Values(filter->GetInverseDisplacementField()))
  {
    results.push_back(value);
  }
  results.push_back(filter->GetEnergy());
  return results;
}

} // namespace

TEST_P(CudaNeuroMemoryLimit, UnbiasedRegistration)
{
  using FilterType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, SymmetricRegistration)
{
  using FilterType = itk::CudaSymmetricRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, LocalCorrelation)
{
  using FilterType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  filter->SetMetric("LocalCorrelation");
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, LinearRegistration)
{
  const auto filter = itk::CudaLinearRegistrationFilter<ImageType>::New();
  filter->SetFixedImage(registrationphantom::Fixed<ImageType>());
  filter->SetMovingImage(registrationphantom::Moving<ImageType>());
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(3);
  this->CheckLimit(filter.GetPointer(), [](auto * done) {
    std::vector<double> result = Pixels(done->GetWarpedImage());
    const auto          values = done->GetMetricValues();
    result.insert(result.end(), values.begin(), values.end());
    return result;
  });
}

/** Work areas of transforms count. */
TEST_P(CudaNeuroMemoryLimit, FourierTransform)
{
  using FilterType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  filter->SetVelocityMethod("FourierTransform");
  filter->SetComputeDevice(this->GetDevice());
  const std::string message = MessageOf([&] { filter->Update(); });
  if (!message.empty())
  {
    GTEST_SKIP() << message; // the library of transforms is not there
  }
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

/** What does not fit at once comes and goes, with the same bits. */
TEST_P(CudaNeuroMemoryLimit, DiffeomorphicAtlas)
{
  const auto atlas = atlasphantom::MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterationsPerLevel({ 2, 1 });
  this->CheckLimit(atlas.GetPointer(), [](auto * filter) {
    std::vector<double> results = Values(filter->GetOutput());
    for (const double value : Values(filter->GetDisplacementField(2)))
    {
      results.push_back(value);
    }
    return results;
  });
}
