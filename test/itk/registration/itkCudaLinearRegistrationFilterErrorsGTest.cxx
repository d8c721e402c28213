// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// How CudaLinearRegistrationFilter behaves: events, abort, bad input.

#include "LinearPhantom.h"
#include "RegistrationChecks.h"
#include "itkCompositeTransform.h"

#include <algorithm>
#include <thread>

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;
using namespace registrationchecks;

namespace
{

using FilterType = itk::CudaLinearRegistrationFilter<ImageType>;

/** The message of an update after \p change of a filter that works without. */
template <typename TChange>
std::string
MessageAfter(const itk::ComputeDevice & device, const TChange & change)
{
  const auto filter = MakeFilter<FilterType>(Moving<ImageType>(), Moving<ImageType>(), device);
  filter->SetNumberOfIterations(2);
  return MessageOfUpdate(filter.GetPointer(), change);
}

} // namespace

class CudaLinearRegistrationFilterBehavior : public ItkDeviceTest
{
protected:
  /** A filter that is to be looked at while it runs. */
  FilterType::Pointer
  MakeAffine() const
  {
    const auto filter = MakeFilter<FilterType>(
      SeenThrough<ImageType>(KnownTransform<3>("Affine")), Moving<ImageType>(), this->GetDevice());
    filter->SetConvergenceThreshold(1e-6);
    return filter;
  }

  /** How far what a filter has found is from the known transform. */
  static double
  ErrorOf(const FilterType * filter)
  {
    return LargestDistance<3>(filter->GetTransform(), KnownTransform<3>("Affine"));
  }
};

TEST_P(CudaLinearRegistrationFilterBehavior, TellsIterationsInOrder)
{
  const auto filter = this->MakeAffine();
  filter->SetNumberOfIterationsPerLevel({ 6, 4 });
  std::vector<cudaneuro::LinearRegistrationIteration> seen;
  std::vector<float>                                  progress;
  const auto                                          caller = std::this_thread::get_id();
  filter->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(filter->GetElapsedIterations(), seen.size() + 1);
    seen.push_back({ filter->GetCurrentLevel(),
                     filter->GetCurrentIteration(),
                     filter->GetCurrentMetricValue(),
                     filter->GetCurrentStep() });
  });
  filter->AddObserver(itk::ProgressEvent(),
                      [&](const itk::EventObject &) { progress.push_back(filter->GetProgress()); });
  filter->Update();
  EXPECT_EQ(filter->GetElapsedIterations(), seen.size());
  const auto values = filter->GetMetricValues();
  ASSERT_EQ(values.size(), seen.size());
  ASSERT_GE(seen.size(), 2u);
  EXPECT_LE(seen.size(), 10u);
  for (std::size_t i = 0; i < seen.size(); ++i)
  {
    const bool isFirst = i == 0 || seen[i].level != seen[i - 1].level;
    EXPECT_EQ(seen[i].level, i == 0 ? 0 : seen[i - 1].level + (isFirst ? 1 : 0));
    EXPECT_EQ(seen[i].iteration, isFirst ? 0 : seen[i - 1].iteration + 1);
    EXPECT_EQ(seen[i].value, values[i]);
    EXPECT_EQ(seen[i].value, filter->GetIterations()[i].value);
    EXPECT_GE(seen[i].step, 0.0);
  }
  EXPECT_EQ(seen.back().level, 1);
  EXPECT_LE(filter->GetMetricValue(), seen.back().value);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end())) << ::testing::PrintToString(progress);
  EXPECT_EQ(progress.back(), 1.0f);
}

/** A second update gives the same bits; nothing is done when nothing changed. */
TEST_P(CudaLinearRegistrationFilterBehavior, RepeatsBitwise)
{
  const auto filter = this->MakeAffine();
  filter->SetNumberOfIterations(10);
  filter->Update();
  const itk::SmartPointer<const TransformOf<3>> first = filter->GetTransform();
  const auto                                    values = filter->GetMetricValues();
  const auto                                    warped = Pixels(filter->GetWarpedImage());
  const auto                                    time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
  EXPECT_EQ(filter->GetTransform(), first.GetPointer());
  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetUpdateMTime(), time);
  EXPECT_NE(filter->GetTransform(), first.GetPointer()) << "what was given out must stay as it is";
  EXPECT_EQ(filter->GetTransform()->GetParameters(), first->GetParameters());
  EXPECT_EQ(filter->GetMetricValues(), values);
  ExpectSame(Pixels(filter->GetWarpedImage()), warped);
}

TEST_P(CudaLinearRegistrationFilterBehavior, EndsEarly)
{
  const auto filter = this->MakeAffine();
  const auto tag = AtIteration(filter.GetPointer(), 3, [&] { filter->StopRegistration(); });
  filter->Update();
  EXPECT_EQ(filter->GetElapsedIterations(), 3u);
  EXPECT_EQ(filter->GetProgress(), 1.0f);
  const double stopped = ErrorOf(filter);
  EXPECT_EQ(filter->GetWarpedImage()->GetBufferedRegion(), filter->GetFixedImage()->GetBufferedRegion());
  filter->RemoveObserver(tag);
  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetElapsedIterations(), 3u);
  EXPECT_LT(ErrorOf(filter), stopped);
}

TEST_P(CudaLinearRegistrationFilterBehavior, KeepsBestTransformWhenAborted)
{
  const auto filter = this->MakeAffine();
  bool       fails = false;
  const auto tag = AtIteration(filter.GetPointer(), 5, [&] {
    if (fails)
    {
      throw std::runtime_error("from an observer");
    }
    filter->AbortGenerateDataOn();
  });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_GE(filter->GetElapsedIterations(), 5u);
  const double start = LargestDistance<3>(itk::TranslationTransform<double, 3>::New(), KnownTransform<3>("Affine"));
  const double aborted = ErrorOf(filter);
  EXPECT_LT(aborted, 0.5 * start);
  EXPECT_TRUE(filter->GetInverseTransform().IsNotNull());

  fails = true;
  EXPECT_THROW(filter->Update(), std::runtime_error);
  EXPECT_LT(ErrorOf(filter), 0.5 * start);

  filter->RemoveObserver(tag);
  filter->Update();
  EXPECT_LT(ErrorOf(filter), aborted);

  // One that does not come to an iteration has no transform.
  filter->SetMinimumOverlap(2.0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetTransform(); }),
                       "There is no transform yet: the last update has not come to its first iteration"));
}

TEST_P(CudaLinearRegistrationFilterBehavior, RejectsBadImages)
{
  const itk::ComputeDevice device = this->GetDevice();
  const auto               ofFixed = [&](const ImageType * image) {
    return MessageAfter(device, [&](FilterType * filter) { filter->SetFixedImage(image); });
  };
  const auto ofMoving = [&](const ImageType * image) {
    return MessageAfter(device, [&](FilterType * filter) { filter->SetMovingImage(image); });
  };
  ExpectNeedsPixels(ofFixed, ofMoving);
  EXPECT_TRUE(Contains(MessageAfter(device,
                                    [](FilterType * filter) {
                                      filter->SetMovingImage(FarAway());
                                      filter->SetStart("InitialTransform");
                                    }),
                       "overlap"));
  EXPECT_TRUE(Contains(ofMoving(Constant()), "the moving image"));
  EXPECT_TRUE(Contains(ofMoving(Constant()), "is 7; it must be not constant"));
  EXPECT_TRUE(Contains(ofFixed(Constant()), "the fixed image"));
  EXPECT_TRUE(Contains(ofMoving(NotFinite()), "the number of finite voxels of the moving image is 0"));
  EXPECT_TRUE(Contains(ofFixed(NotFinite()), "the number of finite voxels of the fixed image is 0"));
}

TEST_P(CudaLinearRegistrationFilterBehavior, RejectsImagesOnOtherDevices)
{
  const itk::ComputeDevice device = this->GetDevice();
  if (!device.IsCuda())
  {
    GTEST_SKIP() << "there is no other device";
  }
  const auto filter = itk::CudaLinearRegistrationFilter<ImageType, itk::DeviceImage<float, 3>>::New();
  filter->SetComputeDevice(device);
  filter->SetFixedImage(Moving<ImageType>());
  filter->SetMovingImage(Upload(Moving<ImageType>().GetPointer(), itk::ComputeDevice()));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "The pixels of the moving image are on device cpu"));
}

TEST_P(CudaLinearRegistrationFilterBehavior, RejectsBadMasks)
{
  const auto ofFixedMask = [&](const itk::ImageBase<3> * mask) {
    return MessageAfter(this->GetDevice(), [&](FilterType * filter) { filter->SetFixedMaskImage(mask); });
  };
  ExpectNeedsGoodMasks(ofFixedMask, [&](const itk::ImageBase<3> * mask) {
    return MessageAfter(this->GetDevice(), [&](FilterType * filter) { filter->SetMovingMaskImage(mask); });
  });
  const auto image = CommonGrid<ImageType>();
  const auto larger = ConstantMask<3>(image, 1);
  larger->SetSpacing(2.0 * image->GetSpacing());
  EXPECT_TRUE(
    Contains(ofFixedMask(larger), "spacing of the fixed mask is [2, 2, 2], that of the fixed image [1, 1, 1]"));
}

namespace
{

/** A transform of ITK's that is not linear. */
class BentTransform : public AffineType
{
public:
  using Self = BentTransform;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);
  const char *
  GetNameOfClass() const override
  {
    return "BentTransform";
  }
  bool
  IsLinear() const override
  {
    return false;
  }
};

} // namespace

TEST_P(CudaLinearRegistrationFilterBehavior, RejectsBadTransforms)
{
  const auto message = [&](const TransformOf<3> * transform, const char * type) {
    return MessageAfter(this->GetDevice(), [&](FilterType * filter) {
      filter->SetInitialTransform(transform);
      filter->SetTransformType(type);
    });
  };
  const auto bent = BentTransform::New();
  EXPECT_TRUE(Contains(message(bent, "Affine"), "it is (BentTransform), and BentTransform is not linear"));
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(KnownTransform<3>("Rigid"));
  composite->AddTransform(bent);
  EXPECT_TRUE(Contains(message(composite, "Affine"),
                       "it is (VersorRigid3DTransform, BentTransform), and BentTransform is not linear"));

  const auto rigid = KnownTransform<3>("Rigid");
  EXPECT_TRUE(Contains(message(rigid, "Translation"), "The matrix of the initial transform is [0.99"));
  EXPECT_TRUE(Contains(message(rigid, "Translation"), "for the TransformType Translation it must be the identity"));
  const auto scale = AffineType::New();
  scale->Scale(1.5);
  EXPECT_TRUE(Contains(message(scale, "Rigid"),
                       "The matrix of the initial transform is [1.5 0 0; 0 1.5 0; 0 0 1.5]; for the TransformType "
                       "Rigid it must be a rotation"));
  EXPECT_EQ(message(scale, "Similarity"), "");
  const auto                   mirror = AffineType::New();
  AffineType::OutputVectorType axes(1.0);
  axes[0] = -1.0;
  mirror->Scale(axes);
  EXPECT_TRUE(Contains(message(mirror, "Rigid"), "it must be a rotation"));
  EXPECT_TRUE(Contains(message(mirror, "Similarity"), "it must be a rotation times a positive scale"));
  EXPECT_TRUE(Contains(message(KnownTransform<3>("Affine"), "Similarity"), "a rotation times a positive scale"));

  EXPECT_TRUE(Contains(message(WithoutInverse(), "Affine"), "its AffineTransform has no inverse"));
  EXPECT_TRUE(Contains(message(NotFiniteTransform(), "Affine"), "AffineTransform, is not finite"));
}

TEST_P(CudaLinearRegistrationFilterBehavior, RejectsBadParameters)
{
  const auto expect = [&](const auto & change, const std::string & part) {
    ExpectRejected(MessageAfter(this->GetDevice(), change), part);
  };
  expect([](FilterType * f) { f->SetIntensityQuantiles(0.5, 0.25); }, "IntensityQuantiles[0] is 0.5");
  expect([](FilterType * f) { f->SetSearchAngle(181.0); }, "SearchAngle is 181");
  expect([](FilterType * f) { f->SetMaximumScale(0.9); }, "MaximumScale is 0.9");
  expect(
    [](FilterType * f) {
      f->SetMetric("MeanSquares");
      f->SetVoxelWeighting("Depth");
    },
    "VoxelWeighting is Depth; it must be Automatic or Uniform with MeanSquares");
  expect([](FilterType * f) { f->SetNumberOfLevels(0); }, "NumberOfLevels is 0");
  expect([](FilterType * f) { f->SetInterpolation("WindowedSinc"); },
         "Interpolation is WindowedSinc; it must be Linear, Nearest or Label");
  expect(
    [](FilterType * f) {
      f->SetNumberOfIterationsPerLevel({ 3, 2, 1 });
    },
    "NumberOfIterationsPerLevel has 3 values");
  expect([](FilterType * f) { f->SetShrinkFactorsPerLevel({ 2, 0 }); }, "ShrinkFactors[0] is 0");
  expect(
    [](FilterType * f) {
      f->SetTransformType("Translation");
      f->SetStart("PrincipalAxes");
    },
    "Start is PrincipalAxes");
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaLinearRegistrationFilterBehavior);
