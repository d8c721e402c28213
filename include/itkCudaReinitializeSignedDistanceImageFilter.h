// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReinitializeSignedDistanceImageFilter_h
#define itkCudaReinitializeSignedDistanceImageFilter_h

#include "cudaneuro/SignedDistance.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroSurfaces.h"

#include <type_traits>

namespace itk
{

/** \class CudaReinitializeSignedDistanceImageFilter
 * \brief Computes the signed distance to the zero level of an image, in mm, on a CUDA device or the CPU.
 *
 * The surface is the zero level of linear interpolation, as cudaneuro::ReinitializeSignedDistance defines it; distances
 * to it are exact up to Reach, and have the sign of the input. Voxels farther away have the value Reach with that sign.
 *
 * itk::ReinitializeLevelSetImageFilter instead marches from the voxels next to the surface, whose distances it
 * estimates from those of the input along the axes.
 *
 * All voxels are used; there is no mask.
 *
 * \tparam TInputImage Image or DeviceImage, in three dimensions. TOutputImage is of float or double.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaReinitializeSignedDistanceImageFilter
  : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaReinitializeSignedDistanceImageFilter);

  using Self = CudaReinitializeSignedDistanceImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaReinitializeSignedDistanceImageFilter);

  using Superclass::ImageDimension;
  static_assert(ImageDimension == 3, "Distances to surfaces are computed in three dimensions.");
  static_assert(std::is_floating_point_v<typename TInputImage::PixelType> &&
                  std::is_floating_point_v<typename TOutputImage::PixelType>,
                "Signed distances have pixels of float or double; integers would round the surface to voxels.");

  /** Distance from the surface up to which distances are exact, in mm. Positive, or 0, the default, for 8 of the
   * largest spacing, which is enough for the band and the patches of CudaNonLocalMeansLevelSetImageFilter. GetUsedReach
   * returns the value of the last update. */
  itkCudaNeuroParameterMacro(Reach, double, reach);
  itkGetConstMacro(UsedReach, double);

protected:
  CudaReinitializeSignedDistanceImageFilter() = default;
  ~CudaReinitializeSignedDistanceImageFilter() override = default;

  void
  Compute(cudaneuro::Context & context) override
  {
    m_UsedReach = CudaNeuroDetail::UsedReach(m_Parameters.reach, this->GetGrid());
    const cudaneuro::SignedDistanceParameters parameters{ m_UsedReach };
    cudaneuro::ReinitializeSignedDistance(context,
                                          parameters,
                                          this->GetGrid(),
                                          CudaNeuroDetail::VolumeOf(this->GetInput()),
                                          CudaNeuroDetail::VolumeOf(this->GetOutput()));
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
    os << indent << "UsedReach: " << m_UsedReach << std::endl;
  }

private:
  cudaneuro::SignedDistanceParameters m_Parameters;
  double                              m_UsedReach = 0.0;
};

} // namespace itk

#endif
