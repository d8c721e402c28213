// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Compares cudaneuro::MakeLabelSurfaces with vtkWindowedSincPolyDataFilter on marching cubes of the same labels, which
// has the pass band and the number of iterations that are best for each single number, on shapes known exactly:
// label_comparison [--device cpu|cuda] [--shapes Folds,Nut,...] [--sizes 12] [--spacing 1] [--slices 1] [--seed 1]
//   [--correlated DEVIATION [--over 1]]
// --slices is the spacing along z in --spacing. With --correlated, not single voxels are wrong, but the distance from
// the surface by a Gaussian field of that deviation, smoothed over so many voxels, both in --spacing.
#include "ComparisonOptions.h"
#include "VtkSurfaces.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/LabelSurface.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <vtkPolyDataConnectivityFilter.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using cudaneuro::SurfaceErrors;
using cudaneuro::SyntheticMesh;
using cudaneuro::SyntheticShape;
using cudaneuro::SyntheticSurface;

struct Options : ComparisonOptions
{
  double       spacing = 1.0;
  double       slices = 1.0;
  unsigned int seed = 1;
  double       correlated = 0.0;
  double       over = 1.0;
};

struct Labels
{
  cudaneuro::Geometry        geometry;
  std::vector<unsigned char> voxels;
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
  else if (name == "--slices")
  {
    options.slices = std::atof(value.c_str());
  }
  else if (name == "--seed")
  {
    options.seed = static_cast<unsigned int>(std::atoi(value.c_str()));
  }
  else if (name == "--correlated")
  {
    options.correlated = std::atof(value.c_str());
  }
  else if (name == "--over")
  {
    options.over = std::atof(value.c_str());
  }
  else
  {
    return false;
  }
  return true;
}

/** Smooths a field with a Gaussian of so many voxels along an axis; it goes on periodically. */
void
Smooth(std::vector<double> & field, const std::array<std::int64_t, 3> & size, std::size_t axis, double sigma)
{
  const std::array<std::int64_t, 3> steps{ 1, size[0], size[0] * size[1] };
  const auto                        radius = static_cast<std::int64_t>(std::ceil(4.0 * sigma));
  const std::vector<double>         before = field;
  for (std::size_t i = 0; i < field.size(); ++i)
  {
    const std::int64_t place = static_cast<std::int64_t>(i) / steps[axis] % size[axis];
    field[i] = 0.0;
    for (std::int64_t j = -radius; j <= radius; ++j)
    {
      const std::int64_t other = (place + j + radius * size[axis]) % size[axis];
      const double       weight = std::exp(-0.5 * static_cast<double>(j * j) / (sigma * sigma));
      field[i] += weight * before[i + static_cast<std::size_t>((other - place) * steps[axis])];
    }
  }
}

/** A Gaussian field of the deviation that the options have, in mm; nothing where that is 0. */
std::vector<double>
CorrelatedField(const cudaneuro::Grid & grid, const Options & options, std::mt19937 & random)
{
  std::vector<double> field(static_cast<std::size_t>(grid.NumberOfVoxels()), 0.0);
  if (options.correlated > 0.0)
  {
    std::normal_distribution<double> normal;
    std::generate(field.begin(), field.end(), [&] { return normal(random); });
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      Smooth(field, grid.size, axis, options.over * options.spacing / grid.spacing[axis]);
    }
    double squares = 0.0;
    for (const double value : field)
    {
      squares += value * value;
    }
    const double scale = options.correlated * options.spacing / std::sqrt(squares / static_cast<double>(field.size()));
    std::transform(field.begin(), field.end(), field.begin(), [scale](double value) { return scale * value; });
  }
  return field;
}

/** Gives voxels beside the boundary, on both of its sides, the other label with a probability. */
void
Flip(Labels & labels, double probability, std::mt19937 & random)
{
  const std::vector<unsigned char>       before = labels.voxels;
  const auto &                           size = labels.geometry.grid.size;
  const std::array<std::int64_t, 3>      steps{ 1, size[0], size[0] * size[1] };
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (std::size_t i = 0; i < before.size(); ++i)
  {
    bool isBoundary = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int64_t place = static_cast<std::int64_t>(i) / steps[axis] % size[axis];
      isBoundary = isBoundary || (place > 0 && before[i - static_cast<std::size_t>(steps[axis])] != before[i]) ||
                   (place + 1 < size[axis] && before[i + static_cast<std::size_t>(steps[axis])] != before[i]);
    }
    if (isBoundary && uniform(random) < probability)
    {
      labels.voxels[i] = static_cast<unsigned char>(1 - before[i]);
    }
  }
}

/** The voxels whose centers are inside, on a grid that is shifted at random by less than a voxel. */
Labels
MakeLabels(const SyntheticSurface & truth, const Options & options, double probability)
{
  constexpr double                       extent = 1.8; // in sizes
  std::mt19937                           random(options.seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Labels                                 labels;
  auto &                                 grid = labels.geometry.grid;
  grid.spacing = { options.spacing, options.spacing, options.slices * options.spacing };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto half = static_cast<std::int64_t>(std::ceil(extent * truth.GetSize() / grid.spacing[axis]));
    grid.size[axis] = 2 * half + 1;
    labels.geometry.origin[axis] = (uniform(random) - static_cast<double>(half)) * grid.spacing[axis];
  }
  const std::vector<double> field = CorrelatedField(grid, options, random);
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    const std::array<std::int64_t, 3> index{ i % grid.size[0],
                                             i / grid.size[0] % grid.size[1],
                                             i / grid.VoxelsPerPlane() };
    std::array<double, 3>             point{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis] = labels.geometry.origin[axis] + static_cast<double>(index[axis]) * grid.spacing[axis];
    }
    const bool isInside = options.correlated > 0.0 ? truth.At(point).distance + field[static_cast<std::size_t>(i)] < 0.0
                                                   : truth.IsInside(point);
    labels.voxels.push_back(isInside ? 1 : 0);
  }
  Flip(labels, probability, random);
  return labels;
}

/** The largest part of the contour of the labels. */
SyntheticMesh
ContourOf(const Labels & labels)
{
  vtkNew<vtkUnsignedCharArray> numbers;
  numbers->SetArray(const_cast<unsigned char *>(labels.voxels.data()), static_cast<vtkIdType>(labels.voxels.size()), 1);
  vtkNew<vtkPolyDataConnectivityFilter> largest;
  largest->SetInputData(ContourOf(labels.geometry, numbers, 0.5));
  largest->SetExtractionModeToLargestRegion();
  largest->Update();
  return FromVtk(largest->GetOutput());
}

void
PrintRow(cudaneuro::Context & context, const Options & options, SyntheticShape shape, double probability)
{
  const SyntheticSurface truth(shape, options.size);
  const Labels           labels = MakeLabels(truth, options, probability);
  const auto             begin = std::chrono::steady_clock::now();
  const auto             surfaces =
    MakeLabelSurfaces(context, labels.geometry, { labels.voxels.data(), cudaneuro::PixelType::UnsignedChar }, { 1.0 });
  const double        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto &        result = surfaces.front();
  const SurfaceErrors sinc = BestOfWindowedSinc(truth, ContourOf(labels), { 20, 50, 200 });
  const SurfaceErrors errors = MeasureErrors(truth, result.surface.View());
  const double        volume = cudaneuro::EnclosedVolume(truth.MakeMesh(context, 0.05 * options.size).View());
  std::ostringstream  name;
  name << shape;
  std::printf("| %s %.1f | %.2f, %.3f | %.2f, %.3f | %.2f | %.2f | %+.2f | %+.2f | %.2f |\n",
              name.str().c_str(),
              probability,
              sinc.meanAngle,
              sinc.rootMeanSquareDistance,
              errors.meanAngle,
              errors.rootMeanSquareDistance,
              errors.meanAngle / sinc.meanAngle,
              errors.rootMeanSquareDistance / sinc.rootMeanSquareDistance,
              100.0 * (result.labelVolume / volume - 1.0),
              100.0 * (result.surfaceVolume / volume - 1.0),
              seconds);
  std::fflush(stdout);
}

} // namespace

int
main(int argc, char * argv[])
{
  return RunComparison<Options>(argc, argv, TakeOwnOption, [](const Options & options) {
    cudaneuro::Context context(options.device);
    std::printf(
      "angles in degrees, lengths in mm, volumes against the truth in %%\n\n"
      "| shape, probability of wrong voxels | best sinc: angle, RMS | labels: angle, RMS | angle over sinc's | "
      "RMS over sinc's | voxels | volume | seconds |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (const SyntheticShape shape : options.shapes)
    {
      const std::vector<double> probabilities =
        options.correlated > 0.0 ? std::vector<double>{ 0.0 } : std::vector<double>{ 0.0, 0.1, 0.2, 0.3 };
      for (const double probability : probabilities)
      {
        PrintRow(context, options, shape, probability);
      }
    }
  });
}
