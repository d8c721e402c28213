// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshDenoising.h"

#include "core/Dispatch.h"
#include "core/ParallelRanges.h"
#include "core/ParameterChecks.h"
#include "jobs/DeviceJob.h"
#include "meshes/FlatFaces.h"
#include "meshes/LowPass.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cudaneuro
{
namespace
{

void
RequireSurface(const ConstTriangles & surface)
{
  constexpr std::int64_t most = std::int64_t{ 1 } << 28;
  constexpr double       farthest = 1e12;
  const auto             element = [](const char * array, std::int64_t i) {
    return std::string(array) + '[' + std::to_string(i / 3) + "][" + std::to_string(i % 3) + ']';
  };
  const auto requireCount = [](const char * name, std::int64_t count) {
    if (count < 1 || count > most)
    {
      ThrowInvalid(name, count, "from 1 to " + std::to_string(most));
    }
  };
  requireCount("numberOfPoints", surface.numberOfPoints);
  requireCount("numberOfTriangles", surface.numberOfTriangles);
  for (std::int64_t i = 0; i < 3 * surface.numberOfPoints; ++i)
  {
    if (!(std::abs(surface.points[i]) <= farthest))
    {
      ThrowInvalid(element("points", i), surface.points[i], "finite, and not above 1e12 in magnitude");
    }
  }
  for (std::int64_t i = 0; i < 3 * surface.numberOfTriangles; ++i)
  {
    if (surface.triangles[i] < 0 || surface.triangles[i] >= surface.numberOfPoints)
    {
      ThrowInvalid(
        element("triangles", i), surface.triangles[i], "one of " + std::to_string(surface.numberOfPoints) + " points");
    }
  }
}

} // namespace

double
NoiseOfResiduals(std::vector<float> residuals, const SignCounts & signs)
{
  // The median of |x| for normally distributed x, in standard deviations.
  constexpr double median = 0.67448975;
  residuals.erase(std::remove(residuals.begin(), residuals.end(), 0.0f), residuals.end());
  const std::int64_t edges = signs.equal + signs.unequal;
  if (residuals.empty() || edges == 0)
  {
    return 0.0;
  }
  const auto middle = residuals.begin() + static_cast<std::ptrdiff_t>(residuals.size() / 2);
  std::nth_element(
    residuals.begin(), middle, residuals.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
  const double agreement = static_cast<double>(signs.equal - signs.unequal) / static_cast<double>(edges);
  const double share = (agreementOfShape - agreement) / (agreementOfShape - agreementOfNoise);
  return std::abs(*middle) / median * std::sqrt(std::clamp(share, 0.0, 1.0));
}

std::vector<PartCoefficients>
CoefficientsOfParts()
{
  std::vector<PartCoefficients> ofSteps(sincSteps + 1);
  for (int part = 0; part < remainderParts; ++part)
  {
    // LowPassCoefficients uses polynomials of half the step to the mean, whose eigenvalues are half as large.
    const std::vector<double> coefficients = LowPassCoefficients(2.0 * remainderBands[part], sincSteps);
    for (int step = 0; step <= sincSteps; ++step)
    {
      ofSteps[step].ofParts[part] = static_cast<float>(coefficients[step]);
    }
  }
  return ofSteps;
}

std::vector<float>
PoolingCoefficients()
{
  static_assert(poolingSteps % 2 == 0 && poolingDegree % 2 == 0, "even powers have even polynomials");
  std::vector<float> coefficients(poolingDegree + 1, 0.0f);
  double             rest = 1.0;
  for (int k = poolingDegree; k > 0; k -= 2)
  {
    const double logarithm = std::lgamma(poolingSteps + 1.0) - std::lgamma(0.5 * (poolingSteps - k) + 1.0) -
                             std::lgamma(0.5 * (poolingSteps + k) + 1.0) - (poolingSteps - 1.0) * std::log(2.0);
    coefficients[k] = static_cast<float>(std::exp(logarithm));
    rest -= static_cast<double>(coefficients[k]);
  }
  coefficients[0] = static_cast<float>(rest);
  return coefficients;
}

DenoisedVertices
DenoiseVertices(
  Context & context, const ConstTriangles & surface, const MeshMeasures & measures, double noise, bool keepsRisks)
{
  CUDANEURO_DISPATCH(context, DenoiseVertices(context, surface, measures, noise, keepsRisks));
}

std::vector<VersionPositions>
FilterVersions(Context &                        context,
               const ConstTriangles &           surface,
               const MeshMeasures &             measures,
               const std::vector<NormalScale> & scales,
               const VersionPositions &         moves)
{
  CUDANEURO_DISPATCH(context, FilterVersions(context, surface, measures, scales, moves));
}

namespace
{

/** Moves points by steps along their normals. */
void
MoveAlongNormals(Context & context, const std::vector<float> & normals, double step, double * points)
{
  ForEachInRanges(context, static_cast<std::int64_t>(normals.size()), [&](std::int64_t i) {
    points[i] += step * static_cast<double>(normals[static_cast<std::size_t>(i)]);
  });
}

/** Restores the volume of the noisy mesh, whose expectation is that of the true surface, as a volume is linear in each
 * vertex. All vertices of the closed mesh move by the same step along their normals.
 * \param surface the noisy mesh
 * \param points those of the denoised mesh
 * \returns the volume */
double
RestoreVolume(Context &                  context,
              const ConstTriangles &     surface,
              const MeshMeasures &       measures,
              const std::vector<float> & normals,
              double *                   points)
{
  const auto volume = [&] {
    return VolumeAround(
      context, { points, surface.numberOfPoints, surface.triangles, surface.numberOfTriangles }, measures.center);
  };
  // The area of as many equilateral triangles.
  const double area =
    0.25 * std::sqrt(3.0) * measures.edgeLength * measures.edgeLength * static_cast<double>(surface.numberOfTriangles);
  const double before = volume();
  const double first = (measures.volume - before) / area;
  if (first == 0.0)
  {
    return before;
  }
  MoveAlongNormals(context, normals, first, points);
  const double then = volume();
  const double slope = (then - before) / first;
  const double second = (measures.volume - then) / slope;
  // Inconsistently oriented triangles enclose no volume from which a step could be computed.
  constexpr double leastSlope = 0.2;
  constexpr double longestStep = 0.1;
  const bool       isKnown = slope > leastSlope * area && std::abs(first + second) < longestStep * measures.edgeLength;
  MoveAlongNormals(context, normals, isKnown ? second : -first, points);
  return volume();
}

/** Denoises a mesh all of whose points belong to triangles. */
MeshDenoisingResult
DenoiseUsedPoints(Context &                       context,
                  const MeshDenoisingParameters & parameters,
                  const ConstTriangles &          surface,
                  double *                        points)
{
  const MeshMeasures  measures = MeasureMesh(context, surface);
  const double        edge = measures.edgeLength;
  MeshDenoisingResult result;
  result.meanEdgeLength = edge;
  result.inputVolume = measures.volume;
  if (parameters.noise == 0.0 && HasUnevenEdges(surface, measures))
  {
    const EdgeCounts counts = CountEdges(surface);
    if (HasFlatFaces(counts))
    {
      std::copy_n(surface.points, 3 * surface.numberOfPoints, points);
      result.borderEdges = counts.border;
      result.outputVolume = result.inputVolume;
      result.hasFlatFaces = true;
      return result;
    }
  }
  Context::ProgressSteps progress(context);
  progress.UpTo(1.0);
  const DenoisedVertices       denoised = DenoiseVertices(context, surface, measures, parameters.noise / edge);
  const Context::ProgressPause pause(context);
  ForEachInRanges(context, 3 * surface.numberOfPoints, [&](std::int64_t i) {
    points[i] = surface.points[i] + edge * static_cast<double>(denoised.displacements[i]);
  });
  result.noise = denoised.noise * edge;
  result.borderEdges = denoised.borderEdges;
  result.outputVolume =
    denoised.borderEdges == 0
      ? RestoreVolume(context, surface, measures, denoised.normals, points)
      : VolumeAround(
          context, { points, surface.numberOfPoints, surface.triangles, surface.numberOfTriangles }, measures.center);
  return result;
}

/** The points of a mesh that belong to triangles, and triangles with the numbers of these points. */
class UsedPoints
{
public:
  explicit UsedPoints(const ConstTriangles & surface)
    : m_Triangles(surface.triangles, surface.triangles + 3 * surface.numberOfTriangles)
  {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(surface.numberOfPoints), -1);
    for (const std::int32_t corner : m_Triangles)
    {
      numbers[static_cast<std::size_t>(corner)] = 0;
    }
    for (std::int64_t i = 0; i < surface.numberOfPoints; ++i)
    {
      if (numbers[static_cast<std::size_t>(i)] == 0)
      {
        numbers[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(m_Original.size());
        m_Original.push_back(i);
        m_Points.insert(m_Points.end(), surface.points + 3 * i, surface.points + 3 * i + 3);
      }
    }
    for (std::int32_t & corner : m_Triangles)
    {
      corner = numbers[static_cast<std::size_t>(corner)];
    }
  }

  ConstTriangles
  View() const
  {
    return { m_Points.data(),
             static_cast<std::int64_t>(m_Original.size()),
             m_Triangles.data(),
             static_cast<std::int64_t>(m_Triangles.size() / 3) };
  }

  double *
  Points()
  {
    return m_Points.data();
  }

  /** Writes the points to their places among all points. */
  void
  WriteTo(double * points) const
  {
    for (std::size_t i = 0; i < m_Original.size(); ++i)
    {
      std::copy_n(m_Points.data() + 3 * i, 3, points + 3 * m_Original[i]);
    }
  }

private:
  std::vector<std::int32_t> m_Triangles;
  std::vector<double>       m_Points;
  std::vector<std::int64_t> m_Original;
};

bool
HasUnusedPoints(const ConstTriangles & surface)
{
  std::vector<char> isUsed(static_cast<std::size_t>(surface.numberOfPoints));
  for (std::int64_t i = 0; i < 3 * surface.numberOfTriangles; ++i)
  {
    isUsed[static_cast<std::size_t>(surface.triangles[i])] = 1;
  }
  return std::find(isUsed.begin(), isUsed.end(), 0) != isUsed.end();
}

} // namespace

MeshDenoisingResult
DenoiseMesh(Context &                       context,
            const MeshDenoisingParameters & parameters,
            const ConstTriangles &          surface,
            double *                        points)
{
  RequireParameters(parameters, Grid());
  RequireSurface(surface);
  if (points == nullptr)
  {
    ThrowInvalid("points", "absent (a null pointer)", "given");
  }
  MeshDenoisingResult result;
  RunDeviceJob(context, [&] {
    if (!HasUnusedPoints(surface))
    {
      result = DenoiseUsedPoints(context, parameters, surface, points);
      return;
    }
    // Points without triangles would change the ranks from which the probes' signs are computed.
    UsedPoints used(surface);
    result = DenoiseUsedPoints(context, parameters, used.View(), used.Points());
    std::copy_n(surface.points, 3 * surface.numberOfPoints, points);
    used.WriteTo(points);
  });
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro
