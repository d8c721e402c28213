// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Compares ways to denoise surfaces on shapes that are known exactly, and prints the table of Documentation/surface.md:
// surface_comparison [--device cpu|cuda] [--shapes Box,Blocks,...] [--sizes 12] [--spacing 0.75]
// Nonlocal means has its defaults throughout. Its rivals have what is best for each shape and noise:
// vtkWindowedSincPolyDataFilter its best pass band and number of iterations, mean curvature flow of the same distances
// its best time.
#include "ComparisonOptions.h"
#include "VtkSurfaces.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/SignedDistance.h"
#include "cudaneuro/SurfaceContour.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using cudaneuro::SurfaceErrors;
using cudaneuro::SurfaceNoise;
using cudaneuro::SyntheticMesh;
using cudaneuro::SyntheticShape;
using cudaneuro::SyntheticSurface;
using Distances = std::vector<float>;

struct Options : ComparisonOptions
{
  /** Of the grid of distances, in mean edge lengths of the noisy mesh. */
  double spacing = 0.75;
};

/** The error of one way, lengths in mean edge lengths of the true mesh. */
struct Row
{
  SurfaceErrors errors;
  double        volumeChange = 0.0; // of that of the noisy mesh, in percent
  double        best = 0.0;         // what the way was chosen by
};

/** A grid around a shape, as float distances. */
struct Level
{
  cudaneuro::Geometry geometry;
  Distances           distances;

  cudaneuro::ConstVolume
  Input() const
  {
    return { distances.data(), cudaneuro::PixelType::Float };
  }
  cudaneuro::Volume
  Output()
  {
    return { distances.data(), cudaneuro::PixelType::Float };
  }
};

SyntheticMesh
ZeroLevel(const Level & level)
{
  vtkNew<vtkFloatArray> numbers;
  numbers->SetArray(const_cast<float *>(level.distances.data()), static_cast<vtkIdType>(level.distances.size()), 1);
  return FromVtk(ContourOf(level.geometry, numbers, 0.0));
}

SyntheticMesh
ZeroLevelWithEdges(const Level & level)
{
  cudaneuro::Context              context{ cudaneuro::Device{} };
  const cudaneuro::SurfaceContour contour = cudaneuro::ContourWithEdges(context, level.geometry, level.Input());
  return { contour.points, contour.triangles };
}

class Comparison
{
public:
  Comparison(const Options & options, SyntheticShape shape, SurfaceNoise noise, double deviation)
    : m_Context(options.device)
    , m_Truth(shape, options.size)
  {
    const SyntheticMesh mesh = m_Truth.MakeMesh(m_Context, 1.0);
    m_Edge = cudaneuro::MeanEdgeLength(mesh.View());
    m_Noisy = cudaneuro::AddNoise(mesh, { noise, deviation, 1 });
    m_Volume = cudaneuro::EnclosedVolume(m_Noisy.View());
    this->MakeLevel(options.spacing * m_Edge);
  }

  Row
  Measure(const SyntheticMesh & mesh, double best = 0.0) const
  {
    Row row{ cudaneuro::MeasureErrors(m_Truth, mesh.View()), 0.0, best };
    row.errors.rootMeanSquareDistance /= m_Edge;
    row.errors.largestDistance /= m_Edge;
    row.volumeChange = 100.0 * (cudaneuro::EnclosedVolume(mesh.View()) / m_Volume - 1.0);
    return row;
  }

  Row
  Noisy() const
  {
    return this->Measure(m_Noisy);
  }

  /** What grid and contour cost: the exact distances, contoured. */
  Row
  GridAlone() const
  {
    Level       level = m_Level;
    std::size_t voxel = 0;
    this->ForEachVoxel([&](const std::array<double, 3> & point) {
      level.distances[voxel++] = static_cast<float>(m_Truth.At(point).distance);
    });
    return this->Measure(ZeroLevel(level));
  }

