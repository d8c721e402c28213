// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of the atlas filter, and outputs that are off.

#include "AtlasPhantom.h"
#include "itk/ParameterTable.h"

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace parametertable;

TEST(CudaDiffeomorphicAtlasFilterParameters, AreThoseOfTheEngine)
{
  const auto atlas = AtlasType::New();
  {
    using P = cudaneuro::AtlasParameters;
    ExpectParameters(atlas.GetPointer(),
                     P(),
                     { "Registration" },
                     CUDANEURO_PARAMETER(meanMethod, MeanMethod),
                     CUDANEURO_PARAMETER(trimmedFraction, TrimmedFraction),
                     CUDANEURO_PARAMETER(sharpening, Sharpening),
                     CUDANEURO_PARAMETER(shapeUpdateInterval, ShapeUpdateInterval),
                     CUDANEURO_PARAMETER(keepPose, KeepPose),
                     CUDANEURO_PARAMETER(trimToBoundingBox, TrimToBoundingBox),
                     CUDANEURO_PARAMETER(measureEntropy, MeasureEntropy));
  }
  using P = cudaneuro::RegistrationParameters;
  ExpectParameters(atlas.GetPointer(),
                   cudaneuro::AtlasRegistrationParameters(),
                   { "NumberOfHistogramBins",
                     "MatchIntensities",
                     "ChannelWeight",
                     "FurtherChannels",
                     "PointWeight",
                     "LabelWeight",
                     "UnbiasedWeight",
                     "UseDeformedGradient",
                     "IsSymmetric",
                     "UpdateFieldStandardDeviations",
                     "UpdateFieldStandardDeviationsPerLevel",
                     "JacobianBound",
                     "Levels",
                     "Inversion" },
                   CUDANEURO_PARAMETER(metric, Metric),
                   CUDANEURO_PARAMETER(correlationRadius, CorrelationRadius),
                   CUDANEURO_PARAMETER(repairOutliers, RepairOutliers),
                   CUDANEURO_PARAMETER(velocityMethod, VelocityMethod),
                   CUDANEURO_PARAMETER(alpha, Alpha),
                   CUDANEURO_PARAMETER(beta, Beta),
                   CUDANEURO_PARAMETER(gamma, Gamma),
                   CUDANEURO_PARAMETER(firstSweeps, FirstSweeps),
                   CUDANEURO_PARAMETER(sweeps, Sweeps),
                   CUDANEURO_PARAMETER(maximumStep, MaximumStep),
                   CUDANEURO_PARAMETER(convergenceThreshold, ConvergenceThreshold),
                   CUDANEURO_PARAMETER(standardDeviations, StandardDeviations));
  ExpectSets(atlas.GetPointer(), &AtlasType::SetInverseTolerance, &AtlasType::GetInverseTolerance, 0.25);
  ExpectSets(atlas.GetPointer(),
             &AtlasType::SetMaximumNumberOfInverseIterations,
             &AtlasType::GetMaximumNumberOfInverseIterations,
             7u);
  ExpectSets(atlas.GetPointer(), &AtlasType::SetCheckpointInterval, &AtlasType::GetCheckpointInterval, 30.0);
  ExpectPrints(atlas,
               { "StandardDeviations: [4, 4, 4]",
                 "InverseTolerance: 0.25",
                 "MaximumNumberOfInverseIterations: 7",
                 "CheckpointInterval: 30" });
  EXPECT_TRUE(
    Contains(MessageOf([&] { atlas->SetMeanMethod("Mode"); }), "\"Mode\": use one of Mean, TrimmedMean, Median"));
}

TEST(CudaDiffeomorphicAtlasFilterParameters, Defaults)
{
  const auto atlas = AtlasType::New();
  const auto engine = cudaneuro::AtlasParameters();
  EXPECT_EQ(atlas->GetNumberOfLevels(), engine.registration.levels.size());
  EXPECT_EQ(atlas->GetNumberOfIterations(), static_cast<unsigned int>(engine.registration.levels[0].iterations));
  EXPECT_EQ(atlas->GetCheckpointInterval(), cudaneuro::AtlasCheckpoint().interval);
  EXPECT_TRUE(atlas->GetWeights().empty());
  EXPECT_TRUE(atlas->GetComputeDevices().empty());
  EXPECT_EQ(atlas->GetElapsedIterations(), 0u);
}

TEST(CudaDiffeomorphicAtlasFilterParameters, AreKeptAndPrinted)
{
  const auto atlas = AtlasType::New();
  atlas->SetWeights({ 1.0, 0.25 });
  atlas->SetComputeDevices({ "cpu", "cpu" });
  atlas->SetShrinkFactorsPerLevel({ 3, 1 });
  AtlasType::ShrinkFactorsType factors(2u);
  atlas->SetShrinkFactorsPerDimension(0, factors);
  atlas->SetNumberOfIterationsPerLevel({ 30, 20 });
  atlas->SetCheckpointFolder("state");
  atlas->ResumeOn();
  atlas->ComputeDisplacementFieldsOff();
  atlas->ComputeDeformedImagesOn();
  EXPECT_EQ(atlas->GetShrinkFactorsPerDimension(0), factors);
  EXPECT_EQ(atlas->GetNumberOfLevels(), 2u);
  EXPECT_EQ(atlas->GetComputeDevice(), itk::ComputeDevice());
  ExpectPrints(atlas,
               { "Weights: [1 0.25]",
                 "ComputeDevices: [cpu cpu]",
                 "ShrinkFactors: [[2, 2, 2] [1, 1, 1]]",
                 "NumberOfIterationsPerLevel: [30 20]",
                 "CheckpointFolder: state",
                 "Resume: On",
                 "ComputeDisplacementFields: Off",
                 "ComputeDeformedImages: On",
                 "ComputeJacobianImages: Off" });
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->SetComputeDevices({ "cpu", "abacus" }); }), "Unknown device \"abacus\""));
}

/** A setter that changes nothing does not make the filter run again; every other one does. */
TEST(CudaDiffeomorphicAtlasFilterParameters, ModifyWhatDiffers)
{
  const auto atlas = AtlasType::New();
  const auto modifies = [&](const auto & change) {
    const auto before = atlas->GetMTime();
    change();
    const auto after = atlas->GetMTime();
    change();
    EXPECT_EQ(atlas->GetMTime(), after);
    return after > before;
  };
  EXPECT_TRUE(modifies([&] { atlas->SetWeights({ 1.0, 2.0 }); }));
  EXPECT_TRUE(modifies([&] { atlas->SetComputeDevices({ "cpu" }); }));
  EXPECT_TRUE(modifies([&] { atlas->SetNumberOfLevels(2); }));
  EXPECT_TRUE(modifies([&] { atlas->SetNumberOfIterations(50); })); // of the finest, too
  EXPECT_TRUE(modifies([&] { atlas->SetNumberOfIterationsPerLevel({ 3, 4 }); }));
  EXPECT_TRUE(modifies([&] { atlas->SetShrinkFactorsPerLevel({ 2, 1 }); }));
  const auto affine = SomeAffine();
  EXPECT_TRUE(modifies([&] { atlas->SetInitialTransform(0, affine); }));
  EXPECT_TRUE(modifies([&] { atlas->SetInitialTransform(0, nullptr); }));
  EXPECT_FALSE(modifies([&] { atlas->SetKeepPose(false); }));
}

/** What is off has no output, and the message names the switch. */
TEST(CudaDiffeomorphicAtlasFilterParameters, OutputsThatAreOff)
{
  const auto atlas = MakeAtlas(itk::ComputeDevice());
  EXPECT_NE(atlas->GetDisplacementField(2), nullptr);
  atlas->ComputeDisplacementFieldsOff();
  const auto message = [](const auto & function) { return MessageOf(function); };
  EXPECT_TRUE(Contains(message([&] { atlas->GetDisplacementField(2); }),
                       "There is no DisplacementField of image 2: ComputeDisplacementFields is Off"));
  EXPECT_TRUE(
    Contains(message([&] { atlas->GetInverseDisplacementField(0); }), "ComputeInverseDisplacementFields is Off"));
  EXPECT_TRUE(Contains(message([&] { atlas->GetDeformedImage(0); }), "ComputeDeformedImages is Off"));
  EXPECT_TRUE(Contains(message([&] { atlas->GetJacobianImage(0); }), "ComputeJacobianImages is Off"));
  EXPECT_TRUE(Contains(message([&] { atlas->GetInitialMean(); }), "ComputeInitialMean is Off"));
  atlas->ComputeDeformedImagesOn();
  EXPECT_TRUE(Contains(message([&] { atlas->GetDeformedImage(3); }), "there are 3 images, from 0"));
}
