// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingRegistration_h
#define itkCudaGeodesicShootingRegistration_h

#include "cudaneuro/GeodesicShooting.h"
#include "cudaneuro/PointAlignment.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroLandmarkMatching.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroPointSets.h"
#include "itkCudaNeuroProcess.h"
#include "itkGeodesicShootingTransform.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace itk
{

/** \class CudaGeodesicShootingRegistration
 * \brief Matches landmarks by a diffeomorphism of space that moves on a geodesic, on a CUDA device or the CPU (Wang;
 * Allassonniere, Trouve and Younes 2005).
 *
 * A template of N points has a target, or several, of N corresponding points each. With
 * \f$ K_{ij} = \exp(-|q_i - q_j|^2 / (2 \sigma^2)) \f$, points q and momenta p move over unit time by
 *
 * \f[ \dot q_i = \sum_j K_{ij} p_j, \qquad \dot p_i = \sigma^{-2} \sum_j K_{ij} (p_i \cdot p_j) (q_i - q_j) \f]
 *
 * from the template with the initial momenta that minimize
 * \f$ \frac12 \sum_{ij} K_{ij} p_i \cdot p_j + \lambda \sum_i w_i |q_i(1) - target_i|^2 \f$,
 * the kinetic energy and the mismatch. The limited-memory BFGS method searches the minimum, from momenta 0, with the
 * exact gradient of the discrete time steps. Targets are independent of each other and are computed together, which is
 * faster than one after the other; each has the same results as alone.
 *
 * \par Outputs
 * The output of a target is the template points at the end of the path, with the cells and data of the template; they
 * are near the target, not on it. GetTransform is the map of all of space, with its inverse. Momenta and trajectories
 * are vectors of double: D numbers a point, point after point, and time after time.
 *
 * \par Sigma
 * It is the distance over which a landmark moves its neighborhood along, and has no default. A good value is about the
 * distance between neighboring points, or more; if it is less, landmarks move alone, and if it is many times that, the
 * problem is ill-conditioned.
 *
 * \par What cannot be reached
 * Template points at the same place move to the same place. Where their targets differ, the best is their weighted
 * mean; GetNumberOfUnreachablePoints counts such points, and there is a warning.
 *
 * \par Alignment
 * A rotation of all points costs energy as any motion does, and points that are rotated by some 40 degrees may remain
 * far from the target. PointAlignment first removes rotation, shift and scale: T is the linear map from the template to
 * the target that minimizes the weighted squared distances, in closed form, the points are matched with the target
 * mapped by the inverse of T, and the map of all of space, GetCompositeTransform, is T after the geodesic one. Momenta
 * and trajectories, with Sigma and Lambda, are in the template's pose and size for any target; distances and outputs
 * are those of the target.
 *
 * \par Errors
 * An ExceptionObject names the value and the limit: no template or target, different numbers of points, points that are
 * not finite, weights that are negative, not finite or of sum 0, parameters out of range. AbortGenerateData ends an
 * update with ProcessAborted; StopIterations ends it with the results so far.
 *
 * \code
 * auto registration = itk::CudaGeodesicShootingRegistration<itk::PointSet<double, 3>>::New();
 * registration->SetTemplatePointSet(templatePoints);
 * registration->SetTargetPointSet(targetPoints);
 * registration->SetSigma(1.5);
 * registration->Update();
 * auto movedTemplate = registration->GetOutput();
 * auto transform = registration->GetTransform();
 * \endcode
 *
 * \tparam TPointSet PointSet or Mesh of dimension 2 or 3, or DevicePointSet.
 *
 * \sa GeodesicShootingTransform
 * \ingroup CudaNeuro
 */
template <typename TPointSet>
class ITK_TEMPLATE_EXPORT CudaGeodesicShootingRegistration : public CudaNeuroProcess<ProcessObject>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGeodesicShootingRegistration);

  using Self = CudaGeodesicShootingRegistration;
  using Superclass = CudaNeuroProcess<ProcessObject>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaGeodesicShootingRegistration);

  static constexpr unsigned int Dimension = TPointSet::PointDimension;
  static_assert(Dimension == 2 || Dimension == 3, "Points of dimension 2 or 3 are supported.");

  using PointSetType = TPointSet;
  using TransformType = GeodesicShootingTransform<double, Dimension>;
  using RealVectorType = std::vector<double>;
  using IntegratorEnum = cudaneuro::ShootingIntegrator;
  using PrecisionEnum = cudaneuro::ShootingPrecision;
  using PointAlignmentEnum = cudaneuro::PointAlignment;
  using CompositeTransformType = CompositeTransform<double, Dimension>;
  /** Why the iterations of a target ended: Converged; MaximumNumberOfIterations; LineSearchFailed, where no step
   * decreases the loss any more, because of the limited precision; NotFinite; or Stopped by StopIterations. Python has
   * only their names. */
  using StopEnum = CudaNeuroDetail::LandmarkMatchingStop;
  using typename Superclass::DataObjectPointer;
  using typename Superclass::DataObjectPointerArraySizeType;

  /** The points that are moved. */
  void
  SetTemplatePointSet(const PointSetType * points)
  {
    // This class takes inputs as const, ProcessObject does not.
    this->ProcessObject::SetNthInput(0, const_cast<PointSetType *>(points));
  }
  const PointSetType *
  GetTemplatePointSet() const
  {
    return dynamic_cast<const PointSetType *>(this->ProcessObject::GetInput(0));
  }

  /** The points of a target, in the same order. With one argument, the first target. Null removes the last target, with
   * its output; where this leaves a gap, an update names the missing target. */
  void
  SetTargetPointSet(const PointSetType * points)
  {
    this->SetTargetPointSet(0, points);
  }
  void
  SetTargetPointSet(unsigned int target, const PointSetType * points);
  const PointSetType *
  GetTargetPointSet(unsigned int target = 0) const
  {
    return dynamic_cast<const PointSetType *>(this->ProcessObject::GetInput(target + 1));
  }
  unsigned int
  GetNumberOfTargets() const
  {
    const auto inputs = static_cast<unsigned int>(this->GetNumberOfIndexedInputs());
    return inputs > 0 ? inputs - 1 : 0;
  }

  /** The weight \f$ w_i \f$ of each point: not negative, finite, with a positive sum. With one argument, the weights
   * of all targets that have none of their own. Empty, the default, is 1 for all. */
  void
  SetWeights(const RealVectorType & weights);
  void
  SetWeights(unsigned int target, const RealVectorType & weights)
  {
    this->SetNumbersOf(m_Weights, target, weights);
  }
  const RealVectorType &
  GetWeights(unsigned int target = 0) const
  {
    const auto weights = m_Weights.find(target);
    return weights != m_Weights.end() ? weights->second : m_WeightsOfAll;
  }

  /** Sets all parameters at once, as one struct. */
  itkCudaNeuroParametersMacro(CudaNeuroDetail::LandmarkRegistrationParameters);

  /** Which linear map is removed before points are matched: None, the default, Rigid or Similarity. An update throws
   * where the points do not determine it: fewer than Dimension, on one line in 3D, or all at one place. */
  itkCudaNeuroEnumParameterMacro(PointAlignment, PointAlignmentEnum, pointAlignment);

  /** Momenta to start from, N * D numbers; 0 by default. An empty list restores the default. */
  void
  SetInitialMomenta(unsigned int target, const RealVectorType & momenta)
  {
    this->SetNumbersOf(m_InitialMomenta, target, momenta);
  }

  /** Standard deviation of the kernel in mm; > 0. There is no default: an update without it fails. */
  itkCudaNeuroParameterMacro(Sigma, double, shooting.sigma);

  /** The weight of the mismatch, > 0; default 5e5, the paper's. */
  itkCudaNeuroParameterMacro(Lambda, double, shooting.lambda);

  /** Number of time steps, 1 to 10000, default 40. */
  itkCudaNeuroParameterMacro(NumberOfTimeSteps, unsigned int, shooting.numberOfTimeSteps);

  /** The method of a time step: Euler (the default, the paper's), Heun or RungeKutta4. */
  itkCudaNeuroEnumParameterMacro(Integrator, IntegratorEnum, shooting.integrator);

  /** The floating-point type in which trajectories and gradients are computed: Single, the default, or
   * Double. */
  itkCudaNeuroEnumParameterMacro(Precision, PrecisionEnum, shooting.precision);

  /** \name When iterations end
   * They end after this number of iterations (default 400); when one decreases the loss by no more than this fraction
   * of it (default 0, which continues until no decrease is found); or when the norm of the gradient is no more than
   * this fraction of that at the start (default 1e-6). */
  ///@{
  itkCudaNeuroParameterMacro(MaximumNumberOfIterations, unsigned int, matching.maximumNumberOfIterations);
  itkCudaNeuroParameterMacro(ConvergenceThreshold, double, matching.convergenceThreshold);
  itkCudaNeuroParameterMacro(GradientTolerance, double, matching.gradientTolerance);
  ///@}

  /** Number of pairs of steps and gradient changes that the minimization keeps; 1 to 100, default 5. With more,
   * iterations decrease the loss a little further and take longer. */
  itkCudaNeuroParameterMacro(NumberOfCorrections, unsigned int, matching.numberOfCorrections);

  /** Keep positions and momenta at all times: 2 D (NumberOfTimeSteps + 1) numbers a point and target. On by default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeTrajectories);

  /** The template points at the end of the path. */
  PointSetType *
  GetOutput(unsigned int target = 0);

  /** \name Results of a target
   * \throws ExceptionObject for a target that does not exist, and before an update. */
  ///@{
  /** N * D initial momenta. */
  itkCudaNeuroGetOfTargetMacro(Momenta, const RealVectorType &, this->GetState(target).momenta);
  /** Positions and momenta at all times: arrays of shape (NumberOfTimeSteps + 1, N, D), before the alignment.
   * \throws ExceptionObject where ComputeTrajectories is off */
  itkCudaNeuroGetOfTargetMacro(Trajectory, const RealVectorType &, this->ResultOf(m_Trajectories, target));
  itkCudaNeuroGetOfTargetMacro(MomentaOverTime, const RealVectorType &, this->ResultOf(m_MomentaOverTime, target));
  /** The loss and its two terms, at the start and after each iteration. */
  itkCudaNeuroGetOfTargetMacro(Losses,
                               RealVectorType,
                               CudaNeuroDetail::ValuesOf(this->GetState(target).losses, &LossType::Total));
  itkCudaNeuroGetOfTargetMacro(KineticEnergies,
                               RealVectorType,
                               CudaNeuroDetail::ValuesOf(this->GetState(target).losses, &LossType::kineticEnergy));
  itkCudaNeuroGetOfTargetMacro(Mismatches,
                               RealVectorType,
                               CudaNeuroDetail::ValuesOf(this->GetState(target).losses, &LossType::mismatch));
  /** Distances to the target in mm over the points of positive weight: their mean and maximum, after the update and
   * before. */
  itkCudaNeuroGetOfTargetMacro(
    MeanDistance,
    double,
    this->ResultOf(m_Alignments, target).scale * this->GetState(target).losses.back().meanDistance);
  itkCudaNeuroGetOfTargetMacro(
    MaximumDistance,
    double,
    this->ResultOf(m_Alignments, target).scale * this->GetState(target).losses.back().maximumDistance);
  itkCudaNeuroGetOfTargetMacro(InitialMeanDistance, double, this->ResultOf(m_TargetProperties, target).meanDistance);
  itkCudaNeuroGetOfTargetMacro(InitialMaximumDistance,
                               double,
                               this->ResultOf(m_TargetProperties, target).maximumDistance);
  /** Root mean square distance, weighted: before, after the alignment alone, and after the update. */
  itkCudaNeuroGetOfTargetMacro(InitialRootMeanSquareDistance,
                               double,
                               this->ResultOf(m_TargetProperties, target).rootMeanSquareDistance);
  itkCudaNeuroGetOfTargetMacro(AlignedRootMeanSquareDistance, double, this->ResultOf(m_AlignedDistances, target));
  double
  GetRootMeanSquareDistance(unsigned int target = 0) const;
  /** Whether the points remain far from the target: the last of these distances is more than half of Sigma, scaled to
   * the size of the target, or more than a tenth of the spread of the target's points, which is the root mean square of
   * their distances from their mean. There is a warning then. */
  bool
  GetRemainsFar(unsigned int target = 0) const;
  itkCudaNeuroGetOfTargetMacro(NumberOfIterations, unsigned int, this->GetState(target).GetNumberOfIterations());
  /** Number of evaluations of the loss and its gradient, including line searches. */
  itkCudaNeuroGetOfTargetMacro(NumberOfEvaluations, unsigned int, this->GetState(target).numberOfEvaluations);
