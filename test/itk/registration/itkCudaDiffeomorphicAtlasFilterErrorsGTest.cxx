// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// How the atlas filter behaves: events, stop and abort, checkpoints, bad input.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"

#include <algorithm>
#include <filesystem>
#include <thread>

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

namespace
{

/** The message of an update after \p change of a filter that works without. */
template <typename TChange>
std::string
MessageAfter(const itk::ComputeDevice & device, const TChange & change)
{
  const auto atlas = MakeAtlas(device);
  atlas->SetNumberOfIterations(1);
  return MessageOfUpdate(atlas.GetPointer(), change);
}

} // namespace

class CudaDiffeomorphicAtlasFilterBehavior : public ItkDeviceTest
{
protected:
  /** A folder that is not there yet. */
  std::string
  CheckpointFolder() const
  {
    // Tests run side by side, each in a process of its own.
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '-');
    const auto folder = std::filesystem::path(::testing::TempDir()) / ("cudaneuro-atlas-" + name);
    std::filesystem::remove_all(folder);
    return folder.string();
  }
  /** Writes a checkpoint there at an iteration, and stops. */
  void
  StopAtCheckpoint(const std::string & folder, itk::IdentifierType iteration) const
  {
    const auto atlas = MakeAtlas(this->GetDevice());
    atlas->SetCheckpointFolder(folder);
    AtIteration(atlas.GetPointer(), iteration, [&] {
      atlas->SaveCheckpoint();
      atlas->StopIterations();
    });
    atlas->Update();
  }
};

/** Outputs come and go with their switches and with the number of images. */
TEST_P(CudaDiffeomorphicAtlasFilterBehavior, OutputsAreOptional)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterations(2);
  atlas->ComputeJacobianImagesOn();
  const AtlasType::JacobianImageType::Pointer jacobian = atlas->GetJacobianImage(1);
  atlas->Update();
  const auto expected = Pixels(atlas->GetOutput());
  EXPECT_EQ(jacobian->GetBufferedRegion(), atlas->GetOutput()->GetBufferedRegion());
  const FieldType::Pointer field = atlas->GetDisplacementField(1);
  EXPECT_EQ(field->GetBufferedRegion(), atlas->GetOutput()->GetBufferedRegion());

  atlas->ComputeDisplacementFieldsOff();
  atlas->ComputeJacobianImagesOff();
  atlas->Update();
  EXPECT_EQ(field->GetBufferedRegion().GetNumberOfPixels(), 0u);
  EXPECT_EQ(jacobian->GetBufferedRegion().GetNumberOfPixels(), 0u);
  ExpectSame(Pixels(atlas->GetOutput()), expected);

  atlas->ComputeDisplacementFieldsOn();
  atlas->PushBackInput(Moving<ImageType>());
  atlas->Update();
  EXPECT_EQ(atlas->GetDisplacementField(3)->GetBufferedRegion(), atlas->GetOutput()->GetBufferedRegion());
}

TEST_P(CudaDiffeomorphicAtlasFilterBehavior, TellsIterationsInOrder)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterationsPerLevel({ 5, 3 });
  atlas->MeasureEntropyOn();
  std::vector<float>  progress;
  std::vector<double> energies;
  std::vector<double> jacobians;
  std::vector<double> energiesOfImage2;
  std::vector<double> entropies;
  atlas->AddObserver(itk::IterationEvent(), [&, thread = std::this_thread::get_id()](const itk::EventObject &) {
    const auto i = static_cast<int>(energies.size());
    EXPECT_EQ(atlas->GetElapsedIterations(), energies.size() + 1);
    EXPECT_EQ(atlas->GetCurrentLevel(), i < 5 ? 0 : 1);
    EXPECT_EQ(atlas->GetCurrentIteration(), i < 5 ? i : i - 5);
    EXPECT_EQ(std::this_thread::get_id(), thread);
    energies.push_back(atlas->GetEnergy());
    jacobians.push_back(atlas->GetMinimumJacobian());
    energiesOfImage2.push_back(atlas->GetCurrentImageEnergies().at(2));
    entropies.push_back(atlas->GetEntropy());
  });
  atlas->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) { progress.push_back(atlas->GetProgress()); });
  atlas->Update();
  ASSERT_EQ(energies.size(), 8u);
  EXPECT_EQ(atlas->GetEnergies(), energies);
  EXPECT_EQ(atlas->GetMinimumJacobians(), jacobians);
  EXPECT_EQ(atlas->GetImageEnergies(2), energiesOfImage2);
  EXPECT_EQ(atlas->GetEntropies(), entropies);
  for (const auto & iteration : atlas->GetIterations())
  {
    const auto & ofImages = iteration.imageEnergies;
    ASSERT_EQ(ofImages.size(), 3u);
    EXPECT_NEAR(iteration.energy, (ofImages[0] + ofImages[1] + ofImages[2]) / 3.0, 1e-9 * iteration.energy);
    EXPECT_GT(iteration.entropy, 0.0);
    EXPECT_LE(iteration.entropy, 8.0); // bits, of 256 bins
  }
  EXPECT_LT(energies[4], energies[0]);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end())) << ::testing::PrintToString(progress);
  EXPECT_EQ(progress.back(), 1.0f);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetImageEnergies(3); }), "there are 3 images"));
}

