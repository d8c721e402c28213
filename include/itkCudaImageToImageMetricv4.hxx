// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageToImageMetricv4_hxx
#define itkCudaImageToImageMetricv4_hxx

#include "itkCompositeTransform.h"
#include "itkCudaImageToImageMetricv4.h"
#include "itkCudaNeuroImageChecks.h"
#include "itkIdentityTransform.h"
#include "itkIndexRange.h"
#include "itkLinearInterpolateImageFunction.h"
#include "itkMultiThreaderBase.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::
  CudaImageToImageMetricv4()
  : m_MaximumNumberOfWorkUnits(MultiThreaderBase::GetGlobalDefaultNumberOfThreads())
{}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::VerifySupported()
  const
{
  if (this->GetUseSampledPointSet())
  {
    itkExceptionMacro(
      "This metric takes no set of sampled points (UseSampledPointSet); all points of the virtual domain are "
      "evaluated. In ImageRegistrationMethodv4, leave MetricSamplingStrategy at NONE");
  }
  using LinearType =
    LinearInterpolateImageFunction<TMovingImage, typename MetricSuperclass::CoordinateRepresentationType>;
  if (dynamic_cast<const LinearType *>(this->m_MovingInterpolator.GetPointer()) == nullptr)
  {
    itkExceptionMacro(
      "The moving image is interpolated by LinearInterpolateImageFunction only; the moving interpolator is "
      << (this->m_MovingInterpolator ? this->m_MovingInterpolator->GetNameOfClass() : "absent"));
  }
  if (this->m_MovingTransform)
  {
    this->VerifyLinear(this->m_MovingTransform);
  }
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::VerifyLinear(
  const MovingTransformType * transform) const
{
  if (transform->IsLinear())
  {
    return;
  }
  using CompositeType = CompositeTransform<TInternalComputationValueType, ImageDimension>;
  if (const auto * const composite = dynamic_cast<const CompositeType *>(transform))
  {
    for (SizeValueType n = 0; n < composite->GetNumberOfTransforms(); ++n)
    {
      this->VerifyLinear(composite->GetNthTransformConstPointer(n));
    }
  }
  itkExceptionMacro("The moving transform is or contains a " << transform->GetNameOfClass() << ", which is not linear");
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
bool
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::
  IsFixedImageOnVirtualDomain() const
{
  using IdentityType = IdentityTransform<TInternalComputationValueType, ImageDimension>;
  using LinearType =
    LinearInterpolateImageFunction<TFixedImage, typename MetricSuperclass::CoordinateRepresentationType>;
  return !this->m_FixedImageMask &&
         this->m_FixedImage->GetBufferedRegion() == this->m_FixedImage->GetLargestPossibleRegion() &&
         dynamic_cast<const IdentityType *>(this->m_FixedTransform.GetPointer()) != nullptr &&
         dynamic_cast<const LinearType *>(this->m_FixedInterpolator.GetPointer()) != nullptr &&
         cudaneuro::IsSameGeometry(CudaNeuroDetail::GeometryOf<ImageDimension>(this->m_FixedImage),
                                   CudaNeuroDetail::GeometryOf<ImageDimension>(this->m_VirtualImage));
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
template <typename TImage>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::MakeMask(
  const TImage *                                                                 image,
  const std::function<bool(SizeValueType, const typename TImage::PointType &)> & isInside,
  SampledImage &                                                                 sampled) const
{
  const auto region = image->GetBufferedRegion();
  sampled.mask.resize(region.GetNumberOfPixels());
  std::atomic<SizeValueType> numberInside{ 0 };
  const auto                 threader = MultiThreaderBase::New();
  threader->SetNumberOfWorkUnits(m_MaximumNumberOfWorkUnits);
  threader->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const ImageRegion<ImageDimension> & part) {
      SizeValueType inside = 0;
      for (const auto & index : ImageRegionIndexRange<ImageDimension>(part))
      {
        typename TImage::PointType point;
        image->TransformIndexToPhysicalPoint(index, point);
        const auto i = static_cast<SizeValueType>(image->ComputeOffset(index));
        sampled.mask[i] = isInside(i, point) ? 1 : 0;
        inside += sampled.mask[i];
      }
      numberInside += inside;
    },
    nullptr);
  sampled.numberInside = numberInside;
  if (sampled.numberInside == sampled.mask.size())
  {
    sampled.mask.clear();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
auto
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::SampleFixedImage()
  const -> SampledImage
{
  SampledImage sampled;
  sampled.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->m_VirtualImage);
  if (this->IsFixedImageOnVirtualDomain())
  {
    sampled.image = CudaNeuroDetail::VolumeOf(this->m_FixedImage.GetPointer());
    sampled.numberInside = this->m_FixedImage->GetBufferedRegion().GetNumberOfPixels();
    this->AddSliceIn3D(this->m_FixedImage.GetPointer(), sampled);
    return sampled;
  }
  sampled.values.resize(this->m_VirtualImage->GetBufferedRegion().GetNumberOfPixels());
  this->template MakeMask<TVirtualImage>(
    this->m_VirtualImage,
    [&](SizeValueType i, const typename TVirtualImage::PointType & point) {
      typename TFixedImage::PointType mapped;
      typename TFixedImage::PixelType value;
      const bool                      isInside = this->TransformAndEvaluateFixedPoint(point, mapped, value);
      sampled.values[i] = static_cast<float>(value);
      return isInside;
    },
    sampled);
  sampled.image = { sampled.values.data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Host };
  this->AddSliceIn3D(this->m_VirtualImage.GetPointer(), sampled);
  return sampled;
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
auto
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::SampleMovingImage()
  const -> SampledImage
{
  CudaNeuroDetail::VerifyPixels(this, "the moving image", this->m_MovingImage.GetPointer());
  SampledImage sampled;
  sampled.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->m_MovingImage);
  sampled.image = CudaNeuroDetail::VolumeOf(this->m_MovingImage.GetPointer());
  if (this->m_MovingImageMask)
  {
    this->template MakeMask<TMovingImage>(
      this->m_MovingImage,
      [&](SizeValueType, const typename TMovingImage::PointType & point) {
        return this->m_MovingImageMask->IsInsideInWorldSpace(point);
      },
      sampled);
  }
  this->AddSliceIn3D(this->m_MovingImage.GetPointer(), sampled);
  return sampled;
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
template <typename TImage>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::AddSliceIn3D(
  const TImage * image, SampledImage & sampled) const
{
  if (ImageDimension != 3 || sampled.geometry.grid.size[2] != 1)
  {
    return;
  }
  const auto count = static_cast<std::size_t>(image->GetBufferedRegion().GetNumberOfPixels());
  if (sampled.values.empty())
  {
    sampled.values.assign(image->GetBufferPointer(), image->GetBufferPointer() + count);
  }
  sampled.values.resize(2 * count);
  std::copy_n(sampled.values.begin(), count, sampled.values.begin() + static_cast<std::ptrdiff_t>(count));
  sampled.mask.resize(count, 1);
  sampled.mask.resize(2 * count, 0);
  sampled.geometry.grid.size[2] = 2;
  sampled.image = { sampled.values.data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Host };
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::Initialize()
{
  // The metric refers to the context, which may be replaced.
  m_LinearMetric.reset();
  this->VerifySupported();
  MetricSuperclass::Initialize();

  const SampledImage fixed = this->SampleFixedImage();
  const SampledImage moving = this->SampleMovingImage();
  const auto         maskOf = [](const SampledImage & sampled) {
    return sampled.mask.empty() ? cudaneuro::ConstVolume{}
                                        : cudaneuro::ConstVolume{ sampled.mask.data(),
                                                          cudaneuro::PixelType::UnsignedChar,
                                                          cudaneuro::MemorySpace::Host };
  };
  this->RunOnDevice([&](cudaneuro::Context & context) {
    m_LinearMetric = std::make_unique<cudaneuro::LinearMetric>(
      context,
      m_Parameters,
      cudaneuro::LinearMetricImages{
        fixed.geometry, fixed.image, maskOf(fixed), moving.geometry, moving.image, maskOf(moving) });
  });
  m_NumberOfFixedPoints = fixed.numberInside;
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
auto
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::Evaluate(
  bool withDerivatives) const -> EvaluationType
{
  if (!m_LinearMetric)
  {
    itkExceptionMacro("Initialize() must be called before the metric is evaluated, and must have succeeded");
  }
  std::vector<EvaluationType> evaluations(1);
  evaluations[0].map = CudaNeuroDetail::AffineMapOf(this->m_MovingTransform.GetPointer());
  CudaNeuroDetail::Call([&] { m_LinearMetric->Evaluate(evaluations, withDerivatives); });
  this->m_NumberOfValidPoints =
    static_cast<SizeValueType>(std::llround(evaluations[0].overlap * static_cast<double>(m_NumberOfFixedPoints)));
  return evaluations[0];
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::
  GetValueAndDerivative(MeasureType & value, DerivativeType & derivative) const
{
  const EvaluationType evaluation = this->Evaluate(true);
  value = static_cast<MeasureType>(evaluation.value);
  derivative.SetSize(this->GetNumberOfParameters());
  if (this->VerifyNumberOfValidPoints(value, derivative))
  {
    this->ToParameters(evaluation, derivative);
  }
  this->m_Value = value;
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::ToParameters(
  const EvaluationType & evaluation, DerivativeType & derivative) const
{
  // A linear transform maps p to A p + t, so that its Jacobian J(p), by the parameters, is affine in p, with the
  // derivatives of the columns of A as slopes. This holds for each transform of a composite, too. J is evaluated
  // relative to a point c of the virtual domain, because in float much of J(p) - J(c) would be lost where both are far
  // away: moved by dA and dt, p changes by dA (p - c) + (dA c + dt).
  constexpr double                             step = CudaNeuroDetail::lengthOfProbe;
  typename MovingTransformType::InputPointType center;
  const auto                                   region = this->GetVirtualRegion();
  typename TVirtualImage::IndexType            index = region.GetIndex();
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    index[axis] += static_cast<IndexValueType>(region.GetSize(axis) / 2);
  }
  this->m_VirtualImage->TransformIndexToPhysicalPoint(index, center);
  typename MovingTransformType::JacobianType atCenter;
  this->m_MovingTransform->ComputeJacobianWithRespectToParameters(center, atCenter);
  std::vector<double> ofParameters(derivative.GetSize(), 0.0);
  const auto          add = [&ofParameters](const auto & jacobian, unsigned int row, double factor) {
    for (unsigned int k = 0; k < ofParameters.size(); ++k)
    {
      ofParameters[k] += factor * jacobian(row, k);
    }
  };
  for (unsigned int column = 0; column < ImageDimension; ++column)
  {
    typename MovingTransformType::InputPointType probe = center;
    probe[column] += step;
    typename MovingTransformType::JacobianType atProbe;
    this->m_MovingTransform->ComputeJacobianWithRespectToParameters(probe, atProbe);
    // The step that was actually made, which may be rounded in float.
    const double taken = static_cast<double>(probe[column]) - center[column];
    for (unsigned int row = 0; row < ImageDimension; ++row)
    {
      const double aboutCenter =
        evaluation.derivativeByMatrix[3 * row + column] - center[column] * evaluation.derivativeByOffset[row];
      add(atProbe, row, aboutCenter / taken);
      add(atCenter, row, -aboutCenter / taken);
    }
  }
  for (unsigned int row = 0; row < ImageDimension; ++row)
  {
    add(atCenter, row, evaluation.derivativeByOffset[row]);
  }
  std::transform(ofParameters.begin(), ofParameters.end(), derivative.begin(), [](double value) {
    return static_cast<typename DerivativeType::ValueType>(-value);
  });
}

template <typename TFixedImage, typename TMovingImage, typename TVirtualImage, typename TInternalComputationValueType>
void
CudaImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>::PrintSelf(
  std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(
    os, indent, m_Parameters, ImageDimension, { "UseSymmetricMetric", "ExtendBackground", "CountUncovered" });
  os << indent << "MaximumNumberOfWorkUnits: " << m_MaximumNumberOfWorkUnits << std::endl;
  os << indent << "NumberOfFixedPoints: " << m_NumberOfFixedPoints << std::endl;
}

} // namespace itk

#endif
