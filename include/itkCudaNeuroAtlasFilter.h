// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroAtlasFilter_h
#define itkCudaNeuroAtlasFilter_h

#include "cudaneuro/Atlas.h"
#include "itkCudaNeuroChannels.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroMacros.h"
#include "itkVector.h"

#include <string>
#include <vector>

namespace itk
{

/** \class CudaNeuroAtlasFilter
 * \brief How an atlas is computed, on which devices, and what came of it: the part of CudaDiffeomorphicAtlasFilter that
 * knows nothing of the single images.
 *
 * \tparam TInputImage, TOutputImage, TDisplacementField those of CudaDiffeomorphicAtlasFilter.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage = Image<float, TInputImage::ImageDimension>,
          typename TDisplacementField = Image<Vector<float, TInputImage::ImageDimension>, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaNeuroAtlasFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNeuroAtlasFilter);

  using Self = CudaNeuroAtlasFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(CudaNeuroAtlasFilter);

  static constexpr unsigned int ImageDimension = TInputImage::ImageDimension;

  using ReferenceImageType = ImageBase<ImageDimension>;
  using StandardDeviationsType = FixedArray<double, ImageDimension>;
  using ShrinkFactorsType = FixedArray<unsigned int, ImageDimension>;
  using UnsignedVectorType = std::vector<unsigned int>;
  using RealVectorType = std::vector<double>;
  using StringVectorType = std::vector<std::string>;
  using IterationType = cudaneuro::AtlasIteration;
  using DriftType = cudaneuro::AtlasDrift;
  using MetricEnum = cudaneuro::RegistrationMetric;
  using VelocityMethodEnum = cudaneuro::VelocityMethod;
  using MeanMethodEnum = cudaneuro::AtlasMean;

  /** The image whose grid the template has; its pixels do not matter. Optional; by default input 0. */
  itkCudaNeuroSetGetInputMacro(ReferenceImage, ReferenceImageType);

  /** What makes an image like the template: MeanSquares, for images of one scanner and sequence with intensities
   * brought to one range, or LocalCorrelation, where contrast or shading differ. Default MeanSquares. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, registration.metric);

  /** \name How further channels are compared
   * The images of channels after the first one are CudaDiffeomorphicAtlasFilter's. Channel 0 is the one that has Metric
   * and CorrelationRadius; those of channels from 1 to 7 have the same defaults, and do not follow it. The energy is
   * the mean of the channels' energies by their weights, 1 by default. A channel of weight 0 has no say in the maps,
   * and yet a template. A channel is there from the first call with its number on. */
  ///@{
  void
  SetChannelWeight(unsigned int channel, double weight);
  double
  GetChannelWeight(unsigned int channel) const;
  void
  SetChannelMetric(unsigned int channel, const std::string & nameOfMetric);
  std::string
  GetChannelMetricName(unsigned int channel) const;
#if !defined(ITK_WRAPPING_PARSER)
  void
  SetChannelMetric(unsigned int channel, MetricEnum metric);
  MetricEnum
  GetChannelMetric(unsigned int channel) const;
#endif
  void
  SetChannelCorrelationRadius(unsigned int channel, unsigned int radius);
  unsigned int
  GetChannelCorrelationRadius(unsigned int channel) const;
  ///@}

  /** Half-width of the boxes of LocalCorrelation, in voxels of the level; 1 to 8, default 3. */
  itkCudaNeuroParameterMacro(CorrelationRadius, unsigned int, registration.correlationRadius);

  /** Repair spikes and limit larger groups of intensities far beyond nearly all others
   * (cudaneuro::RegistrationParameters::repairOutliers). Templates and deformed images are made of
   * the repaired images. On by default. */
  itkCudaNeuroBooleanParameterMacro(RepairOutliers, registration.repairOutliers);

  /** SuccessiveOverRelaxation, which starts from the previous velocity and so needs few sweeps, or FourierTransform,
   * which is exact and takes Beta. Default SuccessiveOverRelaxation. */
  itkCudaNeuroEnumParameterMacro(VelocityMethod, VelocityMethodEnum, registration.velocityMethod);

