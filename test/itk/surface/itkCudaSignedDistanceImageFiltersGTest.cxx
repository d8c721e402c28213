// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Distances from images: those to the zero level, and those to the boundaries of labels.

#include "SurfaceImages.h"
#include "itk/ItkDeviceTest.h"
#include "itkCommand.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"

#include <limits>

using namespace surfaceimages;

namespace
{

using ImageType = ImageOf<float, 3>;
using DeviceImageType = itk::DeviceImage<float, 3>;
using LabelImageType = ImageOf<unsigned char, 3>;
using ReinitializeType = itk::CudaReinitializeSignedDistanceImageFilter<ImageType>;
using LabelFilterType = itk::CudaLabelToSignedDistanceImageFilter<LabelImageType, ImageType>;

class CudaReinitializeSignedDistanceImageFilter : public ItkDeviceTest
{
protected:
  template <typename TInput, typename TOutput = TInput>
  auto
  MakeFilter(const TInput * input)
  {
    const auto filter =
      OnDevice<itk::CudaReinitializeSignedDistanceImageFilter<TInput, TOutput>>(this->GetDevice(), input);
    return filter;
  }
};

class CudaLabelToSignedDistanceImageFilter : public CudaReinitializeSignedDistanceImageFilter
{
protected:
  template <typename TInput, typename TOutput = ImageType>
  auto
  MakeLabelFilter(const TInput * input)
  {
    const auto filter = OnDevice<itk::CudaLabelToSignedDistanceImageFilter<TInput, TOutput>>(this->GetDevice(), input);
    filter->SetReach(2.5);
    return filter;
  }

  /** What the engine gives for a label on a grid that may be larger than the image: labels are copied voxel by
   * voxel. */
  template <typename TLabelImage>
  std::vector<double>
  CallEngine(const TLabelImage * labels, int label, const itk::ImageBase<3> * grid, double reach)
  {
    const auto                 region = grid->GetLargestPossibleRegion();
    std::vector<unsigned char> part;
    for (itk::ImageRegionConstIteratorWithIndex<ImageType> it(Blank(grid), region); !it.IsAtEnd(); ++it)
    {
      const bool isInside = labels->GetLargestPossibleRegion().IsInside(it.GetIndex());
      part.push_back(isInside && labels->GetPixel(it.GetIndex()) == label ? 1 : 0);
    }
    std::vector<float>                  output(part.size());
    cudaneuro::SignedDistanceParameters parameters;
    parameters.reach = reach;
    cudaneuro::SignedDistanceOfLabel(
      GetContext(), parameters, 1.0, itk::CudaNeuroDetail::GridOf<3>(grid), ConstView(part), View(output));
    return { output.begin(), output.end() };
  }

  /** Something to walk over. */
  static ImageType::Pointer
  Blank(const itk::ImageBase<3> * grid)
  {
    const auto image = ImageType::New();
    image->CopyInformation(grid);
    image->SetRegions(grid->GetLargestPossibleRegion());
    image->Allocate();
    return image;
  }

  template <typename TLabelImage>
  void
  CheckLabels(const TLabelImage * input, const std::vector<int> & labels)
  {
    const auto filter = this->MakeLabelFilter(input);
    filter->Update();
    EXPECT_EQ(filter->GetLabels(), labels);
    ASSERT_EQ(filter->GetNumberOfIndexedOutputs(), labels.size());
    for (unsigned int i = 0; i < labels.size(); ++i)
    {
      EXPECT_EQ(filter->GetOutputOfLabel(labels[i]), filter->GetOutput(i));
      ExpectSame(Pixels(filter->GetOutput(i)), this->CallEngine(input, labels[i], filter->GetOutput(i), 2.5));
    }
  }
};

} // namespace

TEST_P(CudaReinitializeSignedDistanceImageFilter, IsTheDistanceToTheZeroLevel)
{
  const auto input = BallDistance<ImageType>(3.0);
  const auto distance = BallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  filter->SetReach(4.0);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), input);
  EXPECT_EQ(filter->GetUsedReach(), 4.0);
  std::vector<double> expected = Pixels(distance.GetPointer());
  for (double & value : expected)
  {
    value = std::min(std::max(value, -4.0), 4.0);
  }
  // Triangles cut what is curved off: chords of a diagonal of 2.1 mm by 2.1^2 / (8 * 6) mm, and interpolation as much
  // again.
  ExpectSame(Pixels(filter->GetOutput()), expected, 0.2);
}

TEST_P(CudaReinitializeSignedDistanceImageFilter, PassesReachOn)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  for (const double reach : { 0.0, 1.7, 5.0 })
  {
    filter->SetReach(reach);
    filter->Update();
    EXPECT_EQ(filter->GetReach(), reach);
    // The largest spacing is 1.5 mm.
    EXPECT_NEAR(filter->GetUsedReach(), reach > 0.0 ? reach : 12.0, 1e-12);
    cudaneuro::SignedDistanceParameters parameters;
    parameters.reach = filter->GetUsedReach();
    std::vector<float> output(input->GetLargestPossibleRegion().GetNumberOfPixels());
    cudaneuro::ReinitializeSignedDistance(GetContext(),
                                          parameters,
                                          itk::CudaNeuroDetail::GridOf<3>(input.GetPointer()),
                                          itk::CudaNeuroDetail::VolumeOf(static_cast<const ImageType *>(input)),
                                          View(output));
    ExpectSame(Pixels(filter->GetOutput()), { output.begin(), output.end() });
  }
}

TEST_P(CudaReinitializeSignedDistanceImageFilter, TakesAndGivesDeviceImages)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  const auto                onDevice = Upload(input.GetPointer(), this->GetDevice());
  const auto                both = this->MakeFilter(onDevice.GetPointer());
  ExpectOutput(both, expected);
  const auto down = this->MakeFilter<DeviceImageType, ImageOf<double, 3>>(onDevice.GetPointer());
  ExpectOutput(down, expected);
  const auto up = this->MakeFilter<ImageType, DeviceImageType>(input.GetPointer());
  ExpectOutput(up, expected);
}

TEST_P(CudaReinitializeSignedDistanceImageFilter, RejectsBadInput)
{
  const auto messageFor = [&](const ImageType * input, double reach = 0.0) {
    const auto filter = this->MakeFilter(input);
    filter->SetReach(reach);
    return MessageOf([&] { filter->Update(); });
  };
  const auto good = BallDistance<ImageType>();
  EXPECT_EQ(messageFor(good), "");
  EXPECT_TRUE(Contains(messageFor(nullptr), "Input Primary is required"));
  EXPECT_TRUE(Contains(messageFor(good, -1.0), "Reach is -1; it must be positive"));
  EXPECT_TRUE(Contains(messageFor(good, std::numeric_limits<double>::infinity()), "Reach is inf"));
  const auto positive = BallDistance<ImageType>();
  positive->FillBuffer(3.0f);
  EXPECT_NE(messageFor(positive), "");
  const auto notFinite = BallDistance<ImageType>();
  notFinite->GetBufferPointer()[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(messageFor(notFinite), "");
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaReinitializeSignedDistanceImageFilter);

/** In ascending order, with the numbers of the engine, for every type of labels. */
TEST_P(CudaLabelToSignedDistanceImageFilter, HasAnOutputForEachLabel)
{
  this->CheckLabels(ThreeLabels<LabelImageType>(200, 3, 17).GetPointer(), { 3, 17, 200 });
  this->CheckLabels(ThreeLabels<ImageOf<short, 3>>(-5, 3000, 1).GetPointer(), { -5, 1, 3000 });
  this->CheckLabels(ThreeLabels<ImageOf<unsigned short, 3>>(65535, 40000, 1).GetPointer(), { 1, 40000, 65535 });
}

/** Inside is where the label is; the label's box has Reach around it, beyond the image, too, and all surfaces are
 * closed. */
TEST_P(CudaLabelToSignedDistanceImageFilter, HasEachLabelInItsPlace)
{
  const auto input = ThreeLabels<LabelImageType>(1, 2, 3);
  const auto filter = this->MakeLabelFilter(input.GetPointer());
  filter->Update();
  for (unsigned int i = 0; i < 3; ++i)
  {
    const ImageType * const output = filter->GetOutput(i);
    const auto              region = output->GetLargestPossibleRegion();
    EXPECT_EQ(output->GetBufferedRegion(), region);
    EXPECT_EQ(output->GetSpacing(), input->GetSpacing());
    EXPECT_EQ(output->GetOrigin(), input->GetOrigin());
    EXPECT_EQ(output->GetDirection(), input->GetDirection());
    itk::SizeValueType inside = 0;
    for (itk::ImageRegionConstIteratorWithIndex<ImageType> it(output, region); !it.IsAtEnd(); ++it)
    {
      const IndexType index = it.GetIndex();
      const bool      isLabel =
        input->GetLargestPossibleRegion().IsInside(index) && input->GetPixel(index) == static_cast<int>(i) + 1;
      ASSERT_EQ(it.Get() < 0.0f, isLabel) << index;
      inside += isLabel ? 1 : 0;
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        if (index[axis] == region.GetIndex(axis) || index[axis] == region.GetUpperIndex()[axis])
        {
          ASSERT_EQ(it.Get(), 2.5f) << "the edge is nearer than Reach at " << index;
        }
      }
    }
    const itk::SizeValueType all =
      std::count(input->GetBufferPointer(),
                 input->GetBufferPointer() + input->GetLargestPossibleRegion().GetNumberOfPixels(),
                 i + 1);
    EXPECT_EQ(inside, all);
  }
  // 2.5 mm and half a voxel are 4, 3 and 3 voxels of 0.9, 1.2 and 1.5 mm. The first voxel is (3, -1, -5).
  EXPECT_EQ(filter->GetOutput(0)->GetLargestPossibleRegion(),
            ImageType::RegionType(IndexType{ { -1, -4, -8 } }, SizeType{ { 12, 9, 8 } }));
}

TEST_P(CudaLabelToSignedDistanceImageFilter, ComputesTheChosenLabels)
{
  const auto input = ThreeLabels<LabelImageType>(200, 3, 17);
  const auto filter = this->MakeLabelFilter(input.GetPointer());
  filter->SetLabels({ 200, 3, 200 });
  filter->Update();
  EXPECT_EQ(filter->GetLabels(), (std::vector<int>{ 3, 200 }));
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 2u);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetOutputOfLabel(17); }), "no output of label 17"));

  filter->SetLabels({ 3, 4 });
  EXPECT_TRUE(
    Contains(MessageOf([&] { filter->Update(); }), "Label 4 is not in the image, whose 3 labels are from 3 to"));

  // What was the background, where another is.
  filter->SetLabels({ 0 });
  filter->SetBackgroundValue(3);
  filter->Update();
  EXPECT_EQ(filter->GetLabels(), std::vector<int>{ 0 });
  filter->SetLabels({});
  filter->Update();
  EXPECT_EQ(filter->GetLabels(), (std::vector<int>{ 0, 17, 200 }));
}

/** Outputs come and go with the labels, and the output's consumers see new pixels. */
TEST_P(CudaLabelToSignedDistanceImageFilter, FollowsItsInput)
{
  const auto input = ThreeLabels<LabelImageType>(1, 2, 3);
  const auto filter = this->MakeLabelFilter(input.GetPointer());
  const auto reinitialize = this->MakeFilter(filter->GetOutput());
  reinitialize->Update();
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 3u);
  const auto ofLast = this->MakeFilter(filter->GetOutput(2));
  ofLast->Update();
  const auto time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  filter->GetOutput(2)->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time); // nothing changed, nothing done

  input->FillBuffer(0);
  input->SetPixel({ { 9, 5, 0 } }, 7);
  input->Modified();
  reinitialize->Update();
  EXPECT_EQ(filter->GetLabels(), std::vector<int>{ 7 });
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 1u);
  EXPECT_EQ(reinitialize->GetOutput()->GetLargestPossibleRegion(), filter->GetOutput()->GetLargestPossibleRegion());
  EXPECT_TRUE(Contains(MessageOf([&] { ofLast->Update(); }), "The input image is empty"));
}

TEST_P(CudaLabelToSignedDistanceImageFilter, TakesAndGivesDeviceImages)
{
  const auto input = ThreeLabels<LabelImageType>(1, 2, 3);
  const auto filter = this->MakeLabelFilter(input.GetPointer());
  filter->Update();
  // The labels come out of a pipeline.
  const auto upload = OnDevice<itk::DeviceUploadImageFilter<LabelImageType>>(this->GetDevice(), input);
  using DeviceLabelType = itk::DeviceImage<unsigned char, 3>;
  const auto onDevice = this->MakeLabelFilter<DeviceLabelType, DeviceImageType>(upload->GetOutput());
  onDevice->Update();
  EXPECT_EQ(onDevice->GetLabels(), filter->GetLabels());
  for (unsigned int i = 0; i < 3; ++i)
  {
    ExpectSame(Pixels(onDevice->GetOutput(i)), Pixels(filter->GetOutput(i)));
    ExpectSameGeometry<3>(onDevice->GetOutput(i), filter->GetOutput(i));
  }
}

TEST_P(CudaLabelToSignedDistanceImageFilter, RejectsBadInput)
{
  const auto input = ThreeLabels<LabelImageType>(1, 2, 3);
  const auto messageFor = [&](auto change) {
    const auto filter = this->MakeLabelFilter(input.GetPointer());
    change(filter.GetPointer());
    return MessageOf([&] { filter->Update(); });
  };
  EXPECT_EQ(messageFor([](LabelFilterType *) {}), "");
  EXPECT_TRUE(Contains(messageFor([](LabelFilterType * f) { f->SetInput(nullptr); }), "Input Primary is required"));
  EXPECT_TRUE(Contains(messageFor([](LabelFilterType * f) { f->SetReach(-1.0); }), "Reach is -1; it must be positive"));
  EXPECT_TRUE(Contains(messageFor([](LabelFilterType * f) { f->SetReach(1e5); }),
                       "Reach is 100000, which is 111112 voxels along axis 0; it must be 10000 voxels or less"));
  const auto blank = ThreeLabels<LabelImageType>(0, 0, 0);
  EXPECT_TRUE(Contains(messageFor([&](LabelFilterType * f) { f->SetInput(blank); }),
                       "There are no labels: all voxels have the background value 0"));
  const auto notAllocated = LabelImageType::New();
  notAllocated->SetRegions(SizeType{ { 4, 4, 4 } });
  EXPECT_TRUE(Contains(messageFor([&](LabelFilterType * f) { f->SetInput(notAllocated); }),
                       "The pixels of the input image are not there"));
}

TEST_P(CudaLabelToSignedDistanceImageFilter, ReportsProgressAndStops)
{
  ExpectProgressAndAbort(this->MakeLabelFilter(ThreeLabels<LabelImageType>(1, 2, 3).GetPointer()), 3);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaLabelToSignedDistanceImageFilter);
