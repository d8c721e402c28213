// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Further channels of the atlas filter, and labels of its images.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"
#include "itkTranslationTransform.h"

#include <algorithm>

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

namespace
{

using LabelType = itk::Image<unsigned short, 3>;
using TranslationType = itk::TranslationTransform<double, 3>;

/** An image on the grid of another, of values by index. */
template <typename TImage, typename TValue>
typename TImage::Pointer
OnGridOf(const itk::ImageBase<3> * grid, TValue valueAt)
{
  const auto image = TImage::New();
  image->CopyInformation(grid);
  image->SetRegions(grid->GetLargestPossibleRegion());
  image->Allocate();
  const auto size = grid->GetLargestPossibleRegion().GetSize();
  auto *     values = image->GetBufferPointer();
  for (itk::SizeValueType z = 0; z < size[2]; ++z)
  {
    for (itk::SizeValueType y = 0; y < size[1]; ++y)
    {
      for (itk::SizeValueType x = 0; x < size[0]; ++x)
      {
        *values++ = static_cast<typename TImage::PixelType>(valueAt(x, y, z));
      }
    }
  }
  return image;
}

LabelType::Pointer
Labels(const itk::ImageBase<3> * grid, unsigned short label)
{
  return OnGridOf<LabelType>(grid, [label](auto, auto, auto) { return label; });
}

/** An image with each intensity doubled. */
ImageType::Pointer
Doubled(const ImageType::Pointer & image)
{
  const auto * values = image->GetBufferPointer();
  return OnGridOf<ImageType>(image.GetPointer(), [values](auto, auto, auto) mutable { return 2.0f * *values++; });
}

TranslationType::Pointer
Translation(unsigned int axis, double length)
{
  const auto                        transform = TranslationType::New();
  TranslationType::OutputVectorType offset;
  offset.Fill(0.0);
  offset[axis] = length;
  transform->SetOffset(offset);
  return transform;
}

AtlasType::Pointer
ShortAtlas(const std::vector<ImageType::Pointer> & images, const itk::ComputeDevice & device)
{
  const auto atlas = MakeAtlas(images, device);
  atlas->SetNumberOfIterationsPerLevel({ 4, 2 });
  return atlas;
}

} // namespace

class AtlasFilterChannels : public ItkDeviceTest
{};

class AtlasFilterLabels : public ItkDeviceTest
{};

TEST_P(AtlasFilterChannels, OfWeight0HaveATemplateAlone)
{
  const auto images = Population<ImageType>();
  const auto atlas = ShortAtlas(images, this->GetDevice());
  atlas->Update();
  const auto expected = Pixels(atlas->GetOutput());
  const auto energy = atlas->GetFinalEnergy();
  EXPECT_EQ(atlas->GetNumberOfChannels(), 1u);
  for (unsigned int image = 0; image < 3; ++image)
  {
    atlas->SetChannelImage(1, image, Doubled(images[image]));
    EXPECT_EQ(atlas->GetChannelImage(0, image), images[image].GetPointer());
  }
  atlas->SetChannelWeight(1, 0.0);
  EXPECT_EQ(atlas->GetNumberOfChannels(), 2u);
  ExpectOutput(atlas, expected);
  EXPECT_EQ(atlas->GetFinalChannelEnergies(), (std::vector<double>{ energy, 0.0 }));
  auto doubled = expected;
  std::for_each(doubled.begin(), doubled.end(), [](auto & value) { value *= 2.0f; });
  ExpectSame(Pixels(atlas->GetChannelTemplate(1)), doubled); // a power of 2 is not rounded
  EXPECT_EQ(atlas->GetChannelTemplate(0), atlas->GetOutput());

  // With a weight, it has a say. By mean squares it would have the same: each channel has a unit of its own.
  atlas->SetChannelWeight(1, 1.0);
  atlas->SetChannelMetric(1, "LocalCorrelation");
  atlas->Update();
  EXPECT_NE(Pixels(atlas->GetOutput()), expected);
  EXPECT_EQ(atlas->GetCurrentChannelEnergies().size(), 2u);
}

TEST_P(AtlasFilterChannels, HaveParametersTransformsAndMasks)
{
  const auto images = Population<ImageType>();
  const auto atlas = ShortAtlas(images, this->GetDevice());
  atlas->SetChannelMetric(1, "LocalCorrelation");
  EXPECT_EQ(atlas->GetChannelMetricName(1), "LocalCorrelation");
  atlas->SetChannelMetric(0, "MeanSquares");
  EXPECT_EQ(atlas->GetMetricName(), "MeanSquares");
  atlas->SetChannelCorrelationRadius(1, 2);
  EXPECT_EQ(atlas->GetChannelCorrelationRadius(1), 2u);
  EXPECT_EQ(atlas->GetChannelWeight(1), 1.0);
  for (unsigned int image = 0; image < 3; ++image)
  {
    atlas->SetChannelImage(1, image, Doubled(images[image]));
  }
  atlas->Update();
  const auto expected = Pixels(atlas->GetChannelTemplate(1));

  // The channel of image 2 lies beside the others, and its transform leads there.
  const auto moved = Doubled(images[2]);
  auto       origin = moved->GetOrigin();
  origin[1] += 64.0;
  moved->SetOrigin(origin);
  const auto transform = Translation(1, 64.0);
  atlas->SetChannelImage(1, 2, moved);
  atlas->SetChannelTransform(1, 2, transform);
  EXPECT_EQ(atlas->GetChannelTransform(1, 2), transform.GetPointer());
  atlas->Update();
  // Positions are rounded to 1e-5 voxels, and intensities are up to 2000 with edges of a voxel.
  const auto result = Pixels(atlas->GetChannelTemplate(1));
  double     largest = 0.0;
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    largest = std::max(largest, std::fabs(static_cast<double>(result[i]) - static_cast<double>(expected[i])));
  }
  EXPECT_LT(largest, 1.0);

  const auto mask =
    OnGridOf<itk::Image<unsigned char, 3>>(moved.GetPointer(), [](auto x, auto, auto) { return x > 9; });
  atlas->SetChannelMaskImage(1, 2, mask);
  EXPECT_EQ(atlas->GetChannelMaskImage(1, 2), mask.GetPointer());
  atlas->Update();
  EXPECT_NE(Pixels(atlas->GetChannelTemplate(1)), result);
}

TEST_P(AtlasFilterChannels, HaveMeansAndDeformedImages)
{
  const auto images = Population<ImageType>();
  const auto atlas = ShortAtlas(images, this->GetDevice());
  for (unsigned int image = 0; image < 3; ++image)
  {
    atlas->SetChannelImage(1, image, Doubled(images[image]));
  }
  atlas->SetChannelWeight(1, 0.0);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelInitialMean(1); }), "ComputeInitialMean is Off"));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelDeformedImage(1, 0); }), "ComputeDeformedImages is Off"));
  atlas->ComputeInitialMeanOn();
  atlas->ComputeDeformedImagesOn();
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelInitialMean(2); }), "there are 2 channels"));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelDeformedImage(2, 0); }), "there are 2 channels"));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelDeformedImage(1, 3); }), "there are 3 images"));
  atlas->Update();
  const auto expectDoubled = [](const auto & image, auto first) {
    std::for_each(first.begin(), first.end(), [](auto & value) { value *= 2.0f; });
    ExpectSame(Pixels(image), first); // a power of 2 is not rounded
  };
  expectDoubled(atlas->GetChannelInitialMean(1), Pixels(atlas->GetInitialMean()));
  for (unsigned int image = 0; image < 3; ++image)
  {
    expectDoubled(atlas->GetChannelDeformedImage(1, image), Pixels(atlas->GetDeformedImage(image)));
  }
  EXPECT_EQ(atlas->GetChannelInitialMean(0), atlas->GetInitialMean());
  EXPECT_EQ(atlas->GetChannelDeformedImage(0, 1), atlas->GetDeformedImage(1));
}

TEST_P(AtlasFilterChannels, BadOnesAreNamed)
{
  const auto images = Population<ImageType>();
  const auto atlas = ShortAtlas(images, this->GetDevice());
  atlas->SetChannelImage(1, 0, images[0]);
  atlas->SetChannelImage(1, 2, images[2]);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "The image 1 of channel 1 is not set"));
  atlas->SetChannelImage(1, 1, images[1]);
  atlas->SetChannelImage(1, 3, images[1]);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "an image of a further channel of image 3"));
  atlas->SetChannelImage(1, 3, nullptr);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetChannelTemplate(2); }), "there are 2 channels"));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->SetChannelImage(8, 0, images[0]); }), "channel is 8"));
  atlas->SetChannelMetric(1, "MutualInformation");
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "MutualInformation"));
}

/** Equal images do not move, so that labels stay where they are. */
TEST_P(AtlasFilterLabels, VoteOnTheTemplate)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto atlas = ShortAtlas({ image, image, image }, this->GetDevice());
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetLabelTemplate(); }), "no image has a LabelImage"));
  atlas->SetLabelImage(0, Labels(image.GetPointer(), 9));
  atlas->SetLabelImage(2, OnGridOf<LabelType>(image.GetPointer(), [](auto x, auto, auto) { return x < 8 ? 9 : 4; }));
  atlas->Update();
  std::size_t i = 0;
  const auto  labels = Pixels(atlas->GetLabelTemplate());
  const auto  probability = Pixels(atlas->GetLabelProbability());
  ASSERT_EQ(labels.size(), 17u * 15u * 13u);
  for (; i < labels.size(); ++i)
  {
    EXPECT_EQ(labels[i], i % 17 < 8 ? 9 : 4); // of equal labels the smaller
    EXPECT_EQ(probability[i], i % 17 < 8 ? 1.0f : 0.5f);
  }
  // A weight decides.
  atlas->SetWeights({ 3.0, 1.0, 1.0 });
  atlas->Update();
  EXPECT_EQ(Pixels(atlas->GetLabelTemplate())[12], 9);
  EXPECT_EQ(Pixels(atlas->GetLabelProbability())[12], 0.75f);

  atlas->SetLabelImage(0, nullptr);
  atlas->SetLabelImage(2, nullptr);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetLabelProbability(); }), "no image has a LabelImage"));
  atlas->Update();
}

TEST_P(AtlasFilterLabels, FollowTheInitialTransform)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto moved = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto shift = Translation(0, 32.0);
  auto       origin = moved->GetOrigin();
  origin[0] += 32.0;
  moved->SetOrigin(origin);
  const auto atlas = ShortAtlas({ image, moved }, this->GetDevice());
  atlas->SetReferenceImage(image);
  atlas->SetInitialTransform(1, shift);
  const auto labels =
    OnGridOf<LabelType>(moved.GetPointer(), [](auto x, auto y, auto z) { return x + 20 * y + 400 * z; });
  atlas->SetLabelImage(1, labels);
  atlas->Update();
  // Resampling rounds, and the maps of two images that are nearly equal are far below half a voxel.
  ExpectSame(Pixels(atlas->GetLabelTemplate()), Pixels(labels.GetPointer()));
}

TEST_P(AtlasFilterLabels, BadOnesAreNamed)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto atlas = ShortAtlas({ image, image }, this->GetDevice());
  atlas->SetLabelImage(0, image);
  EXPECT_TRUE(
    Contains(MessageOf([&] { atlas->Update(); }), "Labels must be an Image or a DeviceImage of unsigned char"));
  atlas->SetLabelImage(0, Labels(image.GetPointer(), 65535));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "65535"));
  atlas->SetLabelImage(0, nullptr);
  atlas->SetLabelImage(2, Labels(image.GetPointer(), 1));
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "a label image of image 2"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasFilterChannels);
CUDANEURO_TEST_ON_ALL_DEVICES(AtlasFilterLabels);
