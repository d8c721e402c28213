// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroLandmarkMatching_h
#define itkCudaNeuroLandmarkMatching_h

#include "CudaNeuroExport.h"
#include "cudaneuro/GeodesicShooting.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/PointAlignment.h"

#include <functional>
#include <vector>

/** Minimizes the loss of geodesic shooting, by the limited-memory BFGS method of netlib that ITK ships. */
namespace itk::CudaNeuroDetail
{

/** Why the iterations of a target ended. */
enum class LandmarkMatchingStop
{
  /** The loss fell by no more than the threshold in an iteration, or the gradient is below its tolerance. */
  Converged,
  /** The number of iterations has reached its maximum. */
  MaximumNumberOfIterations,
  /** No step along the search direction decreases the loss enough, as happens when only rounding errors are
   * left. */
  LineSearchFailed,
  /** The initial loss is not finite, or its trajectory leaves the range of the floating-point numbers. */
  NotFinite,
  /** The observer ended the iterations. */
  Stopped
};

/** The names of the values, for streams. */
constexpr auto
NamesOf(LandmarkMatchingStop)
{
  using E = LandmarkMatchingStop;
  return cudaneuro::MakeEnumNames<E>("reason for stopping",
                                     { { E::Converged, "Converged" },
                                       { E::MaximumNumberOfIterations, "MaximumNumberOfIterations" },
                                       { E::LineSearchFailed, "LineSearchFailed" },
                                       { E::NotFinite, "NotFinite" },
                                       { E::Stopped, "Stopped" } });
}
using cudaneuro::operator<<;

/** Parameters of MatchLandmarks; Describe lists their units, meanings and ranges. */
struct LandmarkMatchingParameters
{
  unsigned int maximumNumberOfIterations = 400;
  double       convergenceThreshold = 0.0;
  double       gradientTolerance = 1e-6;
  /** The default is a compromise: with 1847 points, 400 iterations with 10 or 20 corrections reached losses that were 6
   * % or 7 % lower than with 5, and distances that were 2 % or 3 % smaller; but the method's own time on the host, 0.08
   * ms an iteration with 5, grows with them. */
  unsigned int numberOfCorrections = 5;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const LandmarkMatchingParameters &)
{
  using P = LandmarkMatchingParameters;
  using namespace cudaneuro;
  return std::make_tuple(
    Parameter(&P::maximumNumberOfIterations, "MaximumNumberOfIterations", "", "Iterations, at most", AtLeast(0)),
    Parameter(&P::convergenceThreshold,
              "ConvergenceThreshold",
              "",
              "End when an iteration decreases the loss by no more than this fraction; 0 goes on as long as it falls",
              Between(0.0, 1.0)),
    Parameter(&P::gradientTolerance,
              "GradientTolerance",
              "",
              "End when the gradient's norm is no more than this fraction of that at the start",
              Between(0.0, 1.0)),
    Parameter(&P::numberOfCorrections,
              "NumberOfCorrections",
              "",
              "Pairs of steps and gradient changes that are kept",
              Between(1, 100)));
}

/** Parameters of a registration of landmarks. */
struct LandmarkRegistrationParameters
{
  cudaneuro::GeodesicShootingParameters shooting;
  LandmarkMatchingParameters            matching;
  cudaneuro::PointAlignment             pointAlignment = cudaneuro::PointAlignment::None;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const LandmarkRegistrationParameters &)
{
  using P = LandmarkRegistrationParameters;
  using cudaneuro::Parameter;
  return std::make_tuple(Parameter(&P::shooting, "Shooting", "", "How points move"),
                         Parameter(&P::matching, "Matching", "", "How the loss is minimized"),
                         Parameter(&P::pointAlignment, "PointAlignment", "", "Linear map that is taken off first"));
}

/** The state and the result of one target. */
struct LandmarkMatchingState
{
  /** Initial momenta, in the order of the points. */
  std::vector<double> momenta;
  /** The initial loss, and the loss after each iteration. */
  std::vector<cudaneuro::ShootingLoss> losses;
  unsigned int                         numberOfEvaluations = 0;
  /** The current norm of the gradient. */
  double               gradientNorm = 0.0;
  LandmarkMatchingStop stop = LandmarkMatchingStop::Stopped;

  unsigned int
  GetNumberOfIterations() const
  {
    return losses.empty() ? 0 : static_cast<unsigned int>(losses.size()) - 1;
  }
};

/** Called after each iteration of each target, on the calling thread; returns false to end all. Targets are not
 * synchronized: on a CUDA device half of many targets may be an iteration ahead of the others. */
using LandmarkMatchingObserver = std::function<bool(int target, const LandmarkMatchingState & state)>;

/** Minimizes the losses of all targets of \p shooting, which share evaluations. Momenta start at 0, or at those of \p
 * states, which receives the results.
 * \throws the exceptions of GeodesicShooting::Evaluate, InvalidParameterError for parameters out of range; \p states
 * then holds the results so far. */
CudaNeuro_EXPORT void
MatchLandmarks(cudaneuro::Context &                 context,
               cudaneuro::GeodesicShooting &        shooting,
               const LandmarkMatchingParameters &   parameters,
               std::vector<LandmarkMatchingState> & states,
               const LandmarkMatchingObserver &     observer = nullptr);

} // namespace itk::CudaNeuroDetail

#endif