  Row
  WindowedSinc() const
  {
    const vtkSmartPointer<vtkPolyData> surface = ToVtk(m_Noisy);
    Row                                best;
    best.errors.meanAngle = 1e30;
    for (const int iterations : { 20, 50, 100 })
    {
      for (const double passBand : { 0.003, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.17, 0.22, 0.3, 0.4, 0.6, 1.0 })
      {
        const Row row = this->Measure(Smoothed(surface, passBand, iterations), passBand);
        best = row.errors.meanAngle < best.errors.meanAngle ? row : best;
      }
    }
    return best;
  }

  /** Steps of phi <- phi + dt |grad phi| div(grad phi / |grad phi|); the time, in voxels squared, at which the angle
   * is least. */
  Row
  MeanCurvatureFlow() const
  {
    constexpr double step = 0.125;
    constexpr int    stepsBetween = 2;
    constexpr int    numberOfTimes = 20;
    Level            level = m_Level;
    Row              best = this->Measure(ZeroLevel(level));
    for (int time = 1; time <= numberOfTimes; ++time)
    {
      for (int i = 0; i < stepsBetween; ++i)
      {
        this->FlowStep(level, step);
      }
      const Row row = this->Measure(ZeroLevel(level), time * stepsBetween * step);
      best = row.errors.meanAngle < best.errors.meanAngle ? row : best;
    }
    return best;
  }

  /** Contoured by flying edges, and by a contour that keeps edges. */
  std::array<Row, 2>
  NonLocalMeans()
  {
    cudaneuro::NonLocalMeansLevelSetParameters parameters;
    Level                                      level = m_Level;
    cudaneuro::NonLocalMeansLevelSet(m_Context, parameters, level.geometry.grid, m_Level.Input(), {}, level.Output());
    const auto volumeChange = [](const SyntheticMesh & after, const SyntheticMesh & before) {
      return 100.0 * (cudaneuro::EnclosedVolume(after.View()) / cudaneuro::EnclosedVolume(before.View()) - 1.0);
    };
    std::array<Row, 2> rows{ this->Measure(ZeroLevel(level)), this->Measure(ZeroLevelWithEdges(level)) };
    // Grid and contour change the noisy surface's volume, too, which is no change of the denoising.
    rows[0].volumeChange = volumeChange(ZeroLevel(level), ZeroLevel(m_Level));
    rows[1].volumeChange = volumeChange(ZeroLevelWithEdges(level), ZeroLevelWithEdges(m_Level));
    return rows;
  }

private:
  void
  MakeLevel(double spacing)
  {
    constexpr int margin = 8;
    double        extent = 0.0;
    for (const double coordinate : m_Noisy.points)
    {
      extent = std::max(extent, std::abs(coordinate));
    }
    const int half = static_cast<int>(extent / spacing) + margin;
    m_Level.geometry.grid.size = { 2 * half, 2 * half, 2 * half };
    m_Level.geometry.grid.spacing = { spacing, spacing, spacing };
    // Not symmetric about the shape, as no grid of a scanner is.
    m_Level.geometry.origin = { (0.21 - half) * spacing, (0.37 - half) * spacing, (0.11 - half) * spacing };
    m_Level.distances.resize(static_cast<std::size_t>(8) * half * half * half);
    cudaneuro::SignedDistanceParameters parameters;
    parameters.reach = margin * spacing;
    cudaneuro::SignedDistanceOfSurface(m_Context, parameters, m_Noisy.View(), m_Level.geometry, m_Level.Output());
  }

  template <typename TBody>
  void
  ForEachVoxel(const TBody & body) const
  {
    const auto & g = m_Level.geometry;
    for (std::int64_t z = 0; z < g.grid.size[2]; ++z)
    {
      for (std::int64_t y = 0; y < g.grid.size[1]; ++y)
      {
        for (std::int64_t x = 0; x < g.grid.size[0]; ++x)
        {
          body({ g.origin[0] + x * g.grid.spacing[0],
                 g.origin[1] + y * g.grid.spacing[1],
                 g.origin[2] + z * g.grid.spacing[2] });
        }
      }
    }
  }

