// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// How the registration filters behave: events, abort, bad input.

#include "FluidRegistrationTest.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itk/TestImages.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;
using namespace fluidregistration;

namespace
{

/** The message of an update after \p change of a filter that works without. */
template <typename TFilter = UnbiasedType, typename TChange>
std::string
MessageAfter(const itk::ComputeDevice & device, const TChange & change)
{
  const auto filter = MakeFilter<TFilter>(Fixed<ImageType>(), Moving<ImageType>(), device);
  filter->SetNumberOfIterations(2);
  return MessageOfUpdate(filter.GetPointer(), change);
}

/** Mean distance of the known field from zero, inside the object. */
double
LengthOfKnownField()
{
  const auto known = KnownField<3>(CommonGrid<ImageType>().GetPointer());
  const auto zero = FieldType::New();
  zero->CopyInformation(known);
  zero->SetRegions(known->GetLargestPossibleRegion());
  zero->Allocate(true);
  return DifferenceInside<3>(known.GetPointer(), zero.GetPointer()).mean;
}

/** A field on the way from zero to the known one. */
void
ExpectOnTheWay(const FieldType * field)
{
  ASSERT_NE(field, nullptr);
  const auto known = KnownField<3>(CommonGrid<ImageType>().GetPointer());
  ExpectSameGeometry<3>(field, known);
  EXPECT_LT(DifferenceInside<3>(field, known).mean, 0.9 * LengthOfKnownField());
}

} // namespace

class CudaFluidRegistrationFilterBehavior : public ItkDeviceTest
{
protected:
  /** A filter that is to be looked at while it runs. */
  UnbiasedType::Pointer
  MakeUnbiased() const
  {
    return MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  }
};

TEST_P(CudaFluidRegistrationFilterBehavior, TellsIterationsInOrder)
{
  const auto filter = this->MakeUnbiased();
  filter->SetNumberOfIterationsPerLevel({ 12, 9 });
  struct Seen
  {
    int             level;
    int             iteration;
    double          energy;
    double          image;
    double          bias;
    double          step;
    std::thread::id thread;
  };
  std::vector<Seen>  seen;
  std::vector<float> progress;
  filter->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    EXPECT_EQ(filter->GetElapsedIterations(), seen.size() + 1);
    seen.push_back({ filter->GetCurrentLevel(),
                     filter->GetCurrentIteration(),
                     filter->GetEnergy(),
                     filter->GetImageEnergy(),
                     filter->GetBiasEnergy(),
                     filter->GetCurrentStep(),
                     std::this_thread::get_id() });
  });
  filter->AddObserver(itk::ProgressEvent(),
                      [&](const itk::EventObject &) { progress.push_back(filter->GetProgress()); });
  filter->Update();
  ASSERT_EQ(seen.size(), 21u);
  EXPECT_EQ(filter->GetElapsedIterations(), 21u);
  const auto energies = filter->GetEnergies();
  const auto imageEnergies = filter->GetImageEnergies();
  const auto biasEnergies = filter->GetBiasEnergies();
  ASSERT_EQ(energies.size(), 21u);
  for (std::size_t i = 0; i < seen.size(); ++i)
  {
    EXPECT_EQ(seen[i].level, i < 12 ? 0 : 1);
    EXPECT_EQ(seen[i].iteration, static_cast<int>(i < 12 ? i : i - 12));
    EXPECT_EQ(seen[i].energy, energies[i]);
    EXPECT_EQ(seen[i].image, imageEnergies[i]);
    EXPECT_EQ(seen[i].bias, biasEnergies[i]);
    EXPECT_NEAR(seen[i].energy, seen[i].image + filter->GetUnbiasedWeight() * seen[i].bias, 1e-6 * seen[i].energy);
    EXPECT_LE(seen[i].step, filter->GetMaximumStep());
    EXPECT_EQ(seen[i].thread, std::this_thread::get_id());
  }
  EXPECT_LT(energies[11], 0.5 * energies[0]);
  EXPECT_LT(filter->GetEnergy(), energies[12]);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end())) << ::testing::PrintToString(progress);
  EXPECT_EQ(progress.back(), 1.0f);
  EXPECT_GT(progress.size(), 21u);
}

/** A second update gives the same bits in the same memory; nothing is done when nothing changed. */
TEST_P(CudaFluidRegistrationFilterBehavior, RepeatsBitwise)
{
  const auto filter = this->MakeUnbiased();
  filter->SetNumberOfIterations(10);
  filter->Update();
  const auto         result = Numbers<3>(filter->GetOutput());
  const auto         energies = filter->GetEnergies();
  const auto * const memory = filter->GetOutput()->GetBufferPointer();
  const auto         time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetUpdateMTime(), time);
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), memory);
  ExpectSame(Numbers<3>(filter->GetOutput()), result);
  EXPECT_EQ(filter->GetEnergies(), energies);
}

TEST_P(CudaFluidRegistrationFilterBehavior, EndsEarly)
{
  const auto filter = this->MakeUnbiased();
  const auto tag = AtIteration(filter.GetPointer(), 15, [&] { filter->StopRegistration(); });
  filter->Update();
  EXPECT_GE(filter->GetElapsedIterations(), 15u);
  EXPECT_LT(filter->GetElapsedIterations(), this->GetParam().IsCuda() ? 120u : 16u); // a GPU is ahead of its events
  EXPECT_EQ(filter->GetProgress(), 1.0f);
  ExpectOnTheWay(filter->GetOutput());
  EXPECT_LT(filter->GetMeanInverseConsistency(), 0.1);
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u);
  filter->RemoveObserver(tag);
  filter->SetNumberOfIterations(10);
  filter->Update();
  EXPECT_EQ(filter->GetElapsedIterations(), 20u);

  filter->SetNumberOfIterations(500);
  filter->SetConvergenceThreshold(0.05);
  filter->Update();
  EXPECT_LT(filter->GetElapsedIterations(), 500u);
  EXPECT_GE(filter->GetElapsedIterations(), 20u);
}

