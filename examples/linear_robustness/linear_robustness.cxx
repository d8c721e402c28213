// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Registers two images of heads from many random starts, and counts the successes: linear_robustness FIXED MOVING [options]
// The images are aligned by their headers, or by the transform of --truth. A start is that alignment followed by a random
// rotation and shift; a success is a mean error at the corners of the fixed image's head below --tolerance. Prints a row
// of the table of Documentation/linear-registration.md.
#include "HeadImage.h"
#include "Maps.h"
#include "Runs.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/LinearRegistration.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace
{

using cudaneuro::AffineMap;

struct Options
{
  std::string fixed;
  std::string moving;
  std::string title;
  std::string device = "cuda";
  std::string truth = "header";
  std::string json;
  int         starts = 100;
  double      angle = 30.0;
  double      shift = 30.0;
  double      tolerance = 1.0;
  int         seed = 1;
  // What is done to the images.
  unsigned int shrink = 1;
  double       smooth = 0.0;
  bool         isResampled = false;
  double       noise = 0.0; // percent of bright tissue
  double       bias = 0.0;  // percent
  double       cut = 0.0;   // fraction of the head's height
  bool         isCutAbove = false;
  double       knownScale = 0.0;
  // How it is registered.
  std::string                             metric = "MutualInformation";
  std::string                             transformType = "Rigid";
  std::string                             start = "InitialTransform";
  std::vector<int>                        levels;
  cudaneuro::LinearRegistrationParameters parameters;
};

void
AddOptions(CLI::App & app, Options & o)
{
  auto & p = o.parameters;
  // So that a script's options can be followed by others.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("fixed", o.fixed)->required();
  app.add_option("moving", o.moving)->required();
  app.add_option("--title", o.title, "First cell of the table's row");
  app.add_option("--device", o.device, "cpu or cuda");
  app.add_option("--json", o.json, "File for all runs");
  app.add_option("--truth", o.truth, "header; consensus: the median of all results; or a transform file");
  app.add_option("--starts", o.starts, "Number of starts")->check(CLI::PositiveNumber);
  app.add_option("--angle", o.angle, "Largest rotation about each axis, in degrees; from 180 on, any rotation");
  app.add_option("--shift", o.shift, "Largest shift along each axis, in mm");
  app.add_option("--tolerance", o.tolerance, "Largest error of a success, in mm");
  app.add_option("--seed", o.seed, "Seed of starts, noise and bias");
  app.add_option("--shrink", o.shrink, "Shrink both images first")->check(CLI::PositiveNumber);
  app.add_option("--smooth", o.smooth, "Smooth both images first, standard deviation in mm");
  app.add_flag("--resample", o.isResampled, "See each image on a slightly rotated grid of its own first");
  app.add_option("--noise", o.noise, "Noise of both images, in percent of bright tissue");
  app.add_option("--bias", o.bias, "Range of a smooth factor on the moving image, in percent");
  app.add_option("--cut", o.cut, "Fraction of the moving head's height to cut off below")->check(CLI::Range(0.0, 0.9));
  app.add_flag("--cut-above", o.isCutAbove, "Cut off above");
  app.add_option("--known-scale", o.knownScale, "Give the moving image a known affine map with scales 1 - S to 1 + S");
  app.add_option("--transform-type", o.transformType);
  app.add_option("--metric", o.metric);
  app.add_option("--start", o.start, "Start of the registration, from the random one on");
  app.add_option("--search-angle", p.searchAngle);
  app.add_option("--search-distance", p.searchDistance);
  app.add_option("--levels", o.levels, "Shrink factors, coarsest first")->delimiter(',');
  app.add_option("--bins", p.metric.numberOfHistogramBins);
  app.add_option("--quantiles", p.metric.intensityQuantiles)->delimiter(',');
  app.add_option("--correlation-radius", p.metric.correlationRadius);
  app.add_flag("--symmetric", p.metric.isSymmetric);
  app.add_option("--convergence", p.convergenceThreshold);
  app.add_option("--minimum-overlap", p.minimumOverlap);
  app.add_flag_callback("--table-head", [] {
    std::cout << Summary::TableHead();
    throw CLI::Success();
  });
}

/** Takes names of options to the parameters' values. */
void
SetParameters(Options & o)
{
  FromName(o.metric, o.parameters.metric.metric);
  FromName(o.transformType, o.parameters.transformType);
  FromName(o.start, o.parameters.start);
  if (!o.levels.empty())
  {
    o.parameters.levels.clear();
    for (const int factor : o.levels)
    {
      o.parameters.levels.push_back({ { factor, factor, factor }, 100 });
    }
  }
}

/** The images of an experiment, on its device, and its registrations. */
class Experiment
{
public:
  explicit Experiment(const Options & options)
    : m_Options(options)
    , m_Context(options.device == "cpu" ? cudaneuro::Device{} : cudaneuro::Device{ 0 })
  {
    Random                   random(static_cast<std::uint64_t>(m_Options.seed) << 32);
    const HeadImage::Pointer fixed = this->Prepare(m_Options.fixed, random);
    m_Corners = CornersOf(fixed, HeadBox(fixed));
    HeadImage::Pointer moving = this->Prepare(m_Options.moving, random);
    if (m_Options.cut > 0.0)
    {
      moving = Cut(moving, m_Options.cut, m_Options.isCutAbove);
    }
    const double bright[2] = { BrightTissue(fixed), BrightTissue(moving) };
    AddBias(moving, 0.01 * m_Options.bias, random);
    AddNoise(fixed, 0.01 * m_Options.noise * bright[0], random);
    AddNoise(moving, 0.01 * m_Options.noise * bright[1], random);
    m_Images.fixedImage = this->Upload(fixed, m_Images.fixedGeometry);
    m_Images.movingImage = this->Upload(moving, m_Images.movingGeometry);
    if (m_Options.truth != "header" && m_Options.truth != "consensus")
    {
      m_Truth = ReadMap(m_Options.truth);
    }
    for (const Point & corner : m_Corners)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        m_Center[axis] += corner[axis] / static_cast<double>(m_Corners.size());
      }
    }
  }

  std::vector<Run>
  RunAll()
  {
    std::vector<Run> runs;
    for (int i = 0; i < m_Options.starts; ++i)
    {
      runs.push_back(this->RunOne(i));
    }
    const Corners truth = this->TrueCorners(runs);
    for (Run & run : runs)
    {
      run.error = MeanDistance(run.found, m_Corners, truth);
      run.startError = MeanDistance(run.start, m_Corners, truth);
    }
    return runs;
  }

private:
  HeadImage::Pointer
  Prepare(const std::string & path, Random & random) const
  {
    HeadImage::Pointer image = ReadHead(path);
    image = m_Options.smooth > 0.0 ? Smooth(image, m_Options.smooth) : image;
    image = m_Options.isResampled ? OnRotatedGrid(image, random) : image;
    return m_Options.shrink > 1 ? Shrink(image, m_Options.shrink) : image;
  }

  cudaneuro::ConstVolume
  Upload(const HeadImage * image, cudaneuro::Geometry & geometry)
  {
    geometry = GeometryOf(image);
    const auto voxels = static_cast<std::size_t>(geometry.grid.NumberOfVoxels());
    m_Memory.push_back(m_Context.Allocate(voxels * sizeof(float)));
    const auto space = m_Context.GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
    void *     data = m_Memory.back().Data();
    CopyVolume(m_Context, geometry.grid, { image->GetBufferPointer() }, { data, cudaneuro::PixelType::Float, space });
    return { data, cudaneuro::PixelType::Float, space };
  }

  /** The known map K moves the moving image by its header alone, so that nothing is interpolated. What is found is K after the map
   * between the images as they were. */
  Run
  RunOne(int index)
  {
    Random          random((static_cast<std::uint64_t>(m_Options.seed) << 32) + static_cast<std::uint64_t>(index) + 1);
    const AffineMap known =
      m_Options.knownScale > 0.0 ? RandomAffine(random, 0.0, 0.0, m_Options.knownScale, m_Center) : AffineMap();
    Run run;
    run.start = Compose(m_Truth, RandomRigid(random, m_Options.angle, m_Options.shift, m_Center));
    cudaneuro::LinearMetricImages images = m_Images;
    images.movingGeometry = Moved(m_Images.movingGeometry, known);

    cudaneuro::LinearRegistrationResult result;
    const auto                          begin = std::chrono::steady_clock::now();
    try
    {
      // The start does not know the known map.
      RegisterLinearly(m_Context, m_Options.parameters, images, run.start, {}, result);
    }
    catch (const cudaneuro::Error & error)
    {
      run.failure = error.what();
      result.transform = run.start;
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    run.found = Compose(Inverse(known), result.transform);
    run.start = Compose(Inverse(known), run.start);
    run.value = result.value;
    run.overlap = result.overlap;
    run.quality = result.quality;
    return run;
  }

  /** The geometry of an image after a map has moved it. */
  static cudaneuro::Geometry
  Moved(cudaneuro::Geometry geometry, const AffineMap & map)
  {
    geometry.origin = Apply(map, geometry.origin);
    geometry.direction = Compose(AffineMap{ map.matrix, {} }, AffineMap{ geometry.direction, {} }).matrix;
    return geometry;
  }

  Corners
  TrueCorners(const std::vector<Run> & runs) const
  {
    Corners corners;
    for (std::size_t corner = 0; corner < corners.size(); ++corner)
    {
      corners[corner] = Apply(m_Truth, m_Corners[corner]);
      for (std::size_t axis = 0; axis < 3 && m_Options.truth == "consensus"; ++axis)
      {
        std::vector<double> places;
        for (const Run & run : runs)
        {
          places.push_back(Apply(run.found, m_Corners[corner])[axis]);
        }
        std::nth_element(places.begin(), places.begin() + places.size() / 2, places.end());
        corners[corner][axis] = places[places.size() / 2];
      }
    }
    return corners;
  }

  Options                              m_Options;
  cudaneuro::Context                   m_Context;
  std::vector<cudaneuro::DeviceMemory> m_Memory;
  cudaneuro::LinearMetricImages        m_Images;
  AffineMap                            m_Truth;
  Corners                              m_Corners{};
  Point                                m_Center{};
};

} // namespace

int
main(int argc, char * argv[])
{
  Options  options;
  CLI::App app("Counts the successes of linear registration from random starts");
  AddOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try
  {
    SetParameters(options);
    Experiment             experiment(options);
    const std::vector<Run> runs = experiment.RunAll();
    const Summary          summary(runs, options.tolerance);
    std::cout << summary.TableRow(options.title, cudaneuro::qualityOfSuccess) << std::flush;
    if (!options.json.empty())
    {
      nlohmann::ordered_json json{ { "command", std::vector<std::string>(argv, argv + argc) },
                                   { "summary", summary.ToJson(cudaneuro::qualityOfSuccess) } };
      for (const Run & run : runs)
      {
        json["runs"].push_back(ToJson(run));
      }
      std::ofstream(options.json) << json.dump(1) << '\n';
    }
    return EXIT_SUCCESS;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
