// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMultiResolutionPyramidImageFilter_h
#define itkCudaMultiResolutionPyramidImageFilter_h

#include "cudaneuro/ImageOperations.h"
#include "itkArray2D.h"
#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class CudaMultiResolutionPyramidImageFilter
 * \brief Shrinks an image to several resolutions, coarse to fine, one output a level, on a CUDA device or the CPU.
 *
 * A level is the image smoothed with a Gaussian of standard deviation half the shrink factor, in voxels, along the axes
 * that shrink, and linearly interpolated on a grid with one voxel for factor voxels of the input along each axis. The
 * last of them may extend beyond the input: there are ceil(size / factor), so that nothing is cut off. Each output has
 * its own geometry, so that all cover the same part of space.
 *
 * It differs from itk::MultiResolutionPyramidImageFilter, which makes floor(size / factor) voxels, smooths axes that do
 * not shrink, too, and displaces the output when the input's region does not start at a multiple of the factors. Axes
 * of one voxel are unchanged.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaMultiResolutionPyramidImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaMultiResolutionPyramidImageFilter);

  using Self = CudaMultiResolutionPyramidImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaMultiResolutionPyramidImageFilter);

  using Superclass::ImageDimension;
  using ScheduleType = Array2D<unsigned int>;

  /** Number of outputs, at least 1; default 2. Sets the shrink factors of the coarsest level, level 0, to powers of 2,
   * which halve from level to level down to 1.
   * \throws ExceptionObject for 0 and for more than 31. */
  void
  SetNumberOfLevels(unsigned int number);
  itkGetConstMacro(NumberOfLevels, unsigned int);

  /** Shrink factors: one row a level, one column an axis; all at least 1.
   * \throws ExceptionObject for any other schedule. */
  void
  SetSchedule(const ScheduleType & schedule);
  itkGetConstReferenceMacro(Schedule, ScheduleType);

  /** Shrink factors of level 0; they halve from level to level, down to 1.
   * \throws ExceptionObject for 0. */
  void
  SetStartingShrinkFactors(unsigned int factor);

protected:
  CudaMultiResolutionPyramidImageFilter() { Self::SetNumberOfLevels(2); }
  ~CudaMultiResolutionPyramidImageFilter() override = default;

  void
  GenerateOutputInformation() override;
  void
  GenerateOutputRequestedRegion(DataObject * output) override;
  void
  AllocateOutputs() override
  {
    for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
    {
      this->AllocateOrRelease(this->GetOutput(level), true);
    }
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "NumberOfLevels: " << m_NumberOfLevels << std::endl;
    os << indent << "Schedule:" << std::endl << m_Schedule << std::endl;
  }

private:
  std::array<int, 3>
  GetFactors(unsigned int level) const
  {
    return CudaNeuroDetail::ThreeAxes(m_Schedule[level], ImageDimension, 1, "Schedule");
  }

  unsigned int m_NumberOfLevels = 0;
  ScheduleType m_Schedule;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaMultiResolutionPyramidImageFilter.hxx"
#endif

#endif