TEST_P(CudaFluidRegistrationFilterBehavior, KeepsLastFieldWhenAborted)
{
  const auto filter = this->MakeUnbiased();
  const auto tag = AtIteration(filter.GetPointer(), 15, [&] { filter->AbortGenerateDataOn(); });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_GE(filter->GetElapsedIterations(), 15u);
  EXPECT_LT(filter->GetElapsedIterations(), 120u);
  ExpectOnTheWay(filter->GetLastDisplacementField());
  const auto jacobian = cudaneuro::DisplacementFieldJacobianDeterminant(
    this->GetContext(),
    itk::CudaNeuroDetail::GeometryOf<3>(filter->GetLastDisplacementField()),
    itk::CudaNeuroDetail::FieldOf(static_cast<const FieldType *>(filter->GetLastDisplacementField())),
    {});
  EXPECT_EQ(jacobian.numberOfFoldedVoxels, 0);

  // What fails later on does not take it away, and neither does the pipeline.
  const auto last = Numbers<3>(filter->GetLastDisplacementField());
  filter->SetMaximumStep(0.0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  ExpectSame(Numbers<3>(filter->GetLastDisplacementField()), last);
  filter->GetOutput()->ReleaseData();
  ExpectSame(Numbers<3>(filter->GetLastDisplacementField()), last);

  filter->RemoveObserver(tag);
  filter->SetMaximumStep(0.5);
  filter->SetNumberOfIterations(10);
  filter->ReleaseDataBeforeUpdateFlagOn();
  filter->Update();
  ExpectSame(Numbers<3>(filter->GetLastDisplacementField()), Numbers<3>(filter->GetOutput()));
}

/** Both halves are joined, also where the middle has another grid. */
TEST_P(CudaFluidRegistrationFilterBehavior, KeepsTheSymmetricMapWhenAborted)
{
  for (const auto & moving : { Moving<ImageType>(), Moving<ImageType>(ObliqueGrid<ImageType>()) })
  {
    const auto filter = MakeFilter<SymmetricType>(Fixed<ImageType>(), moving, this->GetDevice());
    AtIteration(filter.GetPointer(), 15, [&] { filter->AbortGenerateDataOn(); });
    EXPECT_THROW(filter->Update(), itk::ProcessAborted);
    EXPECT_GE(filter->GetElapsedIterations(), 15u);
    EXPECT_LT(filter->GetElapsedIterations(), 120u);
    ExpectOnTheWay(filter->GetLastDisplacementField());
  }
}

/** An exception of an observer ends the registration as an abort does. */
TEST_P(CudaFluidRegistrationFilterBehavior, KeepsLastFieldWhenItFails)
{
  const auto filter = this->MakeUnbiased();
  AtIteration(filter.GetPointer(), 15, [&] { throw std::runtime_error("from an observer"); });
  EXPECT_THROW(filter->Update(), std::runtime_error);
  ExpectOnTheWay(filter->GetLastDisplacementField());
}

TEST_P(CudaFluidRegistrationFilterBehavior, RejectsBadImages)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               ofFixed = [&](const ImageType * image) {
    return MessageAfter(device, [&](UnbiasedType * filter) { filter->SetFixedImage(image); });
  };
  const auto ofMoving = [&](const ImageType * image) {
    return MessageAfter(device, [&](UnbiasedType * filter) { filter->SetMovingImage(image); });
  };
  ExpectNeedsPixels(ofFixed, ofMoving);
  EXPECT_TRUE(Contains(ofMoving(FarAway()), "the images do not overlap"));
  EXPECT_TRUE(Contains(ofMoving(Constant()),
                       "the intensity of the moving image where the images overlap is 7; it must be not constant"));
  EXPECT_TRUE(Contains(ofFixed(Constant()), "the intensity of the fixed image"));
  EXPECT_TRUE(Contains(ofMoving(NotFinite()), "the number of finite voxels of the moving image is 0"));
  EXPECT_TRUE(Contains(ofFixed(NotFinite()), "the number of finite voxels of the fixed image is 0"));
}

TEST_P(CudaFluidRegistrationFilterBehavior, RejectsBadMasksAndFields)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               message = [&](const auto & change) { return MessageAfter(device, change); };
  ExpectNeedsGoodMasks(
    [&](const itk::ImageBase<3> * mask) {
      return message([&](UnbiasedType * filter) { filter->SetFixedMaskImage(mask); });
    },
    [&](const itk::ImageBase<3> * mask) {
      return message([&](UnbiasedType * filter) { filter->SetMovingMaskImage(mask); });
    });

  const auto ofField = [&](const FieldType * field) {
    return message([&](UnbiasedType * filter) { filter->SetInitialDisplacementField(field); });
  };
  const auto image = CommonGrid<ImageType>();
  const auto larger = KnownField<3>(image.GetPointer());
  larger->SetSpacing(2.0 * larger->GetSpacing());
  EXPECT_TRUE(Contains(
    ofField(larger), "the spacing of the initial displacement field is [2, 2, 2], that of the fixed image [1, 1, 1]"));
  EXPECT_TRUE(Contains(ofField(FoldedField(image)), "folded voxels of the initial displacement field is"));
  EXPECT_TRUE(Contains(message([&](UnbiasedType * filter) { filter->SetInput(2, image); }),
                       "The input InitialDisplacementField is of the class Image, with pixels"));
}

TEST_P(CudaFluidRegistrationFilterBehavior, RejectsBadTransforms)
{
  const auto message = [&](const itk::Transform<double, 3, 3> * transform) {
    return MessageAfter(this->GetDevice(), [&](UnbiasedType * filter) { filter->SetInitialTransform(transform); });
  };
  EXPECT_TRUE(
    Contains(message(WithoutInverse()), "The initial transform cannot be used: its AffineTransform has no inverse"));
  EXPECT_TRUE(Contains(message(NotFiniteTransform()), "AffineTransform, is not finite"));
}

