// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralSweepImageFilter_h
#define itkCudaBilateralSweepImageFilter_h

#include "cudaneuro/BilateralSweep.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

#include <vector>

namespace itk
{

/** \class CudaBilateralSweepImageFilter
 * \brief CudaBilateralImageFilter for all pairs of a radius and a domain sigma at once, on a CUDA device or the CPU.
 *
 * It is for studies that search the best parameters (Howison, section 4.1). There is one output for each pair, ordered
 * by radius and then by domain sigma; each is the result of CudaBilateralImageFilter for that Radius and that
 * DomainSigma along all axes, up to rounding. For each eight domain sigmas, all together take little longer than the
 * largest radius alone.
 *
 * All outputs are in memory together: where they are itk::Images, UsePinnedOutputOff saves page-locked memory.
 *
 * Voxels outside the mask, infinite or NaN keep their value and have no weight in others. So does an intensity so large
 * that its ratio to RangeSigma is not a finite float.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaBilateralSweepImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaBilateralSweepImageFilter);

  using Self = CudaBilateralSweepImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaBilateralSweepImageFilter);

  /** Standard deviation of the intensity Gaussian, in intensity units. 1e-30 to 1e30; default 50. */
  itkCudaNeuroParameterMacro(RangeSigma, double, rangeSigma);

  /** Half-widths of the neighborhood, in voxels, the same along all axes: from 1 to 7, in rising order. Default 2.
   * The number of outputs follows at once. */
  void
  SetRadii(const std::vector<unsigned int> & radii)
  {
    if (CudaNeuroDetail::ChangesParameter(radii, m_Parameters.radii, "Radii"))
    {
      this->UpdateNumberOfOutputs();
      this->Modified();
    }
  }
  std::vector<unsigned int>
  GetRadii() const
  {
    return CudaNeuroDetail::FromEngine<std::vector<unsigned int>>(m_Parameters.radii);
  }

  /** Standard deviations of the spatial Gaussian, the same along all axes, in mm, or in voxels when UseImageSpacing is
   * off. 1e-6 to 1e6, in any order. Until they are set, there is one, of one voxel along each axis. The number of
   * outputs follows at once. */
  void
  SetDomainSigmas(const std::vector<double> & sigmas)
  {
    if (CudaNeuroDetail::ChangesParameter(sigmas, m_Parameters.domainSigmas, "DomainSigmas") || m_AutomaticDomainSigma)
    {
      m_AutomaticDomainSigma = false;
      this->UpdateNumberOfOutputs();
      this->Modified();
    }
  }
  const std::vector<double> &
  GetDomainSigmas() const
  {
    return m_Parameters.domainSigmas;
  }

  /** Measure distances in physical units rather than in voxels. On by default. */
  itkCudaNeuroBooleanParameterMacro(UseImageSpacing, useImageSpacing);

  /** Returns the index of the output for a radius and a domain sigma, given by their indices in the lists. */
  unsigned int
  GetOutputIndex(unsigned int radiusIndex, unsigned int domainSigmaIndex) const
  {
    return radiusIndex * static_cast<unsigned int>(m_Parameters.domainSigmas.size()) + domainSigmaIndex;
  }

protected:
  CudaBilateralSweepImageFilter() = default;
  ~CudaBilateralSweepImageFilter() override = default;

  void
  AllocateOutputs() override
  {
    for (unsigned int i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
    {
      TOutputImage * const output = this->GetOutput(i);
      output->SetBufferedRegion(output->GetRequestedRegion());
      this->AllocateOutput(output);
    }
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
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
  }

private:
  /** Makes one output for each pair, and one where a list is empty, which is an error when computing. */
  void
  UpdateNumberOfOutputs();

  cudaneuro::BilateralSweepParameters m_Parameters;
  bool                                m_AutomaticDomainSigma = true;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaBilateralSweepImageFilter.hxx"
#endif

#endif
