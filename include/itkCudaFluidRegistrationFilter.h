// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFluidRegistrationFilter_h
#define itkCudaFluidRegistrationFilter_h

#include "cudaneuro/Registration.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroChannels.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroPointsAndLabels.h"
#include "itkVector.h"

#include <atomic>
#include <type_traits>
#include <vector>

namespace itk
{

template <typename TParametersValueType, unsigned int VDimension>
class DisplacementFieldTransform;

/** \class CudaFluidRegistrationFilter
 * \brief Base of the filters that deform one image onto another: inputs, outputs, schedule and results.
 *
 * The output is a displacement field D on the grid of the fixed image, in mm along the axes of space, such that
 * moving(T(p + D(p))) is similar to fixed(p), where T is the initial transform (identity by default). It has the form
 * of itk::PDEDeformableRegistrationFilter, and DisplacementFieldTransform, WarpImageFilter, 3D Slicer and ANTs accept
 * it. The map h(p) = p + D(p) does not fold: a step after which a Jacobian determinant is not positive is taken back
 * and halved, and counted. Further outputs are the inverse of h, the warped image and the Jacobian determinant of h.
 *
 * Fixed and moving images may differ in grid, spacing and direction. Voxels outside the masks exert no force.
 *
 * The setters of itk::PDEDeformableRegistrationFilter and itk::DemonsRegistrationFilter are here where they have the
 * same meaning. Differences: the schedule of resolutions is part of the filter; NumberOfIterations is that of each
 * level; the displacement field is smoothed only after SetStandardDeviations; SetInput sets the fixed image.
 *
 * An IterationEvent is invoked for every iteration, in order, from the thread that updates; the getters of the current
 * iteration return its state. On a GPU the events come a little after the iterations.
 *
 * \par Errors
 * Images that do not overlap, that are constant or have no finite voxel, masks that are empty, fields that are not on
 * the fixed image's grid or that fold, and parameters out of range cause an ExceptionObject that names the value and
 * the limit. When an update is aborted or fails after the first iteration has begun, GetLastDisplacementField returns
 * the last map that did not fold.
 *
 * \tparam TFixedImage, TMovingImage Image or DeviceImage, of unsigned char, short, unsigned short, float or double.
 * \tparam TDisplacementField Image or DeviceImage of Vector<float, D>. The other outputs are of the same kind.
 *
 * \sa CudaUnbiasedFluidRegistrationFilter, CudaGreedyFluidRegistrationFilter, CudaSymmetricRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage,
          typename TMovingImage = TFixedImage,
          typename TDisplacementField = Image<Vector<float, TFixedImage::ImageDimension>, TFixedImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaFluidRegistrationFilter : public CudaNeuroImageFilter<TFixedImage, TDisplacementField>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaFluidRegistrationFilter);

  using Self = CudaFluidRegistrationFilter;
  using Superclass = CudaNeuroImageFilter<TFixedImage, TDisplacementField>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(CudaFluidRegistrationFilter);

  static constexpr unsigned int ImageDimension = TFixedImage::ImageDimension;
  static_assert(TMovingImage::ImageDimension == ImageDimension && TDisplacementField::ImageDimension == ImageDimension,
                "Images and field must have the same dimension.");
  static_assert(std::is_same_v<typename TDisplacementField::PixelType, Vector<float, ImageDimension>>,
                "The displacement field must have pixels of itk::Vector<float, ImageDimension>.");

  using FixedImageType = TFixedImage;
  using MovingImageType = TMovingImage;
  using MovingPixelType = typename TMovingImage::PixelType;
  using InterpolationEnum = cudaneuro::Interpolation;
  using DisplacementFieldType = TDisplacementField;
  using typename Superclass::MaskImageType;
  using WarpedImageType =
    typename CudaNeuroDetail::SameKindOf<TDisplacementField, typename TMovingImage::PixelType>::Type;
  using JacobianImageType = typename CudaNeuroDetail::SameKindOf<TDisplacementField, float>::Type;
  using TransformType = Transform<double, ImageDimension, ImageDimension>;
  using CompositeTransformType = CompositeTransform<double, ImageDimension>;
  using DisplacementFieldTransformType = DisplacementFieldTransform<double, ImageDimension>;
  using StandardDeviationsType = FixedArray<double, ImageDimension>;
  using ShrinkFactorsType = FixedArray<unsigned int, ImageDimension>;
  using UnsignedVectorType = std::vector<unsigned int>;
  using RealVectorType = std::vector<double>;
  using IterationType = cudaneuro::RegistrationIteration;
  using MetricEnum = cudaneuro::RegistrationMetric;
  using typename Superclass::DataObjectIdentifierType;
  using typename Superclass::DataObjectPointer;
  using typename Superclass::DataObjectPointerArraySizeType;

  /** The image whose grid the results have. */
  itkCudaNeuroSetGetInputMacro(FixedImage, FixedImageType);

