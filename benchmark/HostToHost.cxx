// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HostToHost.h"

#include "data/NoisyVolume.h"
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

/** Returns a function that times Update() of a filter; \p setUp(filter, device, size, pinnedInput) sets parameters. */
template <typename TFilter, typename TSetUp>
auto
TimeOf(const TSetUp & setUp)
{
  return [setUp](const Repetition & repetition, const Device & device, const Size & size, bool pinnedInput) {
    const auto filter = TFilter::New();
    filter->SetComputeDevice(itk::ComputeDevice(device));
    filter->SetInput(MakeImage(device, size, pinnedInput, 1));
    setUp(*filter, device, size, pinnedInput);
    return MedianOfRuns(repetition, [&filter] {
      filter->Modified();
      return WallMilliseconds([&filter] { filter->Update(); });
    });
  };
}

} // namespace

std::vector<HostToHostCase>
HostToHostCases()
{
  const auto setUpBilateral = [](auto & filter, auto...) {
    filter.SetRangeSigma(bilateralRangeSigma);
    filter.SetDomainSigma(1.5);
    filter.SetRadius(2);
  };
  const auto setUpDiffusion = [](auto & filter, auto...) {
    filter.SetStencil(DiffusionStencil::Weickert26);
    filter.SetNumberOfIterations(diffusionIterations);
    filter.SetKappa(diffusionKappa);
  };
  const auto setUpNonLocalMeans = [](auto & filter, auto...) {
    filter.SetWeighting(NonLocalMeansWeighting::PatchSum);
    filter.SetSmoothingParameter(nonLocalMeansSmoothing);
  };
  const auto setUpSimilarity = [](auto & filter, const Device & device, const Size & size, bool pinnedInput) {
    filter.SetTestImage(MakeImage(device, size, pinnedInput, 2));
    filter.SetDataRange(similarityDataRange);
    filter.ComputeMapOff();
  };
  return { { BilateralCase(2), TimeOf<itk::CudaBilateralImageFilter<ImageType>>(setUpBilateral) },
           { DiffusionCase(DiffusionStencil::Weickert26),
             TimeOf<itk::CudaAnisotropicDiffusionImageFilter<ImageType>>(setUpDiffusion) },
           { NonLocalMeansCase(NonLocalMeansWeighting::PatchSum, 3, 2),
             TimeOf<itk::CudaNonLocalMeansImageFilter<ImageType>>(setUpNonLocalMeans) },
           { StructuralSimilarityCase(),
             TimeOf<itk::CudaStructuralSimilarityImageFilter<ImageType>>(setUpSimilarity),
             8.0,
             0.0 } };
}

} // namespace cudaneuro::benchmark
