// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/MapRepair.h"

#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/Jacobian.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "registration/FoldRepair.h"
#include "registration/RegistrationRun.h"
#include "registration/step/StepLimitFormulas.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** From this round on, fields are damped everywhere. */
constexpr int firstGlobalRound = firstDampingRound + 40;
/** In this round, maps that damping to 1e-6 of their length has not repaired become the identity. */
constexpr int identityRound = firstGlobalRound + 40;

/** Standard deviation, in voxels, of the Gaussians that smooth fields and marks in a round. It is small at first,
 * because needless smoothing costs overlap. It stays at or below 1 as long as brains need, because wider Gaussians
 * remove more of the deformation than they repair (0.05 of the overlap in the NIREP experiment). It then grows, for
 * defects that span several voxels. It is largest where fields are damped, because a factor that changes within few
 * voxels would fold them. */
double
SigmaOfRound(int round)
{
  constexpr int    narrowRounds = 30;
  constexpr double growth = 1.1;
  if (round >= firstDampingRound)
  {
    return std::min(16.0, 3.0 * std::pow(growth, round - firstDampingRound));
  }
  return round < narrowRounds ? std::min(1.0, 0.5 * std::pow(growth, round))
                              : std::min(3.0, std::pow(growth, round - narrowRounds));
}

/** Factor of smoothed marks: a single mark becomes 1.6 at its voxel, and 1 at a distance of one sigma. */
float
ScaleOfMarks(const Extent & extent, double sigma)
{
  const double perAxis = std::sqrt(2.0 * 3.141592653589793) * sigma;
  const auto   axes = static_cast<double>((extent.x > 1) + (extent.y > 1) + (extent.z > 1));
  return static_cast<float>(1.6 * std::pow(perAxis, axes));
}

void
FillWithIdentity(Context & context, const Extent & extent, const SoAField & field)
{
  for (float * const component : { field.x, field.y, field.z })
  {
    FillWithZeros(context, NumberOfVoxels(extent), component);
  }
}

/** output = factor * field */
void
Scale(Context & context, const Extent & extent, double factor, const SoAField & field, const SoAField & output)
{
  ResampleField(context, extent, field, AffineMap(), { factor, factor, factor }, extent, output);
}

void
SmoothAroundMarks(Context & context, double sigma, const RepairRound & repair)
{
  const std::array<double, 3> sigmas{ sigma, sigma, sigma };
  float * const               smoothed = repair.scratch.x;
  float * const               scratch = repair.scratch.y;
  const float                 scale = ScaleOfMarks(repair.extent, sigma);
  for (const SoAField & field : repair.fields)
  {
    for (float * const component : { field.x, field.y, field.z })
    {
      SmoothVolume(context, sigmas, { repair.extent, Boundary::Repeat, component, scratch, smoothed });
      RepairComponent(context, NumberOfVoxels(repair.extent), repair.marks, scale, smoothed, component);
    }
  }
}

void
DampAroundMarks(Context & context, double sigma, const RepairRound & repair)
{
  constexpr double factor = 0.8;
  const float      scale = ScaleOfMarks(repair.extent, sigma);
  const SoAField & damped = repair.scratch;
  for (const SoAField & field : repair.fields)
  {
    Scale(context, repair.extent, factor, field, damped);
    const std::int64_t count = NumberOfVoxels(repair.extent);
    RepairComponent(context, count, repair.marks, scale, damped.x, field.x);
    RepairComponent(context, count, repair.marks, scale, damped.y, field.y);
    RepairComponent(context, count, repair.marks, scale, damped.z, field.z);
  }
}

void
DampEverywhere(Context & context, const RepairRound & repair)
{
  constexpr double factor = 0.7;
  for (const SoAField & field : repair.fields)
  {
    Scale(context, repair.extent, factor, field, repair.scratch);
    Scale(context, repair.extent, 1.0, repair.scratch, field);
  }
}

/** Marks the voxels where a map's determinant is below the bound, and their neighbors.
 * \returns whether there are none */
bool
MarkBelowBound(Context & context, const WrongVoxels & wrong, double minimumJacobian, float * determinants)
{
  const JacobianResult jacobian = JacobianDeterminant(context, wrong.extent, wrong.map, determinants);
  MarkOrigins(context, wrong);
  return jacobian.numberOfFoldedVoxels == 0 && jacobian.minimum >= minimumJacobian;
}

} // namespace

void
RepairFolds(Context & context, int round, const RepairRound & repair)
{
  if (round >= identityRound)
  {
    for (const SoAField & field : repair.fields)
    {
      FillWithIdentity(context, repair.extent, field);
    }
    return;
  }
  if (round >= firstGlobalRound)
  {
    DampEverywhere(context, repair);
    return;
  }
  const double sigma = SigmaOfRound(round);
  SmoothVolume(context,
               { sigma, sigma, sigma },
               { repair.extent, Boundary::Repeat, repair.marks, repair.scratch.y, repair.marks });
  if (round >= firstDampingRound)
  {
    DampAroundMarks(context, sigma, repair);
    return;
  }
  SmoothAroundMarks(context, sigma, repair);
}

int
RepairMaps(Context & context, const Extent & extent, double minimumJacobian, const std::vector<SoAField> & maps)
{
  const auto keepsBound = [&](const SoAField & map) {
    const JacobianResult jacobian = JacobianDeterminant(context, extent, map, nullptr);
    return jacobian.numberOfFoldedVoxels == 0 && jacobian.minimum >= minimumJacobian;
  };
  if (std::all_of(maps.begin(), maps.end(), keepsBound))
  {
    return 0;
  }
  const std::int64_t   count = NumberOfVoxels(extent);
  const DeviceMemory   determinants = AllocateFloats(context, count);
  const DeviceMemory   marks = AllocateFloats(context, count);
  const SoAFieldMemory scratch(context, count);
  const SoAFieldMemory identity(context, count);
  FillWithIdentity(context, extent, identity.View());
  const float bound = boundMargin * static_cast<float>(minimumJacobian);
  for (int round = 0;; ++round)
  {
    bool isRight = true;
    FillWithZeros(context, count, Floats(marks));
    for (const SoAField & map : maps)
    {
      // A residual of 0 leaves only determinants to count, and the identity leaves marks on the grid of the maps.
      const WrongVoxels wrong{
        extent, Floats(determinants), bound, map, identity.View(), identity.View(), Floats(marks)
      };
      isRight = MarkBelowBound(context, wrong, minimumJacobian, Floats(determinants)) && isRight;
    }
    if (isRight)
    {
      return round;
    }
    RepairFolds(context, round, { extent, Floats(marks), scratch.View(), maps });
  }
}

InversionResult
InvertMap(Context &                   context,
          const InversionParameters & parameters,
          const Extent &              extent,
          const ConstSoAField &       map,
          const SoAField &            inverse)
{
  const InversionResult result = InvertField(context, parameters, extent, map, inverse);
  const int             rounds = RepairMaps(context, extent, 0.0, { inverse });
  return rounds > 0 ? InverseResidual(context, extent, map, inverse) : result;
}

} // namespace cudaneuro