  /** The image that is deformed. */
  itkCudaNeuroSetGetInputMacro(MovingImage, MovingImageType);

  /** The displacement field to start from, on the fixed image's grid. Optional; zero by default. It must not fold. */
  itkCudaNeuroSetGetInputMacro(InitialDisplacementField, DisplacementFieldType);

  /** Maps points of the fixed image to points of the moving image, before the displacement is known: an affine
   * registration, for example. Optional. Linear transforms, and composites of them, are used as they are. Others are
   * sampled on the fixed image's grid by all threads. GetMTime shows an update that a transform, or a part of a
   * composite, was changed in place; changes that ITK does not record, such as new pixels of a
   * DisplacementFieldTransform's field, need a call of Modified. */
  itkSetConstObjectMacro(InitialTransform, TransformType);
  itkGetConstObjectMacro(InitialTransform, TransformType);

  /** The mask of the fixed image: where it is 0, the images exert no force. Optional; an Image or a DeviceImage of
   * unsigned char on the fixed image's grid. The same as MaskImage. */
  void
  SetFixedMaskImage(const MaskImageType * mask)
  {
    this->SetMaskImage(mask);
  }
  const MaskImageType *
  GetFixedMaskImage() const
  {
    return this->GetMaskImage();
  }

  /** The mask of the moving image, which has no value where it is 0. Optional; on the moving image's grid. */
  itkCudaNeuroSetGetInputMacro(MovingMaskImage, MaskImageType);

  /** Channels after the first one: further pairs of images of the same two heads, in other contrasts, which the map
   * shall make similar, too. The energy of the images is the mean of the channels' energies, by their weights. Channel
   * 0 is set by the functions without a number; there are at most 8.
   * - SetFixedImage, SetMovingImage: both are needed. They may have grids of their own, from which they are resampled
   *   on those of the first channel.
   * - SetFixedMaskImage, SetMovingMaskImage: as those of the first channel, on the grids of the channel's images, for
   *   this channel alone. Optional.
   * - SetChannelFixedTransform, SetChannelMovingTransform: map points of the first channel's image to points of the
   *   channel's, as found by a linear registration with the former as the fixed image. Linear; by default the identity.
   * - SetChannelMetric, SetChannelCorrelationRadius, SetChannelNumberOfHistogramBins, SetChannelMatchIntensities: as
   *   those of the first channel, with the same defaults; they do not follow those that are set for it.
   * - SetChannelWeight: 1 by default. Channels of weight 0 have no effect.
   *
   * A channel exists from the first call with its number on. */
  itkCudaNeuroChannelsMacro();
  itkCudaNeuroChannelParameterMacro(MatchIntensities, bool, MatchIntensities, matchIntensities);

  /** Pairs of points that the map shall bring together, and maps of labels that it shall bring into agreement, beside
   * the images or, with channels of weight 0, instead of them.
   * - SetFixedPoints, SetMovingPoints: coordinates in mm, point after point, in the same order; SetFixedPointSet and
   *   SetMovingPointSet take them from a PointSet. They must lie on the images.
   * - SetPointStandardDeviations: standard deviation of a pair's distance, in mm; one value, by default 1, or one a
   *   pair.
   * - SetPointWeight: at 1, the default, a point that is off by its standard deviation pulls like images whose force
   *   is 1 wherever the velocity's kernel reaches.
   * - SetFixedLabelImage, SetMovingLabelImage: unsigned char or unsigned short, on grids of their own; 0 is no label.
   * - SetLabelWeights: weights of labels from 0 on, 0 beyond the end; empty, the default, is 0 for label 0 and else
   *   1.
   * - SetLabelWeight: the weight of all labels together; default 1.
   * - GetPointEnergy, GetLabelEnergy: the terms of the energy, without weights, after the current iteration.
   * - GetInitialPointDistances, GetPointDistances: of each pair in mm, before and after the last update. */
  itkCudaNeuroPointsAndLabelsMacro();

  /** Whether the images are compared. When off, points or labels replace them: only the information of the images is
   * used, they need no pixels, masks and further channels must not be set, and the warped image must not be computed.
   * On by default. */
  itkCudaNeuroSetGetBooleanMacro(UseImages);

  /** Sets all parameters at once, except the schedule, and the UpdateFieldStandardDeviations of the methods that have
   * them. */
  itkCudaNeuroParametersMacro(cudaneuro::RegistrationParameters);

  /** The measure of similarity, smaller is better: MeanSquares, half the mean squared difference of intensities divided
   * by the fixed image's standard deviation; LocalCorrelation, 1 minus the mean squared local correlation coefficient;
   * or MutualInformation, minus the mutual information of Mattes et al. in nats, times the fraction of voxels where
   * both images have a value, for images of any two contrasts. Default MeanSquares. Its value is GetImageEnergy. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, metric);

  /** Half-width of the boxes of LocalCorrelation, in voxels of the level; 1 to 8, default 3. */
  itkCudaNeuroParameterMacro(CorrelationRadius, unsigned int, correlationRadius);

  /** Number of bins of each image's intensities for MutualInformation; 8 to 64, default 32. */
  itkCudaNeuroParameterMacro(NumberOfHistogramBins, unsigned int, numberOfHistogramBins);

  /** Map the moving image's intensities to the fixed image's by their quantiles first; for MeanSquares. The warped
   * image keeps its own intensities. Off by default. */
  itkCudaNeuroBooleanParameterMacro(MatchIntensities, matchIntensities);

  /** Repair outliers such as spikes and codes, which would otherwise decide histograms and forces: intensities beyond
   * the quantiles of 0.15 % and 99.85 % of an image, inside its mask, by more than the distance between them. Groups of
   * at most 3^3 voxels (2D: 3^2) get the mean of their neighbors, larger ones the limit. The warped image keeps the
   * original values. On by default. */
  itkCudaNeuroBooleanParameterMacro(RepairOutliers, repairOutliers);

  /** The schedule: the resolutions, and the iterations of each.
   * - NumberOfLevels: number of resolutions, coarsest first; default 4. Their shrink factors are 8, 4, 2 and 1, and so
   *   on, less along axes with larger spacing and where a level would have fewer than 16 voxels.
   * - SetShrinkFactorsPerLevel: shrink factors of the levels, coarsest first, the same along each axis. Sets
   *   NumberOfLevels.
   * - SetShrinkFactorsPerDimension: changes those of an axis that shall be shrunk less, after that.
   * - GetShrinkFactorsPerDimension: the factors of a level, for each axis of the fixed image; automatic ones need its
   *   information to be up to date.
   * - NumberOfIterations: maximum number of iterations of each level; default 100.
   * - NumberOfIterationsPerLevel: maximum number of iterations of each level, coarsest first; empty for
   *   NumberOfIterations each. */
  itkCudaNeuroLevelScheduleMacro(this->GetGridOfLevels());

  /** How far the fastest voxel moves in an iteration, in voxels of the level; in (0, 1], default 0.5. */
  itkCudaNeuroParameterMacro(MaximumStep, double, maximumStep);

  /** Minimum Jacobian determinant of the map, in voxels of every level; 0 to 0.5, default 0.02; 0 only requires
   * positive determinants. Where a step would take the determinant below the bound, the map moves less there.
   * GetMinimumJacobian returns the minimum of the result. */
  itkCudaNeuroParameterMacro(JacobianBound, double, jacobianBound);

  /** A level ends when the energy has fallen by less than this fraction of it over 10 iterations. Default 0, which runs
   * all iterations. */
  itkCudaNeuroParameterMacro(ConvergenceThreshold, double, convergenceThreshold);

  /** Standard deviations of a Gaussian that smooths the displacement field after each iteration, in voxels of the
   * level. Default 0: it is not smoothed. */
  itkCudaNeuroAxesParameterMacro(StandardDeviations, StandardDeviationsType, double, standardDeviations);

  /** The iteration that inverts the map stops at this residual, in voxels (default 0.01), or after this number of
   * iterations (default 50). */
  itkCudaNeuroParameterMacro(InverseTolerance, double, inversion.tolerance);
  itkCudaNeuroParameterMacro(MaximumNumberOfInverseIterations, unsigned int, inversion.maximumNumberOfIterations);

  /** Which outputs are computed beside the displacement field; others have no pixels. All are on by default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeInverse);
  itkCudaNeuroSetGetBooleanMacro(ComputeWarped);
  itkCudaNeuroSetGetBooleanMacro(ComputeJacobian);

  /** Interpolation of the warped image, Linear (default), Nearest or Label, and its value where the moving image has
   * none, such as -1024 for CT; default 0. CudaWarpImageFilter has more choices, for the map that was found. */
  itkCudaNeuroSetGetEnumMacro(Interpolation, InterpolationEnum);
  itkCudaNeuroSetGetMacro(EdgePaddingValue, MovingPixelType);

  /** h(p) - p; the same as GetOutput. */
  DisplacementFieldType *
  GetDisplacementField()
  {
    return this->GetOutput();
  }
  /** The inverse of h, minus p; on the fixed image's grid. */
  DisplacementFieldType *
  GetInverseDisplacementField();
  /** moving(T(h(p))), interpolated by Interpolation; EdgePaddingValue where the moving image has no value. */
  WarpedImageType *
  GetWarpedImage();
  /** The Jacobian determinant of h. */
  JacobianImageType *
  GetJacobianImage();

  /** The last displacement field of the last update, whether done, aborted or failed; null when none reached its first
   * iteration. It shares the pixels of the output: the next update that reaches an iteration may overwrite them, and so
   * do filters that work in place. */
  itkGetModifiableObjectMacro(LastDisplacementField, DisplacementFieldType);

  /** Returns the map T(h(p)) of the last displacement field, from points of the fixed image to points of the moving
   * image, for ResampleImageFilter and for files: the parts of the initial transform, followed by a
   * DisplacementFieldTransform, which is applied first. It has an inverse when the initial transform has one, and
   * ComputeInverse was on. The initial transform's parts are copies, but the fields of its DisplacementFieldTransforms
   * are shared. The fields are copies of LastDisplacementField and its inverse, which share the outputs' pixels, and
   * keep them when the outputs are released. It is compiled only where ITK's module ITKDisplacementField is available.
   * \throws ExceptionObject when there is no displacement field. */
#if !defined(ITK_WRAPPING_PARSER)
  typename CompositeTransformType::Pointer
  GetTransform() const;
#endif

  /** Checks the parameters as an update does. It uses only the current information of the images: they need no
   * pixels.
   * \throws ExceptionObject that names the value and its limit, or an image that is not set. */
  void
  VerifyParameters() const;

  /** Ends the registration after the current iteration, with the results so far. */
  virtual void
  StopRegistration()
  {
    m_StopRegistration = true;
  }

  /** \name State after the current, or the last, iteration
   * Level and iteration count from 0, the latter within the level. Energies are means over the grid of the level,
   * before the step of the iteration; after the update, those of the final map. */
  ///@{
  itkCudaNeuroGetValueMacro(ElapsedIterations, IdentifierType, m_Result.iterations.size());
  itkCudaNeuroGetResultMacro(CurrentLevel, int, final.level);
  itkCudaNeuroGetResultMacro(CurrentIteration, int, final.iteration);
  itkCudaNeuroGetResultMacro(Energy, double, final.energy);
  /** The image term of the energy: the value of the metric. */
  itkCudaNeuroGetResultMacro(ImageEnergy, double, final.imageEnergy);
  /** The energy of each channel, without its weight; 0 where the weight is 0. */
  itkCudaNeuroGetValueMacro(ChannelEnergies, RealVectorType, m_Result.final.channelEnergies);
  /** The bias term of the energy, without its weight. */
  itkCudaNeuroGetResultMacro(BiasEnergy, double, final.biasEnergy);
  /** Length of the step, in voxels of the level. */
  itkCudaNeuroGetResultMacro(CurrentStep, double, final.step);
  ///@}

  /** \name Series with one value for every iteration of the last update
   * Energy, image term and bias term; and all of them in one list. */
  ///@{
  itkCudaNeuroGetSeriesMacro(Energies, m_Result.iterations, &IterationType::energy);
  itkCudaNeuroGetSeriesMacro(ImageEnergies, m_Result.iterations, &IterationType::imageEnergy);
  itkCudaNeuroGetSeriesMacro(BiasEnergies, m_Result.iterations, &IterationType::biasEnergy);
#if !defined(ITK_WRAPPING_PARSER)
  const std::vector<IterationType> &
  GetIterations() const
  {
    return m_Result.iterations;
  }
#endif
  ///@}

  /** \name Jacobian determinant of the last update's result
   * Number of voxels where it is not positive, minimum and maximum, mean and standard deviation of its logarithm, and
   * the 0.1 and 99.9 percentiles of the other voxels. */
  ///@{
  itkCudaNeuroGetResultMacro(NumberOfFoldedVoxels, SizeValueType, jacobian.numberOfFoldedVoxels);
  itkCudaNeuroGetResultMacro(MinimumJacobian, double, jacobian.minimum);
  itkCudaNeuroGetResultMacro(MaximumJacobian, double, jacobian.maximum);
  itkCudaNeuroGetResultMacro(MeanLogJacobian, double, jacobian.meanLogarithm);
  itkCudaNeuroGetResultMacro(StandardDeviationLogJacobian, double, jacobian.standardDeviationLogarithm);
  itkCudaNeuroGetResultMacro(LowerPercentileJacobian, double, jacobian.lowerPercentile);
  itkCudaNeuroGetResultMacro(UpperPercentileJacobian, double, jacobian.upperPercentile);
  ///@}

  /** Mean and maximum distance from p to h(inverse(p)) in voxels, if TellsInverseConsistency. */
  itkCudaNeuroGetResultMacro(MeanInverseConsistency, double, inversion.meanResidual);
  itkCudaNeuroGetResultMacro(MaximumInverseConsistency, double, inversion.maximumResidual);
  /** Mean and maximum of the distances from p to h(inverse(p)) and to inverse(h(p)) in mm. */
  itkCudaNeuroGetResultMacro(MeanInverseConsistencyInMillimeters, double, meanInverseError);
  itkCudaNeuroGetResultMacro(MaximumInverseConsistencyInMillimeters, double, maximumInverseError);
  /** Whether an update measures the consistency of the inverse: with ComputeInverse, and with methods that compute both
   * maps. */
  virtual bool
  TellsInverseConsistency() const
  {
    return m_ComputeInverse;
  }

  /** Number of voxels of the images that RepairOutliers repaired in the last update. */
  itkCudaNeuroGetResultMacro(NumberOfFixedOutliers, SizeValueType, numberOfOutliers[0]);
  itkCudaNeuroGetResultMacro(NumberOfMovingOutliers, SizeValueType, numberOfOutliers[1]);

