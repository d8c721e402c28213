// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStructuralSimilarityImageFilter_h
#define itkCudaStructuralSimilarityImageFilter_h

#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/StructuralSimilarity.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

#include <string>
#include <vector>

namespace itk
{

/** \class CudaStructuralSimilarityImageFilter
 * \brief Compares two images by an SSIM map, mean SSIM and mean squared error, on a CUDA device or the CPU.
 *
 * SSIM compares mean, variance and covariance in a window of 11 voxels an axis with Gaussian weights, by default of
 * standard deviation 1.5 voxels (Wang et al. 2004; Howison, eq. 11-16). Images are extended by reflection. The mean
 * excludes the 5 voxels next to every face, where the window does not fit, along axes of 11 voxels or more. By default,
 * all agrees with
 * scikit-image's structural_similarity(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=L) and
 * with its mean.
 *
 * The mask selects the voxels over which means are taken. Where either image is infinite or NaN the map is NaN, windows
 * exclude the voxel, and the means skip it. The error of the map is below 1e-5, for images at any distance from 0.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = Image<float, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaStructuralSimilarityImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaStructuralSimilarityImageFilter);

  using Self = CudaStructuralSimilarityImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaStructuralSimilarityImageFilter);

  using InputImageType = TInputImage;

  /** The reference that the other image is compared with; the primary input. */
  void
  SetReferenceImage(const InputImageType * image)
  {
    this->SetInput(image);
  }
  const InputImageType *
  GetReferenceImage() const
  {
    return this->GetInput();
  }

  /** The image to compare with the reference; required, with the same geometry. */
  itkCudaNeuroSetGetInputMacro(TestImage, InputImageType);

  /** Adds another image to compare, of the reference's geometry, in the same update, without a map. Small images on a
   * CUDA device take less time together than one after the other. */
  void
  AddTestImage(const InputImageType * image)
  {
    if (image == nullptr)
    {
      itkExceptionMacro("The test image to be added is absent (a null pointer)");
    }
    ++m_NumberOfAddedTestImages;
    this->ProcessObject::SetInput(this->NameOfAdded(m_NumberOfAddedTestImages), const_cast<InputImageType *>(image));
  }
  /** Removes the images of AddTestImage. */
  void
  RemoveAddedTestImages()
  {
    for (; m_NumberOfAddedTestImages > 0; --m_NumberOfAddedTestImages)
    {
      this->RemoveInput(this->NameOfAdded(m_NumberOfAddedTestImages));
    }
  }

  /** Compute the data range from the reference image: its largest minus its smallest finite value. On by default;
   * SetDataRange turns it off. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticDataRange);

  /** L in the constants (K1 L)^2 and (K2 L)^2, in intensity units. 1e-12 to 1e15. With AutomaticDataRange, the value
   * that the last update used. */
  void
  SetDataRange(double range)
  {
    this->SetAutomaticDataRange(false);
    if (CudaNeuroDetail::ChangesParameter(range, m_Parameters.dataRange, "DataRange"))
    {
      this->Modified();
    }
  }
  double
  GetDataRange() const
  {
    return m_Parameters.dataRange;
  }

  /** K1 in the constant (K1 L)^2. 1e-6 to 1e3; default 0.01. */
  itkCudaNeuroParameterMacro(K1, double, k1);

  /** K2 in the constant (K2 L)^2. 1e-6 to 1e3; default 0.03. */
  itkCudaNeuroParameterMacro(K2, double, k2);

  /** Standard deviation of the window's Gaussian weights along each axis, in voxels. 0.2 to 1000; default 1.5. The
   * window always has 11 voxels an axis. */
  itkCudaNeuroParameterMacro(WindowSigma, double, windowSigma);

  /** Write the map to the output. When off, the output has no pixels, and each update computes only the means. On by
   * default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeMap);

  /** Results of the last update for the test image. */
  itkCudaNeuroGetValueMacro(MeanStructuralSimilarity, double, m_Results.front().meanStructuralSimilarity);
  itkCudaNeuroGetValueMacro(MeanSquaredError, double, m_Results.front().meanSquaredError);

  /** Results of the last update: for the test image, and for the added ones, in their order. */
  itkCudaNeuroGetSeriesMacro(MeanStructuralSimilarities,
                             m_Results,
                             &cudaneuro::StructuralSimilarityResult::meanStructuralSimilarity);
  itkCudaNeuroGetSeriesMacro(MeanSquaredErrors, m_Results, &cudaneuro::StructuralSimilarityResult::meanSquaredError);

protected:
  CudaStructuralSimilarityImageFilter()
  {
    this->SetPrimaryInputName("ReferenceImage");
    this->AddRequiredInputName("TestImage");
    m_Parameters.dataRange = 0.0; // until it is derived from an image
  }
  ~CudaStructuralSimilarityImageFilter() override = default;

  void
  AllocateOutputs() override
  {
    this->AllocateOrRelease(this->GetOutput(), m_ComputeMap);
  }
  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "AutomaticDataRange: " << (m_AutomaticDataRange ? "On" : "Off") << std::endl;
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, TInputImage::ImageDimension);
    os << indent << "ComputeMap: " << (m_ComputeMap ? "On" : "Off") << std::endl;
    os << indent << "NumberOfAddedTestImages: " << m_NumberOfAddedTestImages << std::endl;
    os << indent << "MeanStructuralSimilarity: " << m_Results.front().meanStructuralSimilarity << std::endl;
    os << indent << "MeanSquaredError: " << m_Results.front().meanSquaredError << std::endl;
  }

private:
  static std::string
  NameOfAdded(unsigned int number)
  {
    return "AddedTestImage" + std::to_string(number);
  }

  cudaneuro::StructuralSimilarityParameters m_Parameters;
  bool                                      m_AutomaticDataRange = true;
  bool                                      m_ComputeMap = true;
  unsigned int                              m_NumberOfAddedTestImages = 0;
  /** Results for the test image, which has an entry even before an update, and for the added ones. */
  std::vector<cudaneuro::StructuralSimilarityResult> m_Results{ 1 };
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaStructuralSimilarityImageFilter.hxx"
#endif

#endif