/** A second update gives the same bits in the same memory; nothing is done when nothing changed. */
TEST_P(CudaDiffeomorphicAtlasFilterBehavior, RepeatsBitwise)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterations(5);
  atlas->Update();
  const auto         result = Pixels(atlas->GetOutput());
  const auto         field = Numbers<3>(atlas->GetDisplacementField(1));
  const auto         energies = atlas->GetEnergies();
  const auto         finalEnergies = atlas->GetFinalImageEnergies();
  const auto * const memory = atlas->GetOutput()->GetBufferPointer();
  const auto         time = atlas->GetOutput()->GetUpdateMTime();
  atlas->Update();
  EXPECT_EQ(atlas->GetOutput()->GetUpdateMTime(), time);
  atlas->Modified();
  atlas->Update();
  EXPECT_GT(atlas->GetOutput()->GetUpdateMTime(), time);
  EXPECT_EQ(atlas->GetOutput()->GetBufferPointer(), memory);
  ExpectSame(Pixels(atlas->GetOutput()), result);
  ExpectSame(Numbers<3>(atlas->GetDisplacementField(1)), field);
  EXPECT_EQ(atlas->GetEnergies(), energies);
  EXPECT_EQ(atlas->GetFinalImageEnergies(), finalEnergies);
}

/** The final energies are those of the template and the deformed images that are the outputs, also after a shape
 * update, which follows the last step. */
TEST_P(CudaDiffeomorphicAtlasFilterBehavior, TellsTheEnergiesOfItsOutputs)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterations(5);
  atlas->SetWeights({ 1.0, 2.0, 1.0 });
  atlas->ComputeDeformedImagesOn();
  atlas->Update();
  const auto average = Pixels(atlas->GetOutput());
  ASSERT_EQ(atlas->GetFinalImageEnergies().size(), 3u);
  // The atlas divides intensities by the least power of 2 above the images' mean standard deviation.
  constexpr double scale = 64.0;
  double           mean = 0.0;
  for (unsigned int image = 0; image < 3; ++image)
  {
    const auto deformed = Pixels(atlas->GetDeformedImage(image));
    double     energy = 0.0;
    for (std::size_t i = 0; i < average.size(); ++i)
    {
      energy += 0.5 * (deformed[i] - average[i]) * (deformed[i] - average[i]) / static_cast<double>(average.size());
    }
    const double told = atlas->GetFinalImageEnergies()[image];
    EXPECT_NEAR(told, energy / (scale * scale), 1e-4 * told) << "image " << image;
    mean += (image == 1 ? 0.5 : 0.25) * told;
  }
  EXPECT_NEAR(atlas->GetFinalEnergy(), mean, 1e-9 * mean);
  EXPECT_NE(atlas->GetFinalEnergy(), atlas->GetEnergies().back());
}

TEST_P(CudaDiffeomorphicAtlasFilterBehavior, StopsAndAborts)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetShapeUpdateInterval(2);
  auto tag = AtIteration(atlas.GetPointer(), 4, [&] { atlas->StopIterations(); });
  atlas->Update();
  EXPECT_EQ(atlas->GetElapsedIterations(), 4u);
  EXPECT_EQ(atlas->GetProgress(), 1.0f);
  EXPECT_LT(LongestMeanDisplacement(atlas.GetPointer(), { 1.0, 1.0, 1.0 }), 0.05);
  atlas->RemoveObserver(tag);

  tag = AtIteration(atlas.GetPointer(), 3, [&] { atlas->AbortGenerateDataOn(); });
  atlas->Modified();
  EXPECT_THROW(atlas->Update(), itk::ProcessAborted);
  EXPECT_EQ(atlas->GetElapsedIterations(), 3u);
  atlas->RemoveObserver(tag);

  // An exception of an observer ends the update, too, and the filter goes on working.
  tag = atlas->AddObserver(itk::IterationEvent(),
                           [&](const itk::EventObject &) { throw std::runtime_error("from an observer"); });
  EXPECT_THROW(atlas->Update(), std::runtime_error);
  atlas->RemoveObserver(tag);
  atlas->Update();
  EXPECT_EQ(atlas->GetElapsedIterations(), 20u);
}

/** Stopped at a checkpoint and resumed, on other shares: the bits of a run that was not interrupted. */
TEST_P(CudaDiffeomorphicAtlasFilterBehavior, Resumes)
{
  const auto whole = MakeAtlas(this->GetDevice());
  whole->Update();
  const std::string folder = this->CheckpointFolder();
  this->StopAtCheckpoint(folder, 13);
  const auto second = MakeAtlas(this->GetDevice());
  second->SetComputeDevices({ this->GetDevice().GetName(), this->GetDevice().GetName() });
  second->SetCheckpointFolder(folder);
  second->ResumeOn();
  int iterations = 0;
  second->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) { ++iterations; });
  second->Update();
  EXPECT_EQ(iterations, 7);
  ExpectSame(Pixels(second->GetOutput()), Pixels(whole->GetOutput()));
  ExpectSame(Numbers<3>(second->GetDisplacementField(2)), Numbers<3>(whole->GetDisplacementField(2)));

  second->SetGamma(0.03);
  EXPECT_NE(MessageOf([&] { second->Update(); }), "");
  std::filesystem::remove_all(folder);
  second->Update(); // there is none, so that it begins anew
  EXPECT_EQ(second->GetElapsedIterations(), 20u);
  std::filesystem::remove_all(folder);
}

/** To observers of a resumed update, the iterations of before it belong to it. */
TEST_P(CudaDiffeomorphicAtlasFilterBehavior, ResumedUpdatesTellTheirHistory)
{
  const auto whole = MakeAtlas(this->GetDevice());
  AtIteration(whole.GetPointer(), 16, [&] { whole->StopIterations(); });
  whole->Update();
  ASSERT_EQ(whole->GetElapsedIterations(), 16u);
  const std::string folder = this->CheckpointFolder();
  this->StopAtCheckpoint(folder, 13);
  const auto second = MakeAtlas(this->GetDevice());
  second->SetCheckpointFolder(folder);
  second->ResumeOn();
  std::size_t before = 13;
  second->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    EXPECT_EQ(second->GetElapsedIterations(), ++before);
    auto energies = whole->GetEnergies();
    energies.resize(before);
    EXPECT_EQ(second->GetEnergies(), energies);
  });
  AtIteration(second.GetPointer(), 16, [&] { second->StopIterations(); });
  second->Update();
  EXPECT_EQ(before, 16u);
  EXPECT_EQ(second->GetEnergies(), whole->GetEnergies());
  ExpectSame(Pixels(second->GetOutput()), Pixels(whole->GetOutput()));
  std::filesystem::remove_all(folder);
}

TEST_P(CudaDiffeomorphicAtlasFilterBehavior, RejectsBadImages)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               message = [&](const auto & change) { return MessageAfter(device, change); };
  const auto               ofImage = [&](const ImageType * image) {
    return message([&](AtlasType * atlas) { atlas->SetInput(1, image); });
  };
  EXPECT_EQ(ofImage(Moving<ImageType>()), "");
  EXPECT_TRUE(Contains(ofImage(nullptr), "Image 1 of 3 is not set"));
  EXPECT_TRUE(
    Contains(MessageOf([] { AtlasType::New()->Update(); }), "The number of images is 0; it must be 2 or greater"));
  EXPECT_TRUE(
    Contains(MessageOf([] { MakeAtlas(std::vector<ImageType::Pointer>{ Moving<ImageType>() }, {})->Update(); }),
             "The number of images is 1; it must be 2 or greater"));

  const auto oblique = ofImage(Moving<ImageType>(ObliqueGrid<ImageType>()));
  EXPECT_TRUE(Contains(oblique, "of image 1, which has neither an initial transform nor a ReferenceImage,"));
  EXPECT_TRUE(Contains(oblique, "that of image 0 [0, 0, 0]"));
  EXPECT_TRUE(Contains(ofImage(Empty()), "The image 1 is empty: its size is [5, 0, 5]"));
  EXPECT_TRUE(Contains(ofImage(NotAllocated({ { 40, 40, 40 } })), "The pixels of image 1 are not there"));
  EXPECT_TRUE(Contains(ofImage(Constant()), "image '1'"));
  EXPECT_TRUE(Contains(ofImage(NotFinite()), "image '1'"));
}

