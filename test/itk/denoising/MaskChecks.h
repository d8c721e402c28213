// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MaskChecks_h
#define MaskChecks_h

#include "FilterChecks.h"
#include "itk/TestImages.h"

#include <limits>
#include <vector>

/** What every denoising filter must do with voxels that are not to be looked at: those outside a mask, NaN and
 * infinity. Traits are as in FilterChecks.h. */
namespace filterchecks
{

/** Masked voxels keep their value; a mask is the same as an image and as a device image. */
template <typename TTraits>
void
CheckMask(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto mask = BallMaskFor<3>(input);
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  filter->SetMaskImage(mask);
  filter->Update();
  const std::vector<double> result = Pixels(filter->GetOutput());
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    if (mask->GetBufferPointer()[i] == 0)
    {
      ASSERT_EQ(result[i], input->GetBufferPointer()[i]) << "at " << i;
    }
  }
  EXPECT_NE(result, Pixels(input.GetPointer()));

  filter->SetMaskImage(Upload(mask.GetPointer(), device));
  ExpectOutput(filter, result);

  filter->SetMaskImage(input);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "must be an Image or a DeviceImage of unsigned char"));

  filter->SetMaskImage(nullptr);
  filter->Update();
  EXPECT_NE(Pixels(filter->GetOutput()), result);
}

/** A mask of another geometry is an error that names it. */
template <typename TTraits>
void
CheckMaskOfOtherGeometry(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto messageFor = [&](const MaskOf<3> * mask) {
    const auto filter = MakeFilter<TTraits, ImageType>(input, device);
    filter->SetMaskImage(mask);
    return MessageOf([&] { filter->Update(); });
  };
  const auto moved = BallMaskFor<3>(input);
  moved->SetOrigin(ImageType::PointType());
  EXPECT_TRUE(Contains(messageFor(moved), "the origin of MaskImage is [0, 0, 0]"));

  const auto stretched = BallMaskFor<3>(input);
  stretched->SetSpacing(2.0 * input->GetSpacing());
  EXPECT_TRUE(Contains(messageFor(stretched), "the spacing of MaskImage is [1.8, 2.4, 3]"));

  const auto               turned = BallMaskFor<3>(input);
  ImageType::DirectionType identity;
  identity.SetIdentity();
  turned->SetDirection(identity);
  EXPECT_TRUE(Contains(messageFor(turned), "the direction of MaskImage"));

  const auto larger = MaskOf<3>::New();
  larger->CopyInformation(input);
  auto region = input->GetLargestPossibleRegion();
  region.SetSize(1, region.GetSize(1) + 1);
  larger->SetRegions(region);
  larger->Allocate();
  EXPECT_TRUE(Contains(messageFor(larger), "the size of MaskImage is [19, 16, 11]"));

  const auto shifted = MaskOf<3>::New();
  shifted->CopyInformation(input);
  region = input->GetLargestPossibleRegion();
  region.SetIndex(2, region.GetIndex(2) + 1);
  shifted->SetRegions(region);
  shifted->Allocate();
  EXPECT_TRUE(Contains(messageFor(shifted), "the first index of MaskImage"));
}

/** NaN and infinity stay where they are, and act on the others as if masked out. */
template <typename TTraits>
void
CheckNotFinite(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto mask = ConstantMask<3>(input, 1);
  const auto masked = MakeFilter<TTraits, ImageType>(input, device);
  masked->SetMaskImage(mask);

  const auto  notFinite = Phantom<ImageType>();
  const auto  values = { std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity() };
  std::size_t at = 0;
  for (const float value : values)
  {
    at += 641; // somewhere else in x, y and z each time
    notFinite->GetBufferPointer()[at] = value;
    mask->GetBufferPointer()[at] = 0;
  }
  masked->Update();
  std::vector<double> expected = Pixels(masked->GetOutput());
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    if (mask->GetBufferPointer()[i] == 0)
    {
      expected[i] = notFinite->GetBufferPointer()[i];
    }
  }
  const auto filter = MakeFilter<TTraits, ImageType>(notFinite, device);
  ExpectOutput(filter, expected);
}

} // namespace filterchecks

#endif
