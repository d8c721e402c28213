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

/** A smooth map of the unit cube to itself, that moves points by up to \p amplitude. */
inline Vector
KnownDisplacement(const Vector & p, double amplitude)
{
  constexpr double pi = 3.141592653589793;
  const double     window = amplitude * std::sin(pi * p[0]) * std::sin(pi * p[1]) * std::sin(pi * p[2]);
  return { window * std::sin(2.0 * pi * p[1]),
           window * std::cos(2.0 * pi * p[2]),
           -window * std::sin(2.0 * pi * p[0]) };
}

/** Where the blobs of a phantom are in the unit cube, and how they look; every second one is dark. */
struct Blobs
{
  std::uint64_t seed = 11;
  std::uint64_t count = 40;
  double        margin = 0.2;
  double        width = 0.06;
  double        bright = 3.0;
  double        dark = -1.8;

  double
  At(const Vector & p) const
  {
    double value = 0.0;
    for (std::uint64_t blob = 0; blob < count; ++blob)
    {
      double squared = 0.0;
      for (std::uint64_t axis = 0; axis < 3; ++axis)
      {
        const double center = margin + (1.0 - 2.0 * margin) * testvolumes::UniformNoise(seed, 3 * blob + axis);
        squared += (p[axis] - center) * (p[axis] - center);
      }
      value += (blob % 2 == 0 ? bright : dark) * std::exp(-squared / (2.0 * width * width));
    }
    return value;
  }
};

/** What is between the blobs. */
inline double
Texture(const Vector & p, double phaseX = 1.0, double phaseZ = 2.0)
{
  return std::sin(19.0 * p[0] + phaseX) * std::sin(17.0 * p[1]) * std::sin(18.0 * p[2] + phaseZ);
}

/** A smooth image, so that interpolation adds nothing to the error. */
inline double
SmoothPhantom(const Vector & p)
{
  return 100.0 * (3.0 + Texture(p) + Blobs().At(p));
}

/** An image, and one that is seen through the known map.
 * \param movingAt takes a position in the unit cube and the voxel, and returns an intensity; so does \p fixedAt */
template <typename TMoving, typename TFixed>
PhantomPair
MakePairOf(const std::array<std::int64_t, 3> & size,
           double                              amplitudeInVoxels,
           const TMoving &                     movingAt,
           const TFixed &                      fixedAt)
{
  PhantomPair pair;
  pair.geometry.grid = testvolumes::MakeGrid(size);
  const double amplitude = amplitudeInVoxels / static_cast<double>(size[0]);
  ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    const Vector p{ (x + 0.5) / size[0], (y + 0.5) / size[1], (z + 0.5) / size[2] };
    const Vector d = KnownDisplacement(p, amplitude);
    pair.moving.push_back(static_cast<float>(movingAt(p, i)));
    pair.fixed.push_back(static_cast<float>(fixedAt(Vector{ p[0] + d[0], p[1] + d[1], p[2] + d[2] }, i)));
    pair.truth.push_back({ d[0] * size[0], d[1] * size[1], d[2] * size[2] });
    pair.isObject.push_back(std::hypot(p[0] - 0.5, p[1] - 0.5, p[2] - 0.5) < 0.4);
  });
  return pair;
}

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