TEST_P(CudaFluidRegistrationFilterBehavior, RejectsBadParameters)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               ofUnbiased = [&](const auto & change) { return MessageAfter<UnbiasedType>(device, change); };
  const auto               ofGreedy = [&](const auto & change) { return MessageAfter<GreedyType>(device, change); };
  const auto ofSymmetric = [&](const auto & change) { return MessageAfter<SymmetricType>(device, change); };
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetMaximumStep(0.0); }), "MaximumStep is 0");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetInterpolation("CubicBSpline"); }),
                 "Interpolation is CubicBSpline; it must be Linear, Nearest or Label");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetNumberOfLevels(0); }), "NumberOfLevels is 0");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) {
                   f->SetNumberOfIterationsPerLevel({ 3, 2, 1 });
                 }),
                 "NumberOfIterationsPerLevel has 3 values");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetShrinkFactorsPerLevel({ 2, 0 }); }), "ShrinkFactors[0] is 0");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetShrinkFactorsPerLevel({ 41, 1 }); }), "ShrinkFactors is 41");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetUpdateFieldStandardDeviations(0.0); }),
                 "UpdateFieldStandardDeviations[0] is 0");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) {
                   f->SetNumberOfLevels(2);
                   f->SetUpdateFieldStandardDeviationsPerLevel({ 3, 2, 1 });
                 }),
                 "UpdateFieldStandardDeviationsPerLevel has 3 values; it must have one for each of the 2 levels");
  ExpectRejected(ofSymmetric([](SymmetricType * f) {
                   f->SetNumberOfLevels(2);
                   f->SetUpdateFieldStandardDeviationsPerLevel({ 3, -1 });
                 }),
                 "UpdateFieldStandardDeviationsPerLevel[1][0] is -1");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetInverseTolerance(0.0); }), "Tolerance is 0");
  ExpectRejected(ofUnbiased([](UnbiasedType * f) { f->SetMaximumNumberOfInverseIterations(0); }), "Iterations is 0");
  ExpectRejected(ofGreedy([](GreedyType * f) {
                   f->SetMetric("MutualInformation");
                   f->MatchIntensitiesOn();
                 }),
                 "false for the metric MutualInformation");
  ExpectRejected(ofGreedy([](GreedyType * f) { f->SetBeta(0.5); }), "Beta is 0.5");
  ExpectRejected(ofGreedy([](GreedyType * f) { f->SetVelocityMethod("Gaussian"); }), "VelocityMethod is Gaussian");
  ExpectRejected(ofSymmetric([](SymmetricType * f) {
                   f->SetVelocityMethod("SuccessiveOverRelaxation");
                   f->SetBeta(0.5);
                 }),
                 "Beta is 0.5");
}

/** Demons' setters, and a step that would fold without the control of it. */
TEST_P(CudaFluidRegistrationFilterBehavior, SmoothsFieldAndForceOnRequest)
{
  const auto filter = this->MakeUnbiased();
  filter->SetNumberOfIterations(20);
  filter->Update();
  const double roughness = filter->GetStandardDeviationLogJacobian();
  filter->SetStandardDeviations(1.0);
  filter->Update();
  EXPECT_LT(filter->GetStandardDeviationLogJacobian(), roughness);
  filter->SetStandardDeviations(0.0);
  filter->Update();
  EXPECT_EQ(filter->GetStandardDeviationLogJacobian(), roughness);

  filter->SmoothUpdateFieldOff();
  filter->SetUnbiasedWeight(0.0);
  filter->SetMaximumStep(1.0);
  filter->Update();
  EXPECT_GT(filter->GetStandardDeviationLogJacobian(), roughness);
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u);
  EXPECT_GT(filter->GetMinimumJacobian(), 0.0);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaFluidRegistrationFilterBehavior);
