// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSymmetricRegistrationFilter_h
#define itkCudaSymmetricRegistrationFilter_h

#include "itkCudaFluidRegistrationFilter.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroUpdateSmoothing.h"
#include "itkCudaNeuroVelocityEquation.h"

namespace itk
{

/** \class CudaSymmetricRegistrationFilter
 * \brief Registers two images symmetrically: both move to a middle, so that neither is privileged; on a CUDA device or
 * the CPU.
 *
 * Two maps lead from a middle grid, \f$ h_1(x) = x + d_1(x) \f$ to the fixed image R and \f$ h_2(x) = x + d_2(x) \f$ to
 * the moving image T, with Jacobian determinants \f$ J_1, J_2 \f$. The energy is
 * \f[ E = \frac{1}{2} \mathrm{mean} (T(h_2) - R(h_1))^2 +
 *     \lambda\, \mathrm{mean} \left[ (J_1 - 1) \log J_1 + (J_2 - 1) \log J_2 \right], \f]
 * both images divided by their common standard deviation; LocalCorrelation replaces the first term by 1 minus the mean
 * squared local correlation. \f$ \lambda \f$ is UnbiasedWeight; as each half map has about half of the logarithm of the
 * whole map's determinant, the bias term is about half of CudaUnbiasedFluidRegistrationFilter's. The negative gradients
 * by
 * \f$ d_1 \f$ and \f$ d_2 \f$ are \f$ f_1, f_2 \f$, and v is computed from \f$ f_2 - f_1 \f$ by a Gaussian or by the
 * equation of CudaGreedyFluidRegistrationFilter, which belongs to a Sobolev norm. The maps move by opposite velocities,
 * \f$ d_2 \leftarrow d_2 + v\, dt \f$, \f$ d_1 \leftarrow d_1 - v\, dt \f$, with dt such that the fastest voxel moves
 * by MaximumStep.
 *
 * The displacement field is that of \f$ h = h_2 \circ h_1^{-1} \f$, the inverse field that of
 * \f$ h_1 \circ h_2^{-1} \f$: both are computed from the inverses of the two halves, and h is not inverted. Where one
 * of them is below JacobianBound, or more than 0.4 voxels from being the inverse of the other, both halves are smoothed
 * a little and joined again, until none is; if that does not reach the bound, they are scaled towards the identity
 * until it is kept, with a warning. Step, energies and JacobianBound are those of the two halves; the figures of the
 * result are those of h. An initial displacement field is that of \f$ h_2 \f$ at the start.
 *
 * \par Symmetry
 * Where both images have the same grid and there is no initial transform, that grid is the middle, and swapping the
 * images swaps the field and its inverse to the bit. Otherwise both are resampled to a middle that does not depend on
 * which one is fixed. The initial transform, which must be linear, is divided into two equal parts s, each of which
 * moves one image to the middle. The middle grid has the voxels of the image whose voxels are larger, and covers both;
 * levels, and lengths in voxels, refer to it. The map found there is converted to the fixed image's grid, as \f$ s^{-1}
 * \circ h \circ s \f$. Swapping the images, with the inverse transform, then gives the inverse map to the precision of
 * interpolated fields. Reflections and rotations by 180 degrees have no half and are refused.
 *
 * Not symmetric are MatchIntensities, which maps the moving image's intensities to the fixed image's, and initial
 * transforms with parts that are not linear, for which the fixed image's grid is the middle.
 *
 * Inputs, outputs, schedule and errors are those of CudaFluidRegistrationFilter.
 *
 * \sa CudaUnbiasedFluidRegistrationFilter, CudaGreedyFluidRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage,
          typename TMovingImage = TFixedImage,
          typename TDisplacementField = Image<Vector<float, TFixedImage::ImageDimension>, TFixedImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaSymmetricRegistrationFilter
  : public CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaSymmetricRegistrationFilter);

  using Self = CudaSymmetricRegistrationFilter;
  using Superclass = CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaSymmetricRegistrationFilter);

  using Superclass::ImageDimension;
  using typename Superclass::RealVectorType;
  using typename Superclass::StandardDeviationsType;
  using VelocityMethodEnum = cudaneuro::VelocityMethod;

  /** Lambda, the weight of the bias term of both halves in the energy. Not negative; 0 omits it. Default 0.1. */
  itkCudaNeuroParameterMacro(UnbiasedWeight, double, unbiasedWeight);

  /** How the velocity is computed from the force: Gaussian, SuccessiveOverRelaxation or FourierTransform. Default
   * Gaussian. */
  itkCudaNeuroEnumParameterMacro(VelocityMethod, VelocityMethodEnum, velocityMethod);

  /** The Gaussian by which the velocity is computed from the force; with the other methods it has no effect:
   * - UpdateFieldStandardDeviations: standard deviations of all levels, in voxels of the level; 1e-6 to 1e6. By default
   *   the four finest levels have 4, 3, 2 and 1.5, coarser ones 4.
   * - UpdateFieldStandardDeviationsPerLevel: those of each level, coarsest first, the same along each axis; empty for
   *   UpdateFieldStandardDeviations on all. Wide values on coarse levels find large smooth deformations, while that of
   *   the finest level may still be narrow. */
  itkCudaNeuroUpdateSmoothingMacro();

  /** The equation, and the sweeps of SuccessiveOverRelaxation; with Gaussian they have no effect:
   * - Alpha: how strongly the velocity is smoothed. 1e-6 to 1e6; default 1.
   * - Beta: how strongly its divergence is smoothed. Not negative; default 0; other values need FourierTransform.
   * - Gamma: resistance to the velocity itself: the solution reaches sqrt(Alpha / Gamma) voxels. 1e-6 to 1e6; default
   *   0.02.
   * - FirstSweeps: sweeps in the first iteration of a level. At least 1; default 100.
   * - Sweeps: sweeps in each later iteration. At least 1; default 5. */
  itkCudaNeuroVelocityEquationMacro();

  /** True, because both maps are computed from the two halves, whether the inverse is an output or not. */
  bool
  TellsInverseConsistency() const override
  {
    return true;
  }

protected:
  const ImageBase<ImageDimension> *
  GetGridOfLevels() const override
  {
    const TFixedImage * const  fixed = this->GetFixedImage();
    const TMovingImage * const moving = this->GetMovingImage();
    // With a displacement field as initial transform there is no middle grid: the maps meet on the fixed grid.
    if (fixed == nullptr || moving == nullptr ||
        CudaNeuroDetail::HasNonlinearPart<ImageDimension>(this->GetInitialTransform()))
    {
      return fixed;
    }
    const bool isFixed = cudaneuro::HasMiddleVoxels(CudaNeuroDetail::GeometryOf<ImageDimension>(fixed),
                                                    CudaNeuroDetail::GeometryOf<ImageDimension>(moving));
    if (isFixed)
    {
      return fixed;
    }
    return moving;
  }

  CudaSymmetricRegistrationFilter()
    : Superclass(cudaneuro::SymmetricRegistrationParameters())
  {}
  ~CudaSymmetricRegistrationFilter() override = default;

  void
  CompleteParameters(cudaneuro::RegistrationParameters & parameters) const override
  {
    // The standard deviation along an axis that the image does not have, as good as no smoothing.
    constexpr double none = 0.01;
    m_UpdateSmoothing.SetTo(parameters, none);
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    m_UpdateSmoothing.Print(os, indent);
  }

private:
  CudaNeuroDetail::UpdateSmoothing<ImageDimension> m_UpdateSmoothing;
};

} // namespace itk

#endif