  /** Coefficients of the operator L in units of voxels of the level: how strongly the velocity is smoothed, how
   * strongly its divergence is, and the resistance to the velocity itself, which makes a force reach sqrt(alpha /
   * gamma) voxels. Defaults 1, 0 and 0.02, those of Ha et al. Alpha and gamma 1e-6 to 1e6; beta not negative, and
   * other than 0 for FourierTransform alone. */
  itkCudaNeuroParameterMacro(Alpha, double, registration.alpha);
  itkCudaNeuroParameterMacro(Beta, double, registration.beta);
  itkCudaNeuroParameterMacro(Gamma, double, registration.gamma);

  /** Sweeps of SuccessiveOverRelaxation in the first iteration of a level, and in each later one. At least 1;
   * defaults 30 and 4. */
  itkCudaNeuroParameterMacro(FirstSweeps, unsigned int, registration.firstSweeps);
  itkCudaNeuroParameterMacro(Sweeps, unsigned int, registration.sweeps);

  /** The schedule: resolutions of the template's grid to go through, and iterations of each, as
   * CudaFluidRegistrationFilter has them. Default: 3 levels, shrink factors 4, 2 and 1, and 50 iterations of each
   * but 25 of the finest; SetNumberOfIterations sets those of the finest, too. */
  itkCudaNeuroLevelScheduleMacro(this->GetGridImage());

  /** How far the fastest voxel of each image moves in an iteration, in voxels of the level; in (0, 1], default 0.5. */
  itkCudaNeuroParameterMacro(MaximumStep, double, registration.maximumStep);

  /** A level ends when the mean energy of all images has fallen by less than this fraction of it over 10 iterations.
   * Default 0, which runs all iterations. */
  itkCudaNeuroParameterMacro(ConvergenceThreshold, double, registration.convergenceThreshold);

  /** Standard deviations of a Gaussian that smooths the displacement fields after each iteration, in voxels of the
   * level. Default 0: they are not smoothed. */
  itkCudaNeuroAxesParameterMacro(StandardDeviations, StandardDeviationsType, double, registration.standardDeviations);

  /** The iteration that inverts the maps of the result stops at this residual, in voxels (default 0.01), or after so
   * many iterations (default 50). Shape updates always invert to 1e-4. */
  itkCudaNeuroParameterMacro(InverseTolerance, double, registration.inversion.tolerance);
  itkCudaNeuroParameterMacro(MaximumNumberOfInverseIterations,
                             unsigned int,
                             registration.inversion.maximumNumberOfIterations);

  /** How the template is made of the deformed images: Mean, which minimizes the sum of squares; TrimmedMean, without
   * the lowest and highest values; or Median. The latter two do not follow single images that have failed; shape
   * updates take the same mean of each component of the displacements. Default Mean. */
  itkCudaNeuroEnumParameterMacro(MeanMethod, MeanMethodEnum, meanMethod);

  /** The fraction of the weight that TrimmedMean leaves out at each end; 0 to below 0.5, default 0.1. */
  itkCudaNeuroParameterMacro(TrimmedFraction, double, trimmedFraction);

  /** This multiple of the difference of the template from itself smoothed by one voxel is added to it, because
   * interpolation blurs the images that it is the mean of. 0 to 10; default 0 leaves it as it is. */
  itkCudaNeuroParameterMacro(Sharpening, double, sharpening);

  /** Iterations between shape updates; there is another at the end of each level. Default 10; 0 never does it, which
   * leaves the atlas with what bias it comes to. */
  itkCudaNeuroParameterMacro(ShapeUpdateInterval, unsigned int, shapeUpdateInterval);

  /** Leave rotation and translation of the mean displacement out of shape updates. Off by default: initial
   * transforms to a common pose, of which the images are the mean, stay that. */
  itkCudaNeuroBooleanParameterMacro(KeepPose, keepPose);

  /** Work only within the box that the images can reach, with the same result. On by default. */
  itkCudaNeuroBooleanParameterMacro(TrimToBoundingBox, trimToBoundingBox);

  /** Measure the template's entropy at every iteration, for GetEntropies. Off by default. */
  itkCudaNeuroBooleanParameterMacro(MeasureEntropy, measureEntropy);