  /** Number of steps of the last update that were taken back because the map would have folded. */
  itkCudaNeuroGetResultMacro(NumberOfShortenedSteps, unsigned int, numberOfShortenedSteps);

  /** Maximum number of rounds that repaired folds in the last update, after a change of the grid or when two halves
   * were joined; 0 where the map kept the bound of its Jacobian determinant by itself. */
  itkCudaNeuroGetResultMacro(NumberOfMendingRounds, unsigned int, numberOfMendingRounds);

  /** Whether smoothing did not suffice to repair folds in the last update, and the map was scaled towards the identity:
   * it aligns less than the energy suggests. */
  itkCudaNeuroGetResultMacro(IsDamped, bool, isDamped);

  ModifiedTimeType
  GetMTime() const override;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(const DataObjectIdentifierType & name) override;

protected:
  ~CudaFluidRegistrationFilter() override = default;

  /** \param parameters the defaults of the method, such as cudaneuro::UnbiasedRegistrationParameters */
  explicit CudaFluidRegistrationFilter(const cudaneuro::RegistrationParameters & parameters);

  /** Sets the parameters that are not in m_Parameters, and checks those that the engine does not check.
   * \param parameters the engine's, with levels */
  virtual void
  CompleteParameters(cudaneuro::RegistrationParameters & parameters) const = 0;

  /** The image whose grid determines automatic shrink factors. */
  virtual const ImageBase<ImageDimension> *
  GetGridOfLevels() const
  {
    return this->GetFixedImage();
  }

  void
  VerifyInputInformation() const override;
  void
  AllocateOutputs() override;
  bool
  UsesMask() const override
  {
    return true;
  }
  bool
  UsesInputPixels() const override
  {
    return m_UseImages;
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** The engine's parameters, without levels and those that CompleteParameters adds. */
  cudaneuro::RegistrationParameters m_Parameters;

private:
  using ScheduleType = CudaNeuroDetail::LevelSchedule<ImageDimension>;

  cudaneuro::RegistrationParameters
  MakeParameters() const;
  cudaneuro::RegistrationImages
  MakeImages() const;
  cudaneuro::RegistrationOutputs
  MakeOutputs();
  /** Registers, and keeps the last displacement field also after an exception. */
  void
  RunRegistration(cudaneuro::Context & context, const cudaneuro::RegistrationImages & images);
  bool
  ObserveIteration(const IterationType & iteration);

  using ChannelTransformsType = CudaNeuroDetail::ChannelTransforms<ImageDimension>;

  typename TransformType::ConstPointer m_InitialTransform;
  ChannelTransformsType                m_FixedTransforms;
  ChannelTransformsType                m_MovingTransforms;
  RealVectorType                       m_FixedPoints;
  RealVectorType                       m_MovingPoints;
  RealVectorType                       m_PointStandardDeviations{ 1.0 };
  RealVectorType                       m_LabelWeights;
  ScheduleType                         m_Schedule{ 4, 100, 100 };
  bool                                 m_UseImages = true;
  bool                                 m_ComputeInverse = true;
  bool                                 m_ComputeWarped = true;
  bool                                 m_ComputeJacobian = true;
  InterpolationEnum                    m_Interpolation = InterpolationEnum::Linear;
  MovingPixelType                      m_EdgePaddingValue{};

  // The parts of the map of the last update; the inverse field is null where there is none.
  typename TransformType::ConstPointer    m_LastInitialTransform;
  typename DisplacementFieldType::Pointer m_LastDisplacementField;
  typename DisplacementFieldType::Pointer m_LastInverseDisplacementField;
  std::atomic<bool>                       m_StopRegistration{ false };
  /** The results; during an update, \c final is the state after the current iteration. */
  cudaneuro::RegistrationResult m_Result;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaFluidRegistrationFilter.hxx"
#endif

#endif
