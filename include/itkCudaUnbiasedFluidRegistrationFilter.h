// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaUnbiasedFluidRegistrationFilter_h
#define itkCudaUnbiasedFluidRegistrationFilter_h

#include "itkCudaFluidRegistrationFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroUpdateSmoothing.h"

namespace itk
{

/** \class CudaUnbiasedFluidRegistrationFilter
 * \brief Registers two images by a fluid without bias to growth or shrinkage (Lee et al.), on a CUDA device or the CPU.
 *
 * With h(x) = x - u(x), R the fixed and T the moving image, both divided by R's standard deviation, and J the Jacobian
 * determinant of h, the energy is
 * \f[ E(u) = \frac{1}{2} \mathrm{mean} (T(x-u) - R)^2 + \lambda\, \mathrm{mean} (J - 1) \log J \f]
 * (Lee et al., eq. 8-10): the second term is the symmetric Kullback-Leibler distance of h from the identity, under
 * which a volume and its inverse cost the same, so that the logarithm of J has mean zero where there is nothing to
 * register. \f$ \lambda \f$ is UnbiasedWeight. LocalCorrelation replaces the first term by 1 minus the mean squared
 * local correlation, and MutualInformation by minus the mutual information in nats. The force f is the negative
 * gradient of E (eq. 11), the velocity \f$ v = G_\sigma * f \f$ (eq. 12), and the map moves along it, \f$ u \leftarrow
 * u + v\, dt \f$, with dt such that the fastest voxel moves by MaximumStep. A short step therefore lowers E. Lee et al.
 * advect the map,
 * \f$ \partial u / \partial t = v - (v \cdot \nabla) u \f$ (eq. 13), which is another direction than that of f where
 * the map is far from the identity, and ends short of the minimum.
 *
 * \code
 * auto registration = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>::New();
 * registration->SetFixedImage(fixed);
 * registration->SetMovingImage(moving);
 * registration->SetInitialTransform(affine);
 * registration->Update();
 * writer->SetInput(registration->GetTransform()); // an itk::TransformFileWriter
 * \endcode
 *
 * Inputs, outputs, schedule and errors are those of CudaFluidRegistrationFilter.
 *
 * \sa CudaGreedyFluidRegistrationFilter, CudaSymmetricRegistrationFilter, PDEDeformableRegistrationFilter
 * \ingroup CudaNeuro
 */
template <typename TFixedImage,
          typename TMovingImage = TFixedImage,
          typename TDisplacementField = Image<Vector<float, TFixedImage::ImageDimension>, TFixedImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaUnbiasedFluidRegistrationFilter
  : public CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaUnbiasedFluidRegistrationFilter);

  using Self = CudaUnbiasedFluidRegistrationFilter;
  using Superclass = CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaUnbiasedFluidRegistrationFilter);

  using Superclass::ImageDimension;
  using typename Superclass::RealVectorType;
  using typename Superclass::StandardDeviationsType;

  /** Lambda, the weight of the bias term in the energy. Not negative; 0 omits it. Default 0.1. */
  itkCudaNeuroParameterMacro(UnbiasedWeight, double, unbiasedWeight);

  /** The Gaussian by which the velocity is computed from the force:
   * - UpdateFieldStandardDeviations: standard deviations of all levels, in voxels of the level; 1e-6 to 1e6. By default
   *   the four finest levels have 4, 3, 2 and 1.5, coarser ones 4.
   * - UpdateFieldStandardDeviationsPerLevel: those of each level, coarsest first, the same along each axis; empty for
   *   UpdateFieldStandardDeviations on all. Wide values on coarse levels find large smooth deformations, while that of
   *   the finest level may still be narrow. */
  itkCudaNeuroUpdateSmoothingMacro();

  /** Whether the force is smoothed. On by default; when off it is the velocity itself. */
  itkCudaNeuroSetGetBooleanMacro(SmoothUpdateField);

protected:
  CudaUnbiasedFluidRegistrationFilter()
    : Superclass(cudaneuro::UnbiasedRegistrationParameters())
  {}
  ~CudaUnbiasedFluidRegistrationFilter() override = default;

  void
  CompleteParameters(cudaneuro::RegistrationParameters & parameters) const override
  {
    // A Gaussian this narrow has no weight beyond its center.
    constexpr double identity = 0.01;
    parameters.updateFieldStandardDeviations = { identity, identity, identity };
    if (m_SmoothUpdateField)
    {
      m_UpdateSmoothing.SetTo(parameters, identity);
    }
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    m_UpdateSmoothing.Print(os, indent);
    os << indent << "SmoothUpdateField: " << (m_SmoothUpdateField ? "On" : "Off") << std::endl;
  }

private:
  CudaNeuroDetail::UpdateSmoothing<ImageDimension> m_UpdateSmoothing;
  bool                                             m_SmoothUpdateField = true;
};

} // namespace itk

#endif
