// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationRuns_h
#define RegistrationRuns_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/Registration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

/** Pairs of images with a known map between them, registrations of pairs, and how near their fields are. */
namespace registrationruns
{

using namespace cudaneuro;

using Vector = std::array<double, 3>;

/** Images of a phantom, of which one is deformed by a known map. */
struct PhantomPair
{
  Geometry           geometry;
  std::vector<float> fixed;
  std::vector<float> moving;
  /** h(p) - p with moving(h(p)) like fixed(p), in voxels. */
  std::vector<Vector> truth;
  /** Away from the border, where the map is the identity. */
  std::vector<bool> isObject;
};

/** Mean distance from the known displacement inside the object, in voxels. */
inline double
MeanErrorInObject(const PhantomPair & pair, const std::vector<float> & displacement)
{
  double      sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < pair.truth.size(); ++i)
  {
    if (pair.isObject[i])
    {
      sum += std::hypot(displacement[3 * i] - pair.truth[i][0],
                        displacement[3 * i + 1] - pair.truth[i][1],
                        displacement[3 * i + 2] - pair.truth[i][2]);
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

inline double
LargestDistance(const std::vector<float> & a, const std::vector<float> & b)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); i += 3)
  {
    largest = std::max(largest, static_cast<double>(std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2])));
  }
  return largest;
}

inline double
MeanDistance(const std::vector<float> & a, const std::vector<float> & b)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); i += 3)
  {
    sum += std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
  }
  return sum / static_cast<double>(a.size() / 3);
}

/** Both images on the geometry of a pair. */
template <typename TPair>
RegistrationImages
ImagesOf(const TPair & pair)
{
  RegistrationImages images;
  images.fixedGeometry = pair.geometry;
  images.movingGeometry = pair.geometry;
  images.fixedImage = ConstView(pair.fixed);
  images.movingImage = ConstView(pair.moving);
  return images;
}

/** The map and its inverse. */
struct BothMaps
{
  RegistrationResult result;
  std::vector<float> displacement;
  std::vector<float> inverse;
};

/** \param pair has a geometry, a fixed and a moving image, which change roles if \p isSwapped. */
template <typename TPair>
BothMaps
RunBothWays(Context & context, const RegistrationParameters & parameters, const TPair & pair, bool isSwapped = false)
{
  BothMaps           outcome;
  RegistrationImages images = ImagesOf(pair);
  if (isSwapped)
  {
    std::swap(images.fixedImage, images.movingImage);
  }
  outcome.displacement.resize(3 * pair.fixed.size());
  outcome.inverse.resize(3 * pair.fixed.size());
  RegistrationOutputs outputs;
  outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
  outputs.inverse = { outcome.inverse.data(), 3, MemorySpace::Host };
  outcome.result = Register(context, parameters, images, outputs);
  return outcome;
}

/** What a registration without a pair of phantoms gave. */
struct TermOutcome
{
  RegistrationResult result;
  std::vector<float> displacement;
};

inline TermOutcome
RunTerms(Context & context, const RegistrationParameters & parameters, const RegistrationImages & images)
{
  TermOutcome outcome;
  outcome.displacement.resize(3 * static_cast<std::size_t>(images.fixedGeometry.grid.NumberOfVoxels()));
  RegistrationOutputs outputs;
  outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
  outcome.result = Register(context, parameters, images, outputs);
  return outcome;
}

/** The parameters of the unbiased, the symmetric and the greedy method, with levels of their own. */
inline std::vector<RegistrationParameters>
MethodsWithLevels(const std::vector<RegistrationLevel> & levels)
{
  std::vector<RegistrationParameters> methods{ UnbiasedRegistrationParameters(),
                                               SymmetricRegistrationParameters(),
                                               GreedyRegistrationParameters() };
  for (RegistrationParameters & method : methods)
  {
    method.levels = levels;
  }
  return methods;
}

} // namespace registrationruns

#endif
