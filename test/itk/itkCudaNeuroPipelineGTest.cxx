// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// How the filters behave in ITK's pipeline, and side by side in threads.

#include "ItkDeviceTest.h"
#include "TestImages.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaComposeDisplacementFieldsImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"
#include "itkCudaGradientImageFilter.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaMultiResolutionPyramidImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkDeviceUploadImageFilter.h"
#include "itkPlatformMultiThreader.h"

#include <thread>

using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;
using BilateralType = itk::CudaBilateralImageFilter<ImageType>;
using DiffusionType = itk::CudaAnisotropicDiffusionImageFilter<ImageType>;

/** A filter made of two others, in the way that ITK's guide describes: a mini-pipeline whose end is grafted. */
class CompositeFilter : public itk::ImageToImageFilter<ImageType, ImageType>
{
public:
  using Self = CompositeFilter;
  using Superclass = itk::ImageToImageFilter<ImageType, ImageType>;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  itk::ComputeDevice m_Device;

protected:
  void
  GenerateData() override
  {
    const auto input = ImageType::New();
    input->Graft(this->GetInput());
    const auto bilateral = BilateralType::New();
    bilateral->SetComputeDevice(m_Device);
    bilateral->SetRangeSigma(20.0);
    bilateral->SetInput(input);
    const auto diffusion = DiffusionType::New();
    diffusion->SetComputeDevice(m_Device);
    diffusion->SetKappa(10.0);
    diffusion->SetNumberOfIterations(3);
    diffusion->SetInput(bilateral->GetOutput());
    this->AllocateOutputs();
    diffusion->GraftOutput(this->GetOutput());
    diffusion->Update();
    this->GraftOutput(diffusion->GetOutput());
  }
};

/** A filter on its own input, ready to run. */
BilateralType::Pointer
MakeBilateral(const itk::ComputeDevice & device, double rangeSigma)
{
  const auto filter = OnDevice<BilateralType>(device, Phantom<ImageType>());
  filter->SetRangeSigma(rangeSigma);
  return filter;
}

} // namespace

class CudaNeuroPipeline : public ItkDeviceTest
{};

TEST_P(CudaNeuroPipeline, RunsInsideACompositeFilter)
{
  const auto bilateral = MakeBilateral(this->GetDevice(), 20.0);
  const auto diffusion = DiffusionType::New();
  diffusion->SetComputeDevice(this->GetDevice());
  diffusion->SetKappa(10.0);
  diffusion->SetNumberOfIterations(3);
  diffusion->SetInput(bilateral->GetOutput());
  diffusion->Update();

  const auto input = Phantom<ImageType>();
  const auto composite = CompositeFilter::New();
  composite->m_Device = this->GetDevice();
  composite->SetInput(input);
  for (int update = 0; update < 2; ++update)
  {
    composite->Modified();
    composite->Update();
    ExpectSameGeometry<3>(composite->GetOutput(), input);
    ExpectSame(Pixels(composite->GetOutput()), Pixels(diffusion->GetOutput()));
  }
}

/** A change of the input's pixels or of a parameter upstream is seen. */
TEST_P(CudaNeuroPipeline, FollowsChanges)
{
  const auto bilateral = MakeBilateral(this->GetDevice(), 20.0);
  const auto diffusion = DiffusionType::New();
  diffusion->SetComputeDevice(this->GetDevice());
  diffusion->SetKappa(10.0);
  diffusion->SetInput(bilateral->GetOutput());
  diffusion->Update();
  const std::vector<double> first = Pixels(diffusion->GetOutput());

  bilateral->SetRangeSigma(40.0);
  diffusion->Update();
  EXPECT_NE(Pixels(diffusion->GetOutput()), first);

  bilateral->SetRangeSigma(20.0);
  ExpectOutput(diffusion, first);

  const auto input = Phantom<ImageType>();
  bilateral->SetInput(input);
  input->GetBufferPointer()[5] += 1.0f;
  diffusion->Update();
  EXPECT_NE(Pixels(diffusion->GetOutput()), first);
}

/** The size may change from one update to the next. */
TEST_P(CudaNeuroPipeline, FollowsSize)
{
  const auto filter = MakeBilateral(this->GetDevice(), 20.0);
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  for (const itk::SizeValueType depth : { 3, 29, 1 })
  {
    const auto input = Phantom<ImageType>(0.2, { { 12, 21, depth } });
    filter->SetInput(input);
    filter->Update();
    ExpectSameGeometry<3>(filter->GetOutput(), input);
  }
  filter->SetInput(Phantom<ImageType>());
  ExpectOutput(filter, expected);
}

/** A request for a part is answered with the whole, which is what the filters work on. */
TEST_P(CudaNeuroPipeline, EnlargesRequestToTheWholeImage)
{
  const auto filter = MakeBilateral(this->GetDevice(), 20.0);
  filter->UpdateOutputInformation();
  auto part = filter->GetOutput()->GetLargestPossibleRegion();
  part.ShrinkByRadius(3);
  filter->GetOutput()->SetRequestedRegion(part);
  filter->GetOutput()->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion(), filter->GetOutput()->GetLargestPossibleRegion());
  const auto whole = MakeBilateral(this->GetDevice(), 20.0);
  whole->Update();
  ExpectSame(Pixels(filter->GetOutput()), Pixels(whole->GetOutput()));
}

TEST_P(CudaNeuroPipeline, ReleasesIntermediateImages)
{
  const auto bilateral = MakeBilateral(this->GetDevice(), 20.0);
  bilateral->ReleaseDataFlagOn();
  const auto diffusion = OnDevice<DiffusionType>(this->GetDevice(), bilateral->GetOutput());
  diffusion->Update();
  EXPECT_TRUE(bilateral->GetOutput()->GetDataReleased());
  EXPECT_EQ(bilateral->GetOutput()->GetBufferPointer(), nullptr);
  const std::vector<double> expected = Pixels(diffusion->GetOutput());
  diffusion->Modified();
  ExpectOutput(diffusion, expected);
}

/** An output outlives its filter, and is not written over by the filter's next update. */
TEST_P(CudaNeuroPipeline, GivesAwayItsOutput)
{
  auto filter = MakeBilateral(this->GetDevice(), 20.0);
  filter->Update();
  const ImageType::Pointer output = filter->GetOutput();
  output->DisconnectPipeline();
  const std::vector<double> expected = Pixels(output.GetPointer());
  filter->SetRangeSigma(90.0);
  filter->Update();
  EXPECT_NE(filter->GetOutput()->GetBufferPointer(), output->GetBufferPointer());
  filter = nullptr;
  ExpectSame(Pixels(output.GetPointer()), expected);
}

/** Ordinary memory under the output gives the same pixels. */
TEST_P(CudaNeuroPipeline, WorksWithoutPinnedOutput)
{
  const auto pinned = MakeBilateral(this->GetDevice(), 20.0);
  pinned->Update();
  const auto ordinary = MakeBilateral(this->GetDevice(), 20.0);
  ordinary->UsePinnedOutputOff();
  ExpectOutput(ordinary, Pixels(pinned->GetOutput()));
}

/** Each thread with a filter of its own gets what it would get alone. */
TEST_P(CudaNeuroPipeline, RunsInSeveralThreadsAtOnce)
{
  constexpr int                    numberOfThreads = 6;
  std::vector<std::vector<double>> expected;
  std::vector<std::vector<double>> results(numberOfThreads);
  const auto                       rangeSigmaOf = [](int thread) { return 10.0 + 8.0 * thread; };
  for (int thread = 0; thread < numberOfThreads; ++thread)
  {
    const auto filter = MakeBilateral(this->GetDevice(), rangeSigmaOf(thread));
    filter->Update();
    expected.push_back(Pixels(filter->GetOutput()));
  }
  std::vector<std::thread> threads;
  threads.reserve(numberOfThreads);
  for (int thread = 0; thread < numberOfThreads; ++thread)
  {
    threads.emplace_back([&, thread] {
      const auto filter = MakeBilateral(this->GetDevice(), rangeSigmaOf(thread));
      for (int update = 0; update < 4; ++update)
      {
        filter->Modified();
        filter->Update();
      }
      results[thread] = Pixels(filter->GetOutput());
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  for (int thread = 0; thread < numberOfThreads; ++thread)
  {
    ExpectSame(results[thread], expected[thread]);
  }
}

/** How many threads compute changes nothing but the time. */
TEST_P(CudaNeuroPipeline, HonorsNumberOfWorkUnits)
{
  const auto filter = MakeBilateral(this->GetDevice(), 20.0);
  filter->SetNumberOfWorkUnits(1);
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  filter->SetNumberOfWorkUnits(5);
  filter->Modified();
  ExpectOutput(filter, expected);
}

/** A filter has as many threads as ITK lets it have, however the user tells ITK. */
TEST(CudaNeuroThreads, AreBoundedByItk)
{
  using itk::CudaNeuroDetail::NumberOfThreadsOf;
  const auto filter = BilateralType::New();
  const auto threader = itk::PlatformMultiThreader::New(); // the pool of the other kind never becomes smaller
  threader->SetMaximumNumberOfThreads(3);
  filter->SetMultiThreader(threader);
  filter->SetNumberOfWorkUnits(12);
  EXPECT_EQ(NumberOfThreadsOf(filter), 3u);
  filter->SetNumberOfWorkUnits(2);
  EXPECT_EQ(NumberOfThreadsOf(filter), 2u);

  using itk::MultiThreaderBase;
  const itk::ThreadIdType maximum = MultiThreaderBase::GetGlobalMaximumNumberOfThreads();
  const itk::ThreadIdType byDefault = MultiThreaderBase::GetGlobalDefaultNumberOfThreads();
  MultiThreaderBase::SetGlobalMaximumNumberOfThreads(1); // lowers the default, too
  EXPECT_EQ(NumberOfThreadsOf(filter), 1u);
  MultiThreaderBase::SetGlobalMaximumNumberOfThreads(maximum);
  MultiThreaderBase::SetGlobalDefaultNumberOfThreads(byDefault);
}

/** A mask that would have no effect is an error. */
TEST_P(CudaNeuroPipeline, RefusesMasksWhereAllVoxelsAreComputed)
{
  using FieldType = itk::Image<itk::Vector<float, 3>, 3>;
  const auto message = [this](const auto & filter) {
    const auto mask = itk::Image<unsigned char, 3>::New();
    filter->SetComputeDevice(this->GetDevice());
    filter->SetMaskImage(mask);
    return MessageOf([&] { filter->Update(); });
  };
  const auto expectRefusedFor = [&](const auto & filter, const auto & input) {
    filter->SetInput(input);
    EXPECT_TRUE(Contains(message(filter), "There is a mask image, which this filter has no use for"))
      << filter->GetNameOfClass();
  };
  const auto image = Phantom<ImageType>();
  expectRefusedFor(itk::CudaDiscreteGaussianImageFilter<ImageType>::New(), image);
  expectRefusedFor(itk::CudaGradientImageFilter<ImageType>::New(), image);
  expectRefusedFor(itk::CudaMultiResolutionPyramidImageFilter<ImageType>::New(), image);
  expectRefusedFor(itk::CudaReinitializeSignedDistanceImageFilter<ImageType>::New(), image);
  expectRefusedFor(itk::DeviceUploadImageFilter<ImageType>::New(), image);
  const auto labels = Phantom<itk::Image<unsigned char, 3>>();
  expectRefusedFor(itk::CudaLabelToSignedDistanceImageFilter<itk::Image<unsigned char, 3>, ImageType>::New(), labels);
  const auto field = FieldType::New();
  field->SetRegions(itk::Size<3>::Filled(4));
  field->Allocate(true);
  expectRefusedFor(itk::CudaDisplacementFieldJacobianDeterminantFilter<FieldType>::New(), field);
  expectRefusedFor(itk::CudaInvertDisplacementFieldImageFilter<FieldType>::New(), field);
  const auto compose = itk::CudaComposeDisplacementFieldsImageFilter<FieldType>::New();
  compose->SetWarpingField(field);
  expectRefusedFor(compose, field);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNeuroPipeline);
