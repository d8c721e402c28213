// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelToSignedDistanceImageFilter_h
#define itkCudaLabelToSignedDistanceImageFilter_h

#include "cudaneuro/SignedDistance.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroSurfaces.h"

#include <memory>
#include <type_traits>
#include <vector>

namespace itk
{

/** \class CudaLabelToSignedDistanceImageFilter
 * \brief Computes signed distances to the boundaries of the labels of an image, in mm, one output a label; on a CUDA
 * device or the CPU.
 *
 * The distance, negative inside, is that to the nearest center of a face between a voxel with the label and one
 * without, exact up to Reach; voxels farther away have the value Reach with the right sign.
 *
 * Outputs are in ascending order of the labels. Each covers the part of the image that contains its label and Reach
 * around it, with the image's spacing, direction and origin; its region gives the position of the part. That region may
 * extend beyond the image, where all is background: every surface is closed, and none touches the edge of its output.
 *
 * The number of outputs depends on the pixels. Therefore UpdateOutputInformation, and Update with it, update the input
 * and find the labels; outputs other than the first exist afterwards.
 *
 * All voxels are used; there is no mask.
 *
 * \tparam TInputImage Image or DeviceImage of unsigned char, short or unsigned short, in three dimensions.
 * \tparam TOutputImage Image or DeviceImage of float or double.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaLabelToSignedDistanceImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaLabelToSignedDistanceImageFilter);

  using Self = CudaLabelToSignedDistanceImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaLabelToSignedDistanceImageFilter);

  using Superclass::ImageDimension;
  using LabelType = typename TInputImage::PixelType;
  using LabelVectorType = std::vector<int>;
  static_assert(ImageDimension == 3, "Distances to surfaces are computed in three dimensions.");
  static_assert(std::is_same_v<LabelType, unsigned char> || std::is_same_v<LabelType, short> ||
                  std::is_same_v<LabelType, unsigned short>,
                "Labels are unsigned char, short or unsigned short.");
  static_assert(std::is_floating_point_v<typename TOutputImage::PixelType>,
                "Signed distances have pixels of float or double; integers would round the surface to voxels.");

  /** Distance from the surface up to which distances are exact, in mm. Positive, or 0, the default, for 8 of the
   * largest spacing, which is enough for the band and the patches of CudaNonLocalMeansLevelSetImageFilter. GetUsedReach
   * returns the value of the last update. */
  itkCudaNeuroParameterMacro(Reach, double, reach);
  itkGetConstMacro(UsedReach, double);

  /** The value of the voxels that belong to no label. Default 0. */
  itkCudaNeuroSetGetMacro(BackgroundValue, LabelType);

  /** The labels to compute distances to, in any order; an empty list, the default, stands for all labels of the image.
   * An update fails where the image lacks one. */
  void
  SetLabels(const LabelVectorType & labels);

  /** The labels that were found, in ascending order, one for each output. */
  itkGetConstReferenceMacro(Labels, LabelVectorType);

  /** Returns the output of a label that was found.
   * \throws ExceptionObject for another label. */
  TOutputImage *
  GetOutputOfLabel(int label);

protected:
  CudaLabelToSignedDistanceImageFilter() = default;
  ~CudaLabelToSignedDistanceImageFilter() override = default;

  void
  GenerateOutputInformation() override;
  void
  GenerateOutputRequestedRegion(DataObject * output) override;
  void
  AllocateOutputs() override
  {
    for (unsigned int i = 0; i < m_Labels.size(); ++i)
    {
      this->AllocateOrRelease(this->GetOutput(i), true);
    }
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  /** The labels in host memory, copied to \p memory if they are on a device. */
  cudaneuro::ConstVolume
  GetHostLabels(cudaneuro::Context & context, std::vector<unsigned char> & memory) const;

  /** Finds the bounding boxes of the labels that have outputs. */
  void
  FindBoxes();

  void
  SetNumberOfOutputs(std::size_t number);

  /** The box of an output's label and Reach around it. */
  typename TOutputImage::RegionType
  GetRegionOfOutput(std::size_t output) const;

  cudaneuro::SignedDistanceParameters    m_Parameters;
  double                                 m_UsedReach = 0.0;
  LabelType                              m_BackgroundValue{};
  LabelVectorType                        m_ChosenLabels;
  LabelVectorType                        m_Labels;
  std::vector<CudaNeuroDetail::LabelBox> m_Boxes;
  std::unique_ptr<cudaneuro::Context>    m_LabelContext;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaLabelToSignedDistanceImageFilter.hxx"
#endif

#endif
