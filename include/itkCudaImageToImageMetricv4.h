// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageToImageMetricv4_h
#define itkCudaImageToImageMetricv4_h

#include "cudaneuro/LinearMetric.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroProcess.h"
#include "itkImageToImageMetricv4.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace itk
{

/** \class CudaImageToImageMetricv4
 * \brief A metric for itk::ImageRegistrationMethodv4 and ITK's optimizers whose value and derivative are computed on
 * a CUDA device, or on all cores of the CPU.
 *
 * It replaces itk::MattesMutualInformationImageToImageMetricv4 and similar metrics where the transform that is
 * optimized is linear: a TranslationTransform, Euler3DTransform, VersorRigid3DTransform, Similarity3DTransform,
 * AffineTransform, ..., or a CompositeTransform of such transforms, of which some may be optimized and others not.
 *
 * \code
 * using MetricType = itk::CudaImageToImageMetricv4<ImageType, ImageType>;
 * auto metric = MetricType::New();
 * metric->SetComputeDevice("cuda:0");
 * registration->SetMetric(metric);
 * \endcode
 *
 * The metric is evaluated at all points of the virtual domain, as in ITK: where the fixed transform maps a point
 * into the fixed image and its mask, and the moving transform maps it into the moving image and its mask. Initialize
 * copies the images to the device once: the fixed image and its mask resampled through the fixed transform, of any
 * class, at the points of the virtual domain; the moving mask at the voxels of the moving image. A call of
 * GetValueAndDerivative then sends a map to the device, and receives the numbers. As in ITK's metrics, the
 * derivative has the sign by which the parameters are to be changed.
 *
 * \par Differences from ITK's metrics
 * - The derivative is that of the value, with linear interpolation, for the points that overlap. There is no image
 *   of gradients: the filters and functions by which ITK's metrics compute gradients are not used, and their
 *   settings have no effect.
 * - The moving image is interpolated linearly. Any interpolator for the fixed image is accepted.
 * - MutualInformation is that of itk::MattesMutualInformationImageToImageMetricv4. The bounds of the fixed image's
 *   bins are those of the compared voxels, which are fewer where the virtual domain is coarser than the fixed image.
 * - MeanSquares is half of that of itk::MeanSquaresImageToImageMetricv4, divided by the variance of the fixed image.
 * - LocalCorrelation is 1 minus the mean squared correlation coefficient over boxes, in voxels of the virtual
 *   domain.
 * - Where the moving mask ends, values are interpolated from voxels inside it.
 * - There are no sampled points. A device is fast enough for all of them: leave MetricSamplingStrategy at NONE.
 *
 * All sums are made in a fixed order: on one device, values have the same bits in each run.
 *
 * \par Errors
 * Moving transforms that are not linear, other interpolators of the moving image, sets of sampled points, images
 * that are constant or have no finite voxel, empty masks, and parameters out of range cause an ExceptionObject that
 * names the value. Where the images do not overlap, the value is the largest number of the type, the derivative is
 * 0, and there is a warning, as with ITK's metrics.
 *
 * \tparam TFixedImage, TMovingImage itk::Image of float or double.
 *
 * \sa CudaLinearRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage,
          typename TMovingImage = TFixedImage,
          typename TVirtualImage = TFixedImage,
          typename TInternalComputationValueType = double>
class ITK_TEMPLATE_EXPORT CudaImageToImageMetricv4
  : public CudaNeuroProcess<
      ImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaImageToImageMetricv4);

  using Self = CudaImageToImageMetricv4;
  using MetricSuperclass =
    ImageToImageMetricv4<TFixedImage, TMovingImage, TVirtualImage, TInternalComputationValueType>;
  using Superclass = CudaNeuroProcess<MetricSuperclass>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaImageToImageMetricv4);

  static constexpr unsigned int ImageDimension = TVirtualImage::ImageDimension;
  static_assert(TFixedImage::ImageDimension == ImageDimension && TMovingImage::ImageDimension == ImageDimension,
                "Images must have the same dimension.");

  using typename MetricSuperclass::DerivativeType;
  using typename MetricSuperclass::MeasureType;
  using typename MetricSuperclass::MovingTransformType;
  using typename MetricSuperclass::ParametersType;
  using MetricEnum = cudaneuro::RegistrationMetric;
  using QuantilesType = FixedArray<double, 2>;

  /** The measure of similarity: MutualInformation, MeanSquares or LocalCorrelation. Smaller is better. Default
   * MutualInformation, for images of any two contrasts. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, metric);

  /** Number of bins of each image's intensities for MutualInformation; 8 to 64, default 32. */
  itkCudaNeuroParameterMacro(NumberOfHistogramBins, unsigned int, numberOfHistogramBins);

  /** Intensities below the first and above the second of these quantiles of an image, computed inside its mask, are
   * clamped to the quantile. 0 and 1, the default, leave the images unchanged. */
  itkCudaNeuroParameterMacro(IntensityQuantiles, QuantilesType, intensityQuantiles);

  /** Repair spikes and limit larger groups of intensities far beyond nearly all others
   * (cudaneuro::RegistrationParameters::repairOutliers). On by default. */
  itkCudaNeuroBooleanParameterMacro(RepairOutliers, repairOutliers);

  /** Half-width of the boxes of LocalCorrelation, in voxels of the virtual domain; 1 to 8, default 3. */
  itkCudaNeuroParameterMacro(CorrelationRadius, unsigned int, correlationRadius);

  /** Number of threads where the CPU computes, and for resampling the fixed image to the virtual domain; by default as
   * many as ITK uses, and at least 1. */
  void
  SetMaximumNumberOfWorkUnits(ThreadIdType number) override
  {
    const ThreadIdType atLeastOne = std::max<ThreadIdType>(number, 1);
    if (atLeastOne != m_MaximumNumberOfWorkUnits)
    {
      m_MaximumNumberOfWorkUnits = atLeastOne;
      this->Modified();
    }
  }
  ThreadIdType
  GetMaximumNumberOfWorkUnits() const override
  {
    return m_MaximumNumberOfWorkUnits;
  }
  ThreadIdType
  GetNumberOfWorkUnitsUsed() const override
  {
    return m_MaximumNumberOfWorkUnits;
  }

  /** Copies the images to the device. It must be called again when anything but the parameters of the moving transform
   * has changed. */
  void
  Initialize() override;

  MeasureType
  GetValue() const override
  {
    this->m_Value = static_cast<MeasureType>(this->Evaluate(false).value);
    DerivativeType none;
    this->VerifyNumberOfValidPoints(this->m_Value, none);
    return this->m_Value;
  }
  void
  GetDerivative(DerivativeType & derivative) const override
  {
    MeasureType value;
    this->GetValueAndDerivative(value, derivative);
  }
  void
  GetValueAndDerivative(MeasureType & value, DerivativeType & derivative) const override;

protected:
  CudaImageToImageMetricv4();
  ~CudaImageToImageMetricv4() override = default;

  /** Does nothing, because this metric uses no image of gradients. */
  void
  ComputeFixedImageGradientFilterImage() override
  {}
  void
  ComputeMovingImageGradientFilterImage() const override
  {}

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  using EvaluationType = cudaneuro::LinearMetricEvaluation;

  /** An image's voxels in memory, and the mask of those that are included; no mask where all are. */
  struct SampledImage
  {
    cudaneuro::Geometry        geometry;
    cudaneuro::ConstVolume     image;
    std::vector<float>         values;
    std::vector<unsigned char> mask;
    SizeValueType              numberInside = 0;
  };

  void
  VerifySupported() const;
  void
  VerifyLinear(const MovingTransformType * transform) const;

  /** Whether the points of the virtual domain are the fixed image's voxels, and all of them are included. */
  bool
  IsFixedImageOnVirtualDomain() const;
  SampledImage
  SampleFixedImage() const;
  SampledImage
  SampleMovingImage() const;

  /** Calls \p isInside(i, point) for all voxels of an image's buffered region, in parallel, and writes its answers to a
   * mask, unless all are true. */
  template <typename TImage>
  void
  MakeMask(const TImage *                                                                 image,
           const std::function<bool(SizeValueType, const typename TImage::PointType &)> & isInside,
           SampledImage &                                                                 sampled) const;

  /** Adds a second, excluded slice to 3D images of one slice, because the engine treats grids of one slice as 2D. */
  template <typename TImage>
  void
  AddSliceIn3D(const TImage * image, SampledImage & sampled) const;

  /** Evaluates the metric for the current moving transform, and stores the number of points that were included. */
  EvaluationType
  Evaluate(bool withDerivatives) const;

  /** The chain rule: from derivatives by the transform's matrix and offset to derivatives by its parameters. */
  void
  ToParameters(const EvaluationType & evaluation, DerivativeType & derivative) const;

  cudaneuro::LinearMetricParameters m_Parameters;
  ThreadIdType                      m_MaximumNumberOfWorkUnits;
  /** Number of points of the virtual domain that are inside the fixed image and its mask. */
  SizeValueType                            m_NumberOfFixedPoints = 0;
  std::unique_ptr<cudaneuro::LinearMetric> m_LinearMetric;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaImageToImageMetricv4.hxx"
#endif

#endif
