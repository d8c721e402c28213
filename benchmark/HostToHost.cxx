// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostToHost.h"

#include "NoisyVolume.h"
#include "Timing.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "itkPinnedImageContainer.h"

namespace cudaneuro::benchmark
{

namespace
{

using ImageType = itk::Image<float, 3>;

ImageType::Pointer
MakeImage(const Device & device, const Size & size, bool isPinned, unsigned int seed)
{
  const auto image = ImageType::New();
  if (isPinned)
  {
    const auto container = itk::PinnedImageContainer<float>::New();
    container->SetComputeDevice(itk::ComputeDevice(device));
    image->SetPixelContainer(container);
  }
  ImageType::SizeType itkSize;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    itkSize[axis] = static_cast<itk::SizeValueType>(size[axis]);
  }
  image->SetRegions(itkSize);
  image->Allocate();
  FillNoisyVolume(itk::CudaNeuroDetail::GridOf<3>(image), seed, image->GetBufferPointer());
  return image;
}

/** Times Update() of a filter that \p setUp has given its parameters. */
template <typename TFilter, typename TSetUp>
double
TimeUpdate(
  const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput, const TSetUp & setUp)
{
  const auto filter = TFilter::New();
  filter->SetComputeDevice(itk::ComputeDevice(device));
  filter->SetInput(MakeImage(device, size, pinnedInput, 1));
  setUp(*filter);
  return MedianOfRuns(repetition, [&filter] {
    filter->Modified();
    return WallMilliseconds([&filter] { filter->Update(); });
  });
}

HostToHostCase
Bilateral2()
{
  HostToHostCase bilateral;
  bilateral.kernel = BilateralCase(2);
  bilateral.time = [](const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput) {
    using FilterType = itk::CudaBilateralImageFilter<ImageType>;
    return TimeUpdate<FilterType>(repetition, device, size, pinnedInput, [](FilterType & filter) {
      filter.SetRangeSigma(bilateralRangeSigma);
      filter.SetDomainSigma(1.5);
      filter.SetRadius(2);
    });
  };
  return bilateral;
}

HostToHostCase
Weickert26()
{
  HostToHostCase diffusion;
  diffusion.kernel = DiffusionCase(DiffusionStencil::Weickert26);
  diffusion.time = [](const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput) {
    using FilterType = itk::CudaAnisotropicDiffusionImageFilter<ImageType>;
    return TimeUpdate<FilterType>(repetition, device, size, pinnedInput, [](FilterType & filter) {
      filter.SetStencil(DiffusionStencil::Weickert26);
      filter.SetNumberOfIterations(diffusionIterations);
      filter.SetKappa(diffusionKappa);
    });
  };
  return diffusion;
}

HostToHostCase
PatchSum32()
{
  HostToHostCase nonLocalMeans;
  nonLocalMeans.kernel = NonLocalMeansCase(NonLocalMeansWeighting::PatchSum, 3, 2);
  nonLocalMeans.time = [](const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput) {
    using FilterType = itk::CudaNonLocalMeansImageFilter<ImageType>;
    return TimeUpdate<FilterType>(repetition, device, size, pinnedInput, [](FilterType & filter) {
      filter.SetSmoothingParameter(nonLocalMeansSmoothing);
    });
  };
  return nonLocalMeans;
}

HostToHostCase
MeanSimilarity()
{
  HostToHostCase similarity;
  similarity.kernel = StructuralSimilarityCase();
  similarity.bytesUp = 8.0;
  similarity.bytesDown = 0.0;
  similarity.time = [](const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput) {
    using FilterType = itk::CudaStructuralSimilarityImageFilter<ImageType>;
    return TimeUpdate<FilterType>(repetition, device, size, pinnedInput, [&](FilterType & filter) {
      filter.SetTestImage(MakeImage(device, size, pinnedInput, 2));
      filter.SetDataRange(similarityDataRange);
      filter.ComputeMapOff();
    });
  };
  return similarity;
}

} // namespace

std::vector<HostToHostCase>
HostToHostCases()
{
  return { Bilateral2(), Weickert26(), PatchSum32(), MeanSimilarity() };
}

} // namespace cudaneuro::benchmark
