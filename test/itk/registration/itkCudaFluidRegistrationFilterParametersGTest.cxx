// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The parameters of the registration filters: defaults, setters and getters, Print, schedules of levels.

#include "FluidRegistrationTest.h"
#include "RegistrationChecks.h"
#include "itk/ParameterTable.h"
#include "itk/TestImages.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

using namespace testimages;
using namespace registrationchecks;
using namespace fluidregistration;
using namespace parametertable;

namespace
{

/** What all three filters have; without the velocity method, and the parameters of one. */
template <typename TFilter>
void
ExpectCommonParameters(TFilter * filter, const cudaneuro::RegistrationParameters & defaults)
{
  using P = cudaneuro::RegistrationParameters;
  ExpectParameters(filter,
                   defaults,
                   { "ChannelWeight",
                     "FurtherChannels",
                     "UnbiasedWeight",
                     "UseDeformedGradient",
                     "IsSymmetric",
                     "VelocityMethod",
                     "UpdateFieldStandardDeviations",
                     "UpdateFieldStandardDeviationsPerLevel",
                     "Alpha",
                     "Beta",
                     "Gamma",
                     "FirstSweeps",
                     "Sweeps",
                     "Levels",
                     "Inversion" },
                   CUDANEURO_PARAMETER(metric, Metric),
                   CUDANEURO_PARAMETER(correlationRadius, CorrelationRadius),
                   CUDANEURO_PARAMETER(numberOfHistogramBins, NumberOfHistogramBins),
                   CUDANEURO_PARAMETER(matchIntensities, MatchIntensities),
                   CUDANEURO_PARAMETER(pointWeight, PointWeight),
                   CUDANEURO_PARAMETER(labelWeight, LabelWeight),
                   CUDANEURO_PARAMETER(repairOutliers, RepairOutliers),
                   CUDANEURO_PARAMETER(maximumStep, MaximumStep),
                   CUDANEURO_PARAMETER(jacobianBound, JacobianBound),
                   CUDANEURO_PARAMETER(convergenceThreshold, ConvergenceThreshold),
                   CUDANEURO_PARAMETER(standardDeviations, StandardDeviations));
  ExpectSets(filter, &TFilter::SetInverseTolerance, &TFilter::GetInverseTolerance, 0.25);
  ExpectSets(filter, &TFilter::SetMaximumNumberOfInverseIterations, &TFilter::GetMaximumNumberOfInverseIterations, 7u);
  ExpectPrints(filter, { "InverseTolerance: 0.25", "MaximumNumberOfInverseIterations: 7" });
}

/** Those of the filters that solve an equation. */
template <typename TFilter>
void
ExpectParametersOfEquations(TFilter * filter, const cudaneuro::RegistrationParameters & defaults)
{
  using P = cudaneuro::RegistrationParameters;
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(velocityMethod, VelocityMethod));
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(alpha, Alpha));
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(beta, Beta));
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(gamma, Gamma));
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(firstSweeps, FirstSweeps));
  ExpectParameter(filter, defaults, CUDANEURO_PARAMETER(sweeps, Sweeps));
}

} // namespace

TEST(CudaFluidRegistrationFilterParameters, AreThoseOfTheEngine)
{
  using P = cudaneuro::RegistrationParameters;
  const auto unbiased = UnbiasedType::New();
  ExpectCommonParameters(unbiased.GetPointer(), cudaneuro::UnbiasedRegistrationParameters());
  ExpectParameter(unbiased.GetPointer(),
                  cudaneuro::UnbiasedRegistrationParameters(),
                  CUDANEURO_PARAMETER(unbiasedWeight, UnbiasedWeight));
  const auto greedy = GreedyType::New();
  ExpectCommonParameters(greedy.GetPointer(), cudaneuro::GreedyRegistrationParameters());
  ExpectParametersOfEquations(greedy.GetPointer(), cudaneuro::GreedyRegistrationParameters());
  const auto symmetric = SymmetricType::New();
  ExpectCommonParameters(symmetric.GetPointer(), cudaneuro::SymmetricRegistrationParameters());
  ExpectParametersOfEquations(symmetric.GetPointer(), cudaneuro::SymmetricRegistrationParameters());
  ExpectParameter(symmetric.GetPointer(),
                  cudaneuro::SymmetricRegistrationParameters(),
                  CUDANEURO_PARAMETER(unbiasedWeight, UnbiasedWeight));
}

TEST(CudaFluidRegistrationFilterParameters, Common)
{
  const auto filter = UnbiasedType::New();
  EXPECT_EQ(filter->GetNumberOfLevels(), 4u);
  EXPECT_EQ(filter->GetNumberOfIterations(), 100u);
  EXPECT_EQ(filter->GetUpdateFieldStandardDeviations(), UnbiasedType::StandardDeviationsType(1.5));
  EXPECT_TRUE(filter->GetUpdateFieldStandardDeviationsPerLevel().empty());
  EXPECT_TRUE(filter->GetSmoothUpdateField());
  EXPECT_EQ(filter->GetLastDisplacementField(), nullptr);

  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetMetric("Demons"); }),
                       "Unknown metric \"Demons\": use one of MeanSquares, LocalCorrelation"));
  filter->SetUpdateFieldStandardDeviations(2.5);
  filter->SetNumberOfIterationsPerLevel({ 30, 20 });
  filter->SetShrinkFactorsPerLevel({ 3, 1 });
  EXPECT_EQ(filter->GetNumberOfLevels(), 2u);
  UnbiasedType::ShrinkFactorsType factors(3u);
  factors[2] = 1;
  filter->SetShrinkFactorsPerDimension(0, factors);
  EXPECT_EQ(filter->GetShrinkFactorsPerDimension(0), factors);
  ExpectPrints(filter,
               { "UpdateFieldStandardDeviations: [2.5, 2.5, 2.5]",
                 "UpdateFieldStandardDeviationsPerLevel: []",
                 "NumberOfLevels: 2",
                 "ShrinkFactors: [[3, 3, 1] [1, 1, 1]]",
                 "NumberOfIterationsPerLevel: [30 20]",
                 "ComputeDevice: (default)" });
  filter->SetNumberOfIterations(7);
  EXPECT_TRUE(filter->GetNumberOfIterationsPerLevel().empty());
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetShrinkFactorsPerDimension(2, factors); }), "none of level 2"));

  const auto greedy = GreedyType::New();
  EXPECT_TRUE(Contains(MessageOf([&] { greedy->SetVelocityMethod("Multigrid"); }),
                       "Unknown velocity solver \"Multigrid\": use one of"));
}

TEST(CudaFluidRegistrationFilterParameters, OfUpdateSmoothing)
{
  const auto check = [](const auto & filter) {
    const auto sets = [&](const auto & set) {
      const auto before = filter->GetMTime();
      set();
      const auto after = filter->GetMTime();
      set();
      EXPECT_EQ(filter->GetMTime(), after);
      return after > before;
    };
    EXPECT_TRUE(sets([&] { filter->SetUpdateFieldStandardDeviationsPerLevel({ 4.0, 2.5, 1.5 }); }));
    EXPECT_EQ(filter->GetUpdateFieldStandardDeviationsPerLevel(), (std::vector<double>{ 4.0, 2.5, 1.5 }));
    EXPECT_TRUE(Contains(Printed(filter), "UpdateFieldStandardDeviationsPerLevel: [4 2.5 1.5]"));
    // As iterations of all levels take the place of those of levels.
    EXPECT_TRUE(sets([&] { filter->SetUpdateFieldStandardDeviations(3.0); }));
    EXPECT_TRUE(filter->GetUpdateFieldStandardDeviationsPerLevel().empty());
    EXPECT_EQ(filter->GetUpdateFieldStandardDeviations(), UnbiasedType::StandardDeviationsType(3.0));
    filter->SetUpdateFieldStandardDeviationsPerLevel({ 4.0, 2.5 });
    EXPECT_TRUE(sets([&] { filter->SetUpdateFieldStandardDeviations(3.0); }));
    EXPECT_TRUE(filter->GetUpdateFieldStandardDeviationsPerLevel().empty());
  };
  check(UnbiasedType::New());
  check(SymmetricType::New());
}

