// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Channels of the filters for registration: setters and getters, results, bad input.

#include "LinearPhantom.h"
#include "RegistrationChecks.h"
#include "itk/ParameterTable.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "itkDisplacementFieldTransform.h"

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;
using namespace registrationchecks;
using namespace parametertable;

namespace
{

using LinearType = itk::CudaLinearRegistrationFilter<ImageType>;
using FluidType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
using MaskType = itk::Image<unsigned char, 3>;
using TranslationType = itk::TranslationTransform<double, 3>;
using MetricEnum = cudaneuro::RegistrationMetric;

TranslationType::Pointer
Shift(double x)
{
  VectorOf<3> offset;
  offset.Fill(0.0);
  offset[0] = x;
  const auto transform = TranslationType::New();
  transform->SetOffset(offset);
  return transform;
}

/** An image at another place in space. */
ImageType::Pointer
ShiftedBy(double x, const ImageType::Pointer & image)
{
  ImageType::PointType origin = image->GetOrigin();
  origin[0] += x;
  image->SetOrigin(origin);
  return image;
}

MaskType::Pointer
MaskLike(const ImageType * image)
{
  const auto mask = MaskType::New();
  mask->CopyInformation(image);
  mask->SetRegions(image->GetLargestPossibleRegion());
  mask->Allocate();
  mask->FillBuffer(1);
  return mask;
}

/** Setters and getters, which both kinds of filters have. */
template <typename TFilter>
void
ExpectChannels(MetricEnum metricByDefault)
{
  const auto filter = TFilter::New();
  EXPECT_EQ(filter->GetNumberOfChannels(), 1u);
  EXPECT_EQ(filter->GetChannelMetric(5), metricByDefault);
  EXPECT_EQ(filter->GetChannelWeight(0), 1.0);
  EXPECT_EQ(filter->GetFixedImage(1), nullptr);
  const auto changes = [&](const auto & set) {
    const auto before = filter->GetMTime();
    set();
    const bool isChanged = filter->GetMTime() > before;
    const auto between = filter->GetMTime();
    set();
    EXPECT_EQ(filter->GetMTime(), between) << "the same value again is no change";
    return isChanged;
  };
  const auto image = Moving<ImageType>();
  const auto mask = MaskLike(image);
  EXPECT_TRUE(changes([&] { filter->SetFixedImage(0, image); }));
  EXPECT_EQ(filter->GetFixedImage(), image);
  EXPECT_EQ(filter->GetFixedImage(0), image);
  EXPECT_TRUE(changes([&] { filter->SetMovingImage(2, image); }));
  EXPECT_EQ(filter->GetMovingImage(2), image);
  EXPECT_EQ(filter->GetMovingImage(), nullptr);
  EXPECT_EQ(filter->GetNumberOfChannels(), 3u);
  EXPECT_TRUE(changes([&] { filter->SetFixedMaskImage(0, mask); }));
  EXPECT_EQ(filter->GetFixedMaskImage(), mask);
  EXPECT_TRUE(changes([&] { filter->SetMovingMaskImage(1, mask); }));
  EXPECT_EQ(filter->GetMovingMaskImage(1), mask);

  EXPECT_TRUE(changes([&] { filter->SetChannelWeight(0, 0.25); }));
  EXPECT_TRUE(changes([&] { filter->SetChannelWeight(1, 0.5); }));
  EXPECT_EQ(filter->GetChannelWeight(0), 0.25);
  EXPECT_EQ(filter->GetChannelWeight(1), 0.5);
  EXPECT_EQ(filter->GetParameters().channelWeight, 0.25);
  EXPECT_TRUE(changes([&] { filter->SetChannelMetric(0, "LocalCorrelation"); }));
  EXPECT_EQ(filter->GetMetricName(), "LocalCorrelation");
  EXPECT_TRUE(changes([&] { filter->SetChannelMetric(4, metricByDefault); }));
  EXPECT_EQ(filter->GetNumberOfChannels(), 5u);
  EXPECT_EQ(filter->GetChannelMetric(3), metricByDefault);
  EXPECT_TRUE(changes([&] { filter->SetChannelMetric(3, "LocalCorrelation"); }));
  EXPECT_EQ(filter->GetChannelMetricName(3), "LocalCorrelation");
  EXPECT_TRUE(changes([&] { filter->SetChannelCorrelationRadius(2, 5); }));
  EXPECT_EQ(filter->GetChannelCorrelationRadius(2), 5u);
  EXPECT_TRUE(changes([&] { filter->SetChannelNumberOfHistogramBins(0, 40); }));
  EXPECT_EQ(filter->GetNumberOfHistogramBins(), 40u);
  EXPECT_EQ(filter->GetChannelNumberOfHistogramBins(1), 32u);

  const auto shift = Shift(2.0);
  EXPECT_TRUE(changes([&] { filter->SetChannelFixedTransform(1, shift); }));
  EXPECT_TRUE(changes([&] { filter->SetChannelMovingTransform(6, shift); }));
  EXPECT_EQ(filter->GetChannelFixedTransform(1), shift);
  EXPECT_EQ(filter->GetNumberOfChannels(), 7u);
  const auto before = filter->GetMTime();
  shift->Modified();
  EXPECT_GT(filter->GetMTime(), before) << "a transform that was changed in place";

  ExpectPrints(filter, { "ChannelWeight: 0.25", "Channel 1:", "Weight: 0.5", "CorrelationRadius: 5" });
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetFixedImage(8, image); }), "channel is 8; it must be from 0 to 7"));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetChannelWeight(9, 1.0); }), "channel is 9; it must be from 0 to 7"));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetChannelMovingTransform(0, shift); }), "channel 0"));
}

/** A filter with a second channel, which works. */
template <typename TFilter>
typename TFilter::Pointer
WithSecondChannel(const itk::ComputeDevice & device)
{
  const auto filter = MakeFilter<TFilter>(Moving<ImageType>(), Moving<ImageType>(), device);
  filter->SetNumberOfLevels(1);
  filter->SetNumberOfIterations(1);
  filter->SetFixedImage(1, Moving<ImageType>(ObliqueGrid<ImageType>()));
  filter->SetMovingImage(1, Moving<ImageType>());
  return filter;
}

} // namespace

TEST(CudaRegistrationChannels, HaveSetters)
{
  ExpectChannels<LinearType>(MetricEnum::MutualInformation);
  ExpectChannels<FluidType>(MetricEnum::MeanSquares);
  const auto filter = FluidType::New();
  filter->SetChannelMatchIntensities(1, true);
  EXPECT_TRUE(filter->GetChannelMatchIntensities(1));
  EXPECT_FALSE(filter->GetChannelMatchIntensities(0));
}

class CudaRegistrationChannelsOfFilters : public ItkDeviceTest
{
protected:
  template <typename TFilter>
  void
  ExpectErrors() const
  {
    const auto message = [&](const auto & change) {
      return MessageOfUpdate(WithSecondChannel<TFilter>(this->GetDevice()).GetPointer(), change);
    };
    EXPECT_EQ(message([](TFilter *) {}), "");
    EXPECT_TRUE(Contains(message([](TFilter * f) { f->SetMovingImage(1, nullptr); }),
                         "The moving image of channel 1 is not set"));
    EXPECT_TRUE(
      Contains(message([](TFilter * f) { f->SetChannelWeight(2, 1.0); }), "The fixed image of channel 2 is not set"));
    EXPECT_TRUE(Contains(message([](TFilter * f) { f->SetFixedImage(1, Empty()); }),
                         "The fixed image of channel 1 is empty: its size is [5, 0, 5]"));
    EXPECT_TRUE(Contains(message([](TFilter * f) {
                           f->SetMovingImage(1, NotAllocated({ { 5, 6, 5 } }));
                         }),
                         "The pixels of the moving image of channel 1 are not there"));
    EXPECT_TRUE(Contains(message([](TFilter * f) { f->SetFixedMaskImage(1, MaskLike(f->GetFixedImage())); }),
                         "of the fixed mask of channel 1 is"));
    EXPECT_TRUE(Contains(message([](TFilter * f) { f->SetMovingMaskImage(1, Moving<ImageType>()); }),
                         "the moving mask of channel 1 is a"));
    EXPECT_TRUE(Contains(
      message([](TFilter * f) { f->SetChannelMovingTransform(1, itk::DisplacementFieldTransform<double, 3>::New()); }),
      "The moving transform of channel 1"));
    const auto parameters = [&](const auto & change) {
      const auto filter = WithSecondChannel<TFilter>(this->GetDevice());
      return MessageOf([&] {
        change(filter.GetPointer());
        filter->VerifyParameters();
      });
    };
    EXPECT_EQ(parameters([](TFilter *) {}), "");
  }
};

TEST_P(CudaRegistrationChannelsOfFilters, AreRefusedByNumber)
{
  this->ExpectErrors<LinearType>();
  this->ExpectErrors<FluidType>();
  const auto message = [&](const auto & change) {
    return MessageOfUpdate(WithSecondChannel<LinearType>(this->GetDevice()).GetPointer(), change);
  };
  ExpectRejected(message([](auto * f) { f->SetChannelWeight(1, -2.0); }), "channel 1: Weight is -2");
  ExpectRejected(message([](auto * f) {
                   f->SetChannelWeight(0, 0.0);
                   f->SetChannelWeight(1, 0.0);
                 }),
                 "ChannelWeight is 0");
  ExpectRejected(message([](auto * f) { f->SetChannelNumberOfHistogramBins(1, 7); }),
                 "channel 1: NumberOfHistogramBins is 7");
}

/** The first channel has no weight and would give the identity; the second one lies elsewhere in space. */
TEST_P(CudaRegistrationChannelsOfFilters, FindATransform)
{
  const auto known = KnownTransform<3>("Rigid");
  const auto filter = MakeFilter<LinearType>(Moving<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetTransformType("Rigid");
  filter->SetChannelWeight(0, 0.0);
  const auto fixed = ShiftedBy(50.0, SeenThrough<ImageType>(known));
  filter->SetFixedImage(1, fixed);
  filter->SetMovingImage(1, ShiftedBy(-30.0, Moving<ImageType>()));
  filter->SetChannelFixedTransform(1, Shift(50.0));
  filter->SetChannelMovingTransform(1, Shift(-30.0));
  filter->Update();
  // As CudaLinearRegistrationFilter.RecoversKnownTransforms has it.
  EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), 0.28);
  const auto values = filter->GetChannelMetricValues();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0], 0.0);
  EXPECT_EQ(values[1], filter->GetMetricValue());

  // The same images in place of the first channel's.
  const auto alone = MakeFilter<LinearType>(SeenThrough<ImageType>(known), Moving<ImageType>(), this->GetDevice());
  alone->SetTransformType("Rigid");
  alone->SetFixedImage(1, fixed);
  alone->SetMovingImage(1, Moving<ImageType>());
  alone->SetChannelFixedTransform(1, Shift(50.0));
  alone->Update();
  EXPECT_LT(LargestDistance<3>(alone->GetTransform(), known), 0.28);
  EXPECT_NEAR(alone->GetChannelMetricValues()[0], alone->GetChannelMetricValues()[1], 1e-3);

  // A mask of the channel hides a part of it that has been spoiled.
  const auto mask = MaskLike(fixed);
  for (itk::IndexValueType x = 0; x < 15; ++x)
  {
    for (itk::IndexValueType y = 0; y < 40; ++y)
    {
      for (itk::IndexValueType z = 0; z < 40; ++z)
      {
        const ImageType::IndexType index{ { x, y, z } };
        if (fixed->GetLargestPossibleRegion().IsInside(index))
        {
          fixed->SetPixel(index, 400.0f * static_cast<float>((x + y + z) % 2));
          mask->SetPixel(index, 0);
        }
      }
    }
  }
  fixed->Modified();
  filter->SetFixedMaskImage(1, mask);
  filter->Update();
  EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), 0.4);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaRegistrationChannelsOfFilters);
