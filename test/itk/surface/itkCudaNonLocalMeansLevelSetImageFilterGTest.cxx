// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceImages.h"
#include "itk/ItkDeviceTest.h"
#include "itkCommand.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"

#include <limits>
#include <sstream>

using namespace surfaceimages;

namespace
{

using ImageType = ImageOf<float, 3>;
using DeviceImageType = itk::DeviceImage<float, 3>;
using FilterType = itk::CudaNonLocalMeansLevelSetImageFilter<ImageType>;
using Parameters = cudaneuro::NonLocalMeansLevelSetParameters;

/** Quick, and no parameter is the default. */
Parameters
SomeParameters()
{
  Parameters parameters;
  parameters.bandWidth = 2.0;
  parameters.patchSize = 3;
  parameters.numberOfNeighbors = 24;
  parameters.spatialScale = 9.0;
  parameters.similarityScale = 0.5;
  parameters.numberOfIterations = 4;
  parameters.numberOfPasses = 2;
  parameters.reinitialize = true;
  parameters.volumeCorrection = true;
  return parameters;
}

class CudaNonLocalMeansLevelSetImageFilter : public ItkDeviceTest
{
protected:
  template <typename TInput, typename TOutput = TInput>
  auto
  MakeFilter(const TInput * input, const Parameters & parameters = SomeParameters())
  {
    const auto filter = OnDevice<itk::CudaNonLocalMeansLevelSetImageFilter<TInput, TOutput>>(this->GetDevice(), input);
    filter->SetParameters(parameters);
    return filter;
  }

  /** The engine's result for an image, as pixels. */
  std::pair<std::vector<double>, cudaneuro::NonLocalMeansLevelSetResult>
  CallEngine(const ImageType * input, const Parameters & parameters, const MaskOf<3> * mask = nullptr)
  {
    std::vector<float> output(input->GetLargestPossibleRegion().GetNumberOfPixels());
    const auto         maskVolume = mask != nullptr ? itk::CudaNeuroDetail::VolumeOf(mask) : cudaneuro::ConstVolume();
    const auto         result = cudaneuro::NonLocalMeansLevelSet(GetContext(),
                                                         parameters,
                                                         itk::CudaNeuroDetail::GridOf<3>(input),
                                                         itk::CudaNeuroDetail::VolumeOf(input),
                                                         maskVolume,
                                                         View(output));
    return { std::vector<double>(output.begin(), output.end()), result };
  }

  /** The message of an update after a change to a filter that works without. */
  template <typename TChange>
  std::string
  MessageAfter(const TChange & change)
  {
    const auto filter = this->MakeFilter(BallDistance<ImageType>().GetPointer());
    return MessageOf([&] {
      change(filter.GetPointer());
      filter->Update();
    });
  }
};

/** Each parameter's change, by itself, changes what the engine gives; so one that gets lost is seen. */
std::vector<Parameters>
VariedParameters()
{
  std::vector<Parameters> all{ SomeParameters() };
  const auto              vary = [&](auto change) {
    all.push_back(SomeParameters());
    change(all.back());
  };
  vary([](Parameters & p) { p.bandWidth = 0.0; });
  vary([](Parameters & p) { p.patchSize = 5; });
  vary([](Parameters & p) { p.numberOfNeighbors = 8; });
  vary([](Parameters & p) { p.spatialScale = std::numeric_limits<double>::infinity(); });
  vary([](Parameters & p) { p.similarityScale = 0.0; });
  vary([](Parameters & p) { p.numberOfIterations = 1; });
  vary([](Parameters & p) { p.numberOfPasses = 1; });
  vary([](Parameters & p) { p.reinitialize = false; });
  vary([](Parameters & p) { p.volumeCorrection = false; });
  return all;
}

} // namespace

TEST_P(CudaNonLocalMeansLevelSetImageFilter, PassesParametersOn)
{
  const auto                       input = WavyBallDistance<ImageType>();
  const auto                       filter = this->MakeFilter(input.GetPointer());
  std::vector<std::vector<double>> results;
  for (const Parameters & parameters : VariedParameters())
  {
    filter->SetParameters(parameters);
    filter->Update();
    const auto expected = this->CallEngine(input, parameters);
    // The engine gives the same bits in each run.
    ExpectSame(Pixels(filter->GetOutput()), expected.first);
    EXPECT_EQ(filter->GetNumberOfBandVoxels(), static_cast<itk::SizeValueType>(expected.second.bandVoxels));
    EXPECT_EQ(filter->GetUsedBandWidth(), expected.second.bandWidth);
    EXPECT_EQ(filter->GetUsedSpatialScale(), expected.second.spatialScale);
    EXPECT_EQ(filter->GetUsedSimilarityScale(), expected.second.similarityScale);
    EXPECT_EQ(filter->GetTimeStep(), expected.second.timeStep);
    EXPECT_EQ(filter->GetLowGradientNorm(), expected.second.lowGradientNorm);
    EXPECT_EQ(filter->GetHighGradientNorm(), expected.second.highGradientNorm);
    EXPECT_EQ(filter->GetVolumeBefore(), expected.second.volumeBefore);
    EXPECT_EQ(filter->GetVolumeAfter(), expected.second.volumeAfter);
    EXPECT_EQ(filter->GetVolumeOffset(), expected.second.volumeOffset);
    for (const auto & other : results)
    {
      EXPECT_NE(other, expected.first) << "the parameter varied last makes no difference";
    }
    results.push_back(expected.first);
  }
  // Of the ball that the waves are on. Linear interpolation over 1.5 mm takes up to 1.5^2 / 8 / 6 mm off, 2.3 % of the
  // volume.
  const double volume = 4.0 / 3.0 * 3.141592653589793 * std::pow(ballRadius, 3);
  EXPECT_NEAR(filter->GetVolumeBefore(), volume, 0.04 * volume);
}

/** What is automatic stays so, and the getters of what was set keep it. */
TEST_P(CudaNonLocalMeansLevelSetImageFilter, KeepsAutomaticParameters)
{
  const auto input = WavyBallDistance<ImageType>();
  Parameters parameters = SomeParameters();
  parameters.bandWidth = 0.0;
  parameters.spatialScale = 0.0;
  const auto filter = this->MakeFilter(input.GetPointer(), parameters);
  filter->Update();
  EXPECT_EQ(filter->GetBandWidth(), 0.0);
  EXPECT_EQ(filter->GetSpatialScale(), 0.0);
  EXPECT_EQ(filter->GetUsedBandWidth(),
            cudaneuro::RecommendedBandWidth(itk::CudaNeuroDetail::GridOf<3>(input.GetPointer())));
  EXPECT_GT(filter->GetUsedSpatialScale(), 0.0);
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, KeepsGeometry)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  // The whole image is computed whatever is asked for.
  filter->UpdateOutputInformation();
  filter->GetOutput()->SetRequestedRegion(
    ImageType::RegionType(input->GetLargestPossibleRegion().GetIndex(), SizeType{ { 2, 2, 2 } }));
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), input);
  EXPECT_NE(Pixels(filter->GetOutput()), Pixels(input.GetPointer()));
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, HonorsMask)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto mask = BallMaskFor<3>(input);
  Parameters parameters = SomeParameters();
  parameters.reinitialize = false;
  parameters.volumeCorrection = false;
  const auto filter = this->MakeFilter(input.GetPointer(), parameters);
  filter->SetMaskImage(mask);
  filter->Update();
  const std::vector<double> result = Pixels(filter->GetOutput());
  ExpectSame(result, this->CallEngine(input, parameters, mask).first);
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    if (mask->GetBufferPointer()[i] == 0)
    {
      ASSERT_EQ(result[i], input->GetBufferPointer()[i]) << "at " << i;
    }
  }
  filter->SetMaskImage(Upload(mask.GetPointer(), this->GetDevice()));
  ExpectOutput(filter, result);
  filter->SetMaskImage(nullptr);
  filter->Update();
  EXPECT_NE(Pixels(filter->GetOutput()), result);
  filter->SetMaskImage(input);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "must be an Image or a DeviceImage of unsigned char"));
}

/** Pixels of double are computed in float. */
TEST_P(CudaNonLocalMeansLevelSetImageFilter, AcceptsRealPixelTypes)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());

  const auto inDouble = ImageOf<double, 3>::New();
  inDouble->CopyInformation(input);
  inDouble->SetRegions(input->GetLargestPossibleRegion());
  inDouble->Allocate();
  std::copy_n(input->GetBufferPointer(), expected.size(), inDouble->GetBufferPointer());
  const auto ofDouble = this->MakeFilter(inDouble.GetPointer());
  ExpectOutput(ofDouble, expected);
  const auto mixed = this->MakeFilter<ImageOf<double, 3>, ImageType>(inDouble.GetPointer());
  ExpectOutput(mixed, expected);
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, TakesAndGivesDeviceImages)
{
  const auto input = WavyBallDistance<ImageType>();
  const auto filter = this->MakeFilter(input.GetPointer());
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());

  const auto onDevice = Upload(input.GetPointer(), this->GetDevice());
  const auto both = this->MakeFilter(onDevice.GetPointer());
  ExpectOutput(both, expected);
  ExpectSameGeometry<3>(both->GetOutput(), input);
  // Volumes stay there; sums and tables of neighbors' counts are small.
  const itk::SizeValueType volumeBytes = expected.size() * sizeof(float);
  EXPECT_LT(both->GetHostToDeviceBytes(), volumeBytes);
  EXPECT_LT(both->GetDeviceToHostBytes(), volumeBytes);
  const auto down = this->MakeFilter<DeviceImageType, ImageType>(onDevice.GetPointer());
  ExpectOutput(down, expected);
  const auto up = this->MakeFilter<ImageType, DeviceImageType>(input.GetPointer());
  ExpectOutput(up, expected);
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, WarnsOfWhatIsNoDistance)
{
  for (const double scale : { 1.0, 3.0, 0.25 })
  {
    // The same voxels are in the band.
    Parameters parameters = SomeParameters();
    parameters.bandWidth *= scale;
    const auto           filter = this->MakeFilter(BallDistance<ImageType>(scale).GetPointer(), parameters);
    const WarningCapture warnings;
    filter->Update();
    // Central differences of the distance to a ball of 6 mm are within 5 % of 1 at 4 mm from the center and beyond.
    EXPECT_NEAR(filter->GetLowGradientNorm(), scale, 0.05 * scale);
    EXPECT_NEAR(filter->GetHighGradientNorm(), scale, 0.05 * scale);
    std::ostringstream range;
    range << "is from " << filter->GetLowGradientNorm() << " to " << filter->GetHighGradientNorm();
    if (scale == 1.0)
    {
      EXPECT_EQ(warnings.GetText(), "");
    }
    else
    {
      EXPECT_TRUE(Contains(warnings.GetText(), range.str()));
    }
  }
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, RejectsBadParameters)
{
  const auto messageFor = [&](auto change) { return this->MessageAfter(change); };
  EXPECT_EQ(messageFor([](FilterType *) {}), "");
  EXPECT_TRUE(Contains(messageFor([](FilterType * f) { f->SetBandWidth(-1.5); }), "BandWidth is -1.5"));
  EXPECT_TRUE(Contains(messageFor([](FilterType * f) { f->SetNumberOfIterations(4000000000u); }), "4000000000"));
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, RejectsBadInput)
{
  const auto messageFor = [&](const ImageType * input) {
    const auto filter = this->MakeFilter(input);
    return MessageOf([&] { filter->Update(); });
  };
  EXPECT_TRUE(Contains(messageFor(nullptr), "Input Primary is required"));

  const auto notAllocated = ImageType::New();
  notAllocated->SetRegions(BallSize());
  EXPECT_TRUE(Contains(messageFor(notAllocated), "The pixels of the input image are not there"));

  const auto notFinite = BallDistance<ImageType>();
  notFinite->GetBufferPointer()[100] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(messageFor(notFinite), "");

  const auto empty = BallDistance<ImageType>();
  empty->FillBuffer(100.0f);
  EXPECT_TRUE(Contains(messageFor(empty), "band"));
  const auto full = BallDistance<ImageType>();
  full->FillBuffer(0.0f);
  EXPECT_TRUE(Contains(messageFor(full), "band"));
}

TEST_P(CudaNonLocalMeansLevelSetImageFilter, ReportsProgressAndStops)
{
  ExpectProgressAndAbort(this->MakeFilter(WavyBallDistance<ImageType>().GetPointer()));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNonLocalMeansLevelSetImageFilter);
