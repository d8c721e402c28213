// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLinearRegistrationFilter_hxx
#define itkCudaLinearRegistrationFilter_hxx

#include "itkCudaLinearRegistrationFilter.h"
#include "itkCudaLinearRegistrationFilterParameters.hxx"
#include "itkCudaLinearRegistrationTransforms.h"
#include "itkCudaNeuroAllocation.h"
#include "itkCudaNeuroImageChecks.h"

#include <algorithm>

namespace itk
{

template <typename TFixedImage, typename TMovingImage>
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::CudaLinearRegistrationFilter()
{
  this->SetPrimaryInputName("FixedImage");
  this->AddRequiredInputName("MovingImage", 1);
  for (const char * const name : { "FixedMaskImage", "MovingMaskImage", "InitialTransform" })
  {
    this->AddOptionalInputName(name);
  }
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(0));
  this->GetOutput()->Set(CudaNeuroDetail::TransformToBeFound<ImageDimension>::New());
  this->SetOutput("WarpedImage", this->MakeOutput(DataObjectIdentifierType("WarpedImage")));
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeOutput(DataObjectPointerArraySizeType) -> DataObjectPointer
{
  return DecoratedTransformType::New().GetPointer();
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeOutput(const DataObjectIdentifierType & name)
  -> DataObjectPointer
{
  if (name == "WarpedImage")
  {
    return WarpedImageType::New().GetPointer();
  }
  return DecoratedTransformType::New().GetPointer();
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetOutput() -> DecoratedTransformType *
{
  return static_cast<DecoratedTransformType *>(this->GetPrimaryOutput());
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetOutput() const -> const DecoratedTransformType *
{
  return static_cast<const DecoratedTransformType *>(this->GetPrimaryOutput());
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetWarpedImage() -> WarpedImageType *
{
  return dynamic_cast<WarpedImageType *>(this->ProcessObject::GetOutput("WarpedImage"));
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetTransform() const -> const TransformType *
{
  if (m_Transform.IsNull())
  {
    itkExceptionMacro("There is no transform yet: the last update has not come to its first iteration");
  }
  return m_Transform;
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetModifiableTransform() -> TransformType *
{
  this->GetTransform(); // throws when there is none
  return m_Transform;
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetInverseTransform() const -> typename TransformType::Pointer
{
  this->GetTransform(); // throws when there is none
  return m_InverseTransform;
}

template <typename TFixedImage, typename TMovingImage>
ModifiedTimeType
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetMTime() const
{
  return std::max({ Superclass::GetMTime(),
                    CudaNeuroDetail::LatestMTimeOf<ImageDimension>(this->GetInitialTransform()),
                    m_FixedTransforms.GetMTime(),
                    m_MovingTransforms.GetMTime() });
}

template <typename TFixedImage, typename TMovingImage>
const ComputeDevice *
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GetDeviceOfInputs() const
{
  const FixedImageType * const fixed = this->GetFixedImage();
  return fixed != nullptr ? CudaNeuroDetail::DeviceOf(fixed) : nullptr;
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::VerifyInputInformation() const
{
  using CudaNeuroDetail::VerifySameGrid;
  CudaNeuroDetail::VerifyNotEmpty<ImageDimension>(this, "fixed image", this->GetFixedImage());
  CudaNeuroDetail::VerifyNotEmpty<ImageDimension>(this, "moving image", this->GetMovingImage());
  if (const MaskImageType * const mask = this->GetFixedMaskImage())
  {
    VerifySameGrid<ImageDimension>(this, "the fixed mask", mask, "the fixed image", this->GetFixedImage());
  }
  if (const MaskImageType * const mask = this->GetMovingMaskImage())
  {
    VerifySameGrid<ImageDimension>(this, "the moving mask", mask, "the moving image", this->GetMovingImage());
  }
  CudaNeuroDetail::VerifyChannels(this);
  // This is checked before the registration, not after it.
  if (m_ComputeWarped && !cudaneuro::TakesMask(m_Interpolation))
  {
    itkExceptionMacro("Interpolation is " << m_Interpolation
                                          << "; it must be Linear, Nearest or Label for the warped image");
  }
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

/** Called before a changed pipeline propagates the regions that it needs. ITK also calls it without computing again,
 * if a source of an input has run since. */
template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GenerateOutputInformation()
{
  Superclass::GenerateOutputInformation();
  DecoratedTransformType * const output = this->GetOutput();
  if (output->GetUpdateMTime() < output->GetPipelineMTime())
  {
    output->Set(CudaNeuroDetail::TransformToBeFound<ImageDimension>::New());
  }
}

/** Called at the beginning of an update, which may fail. */
template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::PrepareOutputs()
{
  Superclass::PrepareOutputs();
  this->GetOutput()->Set(CudaNeuroDetail::TransformToBeFound<ImageDimension>::New());
}

template <typename TFixedImage, typename TMovingImage>
cudaneuro::LinearMetricImages
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeImages() const
{
  using CudaNeuroDetail::GeometryOf;
  using CudaNeuroDetail::MaskVolumeOf;
  const ComputeDevice           device = this->GetComputeDevice();
  cudaneuro::LinearMetricImages images;
  CudaNeuroDetail::VerifyPixels(this, "the fixed image", this->GetFixedImage(), device);
  images.fixedGeometry = GeometryOf<ImageDimension>(this->GetFixedImage());
  images.fixedImage = CudaNeuroDetail::VolumeOf(this->GetFixedImage());
  images.fixedMask = MaskVolumeOf<ImageDimension>(this, "the fixed mask", this->GetFixedMaskImage(), device);
  CudaNeuroDetail::VerifyPixels(this, "the moving image", this->GetMovingImage(), device);
  images.movingGeometry = GeometryOf<ImageDimension>(this->GetMovingImage());
  images.movingImage = CudaNeuroDetail::VolumeOf(this->GetMovingImage());
  images.movingMask = MaskVolumeOf<ImageDimension>(this, "the moving mask", this->GetMovingMaskImage(), device);
  images.furtherChannels = CudaNeuroDetail::MakeFurtherChannels(this);
  return images;
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::AllocateWarpedImage()
{
  WarpedImageType * const warped = this->GetWarpedImage();
  if (!m_ComputeWarped)
  {
    warped->Initialize();
    return;
  }
  warped->SetBufferedRegion(warped->GetLargestPossibleRegion());
  const std::string reason = CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), m_UsePinnedOutput, warped);
  if (!reason.empty())
  {
    itkWarningMacro("The warped image gets ordinary memory, which is slower to copy to: " << reason);
  }
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::GenerateData()
{
  m_StopRegistration = false;
  m_Iterations.clear();
  m_CurrentIteration = IterationType();
  m_Result = cudaneuro::LinearRegistrationResult();
  m_Transform = m_InverseTransform = nullptr;

  const cudaneuro::LinearMetricImages images = this->MakeImages();
  this->AllocateWarpedImage();
  this->RunOnDevice([&](cudaneuro::Context & context) {
    {
      const cudaneuro::Context::ProgressRange progress(context, 0.0, m_ComputeWarped ? 0.95 : 1.0);
      this->RunRegistration(context, images);
    }
    if (m_ComputeWarped)
    {
      const cudaneuro::Context::ProgressRange progress(context, 0.95, 1.0);
      this->Warp(context, images);
    }
  });
  if (!m_Result.isSuccess)
  {
    itkWarningMacro("The registration may have failed: the quality of its result is "
                    << m_Result.quality << ", of a success " << cudaneuro::qualityOfSuccess << " or more");
  }
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::RunRegistration(cudaneuro::Context &                  context,
                                                                         const cudaneuro::LinearMetricImages & images)
{
  const ParametersType       parameters = this->MakeParameters();
  const cudaneuro::AffineMap initialTransform = this->MakeInitialTransform();
  const auto                 keepTransform = [&] {
    using CudaNeuroDetail::MakeLinearTransform;
    m_Result.transform = CudaNeuroDetail::OfTypeInSpace(
      ImageDimension, m_Parameters.transformType, images.fixedGeometry, m_Result.transform);
    m_Result.transform = CudaNeuroDetail::NearestOfType(
      ImageDimension, m_Parameters.transformType, m_Result.transform, "the transform found");
    m_InverseTransform = MakeLinearTransform<ImageDimension>(
      m_Parameters.transformType, cudaneuro::Inverse(m_Result.transform), m_Result.center);
    m_Transform = MakeLinearTransform<ImageDimension>(m_Parameters.transformType, m_Result.transform, m_Result.center);
  };
  try
  {
    cudaneuro::RegisterLinearly(
      context,
      parameters,
      images,
      initialTransform,
      [this](const IterationType & iteration) { return this->ObserveIteration(iteration); },
      m_Result);
  }
  catch (...)
  {
    if (!m_Iterations.empty())
    {
      keepTransform();
    }
    throw;
  }
  keepTransform();
  this->GetOutput()->Set(m_Transform);
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::Warp(cudaneuro::Context &                  context,
                                                              const cudaneuro::LinearMetricImages & images)
{
  const cudaneuro::WarpParameters parameters{ m_Interpolation, static_cast<double>(m_EdgePaddingValue) };
  cudaneuro::WarpMovingImage(
    context, parameters, images, m_Result.transform, CudaNeuroDetail::VolumeOf(this->GetWarpedImage()));
}

template <typename TFixedImage, typename TMovingImage>
bool
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::ObserveIteration(const IterationType & iteration)
{
  m_CurrentIteration = iteration;
  m_Iterations.push_back(iteration);
  this->InvokeEvent(IterationEvent());
  return !m_StopRegistration;
}

} // namespace itk

#endif
