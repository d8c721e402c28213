// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLinearRegistrationFilter_h
#define itkCudaLinearRegistrationFilter_h

#include "cudaneuro/LinearRegistration.h"
#include "itkCudaNeuroChannels.h"
#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroProcess.h"
#include "itkDataObjectDecorator.h"
#include "itkDeviceImage.h"
#include "itkFixedArray.h"
#include "itkImage.h"
#include "itkTransform.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

namespace itk
{

/** \class CudaLinearRegistrationFilter
 * \brief Finds the translation, rigid, similarity or affine transform that aligns two images, on a CUDA device or the
 * CPU.
 *
 * The output is a transform T, from points of the fixed image to points of the moving image in mm, for which
 * moving(T(p)) is most similar to fixed(p), like that of itk::ImageRegistrationMethodv4; ResampleImageFilter, 3D Slicer
 * and ANTs accept it. Its class is TranslationTransform; VersorRigid3DTransform or Euler2DTransform;
 * Similarity3DTransform or Similarity2DTransform; AffineTransform; of double, with the center of the fixed image's grid
 * as its center. It is the input of other filters:
 *
 * \code
 * auto registration = itk::CudaLinearRegistrationFilter<ImageType>::New();
 * registration->SetFixedImage(fixed);
 * registration->SetMovingImage(moving);
 * registration->SetTransformType("Rigid");
 * auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
 * resample->SetTransformInput(registration->GetOutput());
 * \endcode
 *
 * The images may be of any two contrasts (with the metric MutualInformation), and may differ in grid, spacing and
 * direction. By default they start with their centers of mass at one point, and a quasi-Newton method aligns them from
 * a low resolution to the full one. Heads that are rotated by more than about 30 degrees against each other need
 * SetSearchAngle. GetIsSuccess separates successes from failures.
 *
 * An IterationEvent is invoked for every iteration, in order, from the thread that updates; the getters of the current
 * iteration return its state.
 *
 * \par Initial transform
 * The class of the output follows from TransformType alone, and the registration only translates, rotates and scales
 * its start. Therefore the matrix of the initial transform must be one that the output can represent: the identity for
 * Translation, a rotation for Rigid, a rotation times a positive scale for Similarity, to 1e-5; Affine accepts any with
 * an inverse. A Translation does not rotate: it allows neither PrincipalAxes nor a search of angles.
 *
 * \par Errors
 * Images that do not overlap, that are constant or have no finite voxel, masks that are empty, transforms that are not
 * linear or do not fit, and parameters out of range cause an ExceptionObject that names the value and the limit.
 * AbortGenerateData ends an update with ProcessAborted; GetTransform then returns the best transform so far.
 *
 * \tparam TFixedImage, TMovingImage Image or DeviceImage, of unsigned char, short, unsigned short, float or double. The
 * warped image is of the same kind as the fixed image.
 *
 * \sa CudaGreedyFluidRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage, typename TMovingImage = TFixedImage>
class ITK_TEMPLATE_EXPORT CudaLinearRegistrationFilter : public CudaNeuroProcess<ProcessObject>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaLinearRegistrationFilter);

  using Self = CudaLinearRegistrationFilter;
  using Superclass = CudaNeuroProcess<ProcessObject>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaLinearRegistrationFilter);

  static constexpr unsigned int ImageDimension = TFixedImage::ImageDimension;
  static_assert(ImageDimension == 2 || ImageDimension == 3, "Images of dimension 2 or 3 are supported.");
  static_assert(TMovingImage::ImageDimension == ImageDimension, "Both images must have the same dimension.");

  using FixedImageType = TFixedImage;
  using MovingImageType = TMovingImage;
  using MovingPixelType = typename TMovingImage::PixelType;
  using MaskImageType = ImageBase<ImageDimension>;
  using WarpedImageType = typename CudaNeuroDetail::SameKindOf<TFixedImage, typename TMovingImage::PixelType>::Type;
  using TransformType = Transform<double, ImageDimension, ImageDimension>;
  using DecoratedTransformType = DataObjectDecorator<TransformType>;
  using ParametersType = cudaneuro::LinearRegistrationParameters;
  using IterationType = cudaneuro::LinearRegistrationIteration;
  using TransformTypeEnum = cudaneuro::LinearTransformType;
  using MetricEnum = cudaneuro::RegistrationMetric;
  using StartEnum = cudaneuro::LinearStart;
  using VoxelWeightingEnum = cudaneuro::VoxelWeighting;
  using InterpolationEnum = cudaneuro::Interpolation;
  using QuantilesType = FixedArray<double, 2>;
  using ShrinkFactorsType = FixedArray<unsigned int, ImageDimension>;
  using UnsignedVectorType = std::vector<unsigned int>;
  using RealVectorType = std::vector<double>;
  using typename Superclass::DataObjectIdentifierType;
  using typename Superclass::DataObjectPointer;
  using typename Superclass::DataObjectPointerArraySizeType;

  /** The image whose grid the warped image has. */
  itkCudaNeuroSetGetInputMacro(FixedImage, FixedImageType);