  /** Names of the devices that share the images, "cpu" or "cuda:N"; one that is named twice gets two shares. The
   * first one becomes ComputeDevice. Empty, the default, is ComputeDevice alone. MaximumDeviceMemory is that of each
   * of them. */
  void
  SetComputeDevices(const StringVectorType & names);
  StringVectorType
  GetComputeDevices() const;

  /** \name State after the current, or the last, iteration
   * Level and iteration count from 0, the latter within the level. The energy is the weighted mean of the images'
   * energies, before the iteration's step, each a mean over the grid of the level: the value of the metric. */
  ///@{
  itkCudaNeuroGetValueMacro(ElapsedIterations, IdentifierType, m_Result.iterations.size());
  itkCudaNeuroGetValueMacro(CurrentLevel, int, this->GetCurrent().level);
  itkCudaNeuroGetValueMacro(CurrentIteration, int, this->GetCurrent().iteration);
  itkCudaNeuroGetValueMacro(Energy, double, this->GetCurrent().energy);
  /** Least Jacobian determinant of all maps. */
  itkCudaNeuroGetValueMacro(MinimumJacobian, double, this->GetCurrent().minimumJacobian);
  /** Shannon entropy of the template's intensities in bits, over 256 bins between its extremes; NaN without
   * MeasureEntropy. */
  itkCudaNeuroGetValueMacro(Entropy, double, this->GetCurrent().entropy);
  /** The energy of each image. */
  const RealVectorType &
  GetCurrentImageEnergies() const
  {
    return this->GetCurrent().imageEnergies;
  }
  ///@}

  /** The energy of each channel, a weighted mean over the images, without the channel's weight; 0 where that is 0. */
  const RealVectorType &
  GetCurrentChannelEnergies() const
  {
    return this->GetCurrent().channelEnergies;
  }

  /** \name Of every iteration of the last update
   * Energy, energy of an image, least Jacobian determinant, entropy, and all there is. */
  ///@{
  itkCudaNeuroGetSeriesMacro(Energies, m_Result.iterations, &IterationType::energy);
  RealVectorType
  GetImageEnergies(unsigned int image) const;
  itkCudaNeuroGetSeriesMacro(MinimumJacobians, m_Result.iterations, &IterationType::minimumJacobian);
  itkCudaNeuroGetSeriesMacro(Entropies, m_Result.iterations, &IterationType::entropy);
#if !defined(ITK_WRAPPING_PARSER)
  virtual const std::vector<IterationType> &
  GetIterations() const
  {
    return m_Result.iterations;
  }
#endif
  ///@}

  /** \name Of every shape update of the last update
   * Root of the mean square and maximum of the length of the mean displacement that it took away, in mm; the
   * rotation in degrees of the rigid motion nearest to it; and all there is. */
  ///@{
  itkCudaNeuroGetSeriesMacro(DriftRootMeanSquares, m_Result.drifts, &DriftType::rootMeanSquare);
  itkCudaNeuroGetSeriesMacro(DriftMaxima, m_Result.drifts, &DriftType::maximum);
  itkCudaNeuroGetSeriesMacro(DriftRotations, m_Result.drifts, &DriftType::rotationDegrees);
#if !defined(ITK_WRAPPING_PARSER)
  virtual const std::vector<DriftType> &
  GetDrifts() const
  {
    return m_Result.drifts;
  }
#endif
  ///@}

  /** \name Of the maps of the last update
   * Voxels of all images that RepairOutliers repaired; voxels of all maps whose Jacobian determinant is not
   * positive; steps that were taken back because a map would have folded; and, with
   * ComputeInverseDisplacementFields, the largest distance from p to h(inverse(p)) in voxels. */
  ///@{
  itkCudaNeuroGetResultMacro(NumberOfOutliers, SizeValueType, numberOfOutliers);
  itkCudaNeuroGetResultMacro(NumberOfFoldedVoxels, SizeValueType, numberOfFoldedVoxels);
  itkCudaNeuroGetResultMacro(NumberOfShortenedSteps, unsigned int, numberOfShortenedSteps);
  itkCudaNeuroGetResultMacro(MaximumInverseConsistency, double, maximumInverseConsistency);
  ///@}

