// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFluidRegistrationFilter_hxx
#define itkCudaFluidRegistrationFilter_hxx

#include "itkCudaFluidRegistrationFilter.h"
#include "itkCudaFluidRegistrationFilterParameters.hxx"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaNeuroAllocation.h"

#include <algorithm>

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::CudaFluidRegistrationFilter(
  const cudaneuro::RegistrationParameters & parameters)
  : m_Parameters(parameters)
{
  this->SetPrimaryInputName("FixedImage");
  this->AddRequiredInputName("MovingImage", 1);
  this->AddOptionalInputName("InitialDisplacementField", 2);
  for (const char * const name : { "InverseDisplacementField", "WarpedImage", "JacobianImage" })
  {
    this->SetOutput(name, this->MakeOutput(DataObjectIdentifierType(name)));
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::MakeOutput(
  const DataObjectIdentifierType & name) -> DataObjectPointer
{
  if (name == "WarpedImage")
  {
    return WarpedImageType::New().GetPointer();
  }
  if (name == "JacobianImage")
  {
    return JacobianImageType::New().GetPointer();
  }
  return DisplacementFieldType::New().GetPointer();
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetInverseDisplacementField()
  -> DisplacementFieldType *
{
  return dynamic_cast<DisplacementFieldType *>(this->ProcessObject::GetOutput("InverseDisplacementField"));
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetWarpedImage() -> WarpedImageType *
{
  return dynamic_cast<WarpedImageType *>(this->ProcessObject::GetOutput("WarpedImage"));
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetJacobianImage() -> JacobianImageType *
{
  return dynamic_cast<JacobianImageType *>(this->ProcessObject::GetOutput("JacobianImage"));
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
ModifiedTimeType
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetMTime() const
{
  return std::max({ Superclass::GetMTime(),
                    CudaNeuroDetail::LatestMTimeOf<ImageDimension>(m_InitialTransform.GetPointer()),
                    m_FixedTransforms.GetMTime(),
                    m_MovingTransforms.GetMTime() });
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::VerifyInputInformation() const
{
  const FixedImageType * const  fixed = this->GetFixedImage();
  const MovingImageType * const moving = this->GetMovingImage();
  this->VerifyNotEmpty(fixed, "fixed image");
  this->VerifyNotEmpty(moving, "moving image");
  if (this->GetFixedMaskImage() != nullptr)
  {
    this->VerifySameGrid("the fixed mask", this->GetFixedMaskImage(), "the fixed image", fixed);
  }
  if (this->GetInitialDisplacementField() != nullptr)
  {
    this->VerifySameGrid(
      "the initial displacement field", this->GetInitialDisplacementField(), "the fixed image", fixed);
  }
  if (this->GetMovingMaskImage() != nullptr)
  {
    this->VerifySameGrid("the moving mask", this->GetMovingMaskImage(), "the moving image", moving);
  }
  CudaNeuroDetail::VerifyChannels(this, this->GetCoordinateTolerance(), this->GetDirectionTolerance());
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::AllocateOutputs()
{
  const DisplacementFieldType * const field = m_LastDisplacementField;
  const DisplacementFieldType * const inverse = m_LastInverseDisplacementField;
  CudaNeuroDetail::DetachPixels(field, this->GetDisplacementField());
  CudaNeuroDetail::DetachPixels(inverse, this->GetInverseDisplacementField());
  this->AllocateOrRelease(this->GetDisplacementField(), true);
  this->AllocateOrRelease(this->GetInverseDisplacementField(), m_ComputeInverse);
  this->AllocateOrRelease(this->GetWarpedImage(), m_ComputeWarped);
  this->AllocateOrRelease(this->GetJacobianImage(), m_ComputeJacobian);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
cudaneuro::RegistrationImages
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::MakeImages() const
{
  cudaneuro::RegistrationImages images;
  images.fixedGeometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetFixedImage());
  images.movingGeometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetMovingImage());
  if (m_UseImages)
  {
    this->VerifyPixels(this->GetFixedImage(), "the fixed image");
    images.fixedImage = CudaNeuroDetail::VolumeOf(this->GetFixedImage());
    this->VerifyPixels(this->GetMovingImage(), "the moving image");
    images.movingImage = CudaNeuroDetail::VolumeOf(this->GetMovingImage());
  }
  images.fixedMask = this->MaskVolumeOf("the fixed mask", this->GetFixedMaskImage());
  images.movingMask = this->MaskVolumeOf("the moving mask", this->GetMovingMaskImage());
  if (const DisplacementFieldType * const field = this->GetInitialDisplacementField())
  {
    this->VerifyPixels(field, "the initial displacement field");
    images.initialField = CudaNeuroDetail::FieldOf(field);
  }
  images.furtherChannels = CudaNeuroDetail::MakeFurtherChannels(this);
  images.points.fixed = CudaNeuroDetail::PointsOf<ImageDimension>(this, "the fixed points", m_FixedPoints);
  images.points.moving = CudaNeuroDetail::PointsOf<ImageDimension>(this, "the moving points", m_MovingPoints);
  images.points.standardDeviations = m_PointStandardDeviations;
  images.labels = CudaNeuroDetail::LabelPairOf(this, m_LabelWeights);
  return images;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
cudaneuro::RegistrationOutputs
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::MakeOutputs()
{
  cudaneuro::RegistrationOutputs outputs;
  outputs.displacement = CudaNeuroDetail::FieldOf(this->GetDisplacementField());
  if (m_ComputeInverse)
  {
    outputs.inverse = CudaNeuroDetail::FieldOf(this->GetInverseDisplacementField());
  }
  if (m_ComputeWarped)
  {
    outputs.warped = CudaNeuroDetail::VolumeOf(this->GetWarpedImage());
    outputs.warping = { m_Interpolation, static_cast<double>(m_EdgePaddingValue) };
  }
  if (m_ComputeJacobian)
  {
    outputs.jacobian = CudaNeuroDetail::VolumeOf(this->GetJacobianImage());
  }
  return outputs;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::Compute(cudaneuro::Context & context)
{
  m_StopRegistration = false;
  m_Result = cudaneuro::RegistrationResult();

  cudaneuro::RegistrationImages images = this->MakeImages();
  if (m_InitialTransform.IsNull())
  {
    this->RunRegistration(context, images);
    return;
  }
  CudaNeuroDetail::TransformQueue<ImageDimension> queue;
  CudaNeuroDetail::AppendParts<ImageDimension>(m_InitialTransform, queue);
  images.transform = CudaNeuroDetail::TakeLinearParts<ImageDimension>(queue);
  if (queue.empty())
  {
    this->RunRegistration(context, images);
    return;
  }
  constexpr double                                                            endOfSampling = 0.1;
  typename Image<Vector<float, ImageDimension>, ImageDimension>::ConstPointer sampled;
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, endOfSampling);
    sampled = CudaNeuroDetail::SampleTransforms<ImageDimension>(context, queue, this->GetFixedImage()).GetPointer();
  }
  images.transformField = CudaNeuroDetail::FieldOf(sampled.GetPointer());
  const cudaneuro::Context::ProgressRange progress(context, endOfSampling, 1.0);
  this->RunRegistration(context, images);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::RunRegistration(
  cudaneuro::Context & context, const cudaneuro::RegistrationImages & images)
{
  const cudaneuro::RegistrationParameters parameters = this->MakeParameters();
  const cudaneuro::RegistrationOutputs    outputs = this->MakeOutputs();
  const auto                              keepMap = [&](bool hasInverse) {
    m_LastInitialTransform = CudaNeuroDetail::CopyOfParts<ImageDimension>(m_InitialTransform.GetPointer());
    m_LastDisplacementField = DisplacementFieldType::New();
    m_LastDisplacementField->Graft(this->GetDisplacementField());
    m_LastInverseDisplacementField = hasInverse ? DisplacementFieldType::New() : nullptr;
    if (hasInverse)
    {
      m_LastInverseDisplacementField->Graft(this->GetInverseDisplacementField());
    }
  };
  cudaneuro::RegistrationResult result;
  try
  {
    cudaneuro::Register(
      context,
      parameters,
      images,
      outputs,
      [this](const IterationType & iteration) { return this->ObserveIteration(iteration); },
      result);
  }
  catch (...)
  {
    if (result.hasField)
    {
      keepMap(false);
    }
    throw;
  }
  m_Result = result;
  keepMap(m_ComputeInverse);
  if (result.isDamped)
  {
    itkWarningMacro("The map was brought nearer to the identity after "
                    << result.numberOfMendingRounds
                    << " rounds, as it did not keep the bound of the Jacobian determinant by smoothing; it aligns less "
                    << "than the energy tells, and a better initial alignment, more smoothing or a lower bound helps");
  }
  if (m_Result.jacobian.numberOfFoldedVoxels > 0)
  {
    itkWarningMacro(
      "The map folds at " << m_Result.jacobian.numberOfFoldedVoxels
                          << " voxels of the fixed image, where its Jacobian determinant is not positive ("
                          << m_Result.jacobian.minimum << " at least); a smaller MaximumStep, more smoothing or "
                          << "another level at full resolution may prevent it");
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
bool
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::ObserveIteration(
  const IterationType & iteration)
{
  m_Result.final = iteration;
  m_Result.iterations.push_back(iteration);
  this->InvokeEvent(IterationEvent());
  return !m_StopRegistration;
}

#if !defined(ITK_WRAPPING_PARSER)
template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetTransform() const ->
  typename CompositeTransformType::Pointer
{
  if (m_LastDisplacementField.IsNull())
  {
    itkExceptionMacro("There is no transform yet: no update has come to its first iteration");
  }
  const DisplacementFieldType * const field = m_LastDisplacementField;
  const DisplacementFieldType * const inverse = m_LastInverseDisplacementField;
  return CudaNeuroDetail::MapOf<ImageDimension>(m_LastInitialTransform.GetPointer(), field, inverse);
}
#endif

} // namespace itk

#endif