  /** The image that is moved. */
  itkCudaNeuroSetGetInputMacro(MovingImage, MovingImageType);

  /** The mask of the fixed image, which is ignored where it is 0. Optional; an Image or a DeviceImage of unsigned char
   * on the fixed image's grid. */
  itkCudaNeuroSetGetInputMacro(FixedMaskImage, MaskImageType);

  /** The mask of the moving image, which has no value where it is 0. Optional; on the moving image's grid. */
  itkCudaNeuroSetGetInputMacro(MovingMaskImage, MaskImageType);

  /** Maps points of the fixed image to points of the moving image: the registration starts from it, see SetStart.
   * Optional; the identity by default. A linear transform, or a composite of linear transforms. It may be the output of
   * another registration: SetInitialTransformInput. GetMTime shows an update that the transform, or a part of a
   * composite, was changed in place. */
  itkSetGetDecoratedObjectInputMacro(InitialTransform, TransformType);

  /** Channels after the first one: further pairs of images of the same two heads, in other contrasts, at most 7. The
   * metric is the mean of the channels' metrics, by their weights. Channel 0 is set by functions without a number.
   * - SetFixedImage, SetMovingImage: on any grids; they are resampled on those of the first channel.
   * - SetFixedMaskImage, SetMovingMaskImage: on the grids of these images, for this channel alone. Optional.
   * - SetChannelFixedTransform, SetChannelMovingTransform: map points of the first channel's image to points of the
   *   channel's. Linear; the identity by default.
   * - SetChannelMetric, SetChannelCorrelationRadius, SetChannelNumberOfHistogramBins: with the defaults of the first
   *   channel; they do not follow what is set for it.
   * - SetChannelWeight: 1 by default. Channels of weight 0 have no effect, except for the first one.
   *
   * The first channel alone decides the start, the weights of voxels, the overlap, the quality, and whether there is a
   * local refinement, which then uses all channels. A channel exists from the first call with its number on. */
  itkCudaNeuroChannelsMacro();

  /** Sets all parameters at once, except the schedule. */
  itkCudaNeuroParametersMacro(cudaneuro::LinearRegistrationParameters);

  /** The set of transforms that is searched: Translation, Rigid (rotation and translation), Similarity (with one scale)
   * or Affine. Default Affine. */
  itkCudaNeuroEnumParameterMacro(TransformType, TransformTypeEnum, transformType);

  /** The measure of similarity: MutualInformation, minus the mutual information of Mattes et al. in nats, for images of
   * any two contrasts; LocalCorrelation, 1 minus the mean squared local correlation coefficient; or MeanSquares, half
   * the mean squared difference of intensities divided by the fixed image's standard deviation. Smaller is better.
   * Default MutualInformation. Its value is GetMetricValue. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, metric.metric);

  /** Number of bins of each image's intensities for MutualInformation; 8 to 64, default 32. */
  itkCudaNeuroParameterMacro(NumberOfHistogramBins, unsigned int, metric.numberOfHistogramBins);

  /** Intensities below the first and above the second of these quantiles of an image, computed inside its mask, are
   * clamped to the quantile. 0 and 1, the default, leave the images unchanged. */
  itkCudaNeuroParameterMacro(IntensityQuantiles, QuantilesType, metric.intensityQuantiles);
  void
  SetIntensityQuantiles(double lower, double upper);

  /** Repair spikes and limit larger groups of intensities far beyond nearly all others
   * (cudaneuro::RegistrationParameters::repairOutliers). The warped image keeps them. On by default. */
  itkCudaNeuroBooleanParameterMacro(RepairOutliers, metric.repairOutliers);

  /** Half-width of the boxes of LocalCorrelation, in voxels of the level; 1 to 8, default 3. */
  itkCudaNeuroParameterMacro(CorrelationRadius, unsigned int, metric.correlationRadius);

  /** Use the mean of the metric of fixed against moving and of moving against fixed image, so that exchanging the
   * images inverts the transform. One direction alone takes half the time, but prefers transforms that move the
   * worst-fitting parts out of view. On by default. */
  itkCudaNeuroBooleanParameterMacro(UseSymmetricMetric, metric.useSymmetricMetric);

  /** Extend the moving image by its border values beyond those sides of its grid at which it ends in background: sides
   * whose mean intensity above the minimum is at most half of the whole image's. Otherwise transforms that move
   * background out of the field of view are preferred. Not for a moving image with a mask. On by default; ITK's metrics
   * compare only where the images overlap. */
  itkCudaNeuroBooleanParameterMacro(ExtendBackground, metric.extendBackground);

  /** The weights of voxels: with the metric MutualInformation, Depth weights voxels on the last two levels by their
   * depth under the surface of the head, up to 40 mm, and NearHead excludes air that is far from it; Uniform weights
   * all equally. Automatic, the default, is Depth for the TransformTypes Similarity and Affine of images in 3D of more
   * than 8 slices, else NearHead; and with other metrics Uniform. With LocalCorrelation boxes have the weight of their
   * center; MeanSquares has no weights. */
  itkCudaNeuroEnumParameterMacro(VoxelWeighting, VoxelWeightingEnum, voxelWeighting);

  /** Refine the transform after the last level, with another metric: LocalCorrelation in boxes of 7 x 7 x 7 voxels of
   * about 1 mm, weighted by the depth of their centers under the surface of the head. It follows the structures of the
   * brain, where shading shifts the optimum of MutualInformation. It is used with MutualInformation, where
   * VoxelWeighting is Depth or Automatic selects it, and where the voxels of the finest level are not larger than 1.3
   * mm (for smaller heads less). On by default. */
  itkCudaNeuroBooleanParameterMacro(UseLocalRefinement, useLocalRefinement);

  /** Where the registration starts: at the InitialTransform; at the initial transform followed by the translation that
   * moves the center of the fixed to that of the moving grid (GridCenters) or the center of mass of the fixed to that
   * of the moving image (CentersOfMass, the default); or, PrincipalAxes, at a transform from the principal axes of the
   * fixed to those of the moving image's mass, which does not use the initial transform. Mass is the intensity above
   * the image's minimum, inside the mask. */
  itkCudaNeuroEnumParameterMacro(Start, StartEnum, start);

  /** Try rotations of the start by up to this angle first, in degrees: 0, none, to 180, all rotations. Default 30. Not
   * used for the TransformType Translation. */
  itkCudaNeuroParameterMacro(SearchAngle, double, searchAngle);

  /** Try shifts of the start by up to this distance with the 32 best rotations, in mm; 0 to 1e6, default 72. */
  itkCudaNeuroParameterMacro(SearchDistance, double, searchDistance);

  /** The schedule: the resolutions, and the iterations of each, as in CudaFluidRegistrationFilter. Default: 4 levels,
   * shrink factors 8, 4, 2 and 1 (less along axes with larger spacing and where a level would have fewer than 16
   * voxels), and at most 100 iterations each. */
  itkCudaNeuroLevelScheduleMacro(this->GetFixedImage());

