// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilter_h
#define itkCudaDiffeomorphicAtlasFilter_h

#include "cudaneuro/Atlas.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroAtlasFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroPointSets.h"
#include "itkVector.h"

#include <atomic>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace itk
{

/** \class CudaDiffeomorphicAtlasFilter
 * \brief Computes an unbiased diffeomorphic atlas of a population of images (Ha et al. 2009, Joshi et al. 2004), on
 * CUDA devices or the CPU.
 *
 * The inputs are 2 images or more; the output is the template, their mean shape with their mean intensities. Each image
 * has a map h_k(p) = p + D_k(p), from points p of the template, such that image_k(T_k(h_k(p))) is similar to
 * template(p); T_k is its initial transform, the identity by default. Each iteration
 *  -# makes the template the weighted mean of the deformed images I_k, voxel by voxel;
 *  -# moves every map by one step of the greedy fluid registration of its image to the template, which is that of
 *     CudaGreedyFluidRegistrationFilter: with the force \f$ F_k = -(I_k - \hat I) \nabla I_k \f$ it solves \f$ L v_k =
 *     F_k \f$, \f$ L = -\alpha \nabla^2 - \beta \nabla (\nabla \cdot) + \gamma \f$, and moves the map along v_k, so
 *     that the fastest voxel moves by MaximumStep. A step that would fold a map is halved, and counted;
 *  -# every ShapeUpdateInterval iterations, and at the end of each level, makes the mean of the maps the identity: with
 *     d the weighted mean of the displacements, h_k becomes h_k o (id + d)^-1.
 *
 * Coarse grids are processed first, because large differences are found there in few iterations.
 *
 * \par Unbiased
 * No image is the reference. The template does not depend on the order of the images, and its shape is the mean of
 * their shapes: displacements from it have the weighted mean 0 at every point. Without the third step this would be
 * lost, since each map minimizes its own energy; GetDriftMaxima reports the maximum drift before each shape update.
 * KeepPose keeps rotation and translation of the mean, so that the template stays in the pose in which it starts. Sums
 * over images are sums of integers, so that the result has the same bits for every order of the images, and for every
 * distribution of the images over devices of one kind.
 *
 * \par Geometry
 * The template lies on the grid of ReferenceImage, by default on that of input 0. Images of other grids need either
 * ReferenceImage, which declares that the axes of space are what they have in common, or an initial transform.
 * Displacements are in mm along the axes of space, as those of CudaFluidRegistrationFilter. Voxels outside masks are
 * excluded, and where no image has a value the template is 0.
 *
 * \par Memory
 * Displacement fields of all images are computed by default; inverse fields, deformed images and Jacobian images, one
 * for each image, only when switched on, because N of them fill memory. Images that do not fit on a device wait in
 * page-locked host memory (GetNumberOfStreamedImages). The engine has contexts of its own: GetHostToDeviceBytes and
 * similar statistics count only the transfers outside of it.
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
class ITK_TEMPLATE_EXPORT CudaDiffeomorphicAtlasFilter
  : public CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDiffeomorphicAtlasFilter);

  using Self = CudaDiffeomorphicAtlasFilter;
  using Superclass = CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>;
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
  using typename Superclass::ReferenceImageType;
  using JacobianImageType = typename CudaNeuroDetail::SameKindOf<TDisplacementField, float>::Type;
  using LabelTemplateType = typename CudaNeuroDetail::SameKindOf<TDisplacementField, unsigned short>::Type;
  using TransformType = Transform<double, ImageDimension, ImageDimension>;
  using CompositeTransformType = CompositeTransform<double, ImageDimension>;
  using typename Superclass::DataObjectIdentifierType;
  using typename Superclass::DataObjectPointer;
  using typename Superclass::IterationType;
  using typename Superclass::RealVectorType;
  using typename Superclass::UnsignedVectorType;

  /** The template of the first iteration, on the template's grid, in the intensities of the images. Optional; by
   * default the mean of the images without deformation. */
  itkCudaNeuroSetGetInputMacro(InitialTemplate, OutputImageType);

  /** The mask of an image, which has no value where the mask is 0. Optional; an Image or a DeviceImage of unsigned char
   * on the image's grid. With one argument, the mask of all images that have none of their own. */
  using Superclass::GetMaskImage;
  using Superclass::SetMaskImage;
  void
  SetMaskImage(unsigned int image, const MaskImageType * mask)
  {
    this->SetInputOf("MaskImage", image, mask);
  }
  /** The mask of an image, or that of all images. */
  const MaskImageType *
  GetMaskImage(unsigned int image) const
  {
    const auto * const mask = this->template GetInputOf<MaskImageType>("MaskImage", image);
    return mask != nullptr ? mask : this->GetMaskImage();
  }

  /** Maps points of the template to points of an image, before the displacement is known: an affine registration, for
   * example. Optional. Linear transforms, and composites of them, are used as they are. Others are sampled on the
   * template's grid by all threads. GetMTime shows an update that a transform, or a part of a composite, was changed in
   * place; changes that ITK does not record, such as new pixels of a DisplacementFieldTransform's field, need a call of
   * Modified. */
  void
  SetInitialTransform(unsigned int image, const TransformType * transform);
  const TransformType *
  GetInitialTransform(unsigned int image) const
  {
    const auto found = m_InitialTransforms.find(image);
    return found == m_InitialTransforms.end() ? nullptr : found->second.GetPointer();
  }

  /** The displacement field of an image to start from, on the template's grid. Optional; zero by default. It must not
   * fold. */
  void
  SetInitialDisplacementField(unsigned int image, const DisplacementFieldType * field)
  {
    this->SetInputOf("InitialDisplacementField", image, field);
  }
  const DisplacementFieldType *
  GetInitialDisplacementField(unsigned int image) const
  {
    return this->template GetInputOf<DisplacementFieldType>("InitialDisplacementField", image);
  }

  /** \name Further channels
   * Images of the same heads in other contrasts, on grids of their own, which are deformed by the same maps: SetInput
   * sets those of channel 0, and these functions those of channels from 1 to 7. An image needs one of every channel. A
   * mask is as for SetMaskImage, on the grid of its own image, for this channel alone; optional. The transform maps
   * points of the image of channel 0 to points of this one, as found by a linear registration with the former as the
   * fixed image; the identity by default. For channel 0 the functions are SetInput and SetMaskImage. SetChannelWeight
   * and similar functions set how channels are compared. */
  ///@{
  void
  SetChannelImage(unsigned int channel, unsigned int image, const InputImageType * input);
  const InputImageType *
  GetChannelImage(unsigned int channel, unsigned int image) const;
  void
  SetChannelMaskImage(unsigned int channel, unsigned int image, const MaskImageType * mask);
  const MaskImageType *
  GetChannelMaskImage(unsigned int channel, unsigned int image) const;
  void
  SetChannelTransform(unsigned int channel, unsigned int image, const TransformType * transform);
  const TransformType *
  GetChannelTransform(unsigned int channel, unsigned int image) const;
  /** The number of channels, including channel 0. */
  unsigned int
  GetNumberOfChannels() const;
  ///@}

  /** Labels of an image: an Image or a DeviceImage of unsigned char or unsigned short, up to 65533, in the space of the
   * image, on any grid. Optional. They do not influence the maps: GetLabelTemplate is their vote on the template. */
  void
  SetLabelImage(unsigned int image, const MaskImageType * labels)
  {
    this->SetInputOf("LabelImage", image, labels);
  }
  const MaskImageType *
  GetLabelImage(unsigned int image) const
  {
    return this->template GetInputOf<MaskImageType>("LabelImage", image);
  }

  /** \name Points of an image, such as landmarks
   * Coordinates in mm in the space of the image, one point after the other. Optional. Points of the same number are the
   * same place in all images: they are numbered from 0 in their order, or by SetPointNumbers for an image that lacks
   * some. They do not influence the maps: GetTemplatePoints returns where the maps put them. */
  ///@{
  void
  SetPoints(unsigned int image, const RealVectorType & coordinates);
  const RealVectorType &
  GetPoints(unsigned int image) const;
#if !defined(ITK_WRAPPING_PARSER)
  /** The same from a PointSet or a Mesh. */
  template <typename TPointSet>
  void
  SetPointSet(unsigned int image, const TPointSet * points)
  {
    this->SetPoints(image, CudaNeuroDetail::PositionsOf(points));
  }
#endif
  void
  SetPointNumbers(unsigned int image, const UnsignedVectorType & numbers);
  const UnsignedVectorType &
  GetPointNumbers(unsigned int image) const;
  ///@}

  /** One weight for each image: not negative, with a positive sum, by which they are divided. An image of weight 0 is
   * registered to the template of the others. Empty, the default, weighs all equally. */
  void
  SetWeights(const RealVectorType & weights);
  itkGetConstReferenceMacro(Weights, RealVectorType);

  /** A folder for checkpoints: the state of all maps, written every CheckpointInterval seconds (default 600; 0 is after
   * every iteration), for a later update with Resume. Empty, the default, writes none. */
  itkSetStringMacro(CheckpointFolder);
  itkGetStringMacro(CheckpointFolder);
  itkCudaNeuroSetGetMacro(CheckpointInterval, double);

  /** Continue from the checkpoint in CheckpointFolder, with the same bits as without the interruption. Without a
   * checkpoint an update starts from the beginning, so that one program serves both. Iterations before the interruption
   * count as this update's, also for observers. Off by default: then an existing checkpoint is replaced. */
  itkCudaNeuroSetGetBooleanMacro(Resume);

  /** \name Which outputs are computed beside the template
   * Displacement fields are computed by default, the others are not. */
  ///@{
  itkCudaNeuroSetGetBooleanMacro(ComputeDisplacementFields);
  itkCudaNeuroSetGetBooleanMacro(ComputeInverseDisplacementFields);
  itkCudaNeuroSetGetBooleanMacro(ComputeDeformedImages);
  itkCudaNeuroSetGetBooleanMacro(ComputeJacobianImages);
  itkCudaNeuroSetGetBooleanMacro(ComputeInitialMean);
  ///@}

  /** \name Outputs beside the template, which is GetOutput
   * h(p) - p of an image; the inverse of h, minus p; the deformed image; the Jacobian determinant of h; and the mean of
   * the images under their initial transforms and fields alone. The deformed image is the image at T(h(p)),
   * interpolated once, and 0 where the image has no value there. The template is not the mean of these where images
   * have another grid or an initial transform: T has resampled them to its grid before h deforms them.
   * \throws ExceptionObject for an image that does not exist, and for an output that is switched off. */
  ///@{
  DisplacementFieldType *
  GetDisplacementField(unsigned int image)
  {
    return this->template GetOutputOf<DisplacementFieldType>("DisplacementField", image, m_ComputeDisplacementFields);
  }
  DisplacementFieldType *
  GetInverseDisplacementField(unsigned int image)
  {
    return this->template GetOutputOf<DisplacementFieldType>(
      "InverseDisplacementField", image, m_ComputeInverseDisplacementFields);
  }
  OutputImageType *
  GetDeformedImage(unsigned int image)
  {
    return this->template GetOutputOf<OutputImageType>("DeformedImage", image, m_ComputeDeformedImages);
  }
  JacobianImageType *
  GetJacobianImage(unsigned int image)
  {
    return this->template GetOutputOf<JacobianImageType>("JacobianImage", image, m_ComputeJacobianImages);
  }
  OutputImageType *
  GetInitialMean();
  ///@}

  /** \name Outputs of a channel
   * Its template, the mean of its images and its deformed image; those of channel 0 are GetOutput, GetInitialMean and
   * GetDeformedImage. All deformed images, and all means, are computed or none.
   * \throws ExceptionObject for a channel that does not exist, and for an output that is switched off. */
  ///@{
  OutputImageType *
  GetChannelTemplate(unsigned int channel);
  OutputImageType *
  GetChannelInitialMean(unsigned int channel);
  OutputImageType *
  GetChannelDeformedImage(unsigned int channel, unsigned int image);
  ///@}

  /** \name The labels of the images on the template, where any image has a LabelImage
   * At each voxel, every image with labels votes with its weight for the label of the voxel that is nearest to T(h(p)).
   * GetLabelTemplate has the label with the most votes, and of equal ones the smallest; GetLabelProbability has its
   * fraction of the votes, 0 to 1. Images without labels, and images whose labels do not reach that far, have no vote;
   * where none votes, both are 0. While an update counts, labels take 2 bytes a voxel of the template and image in host
   * memory, for any number of labels.
   * \throws ExceptionObject where no image has a LabelImage. */
  ///@{
  LabelTemplateType *
  GetLabelTemplate()
  {
    return this->template GetLabelOutput<LabelTemplateType>("LabelTemplate");
  }
  JacobianImageType *
  GetLabelProbability()
  {
    return this->template GetLabelOutput<JacobianImageType>("LabelProbability");
  }
  ///@}

  /** Returns the map T(h(p)) that the last update made for an image, independent of later settings and of the state of
   * the outputs: from points of the template to points of the image, as CudaFluidRegistrationFilter::GetTransform. Its
   * fields are copies of pixels that the outputs share, and that stay in memory until the next update begins to
   * compute, also when the outputs are released. A filter that works in place and writes to these pixels changes the
   * map. It is compiled only where ITK's module ITKDisplacementField is available.
   * \throws ExceptionObject for an image that the last update did not have, and when that was not completed or had
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

  ModifiedTimeType
  GetMTime() const override;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(const DataObjectIdentifierType & name) override;

protected:
  CudaDiffeomorphicAtlasFilter() = default;
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
  /** The kinds of outputs of which there is one for each image. */
  struct OutputKind
  {
    /** In the singular: the beginning of the outputs' names. */
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

  /** The parts of the map that GetTransform returns. The fields share the pixels of outputs, and keep them when the
   * outputs release theirs. */
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
  template <typename TImage>
  const TImage *
  GetInputOf(const std::string & kind, unsigned int image) const
  {
    return dynamic_cast<const TImage *>(this->ProcessObject::GetInput(NameOf(kind, image)));
  }
  void
  SetInputOf(const std::string & kind, unsigned int image, const DataObject * input)
  {
    this->ProcessObject::SetInput(NameOf(kind, image), const_cast<DataObject *>(input)); // as itkSetInputMacro does
  }
  void
  VerifyImage(unsigned int image) const;
  /** Checks that nothing was set for an image that does not exist. */
  void
  VerifyIndices() const;

  /** Returns an output of an image; it is created on first request. */
  template <typename TImage>
  TImage *
  GetOutputOf(const std::string & kind, unsigned int image, bool isComputed);
  static std::string
  NameOf(const std::string & kind, unsigned int channel, unsigned int image)
  {
    CudaNeuroDetail::RequireChannel(channel);
    return NameOf(kind + std::to_string(channel), image);
  }
  void
  VerifyChannel(unsigned int channel, unsigned int image) const;
  /** Returns an output of a channel after the first one. */
  OutputImageType *
  GetOutputOfChannel(const char * kind, unsigned int channel, const std::string & name);
  cudaneuro::AtlasChannel
  MakeChannel(unsigned int channel, unsigned int image) const;
  /** Whether any image has labels. */
  bool
  HasLabels() const;
  /** Returns an output that exists only where images have labels. */
  template <typename TImage>
  TImage *
  GetLabelOutput(const std::string & name);
  /** Returns the names of the outputs to be computed beside the template. */
  std::vector<std::string>
  GetComputedNames() const;
  /** The initial transform of an image in the engine's form. */
  struct InitialMap
  {
    cudaneuro::AffineMap                                                        transform;
    typename Image<Vector<float, ImageDimension>, ImageDimension>::ConstPointer sampled; // may be null
    cudaneuro::ConstField                                                       field;
  };
  InitialMap
  MakeInitialMap(cudaneuro::Context & context, unsigned int image) const;
  /** Calls \p use with an image in the engine's form: with its mask, initial transform and initial displacement
   * field. */
  template <typename TFunction>
  void
  WithAtlasImage(cudaneuro::Context & context, unsigned int image, const TFunction & use) const;
  void
  Run(cudaneuro::DiffeomorphicAtlas & atlas);
  void
  WriteOutputs(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas);
  void
  WriteLabels(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas);
  void
  WritePoints(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas);
  cudaneuro::AtlasPoints
  MakePoints(unsigned int image) const;
  /** Checks points before the iterations begin. */
  void
  VerifyPoints(unsigned int image) const;
  void
  WarnOfPoints(unsigned int image, const cudaneuro::AtlasPointsResult & left) const;
  void
  WriteOutputsOf(cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas, unsigned int image);
  /** Runs a step of an update, whose parts report from 0 to 1 each: progress moves when the step is done. */
  template <typename TFunction>
  static void
  RunStep(cudaneuro::Context & context, double begin, double end, const TFunction & step);
  cudaneuro::AtlasAction
  ObserveIteration();

  std::map<unsigned int, typename TransformType::ConstPointer> m_InitialTransforms;
  /** Transforms by channel and image. */
  std::map<std::pair<unsigned int, unsigned int>, typename TransformType::ConstPointer> m_ChannelTransforms;
  /** Points by image; images without points have no entry. */
  std::map<unsigned int, RealVectorType>     m_Points;
  std::map<unsigned int, UnsignedVectorType> m_PointNumbers;
  RealVectorType                             m_Weights;
  std::string                                m_CheckpointFolder;
  double                                     m_CheckpointInterval = cudaneuro::AtlasCheckpoint().interval;
  bool                                       m_Resume = false;
  bool                                       m_ComputeDisplacementFields = true;
  bool                                       m_ComputeInverseDisplacementFields = false;
  bool                                       m_ComputeDeformedImages = false;
  bool                                       m_ComputeJacobianImages = false;
  bool                                       m_ComputeInitialMean = false;

  std::vector<Map>  m_Maps; // of the last update, unaffected by later settings; empty without one
  std::atomic<bool> m_StopIterations{ false };
  std::atomic<bool> m_SaveCheckpoint{ false };
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDiffeomorphicAtlasFilter.hxx"
#endif

#endif
