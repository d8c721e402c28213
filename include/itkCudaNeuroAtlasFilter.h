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
 * \brief The part of CudaDiffeomorphicAtlasFilter that is independent of single images: parameters of the atlas,
 * devices, and results of the whole population.
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

  /** The image whose grid the template has; its pixels are not used. Optional; by default input 0. */
  itkCudaNeuroSetGetInputMacro(ReferenceImage, ReferenceImageType);

  /** The measure of an image's similarity to the template: MeanSquares, for images of one scanner and sequence with
   * intensities brought to one range, or LocalCorrelation, where contrast or shading differ. Default MeanSquares. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, registration.metric);

  /** \name How further channels are compared
   * CudaDiffeomorphicAtlasFilter sets the images of channels after the first one. Channel 0 has Metric and
   * CorrelationRadius; channels from 1 to 7 have the same defaults, and do not follow it. The energy is the mean of the
   * channels' energies by their weights, 1 by default. A channel of weight 0 has no influence on the maps, but still
   * gets a template. A channel exists from the first call with its number on. */
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
   * (cudaneuro::RegistrationParameters::repairOutliers). Templates and deformed images are computed from the repaired
   * images. On by default. */
  itkCudaNeuroBooleanParameterMacro(RepairOutliers, registration.repairOutliers);

  /** How the velocity is computed: SuccessiveOverRelaxation, which starts from the previous velocity and so needs few
   * sweeps, or FourierTransform, which is exact and allows Beta. Default SuccessiveOverRelaxation. */
  itkCudaNeuroEnumParameterMacro(VelocityMethod, VelocityMethodEnum, registration.velocityMethod);

  /** Coefficients of the operator L in units of voxels of the level: how strongly the velocity is smoothed, how
   * strongly its divergence is smoothed, and the resistance to the velocity itself, which limits the reach of a force
   * to sqrt(alpha / gamma) voxels. Defaults 1, 0 and 0.02, those of Ha et al. Alpha and gamma 1e-6 to 1e6; beta not
   * negative, and other than 0 only with FourierTransform. */
  itkCudaNeuroParameterMacro(Alpha, double, registration.alpha);
  itkCudaNeuroParameterMacro(Beta, double, registration.beta);
  itkCudaNeuroParameterMacro(Gamma, double, registration.gamma);

  /** Sweeps of SuccessiveOverRelaxation in the first iteration of a level, and in each later one. At least 1;
   * defaults 30 and 4. */
  itkCudaNeuroParameterMacro(FirstSweeps, unsigned int, registration.firstSweeps);
  itkCudaNeuroParameterMacro(Sweeps, unsigned int, registration.sweeps);

  /** The schedule: resolutions of the template's grid, and the iterations of each, as in CudaFluidRegistrationFilter.
   * Default: 3 levels, shrink factors 4, 2 and 1, and 50 iterations of each except 25 of the finest;
   * SetNumberOfIterations sets those of the finest, too. */
  itkCudaNeuroLevelScheduleMacro(this->GetGridImage());

  /** How far the fastest voxel of each image moves in an iteration, in voxels of the level; in (0, 1], default 0.5. */
  itkCudaNeuroParameterMacro(MaximumStep, double, registration.maximumStep);

  /** A level ends when the mean energy of all images has fallen by less than this fraction of it over 10 iterations.
   * Default 0, which runs all iterations. */
  itkCudaNeuroParameterMacro(ConvergenceThreshold, double, registration.convergenceThreshold);

  /** Standard deviations of a Gaussian that smooths the displacement fields after each iteration, in voxels of the
   * level. Default 0: they are not smoothed. */
  itkCudaNeuroAxesParameterMacro(StandardDeviations, StandardDeviationsType, double, registration.standardDeviations);

  /** The iteration that inverts the maps of the result stops at this residual, in voxels (default 0.01), or after this
   * number of iterations (default 50). Shape updates always invert to 1e-4. */
  itkCudaNeuroParameterMacro(InverseTolerance, double, registration.inversion.tolerance);
  itkCudaNeuroParameterMacro(MaximumNumberOfInverseIterations,
                             unsigned int,
                             registration.inversion.maximumNumberOfIterations);

  /** How the template is computed from the deformed images: Mean, which minimizes the sum of squares; TrimmedMean,
   * without the lowest and highest values; or Median. The latter two are robust against single failed images; shape
   * updates use the same mean for each component of the displacements. Default Mean. */
  itkCudaNeuroEnumParameterMacro(MeanMethod, MeanMethodEnum, meanMethod);

  /** The fraction of the weight that TrimmedMean excludes at each end; 0 to 0.49, default 0.1. */
  itkCudaNeuroParameterMacro(TrimmedFraction, double, trimmedFraction);

  /** Adds this multiple of the difference between the template and itself smoothed by one voxel, because interpolation
   * blurs the images of which it is the mean. 0 to 10; default 0 leaves it unchanged. */
  itkCudaNeuroParameterMacro(Sharpening, double, sharpening);

  /** Iterations between shape updates; there is another at the end of each level. Default 10; 0 makes none, which
   * leaves the atlas biased. */
  itkCudaNeuroParameterMacro(ShapeUpdateInterval, unsigned int, shapeUpdateInterval);

  /** Exclude rotation and translation of the mean displacement from shape updates, so that the template keeps its pose.
   * Off by default: a common pose that initial transforms define as the mean of the images' is kept anyway. */
  itkCudaNeuroBooleanParameterMacro(KeepPose, keepPose);

  /** Work only within the box that the images can reach, with the same result in less time. On by default. */
  itkCudaNeuroBooleanParameterMacro(TrimToBoundingBox, trimToBoundingBox);

  /** Measure the template's entropy at every iteration, for GetEntropies. Off by default. */
  itkCudaNeuroBooleanParameterMacro(MeasureEntropy, measureEntropy);

  /** Names of the devices that share the images, "cpu" or "cuda:N"; one that is named twice gets two shares. The first
   * one becomes ComputeDevice. Empty, the default, is ComputeDevice alone. MaximumDeviceMemory applies to each of
   * them. */
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
  /** Minimum Jacobian determinant of all maps. */
  itkCudaNeuroGetValueMacro(MinimumJacobian, double, this->GetCurrent().minimumJacobian);
  /** Shannon entropy of the template's intensities in bits, over 256 bins between its extremes; NaN without
   * MeasureEntropy. */
  itkCudaNeuroGetValueMacro(Entropy, double, this->GetCurrent().entropy);
  /** The energy of each image after the current iteration. */
  const RealVectorType &
  GetCurrentImageEnergies() const
  {
    return this->GetCurrent().imageEnergies;
  }
  ///@}

  /** The energy of each channel, as weighted mean over the images, without the channel's weight; 0 for weight 0. */
  const RealVectorType &
  GetCurrentChannelEnergies() const
  {
    return this->GetCurrent().channelEnergies;
  }

  /** \name Series with one value for every iteration of the last update
   * Energy, energy of an image, minimum Jacobian determinant, entropy; and all of them in one list. */
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

  /** \name Series with one value for every shape update of the last update
   * Root mean square and maximum length of the mean displacement that it removed, in mm; the rotation in degrees of the
   * rigid motion closest to it; and all of them in one list. */
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

  /** \name Results on the maps of the last update
   * Number of voxels of all images that RepairOutliers repaired; of voxels of all maps whose Jacobian determinant is
   * not positive; of steps that were taken back because a map would have folded; and, with
   * ComputeInverseDisplacementFields, the largest distance from p to h(inverse(p)) in voxels. */
  ///@{
  itkCudaNeuroGetResultMacro(NumberOfOutliers, SizeValueType, numberOfOutliers);
  itkCudaNeuroGetResultMacro(NumberOfFoldedVoxels, SizeValueType, numberOfFoldedVoxels);
  itkCudaNeuroGetResultMacro(NumberOfShortenedSteps, unsigned int, numberOfShortenedSteps);
  itkCudaNeuroGetResultMacro(MaximumInverseConsistency, double, maximumInverseConsistency);
  ///@}

  /** How much of each image the last update lost, because it lies beyond the grid of the template: a fraction of its
   * intensity above the background, 0 to 1, under the linear part of its initial transform. Above 0.02 a warning
   * names the images. The remedy is a ReferenceImage whose grid contains all images. It has one value for each
   * image. */
  virtual const RealVectorType &
  GetCutFractions() const
  {
    return m_Result.cutFractions;
  }

  /** \name Energies of the last update's result
   * Weighted mean of the images' energies, and that of each image, on the grid of the template. They belong to the maps
   * and the template of the outputs, while those of an iteration are from before its step. */
  ///@{
  itkCudaNeuroGetResultMacro(FinalEnergy, double, energy);
  virtual const RealVectorType &
  GetFinalImageEnergies() const
  {
    return m_Result.imageEnergies;
  }
  /** The weighted mean of each channel, without its weight; 0 where the weight is 0. */
  virtual const RealVectorType &
  GetFinalChannelEnergies() const
  {
    return m_Result.channelEnergies;
  }
  ///@}

  /** \name The points of the images on the template, where any image has points
   * For each point, in the order of their numbers: its weighted mean position in mm, ImageDimension coordinates; the
   * root of the weighted mean squared distance from it, in mm; the weighted covariance, a matrix of ImageDimension^2
   * numbers, in mm^2; and the number of images that have it. Images of weight 0 do not count, nor images that lack the
   * point, or have it outside their grid or where no point of the template's grid is mapped to, which causes a warning.
   * Numbers are NaN for a point that no image has. */
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

  /** Maximum number of images per device that were kept in host memory for lack of device memory. */
  itkCudaNeuroGetResultMacro(NumberOfStreamedImages, unsigned int, numberOfStreamedImages);

  /** How partial sums were exchanged: "none", "NCCL ...", "peer copies", "copies on the device" or "host copies". */
  virtual const std::string &
  GetExchange() const
  {
    return m_Result.exchange;
  }

protected:
  /** The engine's result, and its results for single images. */
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

  /** The image whose grid the template has; null until it is set. */
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
  /** Warns of images that were partly cut off in the last update. */
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

  /** The last iteration so far; one of zeros when there is none. */
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