  void
  FlowStep(Level & level, double step) const
  {
    const std::int64_t n = level.geometry.grid.size[0];
    const Distances    f = level.distances;
    const double       reach = 4.0 * level.geometry.grid.spacing[0];
    const std::int64_t stride[3] = { 1, n, n * n };
    for (std::int64_t i = n * n + n + 1; i < static_cast<std::int64_t>(f.size()) - n * n - n - 1; ++i)
    {
      if (std::abs(f[i]) > reach)
      {
        continue;
      }
      // kappa |grad| = laplacian - grad^T H grad / |grad|^2
      double slope[3];
      double square = 1e-12;
      double laplacian = 0.0;
      double along = 0.0;
      for (int a = 0; a < 3; ++a)
      {
        slope[a] = 0.5 * (f[i + stride[a]] - f[i - stride[a]]);
        square += slope[a] * slope[a];
      }
      for (int a = 0; a < 3; ++a)
      {
        const double second = f[i + stride[a]] - 2.0 * f[i] + f[i - stride[a]];
        const int    b = (a + 1) % 3;
        const double mixed = 0.25 * (f[i + stride[a] + stride[b]] - f[i + stride[a] - stride[b]] -
                                     f[i - stride[a] + stride[b]] + f[i - stride[a] - stride[b]]);
        laplacian += second;
        along += slope[a] * slope[a] * second + 2.0 * slope[a] * slope[b] * mixed;
      }
      level.distances[i] = static_cast<float>(f[i] + step * (laplacian - along / square));
    }
  }

  cudaneuro::Context m_Context;
  SyntheticSurface   m_Truth;
  SyntheticMesh      m_Noisy;
  Level              m_Level;
  double             m_Edge = 1.0;
  double             m_Volume = 1.0;
};

/** Takes an option that the other comparisons do not have.
 * \return whether it is one */
bool
TakeOwnOption(Options & options, const std::string & name, const std::string & value)
{
  if (name == "--spacing")
  {
    options.spacing = std::atof(value.c_str());
  }
  else
  {
    return false;
  }
  return true;
}

void
Print(const Row & row)
{
  std::printf(" %.2f / %.3f / %.2f / %+.2f |",
              row.errors.meanAngle,
              row.errors.rootMeanSquareDistance,
              row.errors.largestDistance,
              row.volumeChange);
}

void
PrintTable(const Options & options)
{
  struct Case
  {
    SurfaceNoise noise;
    double       deviation;
  };
  std::printf("mean angle in degrees / RMS and largest distance in edge lengths / volume change in %%\n\n"
              "| shape, noise | noisy | grid alone | WindowedSinc | mean curvature flow | nonlocal means | the same, "
              "contour with edges | "
              "angle of that, of WindowedSinc's |\n"
              "| --- | --- | --- | --- | --- | --- | --- | ---: |\n");
  for (const SyntheticShape shape : options.shapes)
  {
    for (const Case & each : { Case{ SurfaceNoise::Gaussian, 0.1 },
                               Case{ SurfaceNoise::Gaussian, 0.2 },
                               Case{ SurfaceNoise::Gaussian, 0.3 },
                               Case{ SurfaceNoise::Impulsive, 0.5 } })
    {
      Comparison         comparison(options, shape, each.noise, each.deviation);
      std::ostringstream name;
      name << shape << ", " << each.noise << ' ' << each.deviation;
      std::printf("| %s |", name.str().c_str());
      Print(comparison.Noisy());
      Print(comparison.GridAlone());
      const Row smoothed = comparison.WindowedSinc();
      Print(smoothed);
      Print(comparison.MeanCurvatureFlow());
      const std::array<Row, 2> denoised = comparison.NonLocalMeans();
      Print(denoised[0]);
      Print(denoised[1]);
      std::printf(" %.2f |\n", denoised[1].errors.meanAngle / smoothed.errors.meanAngle);
      std::fflush(stdout);
    }
  }
}

} // namespace

int
main(int argc, char * argv[])
{
  return RunComparison<Options>(argc, argv, TakeOwnOption, PrintTable);
}