#if !defined(ITK_WRAPPING_PARSER)
  itkCudaNeuroGetOfTargetMacro(StopReason, StopEnum, this->GetState(target).stop);
#endif
  itkCudaNeuroGetOfTargetMacro(StopReasonName, std::string, CudaNeuroDetail::NameOf(this->GetState(target).stop));
  /** Number of points of positive weight at the same place in the template whose targets differ. */
  itkCudaNeuroGetOfTargetMacro(NumberOfUnreachablePoints,
                               SizeValueType,
                               this->ResultOf(m_TargetProperties, target).numberOfUnreachablePoints);
  /** Returns the map of all of space, from the template to the target.
   * \throws ExceptionObject where an alignment is part of the map, which this class of transforms cannot represent */
  typename TransformType::Pointer
  GetTransform(unsigned int target = 0) const;
  /** Returns the same map with its alignment, if there is one: the geodesic map, followed by the linear one, an
   * AffineTransform, which is GetNthTransform(0). */
  typename CompositeTransformType::Pointer
  GetCompositeTransform(unsigned int target = 0) const;
  ///@}

  /** \name For observers of IterationEvent
   * There is an event after each iteration of each target. The results above are then those of that target so far, with
   * its current momenta. StopIterations ends all iterations. */
  ///@{
  itkGetConstMacro(CurrentTarget, unsigned int);
  unsigned int
  GetCurrentIteration() const
  {
    return this->GetNumberOfIterations(m_CurrentTarget);
  }
  double
  GetCurrentLoss() const
  {
    return this->GetState(m_CurrentTarget).losses.back().Total();
  }
  double
  GetCurrentMeanDistance() const
  {
    return this->GetMeanDistance(m_CurrentTarget);
  }
  double
  GetCurrentMaximumDistance() const
  {
    return this->GetMaximumDistance(m_CurrentTarget);
  }
  virtual void
  StopIterations()
  {
    m_StopIterations = true;
  }
  ///@}

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaGeodesicShootingRegistration();
  ~CudaGeodesicShootingRegistration() override = default;

  const ComputeDevice *
  GetDeviceOfInputs() const override
  {
    const PointSetType * const points = this->GetTemplatePointSet();
    return points != nullptr ? CudaNeuroDetail::DeviceOf(points) : nullptr;
  }
  void
  VerifyPreconditions() const override;
  void
  GenerateOutputInformation() override;
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  using StateType = CudaNeuroDetail::LandmarkMatchingState;
  using LossType = cudaneuro::ShootingLoss;
  using NumbersOfTargetsType = std::map<unsigned int, RealVectorType>;

  void
  SetNumbersOf(NumbersOfTargetsType & numbersOfTargets, unsigned int target, const RealVectorType & numbers);
  void
  VerifySizes() const;
  void
  VerifyDevices() const;

  void
  Match(cudaneuro::Context & context);
  void
  SetTarget(cudaneuro::Context & context, cudaneuro::GeodesicShooting & shooting, unsigned int target);
  bool
  ObserveIteration(int target);
  void
  VerifyFinite() const;
  void
  WarnOfFarTargets() const;
  typename TransformType::Pointer
  MakeGeodesicTransform(unsigned int target) const;
  void
  WriteOutput(cudaneuro::Context & context, cudaneuro::GeodesicShooting & shooting, unsigned int target);

  template <typename TResult>
  const TResult &
  ResultOf(const std::vector<TResult> & results, unsigned int target) const;
  const StateType &
  GetState(unsigned int target) const;

  CudaNeuroDetail::LandmarkRegistrationParameters m_Parameters;
  bool                                            m_ComputeTrajectories = true;

  RealVectorType       m_WeightsOfAll;
  NumbersOfTargetsType m_Weights;
  NumbersOfTargetsType m_InitialMomenta;

  std::atomic<bool> m_StopIterations{ false };
  unsigned int      m_CurrentTarget = 0;

  /** The parameters of the last update. */
  CudaNeuroDetail::LandmarkRegistrationParameters m_UsedParameters;
  RealVectorType                                  m_TemplatePositions;
  std::vector<CudaNeuroDetail::TargetProperties>  m_TargetProperties;
  std::vector<cudaneuro::AlignedPoints>           m_Alignments;
  RealVectorType                                  m_AlignedDistances;
  std::vector<StateType>                          m_States;
  std::vector<RealVectorType>                     m_Trajectories;
  std::vector<RealVectorType>                     m_MomentaOverTime;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaGeodesicShootingRegistration.hxx"
#endif

#endif