  /** How much of each image the last update lost, because it lies beyond the grid of the template: a fraction of its
   * intensity above the background, 0 to 1, seen through the linear part of its initial transform. There is a
   * warning where it is more than 0.02, which names the images. What to do: give a ReferenceImage whose grid holds
   * all of them. */
  virtual const RealVectorType &
  GetCutFractions() const
  {
    return m_Result.cutFractions;
  }

  /** \name Energies of the last update's result
   * Weighted mean of the images' energies, and that of each image, on the grid of the template: of the maps and the
   * template that are the outputs, where those of an iteration are from before its step. */
  ///@{
  itkCudaNeuroGetResultMacro(FinalEnergy, double, energy);
  virtual const RealVectorType &
  GetFinalImageEnergies() const
  {
    return m_Result.imageEnergies;
  }
  /** The weighted mean of each channel, without its weight; 0 where that is 0. */
  virtual const RealVectorType &
  GetFinalChannelEnergies() const
  {
    return m_Result.channelEnergies;
  }
  ///@}

  /** \name The points of the images on the template, where any image has points
   * Of each point, in the order of their numbers: its weighted mean position in mm, ImageDimension coordinates; the
   * root of the weighted mean of squared distances from that, in mm; the weighted means of the products of deviations,
   * a matrix of ImageDimension^2 numbers, in mm^2; and how many images have it. Images of weight 0 do not count, nor
   * images that lack the point, or have it outside their grid or where no point of the template's grid is mapped to,
   * of which there is a warning. Of a point that no image has, the numbers are NaN. */
  ///@{
  RealVectorType
  GetTemplatePoints() const;
  RealVectorType
  GetTemplatePointSpreads() const;
  RealVectorType
  GetTemplatePointCovariances() const;
  UnsignedVectorType
  GetTemplatePointCounts() const;
  ///@}

  /** Most images of a device that waited in host memory for want of device memory. */
  itkCudaNeuroGetResultMacro(NumberOfStreamedImages, unsigned int, numberOfStreamedImages);

  /** How sums travelled between the devices: "none", "NCCL ...", "peer copies" or "host copies". */
  virtual const std::string &
  GetExchange() const
  {
    return m_Result.exchange;
  }

protected:
  /** The engine's result, and what it tells of single images. */
  struct ResultType : cudaneuro::AtlasResult
  {
    RealVectorType                     cutFractions;
    std::vector<cudaneuro::AtlasPoint> points;
    std::int64_t                       numberOfOutliers = 0;
    std::int64_t                       numberOfFoldedVoxels = 0;
    double                             maximumInverseConsistency = 0.0;
  };

  CudaNeuroAtlasFilter() = default;
  ~CudaNeuroAtlasFilter() override = default;

  /** The image whose grid the template has; null as long as there is none. */
  const ReferenceImageType *
  GetGridImage() const
  {
    return this->GetReferenceImage() != nullptr ? this->GetReferenceImage() : this->GetInput(0);
  }

  cudaneuro::AtlasParameters
  MakeParameters() const;
  void
  VerifyDevices() const;
  cudaneuro::AtlasDevices
  MakeDevices() const;
  /** Warns of images of which the last update lost a part. */
  void
  WarnOfCutImages() const;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  cudaneuro::AtlasParameters m_Parameters; // without levels
  ResultType                 m_Result;

private:
  /** Sets a parameter of a channel. */
  template <typename TItk, typename TEngine>
  void
  ChangeChannel(unsigned int channel,
                TEngine cudaneuro::ChannelParameters::*member,
                const TItk &                           value,
                const char *                           name);
  using ScheduleType = CudaNeuroDetail::LevelSchedule<ImageDimension>;

  /** The last iteration that is known; one of zeros when there is none. */
  const IterationType &
  GetCurrent() const
  {
    static const IterationType none{};
    return m_Result.iterations.empty() ? none : m_Result.iterations.back();
  }

  ScheduleType               m_Schedule{ 3, 50, 25 };
  std::vector<ComputeDevice> m_ComputeDevices;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNeuroAtlasFilter.hxx"
#endif

#endif