TEST_P(CudaDiffeomorphicAtlasFilterBehavior, RejectsBadMasksFieldsAndTransforms)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               message = [&](const auto & change) { return MessageAfter(device, change); };
  const auto               image = CommonGrid<ImageType>();
  const auto               none = ConstantMask<3>(image, 0);
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetMaskImage(2, none); }), "image '2'"));
  EXPECT_TRUE(
    Contains(message([&](AtlasType * atlas) { atlas->SetMaskImage(2, image); }), "the mask of image 2 is a Image"));
  const auto elsewhere = ConstantMask<3>(ObliqueGrid<ImageType>(), 1);
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetMaskImage(2, elsewhere); }),
                       "of the mask of image 2 is [5, 2, -1], that of image 2 [0, 0, 0]"));
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetMaskImage(7, none); }),
                       "There is a mask of image 7, and there are 3 images"));

  const auto field = FoldedField(image);
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetInitialDisplacementField(1, field); }), "fold"));
  field->SetSpacing(2.0 * field->GetSpacing());
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetInitialDisplacementField(1, field); }),
                       "the spacing of the initial displacement field of image 1 is [2, 2, 2], that of the template"));
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetInitialTemplate(ObliqueGrid<ImageType>()); }),
                       "of the initial template is [5, 2, -1], that of the template [0, 0, 0]"));

  const std::string ofTransform =
    message([&](AtlasType * atlas) { atlas->SetInitialTransform(1, NotFiniteTransform()); });
  EXPECT_TRUE(Contains(ofTransform, "The initial transform of image 1"));
  EXPECT_TRUE(Contains(ofTransform, "AffineTransform, is not finite"));
  EXPECT_TRUE(Contains(message([&](AtlasType * atlas) { atlas->SetInitialTransform(3, SomeAffine()); }),
                       "There is an initial transform of image 3, and there are 3 images, from 0"));
}

TEST_P(CudaDiffeomorphicAtlasFilterBehavior, RejectsBadParameters)
{
  const auto expect = [&](const auto & change, const std::string & part) {
    ExpectRejected(MessageAfter(this->GetDevice(), change), part);
  };
  expect([](AtlasType * a) { a->SetWeights({ 1.0, 2.0 }); }, "Weights has 2 values");
  expect([](AtlasType * a) { a->SetWeights({ 1.0, -1.0, 1.0 }); }, "is -1");
  expect([](AtlasType * a) { a->SetWeights({ 1.0, notANumber, 1.0 }); }, "is nan");
  expect([](AtlasType * a) { a->SetWeights({ 0.0, 0.0, 0.0 }); }, "is 0");
  expect([](AtlasType * a) { a->SetMaximumStep(0.0); }, "MaximumStep is 0");
  expect([](AtlasType * a) { a->SetNumberOfLevels(0); }, "NumberOfLevels is 0");
  expect(
    [](AtlasType * a) {
      a->SetNumberOfIterationsPerLevel({ 1, 2, 3 });
    },
    "NumberOfIterationsPerLevel has 3 values");
  expect([](AtlasType * a) { a->SetShrinkFactorsPerLevel({ 2, 0 }); }, "ShrinkFactors[0] is 0");
  expect([](AtlasType * a) { a->SetVelocityMethod("Gaussian"); }, "VelocityMethod is Gaussian");
  expect([](AtlasType * a) { a->SetBeta(0.5); }, "Beta is 0.5");
  expect(
    [](AtlasType * a) {
      a->SetMeanMethod("TrimmedMean");
      a->SetTrimmedFraction(0.5);
    },
    "TrimmedFraction is 0.5");
  expect([](AtlasType * a) { a->ResumeOn(); }, "Resume is On and CheckpointFolder is empty");
  EXPECT_TRUE(Contains(MessageOf([] { AtlasType::New()->SaveCheckpoint(); }), "CheckpointFolder is empty"));

  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetComputeDevices({ "cpu" });
  atlas->SetComputeDevice(itk::ComputeDevice(cudaneuro::Device{ 3 }));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "cuda:3"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaDiffeomorphicAtlasFilterBehavior);
