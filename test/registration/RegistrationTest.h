// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationTest_h
#define RegistrationTest_h

#include "DeviceTest.h"
#include "RegistrationRuns.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/** The fixture of the tests of the registration, pairs of images, methods, and runs with all outputs. */
namespace registrationruns
{

inline PhantomPair
MakePhantomPair(const std::array<std::int64_t, 3> & size, double amplitudeInVoxels)
{
  const auto phantom = [](const Vector & p, std::size_t) { return SmoothPhantom(p); };
  return MakePairOf(size, amplitudeInVoxels, phantom, phantom);
}

struct Outcome
{
  RegistrationResult result;
  std::vector<float> displacement;
  std::vector<float> inverse;
  std::vector<float> warped;
};

inline Outcome
RunPair(Context &                      context,
        const RegistrationParameters & parameters,
        const PhantomPair &            pair,
        const std::vector<float> &     fixed,
        const std::vector<float> &     moving,
        const RegistrationObserver &   observer = {},
        const std::vector<float> *     initialField = nullptr)
{
  Outcome            outcome;
  RegistrationImages images = ImagesOf(pair);
  images.fixedImage = ConstView(fixed);
  images.movingImage = ConstView(moving);
  if (initialField != nullptr)
  {
    images.initialField = { initialField->data(), 3, MemorySpace::Host };
  }
  outcome.displacement.resize(3 * fixed.size());
  outcome.inverse.resize(3 * fixed.size());
  outcome.warped.resize(fixed.size());
  RegistrationOutputs outputs;
  outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
  outputs.inverse = { outcome.inverse.data(), 3, MemorySpace::Host };
  outputs.warped = View(outcome.warped);
  outcome.result = Register(context, parameters, images, outputs, observer);
  return outcome;
}

inline Outcome
RunPair(Context & context, const RegistrationParameters & parameters, const PhantomPair & pair)
{
  return RunPair(context, parameters, pair, pair.fixed, pair.moving);
}

inline RegistrationParameters
UnbiasedParameters()
{
  RegistrationParameters parameters;
  parameters.unbiasedWeight = 0.02;
  parameters.updateFieldStandardDeviations = { 2.0, 2.0, 2.0 };
  parameters.levels = { { { 2, 2, 2 }, 60 }, { { 1, 1, 1 }, 60 } };
  return parameters;
}

inline RegistrationParameters
GreedyParameters(VelocityMethod solver)
{
  RegistrationParameters parameters;
  parameters.useDeformedGradient = true;
  parameters.velocityMethod = solver;
  parameters.levels = { { { 2, 2, 2 }, 60 }, { { 1, 1, 1 }, 60 } };
  return parameters;
}

inline constexpr std::array<std::int64_t, 3> phantomSize{ 36, 40, 33 };

class Registration : public DeviceTest
{};

} // namespace registrationruns

#endif