TEST(CudaFluidRegistrationFilterParameters, UsualUpdateSmoothing)
{
  using itk::CudaNeuroDetail::UsualUpdateSigmas;
  using itk::CudaNeuroDetail::usualUpdateSigmas;
  const std::size_t count = std::size(usualUpdateSigmas);
  const auto        filter = UnbiasedType::New();
  EXPECT_EQ(filter->GetUpdateFieldStandardDeviations()[0], usualUpdateSigmas[count - 1]);
  // The finest level's is the same for any number of levels, and coarser levels than there are values take the first.
  EXPECT_EQ(UsualUpdateSigmas(1), std::vector<double>(1, usualUpdateSigmas[count - 1]));
  EXPECT_EQ(UsualUpdateSigmas(count), std::vector<double>(std::begin(usualUpdateSigmas), std::end(usualUpdateSigmas)));
  const std::vector<double> many = UsualUpdateSigmas(count + 2);
  ASSERT_EQ(many.size(), count + 2);
  EXPECT_EQ(many[0], usualUpdateSigmas[0]);
  EXPECT_EQ(many[1], usualUpdateSigmas[0]);
  EXPECT_TRUE(std::equal(std::begin(usualUpdateSigmas), std::end(usualUpdateSigmas), many.begin() + 2));
}

TEST(CudaFluidRegistrationFilterParameters, OfTheSymmetricFilter)
{
  const auto filter = SymmetricType::New();
  EXPECT_STREQ(filter->GetNameOfClass(), "CudaSymmetricRegistrationFilter");
  EXPECT_EQ(filter->GetUpdateFieldStandardDeviations(), SymmetricType::StandardDeviationsType(1.5));
  filter->SetUpdateFieldStandardDeviations(2.0);
  ExpectPrints(filter, { "UpdateFieldStandardDeviations: [2, 2, 2]" });
  filter->ComputeInverseOff();
  EXPECT_TRUE(filter->TellsInverseConsistency());
  const auto greedy = GreedyType::New();
  EXPECT_TRUE(greedy->TellsInverseConsistency());
  greedy->ComputeInverseOff();
  EXPECT_FALSE(greedy->TellsInverseConsistency());
}

/** Levels have at least 16 voxels along an axis, and voxels as cubic as can be. */
TEST(CudaFluidRegistrationFilterParameters, AutomaticSchedule)
{
  const auto filter = UnbiasedType::New();
  filter->SetNumberOfLevels(3);
  const auto image = ImageType::New();
  const auto factorsOf = [&](ImageType::SizeType size, const std::array<double, 3> & spacing, unsigned int level) {
    image->SetRegions(size);
    image->SetSpacing(spacing.data());
    filter->SetFixedImage(image);
    const auto factors = filter->GetShrinkFactorsPerDimension(level);
    return std::array<unsigned int, 3>{ factors[0], factors[1], factors[2] };
  };
  using Factors = std::array<unsigned int, 3>;
  EXPECT_EQ(factorsOf({ { 240, 240, 240 } }, { 1, 1, 1 }, 0), (Factors{ 4, 4, 4 }));
  EXPECT_EQ(factorsOf({ { 240, 240, 240 } }, { 1, 1, 1 }, 1), (Factors{ 2, 2, 2 }));
  EXPECT_EQ(factorsOf({ { 240, 240, 240 } }, { 1, 1, 1 }, 2), (Factors{ 1, 1, 1 }));
  EXPECT_EQ(factorsOf({ { 240, 63, 10 } }, { 1, 1, 1 }, 0), (Factors{ 4, 3, 1 }));
  EXPECT_EQ(factorsOf({ { 240, 240, 120 } }, { 1, 1, 4 }, 0), (Factors{ 4, 4, 1 }));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetShrinkFactorsPerDimension(3); }), "There are 3 levels"));
}

TEST(CudaFluidRegistrationFilterParameters, AreVerifiedWithoutPixels)
{
  const auto check = [](const auto & filter) {
    const auto message = [&] { return MessageOf([&] { filter->VerifyParameters(); }); };
    EXPECT_TRUE(Contains(message(), "FixedImage is required"));
    const auto image = ImageType::New();
    image->SetRegions(ImageType::SizeType{ { 40, 40, 40 } });
    filter->SetFixedImage(image);
    filter->SetMovingImage(image);
    EXPECT_EQ(message(), "");
    filter->SetMaximumStep(1.5);
    ExpectRejected(message(), "MaximumStep is 1.5");
  };
  check(UnbiasedType::New());
  check(GreedyType::New());
  check(SymmetricType::New());
}
