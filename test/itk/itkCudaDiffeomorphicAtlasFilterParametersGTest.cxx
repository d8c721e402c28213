// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of the atlas filter, and outputs that are off.

#include "AtlasPhantom.h"


using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;

TEST(CudaDiffeomorphicAtlasFilterParameters, Defaults)
{
  const auto atlas = AtlasType::New();
  const auto engine = cudaneuro::AtlasParameters();
  EXPECT_EQ(atlas->GetMetric(), engine.registration.metric);
  EXPECT_EQ(atlas->GetMetricName(), "MeanSquares");
  EXPECT_EQ(atlas->GetVelocityMethod(), engine.registration.velocityMethod);
  EXPECT_EQ(atlas->GetVelocityMethodName(), "SuccessiveOverRelaxation");
  EXPECT_EQ(atlas->GetAlpha(), engine.registration.alpha);
  EXPECT_EQ(atlas->GetBeta(), engine.registration.beta);
  EXPECT_EQ(atlas->GetGamma(), engine.registration.gamma);
  EXPECT_EQ(atlas->GetFirstSweeps(), static_cast<unsigned int>(engine.registration.firstSweeps));
  EXPECT_EQ(atlas->GetSweeps(), static_cast<unsigned int>(engine.registration.sweeps));
  EXPECT_EQ(atlas->GetMaximumStep(), engine.registration.maximumStep);
  EXPECT_EQ(atlas->GetNumberOfLevels(), engine.registration.levels.size());
  EXPECT_EQ(atlas->GetNumberOfIterations(), static_cast<unsigned int>(engine.registration.levels[0].iterations));
  EXPECT_EQ(atlas->GetMeanMethod(), engine.meanMethod);
  EXPECT_EQ(atlas->GetMeanMethodName(), "Mean");
  EXPECT_EQ(atlas->GetTrimmedFraction(), engine.trimmedFraction);
  EXPECT_EQ(atlas->GetSharpening(), engine.sharpening);
  EXPECT_EQ(atlas->GetShapeUpdateInterval(), static_cast<unsigned int>(engine.shapeUpdateInterval));
  EXPECT_EQ(atlas->GetKeepPose(), engine.keepPose);
  EXPECT_EQ(atlas->GetTrimToBoundingBox(), engine.trimToBoundingBox);
  EXPECT_EQ(atlas->GetMeasureEntropy(), engine.measureEntropy);
  EXPECT_EQ(atlas->GetCheckpointInterval(), cudaneuro::AtlasCheckpoint().interval);
  EXPECT_TRUE(atlas->GetWeights().empty());
  EXPECT_TRUE(atlas->GetComputeDevices().empty());
  EXPECT_EQ(atlas->GetElapsedIterations(), 0u);
}

TEST(CudaDiffeomorphicAtlasFilterParameters, AreKeptAndPrinted)
{
  const auto atlas = AtlasType::New();
  atlas->SetMetric("LocalCorrelation");
  atlas->SetVelocityMethod("FourierTransform");
  atlas->SetMeanMethod("Median");
  atlas->SetWeights({ 1.0, 0.25 });
  atlas->SetComputeDevices({ "cpu", "cpu" });
  atlas->SetStandardDeviations(1.5);
  atlas->SetShrinkFactorsPerLevel({ 3, 1 });
  AtlasType::ShrinkFactorsType factors(2u);
  atlas->SetShrinkFactorsPerDimension(0, factors);
  atlas->SetNumberOfIterationsPerLevel({ 30, 20 });
  atlas->SetSharpening(0.5);
  atlas->SetShapeUpdateInterval(4);
  atlas->KeepPoseOn();
  atlas->SetCheckpointFolder("state");
  atlas->SetCheckpointInterval(30.0);
  atlas->ResumeOn();
  atlas->ComputeDisplacementFieldsOff();
  atlas->ComputeDeformedImagesOn();
  EXPECT_EQ(atlas->GetShrinkFactorsPerDimension(0), factors);
  EXPECT_EQ(atlas->GetNumberOfLevels(), 2u);
  EXPECT_EQ(atlas->GetComputeDevice(), itk::ComputeDevice());
  const std::string printed = Printed(atlas);
  for (const char * const part : { "Metric: LocalCorrelation",
                                   "VelocityMethod: FourierTransform",
                                   "MeanMethod: Median",
                                   "Weights: [1 0.25]",
                                   "ComputeDevices: [cpu cpu]",
                                   "StandardDeviations: [1.5, 1.5, 1.5]",
                                   "ShrinkFactors: [[2, 2, 2] [1, 1, 1]]",
                                   "NumberOfIterationsPerLevel: [30 20]",
                                   "Sharpening: 0.5",
                                   "ShapeUpdateInterval: 4",
                                   "KeepPose: On",
                                   "CheckpointFolder: state",
                                   "CheckpointInterval: 30",
                                   "Resume: On",
                                   "ComputeDisplacementFields: Off",
                                   "ComputeDeformedImages: On",
                                   "ComputeJacobianImages: Off" })
  {
    EXPECT_TRUE(Contains(printed, part));
  }
  EXPECT_TRUE(
    Contains(MessageOf([&] { atlas->SetMeanMethod("Mode"); }), "\"Mode\": use one of Mean, TrimmedMean, Median"));
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
