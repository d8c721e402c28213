// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkGeodesicShootingTransform_h
#define itkGeodesicShootingTransform_h

#include "CudaNeuroExport.h"
#include "cudaneuro/GeodesicShooting.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroMacros.h"
#include "itkTransform.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace itk
{

namespace CudaNeuroDetail
{

/** Registers the transforms of this module with ITK's object factories, once. */
CudaNeuro_EXPORT bool
RegisterTransforms();

#ifndef CUDANEURO_REGISTER_LATER
/** Makes a program that includes this header link the library, so that readers of files find the transforms. */
inline const bool transformsAreRegistered = RegisterTransforms();
#endif

/** Returns the number of sums over all pairs of points in a time step: 1, 2 or 4. */
CudaNeuro_EXPORT int
OrderOf(cudaneuro::ShootingIntegrator integrator);
/** The inverse function of OrderOf. \throws ExceptionObject for an order that no integrator has. */
CudaNeuro_EXPORT cudaneuro::ShootingIntegrator
                 IntegratorOfOrder(double order);

/** Requires finite numbers. \throws ExceptionObject "the <kind> of point <number> is not finite: ..." */
CudaNeuro_EXPORT void
RequireFinite(const std::string & kind, unsigned int dimension, const double * numbers, std::size_t count);

/** \throws ExceptionObject, which names the value, for fixed parameters that no GeodesicShootingTransform can have. */
CudaNeuro_EXPORT void
RequireTransformLayout(unsigned int dimension, const std::vector<double> & fixedParameters);

/** Computes the flow of initial momenta, with its trajectory on the CPU. */
CudaNeuro_EXPORT std::shared_ptr<const cudaneuro::GeodesicFlow>
                 MakeFlow(const cudaneuro::GeodesicShootingParameters & parameters,
                          unsigned int                                  dimension,
                          const std::vector<double> &                   positions,
                          const std::vector<double> &                   momenta);

} // namespace CudaNeuroDetail

/** \class GeodesicShootingTransform
 * \brief The diffeomorphism of space that moves with landmarks on a geodesic, with its inverse.
 *
 * N template points \f$ q_j \f$ with initial momenta \f$ p_j \f$ move by geodesic shooting
 * (CudaGeodesicShootingRegistration), and all of space moves with them: a point x follows the velocity
 * \f$ v(x, t) = \sum_j \exp(-|x - q_j(t)|^2 / (2 \sigma^2)) \, p_j(t) \f$ over unit time, by the same time steps as the
 * template points.
 *
 * TransformPoint with direction Forward maps template points to their final positions, and any point of the template's
 * space to that of the target. The inverse transform has direction Backward: it inverts the discrete time steps
 * exactly, so that the round trip is the identity up to rounding. To move an image from the template's space to the
 * target's, give ResampleImageFilter the inverse, because it maps points of the output to the input; to move points or
 * a mesh the same way, use this transform.
 *
 * Parameters are the initial momenta, D components for each point. FixedParameters are all else: version of the layout
 * (1), D, N, \f$ \sigma \f$, number of time steps, sums over pairs of points in a time step (1 Euler, 2 Heun, 4
 * RungeKutta4), direction (0 forward, 1 backward), and the N * D coordinates of the template points, which are double
 * in transforms of float, too. Files of ITK's TransformFileWriter keep both to the last bit, but in other formats than
 * HDF5 the fixed parameters of transforms of float become float. Set fixed parameters first. Without points, as after
 * New, the transform is the identity.
 *
 * The trajectory is computed in double precision on the CPU, when a point is first transformed; several threads may
 * transform points at once. CudaGeodesicShootingToDisplacementFieldFilter makes displacement fields on a CUDA device.
 * ComputeJacobianWithRespectToParameters is not supported.
 *
 * Programs that include this header, or are linked with the module's shared library, can read it from files: double and
 * float, 2D and 3D are registered with ITK's object factories, by the names that files have.
 *
 * \ingroup CudaNeuro
 */
template <typename TParametersValueType = double, unsigned int VDimension = 3>
class ITK_TEMPLATE_EXPORT GeodesicShootingTransform : public Transform<TParametersValueType, VDimension, VDimension>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(GeodesicShootingTransform);

  using Self = GeodesicShootingTransform;
  using Superclass = Transform<TParametersValueType, VDimension, VDimension>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(GeodesicShootingTransform);

  static_assert(VDimension == 2 || VDimension == 3, "Points of dimension 2 or 3 are supported.");
  static constexpr unsigned int Dimension = VDimension;

  using typename Superclass::FixedParametersType;
  using typename Superclass::InputPointType;
  using typename Superclass::InverseTransformBasePointer;
  using typename Superclass::JacobianPositionType;
  using typename Superclass::JacobianType;
  using typename Superclass::OutputPointType;
  using typename Superclass::ParametersType;
  using RealVectorType = std::vector<double>;
  using IntegratorEnum = cudaneuro::ShootingIntegrator;
  using DirectionEnum = cudaneuro::FlowDirection;
  using PrecisionEnum = cudaneuro::ShootingPrecision;
  using FlowType = cudaneuro::GeodesicFlow;

  /** \name The data of the transform
   * Setters check their values: the message names the wrong one. */
  ///@{
  /** Positions of the template points in mm, D coordinates for each, one point after the other. Momenta become 0
   * where their number changes. */
  void
  SetTemplatePositions(const RealVectorType & positions)
  {
    FixedParametersType parameters(FirstCoordinate + positions.size());
    std::copy_n(this->m_FixedParameters.begin(), static_cast<unsigned int>(FirstCoordinate), parameters.begin());
    parameters[NumberOfPoints] = static_cast<double>(positions.size()) / VDimension;
    std::copy(positions.begin(), positions.end(), parameters.begin() + FirstCoordinate);
    this->SetFixedParameters(parameters);
  }
  RealVectorType
  GetTemplatePositions() const
  {
    return { this->m_FixedParameters.begin() + FirstCoordinate, this->m_FixedParameters.end() };
  }
  SizeValueType
  GetNumberOfPoints() const
  {
    return static_cast<SizeValueType>(this->m_FixedParameters[NumberOfPoints]);
  }

  /** Initial momenta, D components for each point: the parameters. */
  void
  SetInitialMomenta(const RealVectorType & momenta)
  {
    ParametersType parameters(momenta.size());
    std::transform(momenta.begin(), momenta.end(), parameters.begin(), [](double value) {
      return static_cast<TParametersValueType>(value);
    });
    this->SetParameters(parameters);
  }
  RealVectorType
  GetInitialMomenta() const
  {
    return { this->m_Parameters.begin(), this->m_Parameters.end() };
  }

  /** Standard deviation of the Gaussian, in mm; > 0, default 1. */
  void
  SetSigma(double sigma)
  {
    this->SetFixedParameter(Sigma, sigma);
  }
  double
  GetSigma() const
  {
    return this->m_FixedParameters[Sigma];
  }

  /** Number of time steps, 1 to 10000, default 40. */
  void
  SetNumberOfTimeSteps(unsigned int steps)
  {
    this->SetFixedParameter(NumberOfTimeSteps, steps);
  }
  unsigned int
  GetNumberOfTimeSteps() const
  {
    return static_cast<unsigned int>(this->m_FixedParameters[NumberOfTimeSteps]);
  }

  /** The method of a time step: Euler (the default), Heun, RungeKutta4. */
#if !defined(ITK_WRAPPING_PARSER)
  void
  SetIntegrator(IntegratorEnum integrator)
  {
    this->SetFixedParameter(IntegratorOrder, CudaNeuroDetail::OrderOf(integrator));
  }
  IntegratorEnum
  GetIntegrator() const
  {
    return CudaNeuroDetail::IntegratorOfOrder(this->m_FixedParameters[IntegratorOrder]);
  }
#endif
  itkCudaNeuroEnumByNameMacro(Integrator, IntegratorEnum);

  /** The direction of the map: Forward (the default), from the template to the target, or Backward. */
#if !defined(ITK_WRAPPING_PARSER)
  void
  SetDirection(DirectionEnum direction)
  {
    if (direction != this->GetDirection())
    {
      this->m_FixedParameters[Direction] = direction == DirectionEnum::Backward ? 1.0 : 0.0;
      this->Modified(); // The flow is kept, because it has both directions.
    }
  }
  DirectionEnum
  GetDirection() const
  {
    return this->m_FixedParameters[Direction] == 0.0 ? DirectionEnum::Forward : DirectionEnum::Backward;
  }
#endif
  itkCudaNeuroEnumByNameMacro(Direction, DirectionEnum);
  ///@}

  /** \throws ExceptionObject for another number of parameters than the points need, and for one that is not finite. */
  void
  SetParameters(const ParametersType & parameters) override;

  /** \throws ExceptionObject for parameters that are not of the layout above; the message names the value. */
  void
  SetFixedParameters(const FixedParametersType & parameters) override;

  /** \throws CudaNeuroException for a trajectory that leaves the range of the floating-point numbers, and where a
   * time step has no inverse. */
  OutputPointType
  TransformPoint(const InputPointType & point) const override;

  /** Vectors at a point are transformed by the Jacobian there. */
  using Superclass::TransformCovariantVector;
  using Superclass::TransformVector;

  using Superclass::ComputeJacobianWithRespectToPosition;
  void
  ComputeJacobianWithRespectToPosition(const InputPointType & point, JacobianPositionType & jacobian) const override;

  /** \throws ExceptionObject always: registrations that optimize this transform's parameters are not supported. */
  void
  ComputeJacobianWithRespectToParameters(const InputPointType & point, JacobianType & jacobian) const override;

  /** Sets \p inverse to this transform in the other direction. */
  bool
  GetInverse(Self * inverse) const;
  InverseTransformBasePointer
  GetInverseTransform() const override
  {
    const Pointer inverse = New();
    this->GetInverse(inverse);
    return inverse.GetPointer();
  }

  /** The engine's flow. GetFlow computes it on first use and keeps it; null without points. MakeFlow makes another one,
   * with the precision in which points of grids are moved, which is Single in GetFlow's. Single points are always moved
   * in double. */
  std::shared_ptr<const FlowType>
  GetFlow() const
  {
    const std::lock_guard<std::mutex> lock(m_FlowMutex);
    if (!m_Flow && this->GetNumberOfPoints() > 0)
    {
      m_Flow = this->MakeFlow(PrecisionEnum::Single);
    }
    return m_Flow;
  }
  std::shared_ptr<const FlowType>
  MakeFlow(PrecisionEnum precision) const
  {
    cudaneuro::GeodesicShootingParameters parameters;
    parameters.sigma = this->GetSigma();
    parameters.numberOfTimeSteps = static_cast<int>(this->GetNumberOfTimeSteps());
    parameters.integrator = this->GetIntegrator();
    parameters.precision = precision;
    return CudaNeuroDetail::MakeFlow(parameters, VDimension, this->GetTemplatePositions(), this->GetInitialMomenta());
  }

  /** Registers double and float, 2D and 3D with ITK's object factories, once. Programs that include this header need
   * not call it. */
  static void
  RegisterWithObjectFactory()
  {
    CudaNeuroDetail::RegisterTransforms();
  }

protected:
  GeodesicShootingTransform();
  ~GeodesicShootingTransform() override = default;

  typename LightObject::Pointer
  InternalClone() const override
  {
    const Pointer clone = New();
    this->CopyTo(clone, this->GetDirection());
    return clone.GetPointer();
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "NumberOfPoints: " << this->GetNumberOfPoints() << std::endl;
    os << indent << "Sigma: " << this->GetSigma() << std::endl;
    os << indent << "NumberOfTimeSteps: " << this->GetNumberOfTimeSteps() << std::endl;
    os << indent << "Integrator: " << this->GetIntegrator() << std::endl;
    os << indent << "Direction: " << this->GetDirection() << std::endl;
  }

private:
  /** Indices of values in the fixed parameters. */
  enum FixedParameter : unsigned int
  {
    LayoutVersion,
    SpaceDimension,
    NumberOfPoints,
    Sigma,
    NumberOfTimeSteps,
    IntegratorOrder,
    Direction,
    FirstCoordinate
  };
  static constexpr double m_CurrentLayoutVersion = 1.0;

  void
  SetFixedParameter(FixedParameter parameter, double value)
  {
    FixedParametersType parameters = this->m_FixedParameters;
    parameters[parameter] = value;
    this->SetFixedParameters(parameters);
  }
  void
  VerifyFixedParameters(const FixedParametersType & parameters) const;
  /** Copies the data of this transform to another one. */
  void
  CopyTo(Self * other, DirectionEnum direction) const;
  void
  ForgetFlow()
  {
    {
      const std::lock_guard<std::mutex> lock(m_FlowMutex);
      m_Flow.reset();
    }
    this->Modified();
  }

  mutable std::mutex                      m_FlowMutex;
  mutable std::shared_ptr<const FlowType> m_Flow;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkGeodesicShootingTransform.hxx"
#endif

#endif
