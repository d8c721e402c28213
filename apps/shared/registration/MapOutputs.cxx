// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/registration/MapOutputs.h"

#include "files/images/ImageFile.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "shared/Files.h"
#include "shared/ProgressBar.h"

#include <memory>

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** Computes the displacements of a map on a grid. */
template <unsigned int VDimension>
typename MapFieldType<VDimension>::ConstPointer
SampleParts(const itk::Transform<double, VDimension, VDimension> & transform,
            const itk::ImageBase<VDimension> *                     grid,
            const ComputeOptions &                                 compute)
{
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&transform, queue);
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  return detail::SampleTransforms<VDimension>(context, queue, grid).GetPointer();
}

} // namespace

MapComputing
ComputingOf(const ComputeOptions & options)
{
  MapComputing computing{ options.GetDevice(), options.numberOfThreads, options.maximumDeviceMemory };
  computing.watch = [isQuiet = options.isQuiet](const std::string & stage) {
    const auto bar = std::make_shared<ProgressBar>(stage, isQuiet);
    return [bar](double fraction) { bar->Show(fraction); };
  };
  return computing;
}

template <unsigned int VDimension>
StagedFile
StageField(const OutputFile &                                     file,
           const itk::Transform<double, VDimension, VDimension> & transform,
           const itk::ImageBase<VDimension> *                     grid,
           const ComputeOptions &                                 compute)
{
  using ShootingType = itk::GeodesicShootingTransform<double, VDimension>;
  const auto * const                              shooting = dynamic_cast<const ShootingType *>(&transform);
  typename MapFieldType<VDimension>::ConstPointer field;
  if (shooting == nullptr)
  {
    field = SampleParts<VDimension>(transform, grid, compute);
  }
  else
  {
    const auto filter = itk::CudaGeodesicShootingToDisplacementFieldFilter<MapFieldType<VDimension>>::New();
    filter->SetTransform(shooting);
    filter->SetReferenceImage(grid);
    filter->UseReferenceImageOn();
    UpdateFilter(*filter, compute, "Displacements");
    field = filter->GetOutput();
  }
  return StageImage<itk::Vector<float, VDimension>, VDimension>(file, field.GetPointer());
}

#define INSTANTIATE(VDimension) \
  template StagedFile StageField(const OutputFile &, \
                                 const itk::Transform<double, VDimension, VDimension> &, \
                                 const itk::ImageBase<VDimension> *, \
                                 const ComputeOptions &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
