// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// How the registration filters behave: parameters, events, abort, bad input.

#include "ParameterTable.h"
#include "RegistrationChecks.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

#include <thread>

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;
using namespace parametertable;

namespace
{

using FieldType = FieldOf<3>;
using UnbiasedType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
using GreedyType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
using SymmetricType = itk::CudaSymmetricRegistrationFilter<ImageType>;

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
