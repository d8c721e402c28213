// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_StepFormulas_h
#define cudaneuro_registration_step_StepFormulas_h

#include "registration/step/Step.h"

#include <cmath>

/** The decision about a candidate, for both compilers. */
namespace cudaneuro
{

/** Sums over voxels, and the minimum Jacobian determinant. */
struct ForceSums
{
  double imageEnergy;
  double biasEnergy;
  float  minimumJacobian;

  CUDANEURO_HOST_DEVICE static ForceSums
  Empty()
  {
    return { 0.0, 0.0, 3.4e38f };
  }

  CUDANEURO_HOST_DEVICE void
  Include(const ForceSums & other)
  {
    imageEnergy += other.imageEnergy;
    biasEnergy += other.biasEnergy;
    minimumJacobian = std::fmin(minimumJacobian, other.minimumJacobian);
  }
};

/** Joins the sums of two maps, each with the other's deformed image as the fixed one. Their image energies are equal
 * except for rounding and, with MutualInformation, for the windows of the two images; the mean does not depend on the
 * order of the maps. */
CUDANEURO_HOST_DEVICE ForceSums
JoinHalves(const ForceSums & first, const ForceSums & second)
{
  return { 0.5 * (first.imageEnergy + second.imageEnergy),
           first.biasEnergy + second.biasEnergy,
           std::fmin(first.minimumJacobian, second.minimumJacobian) };
}

struct DecisionParameters
{
  double       voxelWeight = 1.0; // 1 / number of voxels
  double       biasWeight = 0.0;
  EnergyShares shares;
  /** Image energy of a voxel whose sums are 0. */
  double imageOffset = 0.0;
  /** Fraction of the energy by which it must fall over convergenceWindow records for the level to continue; with 0, the
   * level never ends early. */
  double minimumFall = 0.0;
  /** Bound of the Jacobian determinant. */
  float jacobianBound = 0.0f;

  DecisionParameters() = default;
  DecisionParameters(const RegistrationParameters & parameters, const Extent & extent)
    : voxelWeight(1.0 / static_cast<double>(NumberOfVoxels(extent)))
    , biasWeight(parameters.unbiasedWeight)
    , shares(parameters)
    , imageOffset(parameters.metric == RegistrationMetric::LocalCorrelation ? 1.0 : 0.0)
    , minimumFall(parameters.convergenceThreshold)
    , jacobianBound(static_cast<float>(parameters.jacobianBound))
  {}
};

/** Factors of the step's length after a candidate that folds or has J below its bound, after one with more energy than
 * the accepted map, and after one with less. */
constexpr float stepFactorAfterFold = 0.5f;
constexpr float stepFactorAfterRise = 0.7f;
constexpr float stepFactorAfterFall = 1.1f;

/** Number of records over which the energy must fall for the level to continue. */
constexpr int convergenceWindow = 10;

/** The image energy of a channel, a mean over the grid. */
CUDANEURO_HOST_DEVICE double
MeanImageEnergy(const DecisionParameters & parameters, const ForceSums & sums)
{
  return parameters.imageOffset + parameters.voxelWeight * sums.imageEnergy;
}

/** The energy of all channels of a record. */
CUDANEURO_HOST_DEVICE double
ImageEnergyOf(const DecisionParameters & parameters, const StepRecord & record)
{
  return EnergyOfChannels(parameters.shares, record.imageEnergy, record.termEnergies);
}

/** The total energy of a record. */
CUDANEURO_HOST_DEVICE double
EnergyOf(const DecisionParameters & parameters, const StepRecord & record)
{
  double energy = ImageEnergyOf(parameters, record) + parameters.biasWeight * record.biasEnergy;
  for (int term = pointTerm; term < numberOfTerms; ++term)
  {
    energy += parameters.shares.terms[term] * record.termEnergies[term];
  }
  return energy;
}

/** The energies of a candidate's terms, or the means over two candidates. Labels have one energy for both, which is
 * stored with the first candidate. */
struct TermEnergies
{
  const double * first = nullptr;
  /** Null for one candidate. */
  const double * second = nullptr;

  CUDANEURO_HOST_DEVICE double
  At(int term) const
  {
    if (first == nullptr)
    {
      return 0.0;
    }
    const bool isOfFirst = second == nullptr || term == labelTerm;
    return isOfFirst ? first[term] : 0.5 * (first[term] + second[term]);
  }
};

/** Accepts the candidate with these sums or rejects it for its minimum Jacobian determinant, chooses the length of the
 * next step, and writes the next record. */
CUDANEURO_HOST_DEVICE void
DecideStep(const DecisionParameters & parameters,
           const ForceSums &          sums,
           const TermEnergies &       terms,
           StepState &                state,
           StepRecord *               records)
{
  StepRecord & record = records[state.numberOfRecords];
  for (int term = 0; term < numberOfTerms; ++term)
  {
    record.termEnergies[term] = terms.At(term);
  }
  record.imageEnergy = MeanImageEnergy(parameters, sums);
  record.biasEnergy = parameters.voxelWeight * sums.biasEnergy;
  record.minimumJacobian = sums.minimumJacobian;
  // NaN counts as a fold.
  record.hasFolded = !(sums.minimumJacobian > 0.0f && sums.minimumJacobian >= parameters.jacobianBound);
  const double energy = EnergyOf(parameters, record);
  if (record.hasFolded)
  {
    state.stepFraction *= stepFactorAfterFold;
    state.needsVelocity = 0;
  }
  else
  {
    const bool  isFirst = state.numberOfRecords == 0;
    const float factor = energy > state.energy ? stepFactorAfterRise : stepFactorAfterFall;
    state.stepFraction = isFirst ? state.stepFraction : std::fmin(1.0f, state.stepFraction * factor);
    state.accepted = 1 - state.accepted;
    state.energy = energy;
    state.needsVelocity = 1;
    state.largestSquaredLength = 0;
    const int window = state.numberOfRecords - convergenceWindow;
    if (parameters.minimumFall > 0.0 && window >= 0 && !records[window].hasFolded)
    {
      const double energyBefore = EnergyOf(parameters, records[window]);
      state.isRunning = energyBefore - energy < parameters.minimumFall * std::fabs(energyBefore) ? 0 : 1;
      state.needsVelocity = state.isRunning;
    }
  }
  record.stepFraction = state.stepFraction;
  ++state.numberOfRecords;
}

} // namespace cudaneuro

#endif
