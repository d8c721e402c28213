// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Compares cudaneuro::DenoiseMesh, which has its defaults throughout, with vtkWindowedSincPolyDataFilter, which has the
// pass band and the number of iterations that are best for each shape and noise, on shapes that are known exactly:
// mesh_comparison [--device cpu|cuda] [--shapes Folds,Nut,...] [--sizes 12] [--seed 1]
#include "ComparisonOptions.h"
#include "VtkSurfaces.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/MeshDenoising.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace
{

using cudaneuro::SurfaceErrors;
using cudaneuro::SyntheticMesh;
using cudaneuro::SyntheticShape;
using cudaneuro::SyntheticSurface;

struct Options : ComparisonOptions
{
  std::uint64_t seed = 1;
};

/** Takes an option that the other comparisons do not have.
 * \return whether it is one */
bool
TakeOwnOption(Options & options, const std::string & name, const std::string & value)
{
  if (name == "--seed")
  {
    options.seed = std::strtoull(value.c_str(), nullptr, 10);
  }
  else
  {
    return false;
  }
  return true;
}

void
PrintRow(cudaneuro::Context & context, const Options & options, SyntheticShape shape, double deviation)
{
  const SyntheticSurface truth(shape, options.size);
  const SyntheticMesh    mesh = truth.MakeMesh(context, 1.0);
  const SyntheticMesh    noisy = AddNoise(mesh, { cudaneuro::SurfaceNoise::Gaussian, deviation, options.seed });
  SyntheticMesh          denoised = noisy;
  const auto             begin = std::chrono::steady_clock::now();
  const auto             result = DenoiseMesh(context, {}, noisy.View(), denoised.points.data());
  const double           seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double           edge = MeanEdgeLength(mesh.View());
  const SurfaceErrors    before = MeasureErrors(truth, noisy.View());
  const SurfaceErrors    sinc = BestOfWindowedSinc(truth, noisy, { 20, 50, 100, 200 });
  const SurfaceErrors    after = MeasureErrors(truth, denoised.View());
  std::ostringstream     name;
  name << shape;
  std::printf("| %s %.1f | %.3f | %.2f | %.2f, %.3f | %.2f, %.3f | %.2f | %.2f | %+.2f | %.2f |\n",
              name.str().c_str(),
              deviation,
              result.noise / edge,
              before.meanAngle,
              sinc.meanAngle,
              sinc.rootMeanSquareDistance / edge,
              after.meanAngle,
              after.rootMeanSquareDistance / edge,
              after.meanAngle / sinc.meanAngle,
              after.rootMeanSquareDistance / sinc.rootMeanSquareDistance,
              100.0 * (result.outputVolume / result.inputVolume - 1.0),
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
      "angles in degrees, lengths in mean edge lengths, volume change in %%\n\n"
      "| shape, noise | noise found | noisy: angle | best sinc: angle, RMS | denoised: angle, RMS | angle over sinc's "
      "| "
      "RMS over sinc's | volume | seconds |\n| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: |\n");
    for (const SyntheticShape shape : options.shapes)
    {
      for (const double deviation : { 0.1, 0.2, 0.3 })
      {
        PrintRow(context, options, shape, deviation);
      }
    }
  });
}