  /** A level ends when a step moves no corner of the fixed image by more than this, in voxels of the level; 1e-6 to
   * 1, default 0.01. */
  itkCudaNeuroParameterMacro(ConvergenceThreshold, double, convergenceThreshold);

  /** A transform is rejected if the other image covers less than this fraction of the smaller image, inside its mask; 0
   * to 1, default 0.25. */
  itkCudaNeuroParameterMacro(MinimumOverlap, double, minimumOverlap);

  /** Transforms are rejected that, relative to the initial transform, scale any direction by more than MaximumScale or
   * less than its inverse (1 or more, default 1.5), change a right angle by more than MaximumShear (0 to 90 degrees,
   * default 20), or rotate by more than MaximumRotation (0 to 180 degrees, the default). */
  itkCudaNeuroParameterMacro(MaximumScale, double, maximumScale);
  itkCudaNeuroParameterMacro(MaximumShear, double, maximumShear);
  itkCudaNeuroParameterMacro(MaximumRotation, double, maximumRotation);

  /** Compute the warped image; without it, that output has no pixels. On by default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeWarped);

  /** Interpolation of the warped image, Linear (default), Nearest or Label, and its value where the moving image has
   * none, such as -1024 for CT; default 0. CudaWarpImageFilter has more choices, for the map that was found. */
  itkCudaNeuroSetGetEnumMacro(Interpolation, InterpolationEnum);
  itkCudaNeuroSetGetMacro(EdgePaddingValue, MovingPixelType);

  /** Give a warped itk::Image page-locked memory from a pool when computing on a CUDA device. The first use of a
   * size is slow, later ones are many times faster than with ordinary memory. On by default. */
  itkCudaNeuroSetGetBooleanMacro(UsePinnedOutput);

  /** The transform as an output, for filters that take it as an input; an identity until it is found. */
  DecoratedTransformType *
  GetOutput();
  const DecoratedTransformType *
  GetOutput() const;
  DecoratedTransformType *
  GetTransformOutput()
  {
    return this->GetOutput();
  }
  const DecoratedTransformType *
  GetTransformOutput() const
  {
    return this->GetOutput();
  }

  /** moving(T(p)) on the fixed image's grid, interpolated by Interpolation; EdgePaddingValue where the moving image has
   * no value. */
  WarpedImageType *
  GetWarpedImage();

  /** Returns the transform of the last update, whether done, stopped or aborted; each update makes a new object.
   * \throws ExceptionObject when there was no update, or the last one failed before its first iteration. */
  const TransformType *
  GetTransform() const;
  TransformType *
  GetModifiableTransform();

  /** Returns the inverse of that transform, of the same class and center.
   * \throws ExceptionObject when there was no update, or the last one failed before its first iteration. */
  typename TransformType::Pointer
  GetInverseTransform() const;

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

  /** \name Results of the last update
   * The metric on the finest level, and the fraction of the smaller image, inside its mask, that the other covers. */
  ///@{
  itkCudaNeuroGetResultMacro(MetricValue, double, value);
  itkCudaNeuroGetResultMacro(Overlap, double, overlap);
  /** The metric of each channel on the finest level, without its weight; 0 where the weight is 0. */
  itkCudaNeuroGetValueMacro(ChannelMetricValues, RealVectorType, m_Result.channelValues);
  /** The fraction of the images, judged by gradients, that fits better under the transform than a little away from it,
   * 0 to 1; and whether this makes it a success. */
  itkCudaNeuroGetResultMacro(Quality, double, quality);
  /** The shape of the transform relative to the initial transform: the angle of its rotation and the tilt of the fixed
   * image's slices, in degrees; its largest and its smallest scale in any direction; and the largest change of a right
   * angle, in degrees. */
  itkCudaNeuroGetResultMacro(Rotation, double, shape.rotation);
  itkCudaNeuroGetResultMacro(Tilt, double, shape.tilt);
  itkCudaNeuroGetResultMacro(LargestScale, double, shape.largestScale);
  itkCudaNeuroGetResultMacro(LeastScale, double, shape.leastScale);
  itkCudaNeuroGetResultMacro(Shear, double, shape.shear);
  itkCudaNeuroGetResultMacro(IsSuccess, bool, isSuccess);
  /** Number of transforms for which the metric was computed, including those of the search. */
  itkCudaNeuroGetResultMacro(NumberOfEvaluations, SizeValueType, numberOfEvaluations);
  /** Number of voxels of the images that RepairOutliers repaired. */
  itkCudaNeuroGetResultMacro(NumberOfFixedOutliers, SizeValueType, numberOfOutliers[0]);
  itkCudaNeuroGetResultMacro(NumberOfMovingOutliers, SizeValueType, numberOfOutliers[1]);
  ///@}

  /** \name State after the current, or the last, iteration
   * Level and iteration count from 0, the latter within the level. The metric is that of the level's images; the
   * step is the largest distance by which the iteration moved a corner of the fixed image, in mm. */
  ///@{
  itkCudaNeuroGetValueMacro(ElapsedIterations, IdentifierType, m_Iterations.size());
  itkCudaNeuroGetValueMacro(CurrentLevel, int, m_CurrentIteration.level);
  itkCudaNeuroGetValueMacro(CurrentIteration, int, m_CurrentIteration.iteration);
  itkCudaNeuroGetValueMacro(CurrentMetricValue, double, m_CurrentIteration.value);
  itkCudaNeuroGetValueMacro(CurrentStep, double, m_CurrentIteration.step);
  ///@}

  /** \name Series with one value for every iteration of the last update
   * The metric; and all results in one list. */
  ///@{
  itkCudaNeuroGetSeriesMacro(MetricValues, m_Iterations, &IterationType::value);
#if !defined(ITK_WRAPPING_PARSER)
  itkGetConstReferenceMacro(Iterations, std::vector<IterationType>);
#endif
  ///@}

  ModifiedTimeType
  GetMTime() const override;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;
  DataObjectPointer
  MakeOutput(const DataObjectIdentifierType & name) override;

protected:
  CudaLinearRegistrationFilter();
  ~CudaLinearRegistrationFilter() override = default;

  const ComputeDevice *
  GetDeviceOfInputs() const override;
  void
  VerifyPreconditions() const override;
  void
  VerifyInputInformation() const override;
  void
  EnlargeOutputRequestedRegion(DataObject * output) override;
  void
  GenerateOutputInformation() override;
  void
  PrepareOutputs() override;
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  using ScheduleType = CudaNeuroDetail::LevelSchedule<ImageDimension>;
  using ChannelTransformsType = CudaNeuroDetail::ChannelTransforms<ImageDimension>;

  ParametersType
  MakeParameters() const;
  cudaneuro::LinearMetricImages
  MakeImages() const;
  cudaneuro::AffineMap
  MakeInitialTransform() const;
  void
  AllocateWarpedImage();
  /** Registers, and keeps the best transform also after an exception. */
  void
  RunRegistration(cudaneuro::Context & context, const cudaneuro::LinearMetricImages & images);
  void
  Warp(cudaneuro::Context & context, const cudaneuro::LinearMetricImages & images);
  bool
  ObserveIteration(const IterationType & iteration);

  ParametersType        m_Parameters; // without levels
  ScheduleType          m_Schedule{ static_cast<unsigned int>(ParametersType().levels.size()),
                           static_cast<unsigned int>(ParametersType().levels.front().iterations),
                           static_cast<unsigned int>(ParametersType().levels.back().iterations) };
  ChannelTransformsType m_FixedTransforms;
  ChannelTransformsType m_MovingTransforms;
  bool                  m_ComputeWarped = true;
  InterpolationEnum     m_Interpolation = InterpolationEnum::Linear;
  MovingPixelType       m_EdgePaddingValue{};
  bool                  m_UsePinnedOutput = true;

  std::atomic<bool>                   m_StopRegistration{ false };
  std::vector<IterationType>          m_Iterations;
  IterationType                       m_CurrentIteration;
  cudaneuro::LinearRegistrationResult m_Result;
  typename TransformType::Pointer     m_Transform;
  typename TransformType::Pointer     m_InverseTransform;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaLinearRegistrationFilter.hxx"
#endif

#endif
