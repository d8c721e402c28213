// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGreedyFluidRegistrationFilter_h
#define itkCudaGreedyFluidRegistrationFilter_h

#include "itkCudaFluidRegistrationFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroVelocityEquation.h"

namespace itk
{

/** \class CudaGreedyFluidRegistrationFilter
 * \brief Registers two images greedily by a viscous fluid (Ha et al.), on a CUDA device or the CPU.
 *
 * With I the moving image as deformed so far and R the fixed image, both divided by R's standard deviation, each
 * iteration (Ha et al., algorithm 1) computes the force \f$ F = -(I - R) \nabla I \f$ (with LocalCorrelation, that of
 * the correlation), solves
 * \f[ L v = F, \qquad L = -\alpha \nabla^2 - \beta \nabla (\nabla \cdot) + \gamma, \f]
 * v = 0 outside the image, in units of voxels of the level, and moves the map along,
 * \f$ h \leftarrow h(x + v\, dt) \f$, with dt such that the fastest voxel moves by MaximumStep. The energy is the image
 * term alone; there is no term that prefers one map to another.
 *
 * The equation is solved by red-black successive over-relaxation, which starts from the previous velocity and so needs
 * few sweeps, or exactly by Fourier transforms, which also allow beta != 0 (and then the image repeats periodically).
 *
 * Inputs, outputs, schedule and errors are those of CudaFluidRegistrationFilter.
 *
 * \sa CudaUnbiasedFluidRegistrationFilter, CudaSymmetricRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage,
          typename TMovingImage = TFixedImage,
          typename TDisplacementField = Image<Vector<float, TFixedImage::ImageDimension>, TFixedImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaGreedyFluidRegistrationFilter
  : public CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGreedyFluidRegistrationFilter);

  using Self = CudaGreedyFluidRegistrationFilter;
  using Superclass = CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaGreedyFluidRegistrationFilter);

  using VelocityMethodEnum = cudaneuro::VelocityMethod;

  /** How the equation is solved: SuccessiveOverRelaxation (default) or FourierTransform. */
  itkCudaNeuroEnumParameterMacro(VelocityMethod, VelocityMethodEnum, velocityMethod);

  /** The equation, and the sweeps of SuccessiveOverRelaxation:
   * - Alpha: how strongly the velocity is smoothed. 1e-6 to 1e6; default 1.
   * - Beta: how strongly its divergence is smoothed. Not negative; default 0; other values need FourierTransform.
   * - Gamma: resistance to the velocity itself: the solution reaches sqrt(Alpha / Gamma) voxels. 1e-6 to 1e6; default
   *   0.02.
   * - FirstSweeps: sweeps in the first iteration of a level. At least 1; default 100.
   * - Sweeps: sweeps in each later iteration. At least 1; default 5. */
  itkCudaNeuroVelocityEquationMacro();

protected:
  CudaGreedyFluidRegistrationFilter()
    : Superclass(cudaneuro::GreedyRegistrationParameters())
  {}
  ~CudaGreedyFluidRegistrationFilter() override = default;

  void
  CompleteParameters(cudaneuro::RegistrationParameters & parameters) const override
  {
    if (parameters.velocityMethod == VelocityMethodEnum::Gaussian)
    {
      itkExceptionMacro("VelocityMethod is Gaussian; it must be SuccessiveOverRelaxation or FourierTransform");
    }
  }
};

} // namespace itk

#endif
