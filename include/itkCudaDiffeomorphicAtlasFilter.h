// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilter_h
#define itkCudaDiffeomorphicAtlasFilter_h

#include "cudaneuro/Atlas.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroMacros.h"
#include "itkVector.h"

#include <atomic>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace itk
{

/** \class CudaDiffeomorphicAtlasFilter
 * \brief Unbiased diffeomorphic atlas of a population of images (Ha et al. 2009, Joshi et al. 2004), on CUDA devices or
 * the CPU.
 *
 * The inputs are 2 images or more; the output is the template, their mean shape with their mean intensities. For each
 * image there is a map h_k(p) = p + D_k(p), from points p of the template, such that image_k(T_k(h_k(p))) is like
 * template(p); T_k is its initial transform, the identity by default. Each iteration
 *  -# makes the template the weighted mean of the deformed images I_k, voxel by voxel;
 *  -# moves every map by one step of the greedy fluid registration of its image to the template, which is that of
 *     CudaGreedyFluidRegistrationFilter: with the force \f$ F_k = -(I_k - \hat I) \nabla I_k \f$ it solves
 *     \f$ L v_k = F_k \f$, \f$ L = -\alpha \nabla^2 - \beta \nabla (\nabla \cdot) + \gamma \f$, and carries the map along
 *     v_k, so that the fastest voxel moves by MaximumStep. A step that would fold a map is halved, and counted;
 *  -# every ShapeUpdateInterval iterations, and at the end of each level, makes the mean of the maps the identity: with d
 *     the weighted mean of the displacements, h_k becomes h_k o (id + d)^-1.
 *
 * It does so on coarse grids first, because large differences are found there in few iterations.
 *
 * \par Unbiased
 * No image is the reference. The template does not depend on the order of the images, and its shape is the mean of
 * their shapes: displacements from it have the weighted mean 0 at every point. Without the third step it need not stay
 * so, since each map minimizes an energy of its own; GetDrifts tells how far it had gone before each shape update.
 * KeepPose leaves rotation and translation of the mean as they are, so that the template stays in the pose in which it
 * starts. Sums over images are sums of integers, so that the result has the same bits in whatever order the images
 * come, and however they are shared out over devices of one kind.
 *
 * \par Geometry
 * The template lies on the grid of ReferenceImage, by default on that of input 0. Images of other grids need either
 * ReferenceImage, which says that the axes of space are what they have in common, or an initial transform.
 * Displacements are in mm along the axes of space, as those of CudaFluidRegistrationFilter. Voxels outside masks take
 * no part, and where no image has a value the template is 0.
 *
 * \par Memory
 * Displacement fields of all images are computed by default; inverse fields, deformed images and Jacobian images, of
 * which there is one for each image, only when switched on, because N of them fill memory. Images that do not fit on a
 * device wait in page-locked host memory for their turn (GetNumberOfStreamedImages). The engine has contexts of its
 * own: GetHostToDeviceBytes and its like count only what crosses beside it.
 *
 * \par Errors
 * An ExceptionObject names the image, the value and the limit: fewer than 2 images, images without pixels or contrast,
 * with NaN or infinity inside their masks, with masks that have no voxel or lie on another grid; images on different
 * grids without ReferenceImage or initial transform; fields that fold; weights that are negative, not finite, or of sum
 * 0; parameters out of range; a checkpoint of other images or parameters. AbortGenerateData ends an update with
 * ProcessAborted; StopIterations ends it with the results so far.
 *
 * \code
 * auto atlas = itk::CudaDiffeomorphicAtlasFilter<ImageType>::New();
 * for (const auto & image : images)
 *   atlas->PushBackInput(image);
 * atlas->Update();
 * itk::WriteImage(atlas->GetOutput(), "template.nii.gz");
 * \endcode
 *
 * \tparam TInputImage Image or DeviceImage of unsigned char, short, unsigned short, float or double.
 * \tparam TOutputImage Image or DeviceImage: of the template, and of the deformed images.
 * \tparam TDisplacementField Image or DeviceImage of Vector<float, D>. Jacobian images are of the same kind. Device
 * images need a single compute device.
 *
 * \sa CudaGreedyFluidRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage = Image<float, TInputImage::ImageDimension>,
          typename TDisplacementField = Image<Vector<float, TInputImage::ImageDimension>, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaDiffeomorphicAtlasFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDiffeomorphicAtlasFilter);

  using Self = CudaDiffeomorphicAtlasFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaDiffeomorphicAtlasFilter);

  static constexpr unsigned int ImageDimension = TInputImage::ImageDimension;
  static_assert(TOutputImage::ImageDimension == ImageDimension && TDisplacementField::ImageDimension == ImageDimension,
                "Images and fields must have the same dimension.");
  static_assert(std::is_same_v<typename TDisplacementField::PixelType, Vector<float, ImageDimension>>,
                "The displacement fields must have pixels of itk::Vector<float, ImageDimension>.");

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using DisplacementFieldType = TDisplacementField;
  using typename Superclass::MaskImageType;
  using ReferenceImageType = ImageBase<ImageDimension>;
  using JacobianImageType = typename CudaNeuroDetail::SameKindOf<TDisplacementField, float>::Type;
  using TransformType = Transform<double, ImageDimension, ImageDimension>;
  using CompositeTransformType = CompositeTransform<double, ImageDimension>;
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
  using typename Superclass::DataObjectIdentifierType;
  using typename Superclass::DataObjectPointer;

  /** The image whose grid the template has; its pixels do not matter. Optional; by default input 0. */
  itkCudaNeuroSetGetInputMacro(ReferenceImage, ReferenceImageType);

  /** The template of the first iteration, on the template's grid, in the intensities of the images. Optional; by
   * default the mean of the images as they are. */
  itkCudaNeuroSetGetInputMacro(InitialTemplate, OutputImageType);

  /** Where it is 0, an image has no value. Optional; an Image or a DeviceImage of unsigned char on the image's grid.
   * With one argument, the mask of all images that have none of their own. */
  using Superclass::GetMaskImage;
  using Superclass::SetMaskImage;
  void
  SetMaskImage(unsigned int image, const MaskImageType * mask);
  /** The mask of an image, or that of all images. */
  const MaskImageType *
  GetMaskImage(unsigned int image) const;

  /** From points of the template to points of an image, before the displacement is there: an affine registration, for
   * example. Optional. Linear transforms, and composites of them, are used as they are. Others are sampled on the
   * template's grid by all threads. An update sees by GetMTime that a transform, or a part of a composite, was
   * changed in place; what ITK does not count as a change, such as new pixels of a DisplacementFieldTransform's
   * field, needs a call of Modified. */
  void
  SetInitialTransform(unsigned int image, const TransformType * transform);
  const TransformType *
  GetInitialTransform(unsigned int image) const;

  /** The displacement field of an image to start from, on the template's grid. Optional; zero by default. It must not
   * fold. */
  void
  SetInitialDisplacementField(unsigned int image, const DisplacementFieldType * field);
  const DisplacementFieldType *
  GetInitialDisplacementField(unsigned int image) const;

  /** One for each image: not negative, with a positive sum, to which they are divided. An image of weight 0 is
   * registered to the template of the others. Empty, the default, is the same for all. */
  void
  SetWeights(const RealVectorType & weights);
  itkGetConstReferenceMacro(Weights, RealVectorType);

  /** What makes an image like the template: MeanSquares, for images of one scanner and sequence with intensities
   * brought to one range, or LocalCorrelation, where contrast or shading differ. Default MeanSquares. */
  itkCudaNeuroEnumParameterMacro(Metric, MetricEnum, registration.metric);

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

  /** A folder for checkpoints: the state of all maps, written every CheckpointInterval seconds (default 600; 0 is after
   * every iteration), for a later update with Resume. Empty, the default, writes none. */
  itkSetStringMacro(CheckpointFolder);
  itkGetStringMacro(CheckpointFolder);
  itkCudaNeuroSetGetMacro(CheckpointInterval, double);

  /** Go on from the checkpoint in CheckpointFolder, with the same bits as without the interruption. An update begins
   * anew where there is none, so that one program serves both. Iterations of before the interruption count as this
   * update's, also for observers. Off by default: then a checkpoint that is there is replaced. */
  itkCudaNeuroSetGetBooleanMacro(Resume);

  /** \name Which outputs are computed beside the template
   * Displacement fields are by default, the others not. */
  ///@{
  itkCudaNeuroSetGetBooleanMacro(ComputeDisplacementFields);
  itkCudaNeuroSetGetBooleanMacro(ComputeInverseDisplacementFields);
  itkCudaNeuroSetGetBooleanMacro(ComputeDeformedImages);
  itkCudaNeuroSetGetBooleanMacro(ComputeJacobianImages);
  itkCudaNeuroSetGetBooleanMacro(ComputeInitialMean);
  ///@}

  /** \name Outputs beside the template, which is GetOutput
   * h(p) - p of an image; the inverse of h, minus p; the deformed image; the Jacobian determinant of h; and the mean of
   * the images without any map but their initial transforms and fields. The deformed image is made of the image that T
   * has brought to the template's grid, at h(p): it is interpolated twice where the image has another grid than the
   * template or an initial transform, and it is 0 where the image has no value and where h(p) is outside the template's
   * grid.
   * \throws ExceptionObject for an image that is not there, and for an output that is switched off. */
  ///@{
  DisplacementFieldType *
  GetDisplacementField(unsigned int image);
  DisplacementFieldType *
  GetInverseDisplacementField(unsigned int image);
  OutputImageType *
  GetDeformedImage(unsigned int image);
  JacobianImageType *
  GetJacobianImage(unsigned int image);
  OutputImageType *
  GetInitialMean();
  ///@}

  /** The map T(h(p)) that the last update made for an image, whatever has been set since and has become of the outputs:
   * from points of the template to points of the image, as CudaFluidRegistrationFilter::GetTransform has it. Its fields
   * are copies of pixels that the outputs share, and that stay in memory until the next update begins to compute, also
   * when the outputs are released. What writes to them, as a filter does that works in place, changes the map. To be
   * compiled where ITK's module ITKDisplacementField is.
   * \throws ExceptionObject for an image that the last update did not have, and when it has not come to its end or had
   * ComputeDisplacementFields off. */
#if !defined(ITK_WRAPPING_PARSER)
  typename CompositeTransformType::Pointer
  GetTransform(unsigned int image) const;
#endif

  /** Ends the update after the current iteration, with the results so far. For observers. */
  virtual void
  StopIterations()
  {
    m_StopIterations = true;
  }

  /** Writes a checkpoint after the current iteration. For observers.
   * \throws ExceptionObject without CheckpointFolder. */
  virtual void
  SaveCheckpoint();

  /** \name State after the current, or the last, iteration
   * Level and iteration count from 0, the latter within the level. The energy is the weighted mean of the images'
   * energies, before the iteration's step, each a mean over the grid of the level: the value of the metric. */
  ///@{
  IdentifierType
  GetElapsedIterations() const
  {
    return m_Iterations.size();
  }
  int
  GetCurrentLevel() const
  {
    return this->GetCurrent().level;
  }
  int
  GetCurrentIteration() const
  {
    return this->GetCurrent().iteration;
  }
  double
  GetEnergy() const
  {
    return this->GetCurrent().energy;
  }
  /** Least Jacobian determinant of all maps. */
  double
  GetMinimumJacobian() const
  {
    return this->GetCurrent().minimumJacobian;
  }
  /** Shannon entropy of the template's intensities in bits, over 256 bins between its extremes; NaN without
   * MeasureEntropy. */
  double
  GetEntropy() const
  {
    return this->GetCurrent().entropy;
  }
  /** The energy of each image. */
  const RealVectorType &
  GetCurrentImageEnergies() const
  {
    return this->GetCurrent().imageEnergies;
  }
  ///@}

  /** \name Of every iteration of the last update
   * Energy, energy of an image, least Jacobian determinant, entropy, and all there is. */
  ///@{
  RealVectorType
  GetEnergies() const;
  RealVectorType
  GetImageEnergies(unsigned int image) const;
  RealVectorType
  GetMinimumJacobians() const;
  RealVectorType
  GetEntropies() const;
#if !defined(ITK_WRAPPING_PARSER)
  itkGetConstReferenceMacro(Iterations, std::vector<IterationType>);
#endif
  ///@}

  /** \name Of every shape update of the last update
   * Root of the mean square and maximum of the length of the mean displacement that it took away, in mm; the
   * rotation in degrees of the rigid motion nearest to it; and all there is. */
  ///@{
  RealVectorType
  GetDriftRootMeanSquares() const;
  RealVectorType
  GetDriftMaxima() const;
  RealVectorType
  GetDriftRotations() const;
#if !defined(ITK_WRAPPING_PARSER)
  itkGetConstReferenceMacro(Drifts, std::vector<DriftType>);
#endif
  ///@}

  /** \name Of the maps of the last update
   * Voxels of all images that RepairOutliers repaired; voxels of all maps whose Jacobian determinant is not
   * positive; steps that were taken back because a map would have folded; and, with
   * ComputeInverseDisplacementFields, the largest distance from p to h(inverse(p)) in voxels. */
  ///@{
  itkGetConstMacro(NumberOfOutliers, SizeValueType);
  itkGetConstMacro(NumberOfFoldedVoxels, SizeValueType);
  itkGetConstMacro(NumberOfShortenedSteps, unsigned int);
  itkGetConstMacro(MaximumInverseConsistency, double);
  ///@}

  /** How much of each image the last update lost, because it lies beyond the grid of the template: a fraction of its
   * intensity above the background, 0 to 1, seen through the linear part of its initial transform. There is a
   * warning where it is more than 0.02, which names the images. What to do: give a ReferenceImage whose grid holds
   * all of them. */
  itkGetConstReferenceMacro(CutFractions, RealVectorType);

  /** \name Energies of the last update's result
   * Weighted mean of the images' energies, and that of each image, on the grid of the template: of the maps and the
   * template that are the outputs, where those of an iteration are from before its step. */
  ///@{
  itkGetConstMacro(FinalEnergy, double);
  itkGetConstReferenceMacro(FinalImageEnergies, RealVectorType);
  ///@}

  /** Most images of a device that waited in host memory for want of device memory. */
  itkGetConstMacro(NumberOfStreamedImages, unsigned int);

  /** How sums travelled between the devices: "none", "NCCL ...", "peer copies" or "host copies". */
  itkGetConstReferenceMacro(Exchange, std::string);

  ModifiedTimeType
  GetMTime() const override;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(const DataObjectIdentifierType & name) override;

protected:
  CudaDiffeomorphicAtlasFilter();
  ~CudaDiffeomorphicAtlasFilter() override = default;

  void
  VerifyPreconditions() const override;
  void
  VerifyInputInformation() const override;
  void
  GenerateOutputInformation() override;
  void
  AllocateOutputs() override;
  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  using ScheduleType = CudaNeuroDetail::LevelSchedule<ImageDimension>;

  /** The kinds of outputs of which there is one for each image. */
  struct OutputKind
  {
    /** In the singular, as the outputs' names begin. */
    std::string name;
    bool        isComputed = false;
  };
  std::vector<OutputKind>
  GetOutputKinds() const
  {
    return { { "DisplacementField", m_ComputeDisplacementFields },
             { "InverseDisplacementField", m_ComputeInverseDisplacementFields },
             { "DeformedImage", m_ComputeDeformedImages },
             { "JacobianImage", m_ComputeJacobianImages } };
  }
  static std::string
  NameOf(const std::string & kind, unsigned int image)
  {
    return kind + "_" + std::to_string(image);
  }

  /** What GetTransform makes a map of. The fields share the pixels of outputs, and keep them when the outputs lose
   * theirs. */
  struct Map
  {
    typename TransformType::ConstPointer    initialTransform; // may be null
    typename DisplacementFieldType::Pointer field;
    typename DisplacementFieldType::Pointer inverse; // may be null
  };
  Map
  MakeMap(unsigned int image);

  unsigned int
  GetNumberOfImages() const
  {
    return static_cast<unsigned int>(this->GetNumberOfIndexedInputs());
  }
  /** The image whose grid the template has; null as long as there is none. */
  const ReferenceImageType *
  GetGridImage() const
  {
    return this->GetReferenceImage() != nullptr ? this->GetReferenceImage() : this->GetInput(0);
  }
  template <typename TImage>
  const TImage *
  GetInputOf(const std::string & kind, unsigned int image) const;
  void
  SetInputOf(const std::string & kind, unsigned int image, const DataObject * input);
  void
  VerifyImage(unsigned int image) const;
  /** That nothing was set for an image that is not there. */
  void
  VerifyIndices() const;

  /** An output of an image, which is made when it is first asked for. */
  template <typename TImage>
  TImage *
  GetOutputOf(const std::string & kind, unsigned int image, bool isComputed);
  /** Names of the outputs to be computed beside the template. */
  std::vector<std::string>
  GetComputedNames() const;
  template <typename TImage>
  bool
  AllocateOrRelease(DataObject * output, bool isComputed);

  cudaneuro::AtlasParameters
  MakeParameters() const;
  void
  VerifyDevices() const;
  cudaneuro::AtlasDevices
  MakeDevices() const;
  /** Calls \p use with an image as the engine takes it: with its mask, initial transform and initial displacement
   * field. */
  template <typename TFunction>
  void
  WithAtlasImage(cudaneuro::Context & context, unsigned int image, const TFunction & use) const;
  void
  Run(cudaneuro::DiffeomorphicAtlas & atlas);
  void
  WriteOutputs(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas);
  void
  WriteOutputsOf(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas, unsigned int image);
  /** Runs a step of an update, whose parts report from 0 to 1 each: progress moves when it is done. */
  template <typename TFunction>
  static void
  RunStep(cudaneuro::Context & context, double begin, double end, const TFunction & step);
  void
  WarnOfCutImages() const;
  cudaneuro::AtlasAction
  ObserveIteration();
  /** The last iteration that is known; one of zeros when there is none. */
  const IterationType &
  GetCurrent() const
  {
    static const IterationType none{};
    return m_Iterations.empty() ? none : m_Iterations.back();
  }
  template <typename TElement, typename TFunction>
  static RealVectorType
  OfAll(const std::vector<TElement> & elements, const TFunction & function);

  std::map<unsigned int, typename TransformType::ConstPointer> m_InitialTransforms;
  RealVectorType                                               m_Weights;
  cudaneuro::AtlasParameters                                   m_Parameters; // without levels
  ScheduleType                                                 m_Schedule{ 3, 50, 25 };
  std::vector<ComputeDevice>                                   m_ComputeDevices;
  std::string                                                  m_CheckpointFolder;
  double m_CheckpointInterval = cudaneuro::AtlasCheckpoint().interval;
  bool   m_Resume = false;
  bool   m_ComputeDisplacementFields = true;
  bool   m_ComputeInverseDisplacementFields = false;
  bool   m_ComputeDeformedImages = false;
  bool   m_ComputeJacobianImages = false;
  bool   m_ComputeInitialMean = false;

  std::vector<Map>           m_Maps; // of the last update, whatever has been set since; empty where it has none
  std::atomic<bool>          m_StopIterations{ false };
  std::atomic<bool>          m_SaveCheckpoint{ false };
  std::vector<IterationType> m_Iterations;
  std::vector<DriftType>     m_Drifts;
  SizeValueType              m_NumberOfOutliers = 0;
  SizeValueType              m_NumberOfFoldedVoxels = 0;
  unsigned int               m_NumberOfShortenedSteps = 0;
  double                     m_MaximumInverseConsistency = 0.0;
  double                     m_FinalEnergy = 0.0;
  RealVectorType             m_FinalImageEnergies;
  RealVectorType             m_CutFractions;
  unsigned int               m_NumberOfStreamedImages = 0;
  std::string                m_Exchange;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDiffeomorphicAtlasFilter.hxx"
#endif

#endif
