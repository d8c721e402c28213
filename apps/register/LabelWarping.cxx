// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/LabelWarping.h"

#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaWarpImageFilter.h"
#include "itkDeviceUploadImageFilter.h"

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
WarpLabels(const ComputeOptions &             compute,
           const RegisterInputs<VDimension> & inputs,
           const DeviceField<VDimension> *    field,
           const TransformOf<VDimension> *    transform)
{
  const auto warp =
    itk::CudaWarpImageFilter<DeviceFloatImage<VDimension>, FloatImage<VDimension>, DeviceField<VDimension>>::New();
  warp->SetInput(inputs.movingLabels);
  warp->SetDisplacementField(field);
  warp->SetTransform(transform);
  warp->SetInterpolation("Nearest");
  warp->SetOutputParametersFromImage(inputs.fixed);
  warp->UsePinnedOutputOff();
  UpdateFilter(*warp, compute, "Warping labels");
  return inputs.movingCodes.template Decode<VDimension>(*warp->GetOutput());
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
WarpLabelsBy(const ComputeOptions &             compute,
             const RegisterInputs<VDimension> & inputs,
             const TransformOf<VDimension> *    transform)
{
  if (transform == nullptr || transform->IsLinear())
  {
    return WarpLabels<VDimension>(compute, inputs, nullptr, transform);
  }
  namespace detail = itk::CudaNeuroDetail;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(transform, queue);
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  const auto upload = itk::DeviceUploadImageFilter<itk::Image<itk::Vector<float, VDimension>, VDimension>>::New();
  upload->SetComputeDevice(compute.GetDevice());
  upload->SetInput(detail::SampleTransforms<VDimension>(context, queue, inputs.fixed.GetPointer()));
  upload->Update();
  return WarpLabels<VDimension>(compute, inputs, upload->GetOutput(), nullptr);
}

#define INSTANTIATE(VDimension) \
  template LabelImage<VDimension>::Pointer WarpLabels<VDimension>(const ComputeOptions &, \
                                                                  const RegisterInputs<VDimension> &, \
                                                                  const DeviceField<VDimension> *, \
                                                                  const TransformOf<VDimension> *); \
  template LabelImage<VDimension>::Pointer WarpLabelsBy<VDimension>( \
    const ComputeOptions &, const RegisterInputs<VDimension> &, const TransformOf<VDimension> *)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
