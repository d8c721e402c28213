// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/folder/AtlasFigure.h"

#include "files/base/ErrorStream.h"
#include "shared/Files.h"

#include <plplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace
{

constexpr const char * device = "pngcairo";
constexpr int          widthInPixels = 1500;
constexpr int          heightInPixels = 1350;

/** Indices of PLplot's first color map, in which 0 is black. */
constexpr int white = 1;
constexpr int blue = 2;
constexpr int orange = 3;

/** A slice of a volume for a figure. */
struct FigureSlice
{
  int    width = 0;
  int    height = 0;
  double widthInMillimeters = 0.0;
  double heightInMillimeters = 0.0;
  /** The values column after column, each from the bottom to the top. */
  std::vector<float> values;
};

/** Returns the row of the largest entry in a column of the direction: the axis of space nearest to a grid's axis. */
std::size_t
NearestAxis(const cudaneuro::Geometry & geometry, std::size_t column)
{
  std::size_t nearest = 0;
  for (std::size_t row = 1; row < 3; ++row)
  {
    if (std::abs(geometry.direction[3 * row + column]) > std::abs(geometry.direction[3 * nearest + column]))
    {
      nearest = row;
    }
  }
  return nearest;
}

FigureSlice
GetMiddleSlice(const cudaneuro::Geometry & geometry, const float * voxels, std::size_t across)
{
  std::size_t horizontal = across == 0 ? 1 : 0;
  std::size_t vertical = across == 2 ? 1 : 2;
  // From the side or the front, heads are upright for any order of the axes in the file.
  if (NearestAxis(geometry, horizontal) > NearestAxis(geometry, vertical))
  {
    std::swap(horizontal, vertical);
  }
  const auto isBackwards = [&](std::size_t axis) {
    const std::size_t row = NearestAxis(geometry, axis);
    // In LPS the second axis of space leads to the back, which is at the bottom when it is vertical.
    const bool isPosteriorUp = axis == vertical && row == 1;
    return (geometry.direction[3 * row + axis] < 0.0) != isPosteriorUp;
  };
  const bool                        flipsHorizontal = isBackwards(horizontal);
  const bool                        flipsVertical = isBackwards(vertical);
  const auto &                      size = geometry.grid.size;
  const std::array<std::int64_t, 3> strides{ 1, size[0], size[0] * size[1] };
  FigureSlice                       slice;
  slice.width = static_cast<int>(size[horizontal]);
  slice.height = static_cast<int>(size[vertical]);
  slice.widthInMillimeters = static_cast<double>(size[horizontal]) * geometry.grid.spacing[horizontal];
  slice.heightInMillimeters = static_cast<double>(size[vertical]) * geometry.grid.spacing[vertical];
  slice.values.reserve(static_cast<std::size_t>(size[horizontal] * size[vertical]));
  for (std::int64_t x = 0; x < size[horizontal]; ++x)
  {
    for (std::int64_t y = 0; y < size[vertical]; ++y)
    {
      const std::int64_t i = flipsHorizontal ? size[horizontal] - 1 - x : x;
      const std::int64_t j = flipsVertical ? size[vertical] - 1 - y : y;
      slice.values.push_back(
        voxels[strides[across] * (size[across] / 2) + strides[horizontal] * i + strides[vertical] * j]);
    }
  }
  return slice;
}

/** Returns the middle slices across each axis, or the one slice of a 2D image. Along every axis the nearest direction
 * of space increases towards the right or the top: the left of the body is right, and its head up. */
std::vector<FigureSlice>
GetMiddleSlices(const cudaneuro::Geometry & geometry, const float * voxels)
{
  std::vector<FigureSlice> slices{ GetMiddleSlice(geometry, voxels, 2) };
  if (geometry.grid.size[2] > 1)
  {
    slices.push_back(GetMiddleSlice(geometry, voxels, 1));
    slices.push_back(GetMiddleSlice(geometry, voxels, 0));
  }
  return slices;
}

/** Returns the range of intensities to show, from the minimum to the 99.5 % quantile. */
std::pair<double, double>
GetWindow(const float * voxels, std::int64_t count)
{
  constexpr double   share = 0.995;
  std::vector<float> values(voxels, voxels + count);
  const auto         at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(count - 1));
  std::nth_element(values.begin(), at, values.end());
  const auto least = static_cast<double>(*std::min_element(values.begin(), at + 1));
  const auto largest = static_cast<double>(*at);
  // A constant image is black.
  return { least, largest > least ? largest : least + 1.0 };
}

/** A part of the page; its corners are fractions of it. */
struct Cell
{
  double left;
  double right;
  double bottom;
  double top;
};

/** Throws an error of PLplot, which would otherwise end the program. */
int
ThrowError(const char * message)
{
  throw std::runtime_error(std::string("PLplot: ") + message);
}

void
StartPage(const std::string & path)
{
  plsexit(ThrowError);
  plsdev(device);
  plsfnam(path.c_str());
  plspage(0.0, 0.0, widthInPixels, heightInPixels, 0, 0);
  const std::array<int, 4> red{ 255, 0, 31, 213 };
  const std::array<int, 4> green{ 255, 0, 119, 94 };
  const std::array<int, 4> blueParts{ 255, 0, 180, 0 };
  plscmap0(red.data(), green.data(), blueParts.data(), static_cast<int>(red.size()));
  plinit();
  pladv(0);
  std::array<double, 2> ends{ 0.0, 1.0 };
  std::array<double, 2> gray{ 0.0, 1.0 };
  plscmap1l(1, 2, ends.data(), gray.data(), gray.data(), gray.data(), nullptr);
  plscmap1n(256);
  plschr(0.0, 0.55);
}

void
DrawSlice(const FigureSlice & slice, const Cell & cell, double least, double largest)
{
  plvpas(cell.left, cell.right, cell.bottom, cell.top, slice.heightInMillimeters / slice.widthInMillimeters);
  plwind(0.0, 1.0, 0.0, 1.0);
  std::vector<PLFLT>         values(slice.values.begin(), slice.values.end());
  std::vector<const PLFLT *> columns;
  columns.reserve(static_cast<std::size_t>(slice.width));
  for (int x = 0; x < slice.width; ++x)
  {
    columns.push_back(values.data() + static_cast<std::ptrdiff_t>(x) * slice.height);
  }
  for (PLFLT & value : values)
  {
    value = std::clamp(value, least, largest);
  }
  plimage(columns.data(), slice.width, slice.height, 0.0, 1.0, 0.0, 1.0, least, largest, 0.0, 1.0, 0.0, 1.0);
}

/** A curve through points. */
struct Curve
{
  std::vector<PLFLT> x;
  std::vector<PLFLT> y;
  int                color = blue;
  std::string        name;

  void
  Add(double at, double value)
  {
    if (std::isfinite(value))
    {
      x.push_back(at);
      y.push_back(value);
    }
  }
};

void
DrawCurves(const std::vector<Curve> & curves, const Cell & cell, const std::string & title)
{
  double least = std::numeric_limits<double>::infinity();
  double largest = -least;
  double last = 1.0;
  for (const Curve & curve : curves)
  {
    for (std::size_t i = 0; i < curve.x.size(); ++i)
    {
      least = std::min(least, curve.y[i]);
      largest = std::max(largest, curve.y[i]);
      last = std::max(last, curve.x[i]);
    }
  }
  if (!(least <= largest))
  {
    least = 0.0;
    largest = 1.0;
  }
  const double margin = largest > least ? 0.08 * (largest - least) : std::max(0.1 * std::abs(largest), 1e-6);
  plvpor(cell.left, cell.right, cell.bottom, cell.top);
  // The margin above is for the names of the curves.
  plwind(0.0, last, least - margin, largest + (curves.size() > 1 ? 4.0 : 1.0) * margin);
  plcol0(white);
  plbox("bcnst", 0.0, 0, "bcnstvf", 0.0, 0);
  plmtex("b", 3.2, 0.5, 0.5, "iteration");
  plmtex("t", 1.2, 0.5, 0.5, title.c_str());
  double line = -1.5;
  for (const Curve & curve : curves)
  {
    plcol0(curve.color);
    plwidth(2.0);
    plline(static_cast<PLINT>(curve.x.size()), curve.x.data(), curve.y.data());
    plpoin(curve.x.size() <= 40 ? static_cast<PLINT>(curve.x.size()) : 0, curve.x.data(), curve.y.data(), 17);
    plwidth(1.0);
    plmtex("t", line, 0.97, 1.0, curve.name.c_str());
    line -= 1.6;
  }
  plcol0(white);
}

/** Returns the number of an iteration among those of all levels, counted from 1. */
double
NumberOf(const std::vector<cudaneuro::AtlasIteration> & iterations, int level, int iteration)
{
  const auto found = std::find_if(iterations.begin(), iterations.end(), [&](const cudaneuro::AtlasIteration & one) {
    return one.level == level && one.iteration == iteration;
  });
  return static_cast<double>(found - iterations.begin()) + 1.0;
}

void
DrawCurvesOf(const AtlasFigure & figure)
{
  const auto & iterations = figure.result->iterations;
  Curve        energy{ {}, {}, blue, "" };
  Curve        entropy{ {}, {}, blue, "template" };
  Curve        mean{ {}, {}, orange, "plain mean" };
  for (std::size_t i = 0; i < iterations.size(); ++i)
  {
    const double number = static_cast<double>(i) + 1.0;
    energy.Add(number, iterations[i].energy);
    entropy.Add(number, iterations[i].entropy);
  }
  mean.Add(0.0, figure.entropyOfMean);
  mean.Add(std::max<double>(1.0, static_cast<double>(iterations.size())), figure.entropyOfMean);
  Curve rootMeanSquare{ {}, {}, blue, "root mean square" };
  Curve maximum{ {}, {}, orange, "maximum" };
  for (const cudaneuro::AtlasDrift & drift : figure.result->drifts)
  {
    const double number = NumberOf(iterations, drift.level, drift.iteration);
    rootMeanSquare.Add(number, drift.rootMeanSquare);
    maximum.Add(number, drift.maximum);
  }
  DrawCurves({ energy }, { 0.08, 0.31, 0.07, 0.28 }, "Mean energy of the images");
  DrawCurves({ entropy, mean }, { 0.41, 0.64, 0.07, 0.28 }, "Entropy in bits");
  DrawCurves({ rootMeanSquare, maximum }, { 0.74, 0.97, 0.07, 0.28 }, "Drift before shape updates in mm");
}

void
DrawSlicesOf(const AtlasFigure & figure)
{
  const auto [least, largest] = GetWindow(figure.mean, figure.geometry.grid.NumberOfVoxels());
  const struct
  {
    const float * voxels;
    std::string   title;
    double        entropy;
    double        bottom;
  } rows[] = { { figure.atlas, "Template of ", figure.entropyOfAtlas, 0.67 },
               { figure.mean, "Plain mean of ", figure.entropyOfMean, 0.345 } };
  for (const auto & row : rows)
  {
    const std::vector<FigureSlice> slices = GetMiddleSlices(figure.geometry, row.voxels);
    const double                   width = 0.98 / static_cast<double>(slices.size());
    constexpr double               height = 0.28;
    for (std::size_t i = 0; i < slices.size(); ++i)
    {
      const double left = 0.01 + width * static_cast<double>(i);
      DrawSlice(slices[i], { left, left + 0.98 * width, row.bottom, row.bottom + height }, least, largest);
    }
    std::ostringstream title;
    title.precision(4);
    title << row.title << figure.numberOfImages << " images, entropy " << row.entropy << " bits";
    plvpor(0.0, 1.0, row.bottom, row.bottom + height);
    plcol0(white);
    plmtex("t", 0.7, 0.5, 0.5, title.str().c_str());
  }
}

/** Returns whether a file ends like a PNG, because the writer does not report a full disk. */
bool
IsWholePng(const std::string & path)
{
  std::ifstream     file(path, std::ios::binary);
  const std::string content{ std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
  const std::string end = "IEND\xAE\x42\x60\x82";
  return content.size() > end.size() && content.compare(content.size() - end.size(), end.size(), end) == 0;
}

std::string
FindReasonForNoFigure()
{
  constexpr int                  most = 200;
  std::array<const char *, most> menu{};
  std::array<const char *, most> names{};
  const char **                  menuBegin = menu.data();
  const char **                  namesBegin = names.data();
  int                            count = most;
  const ErrorStreamCapture       errors;
  plsexit(ThrowError);
  try
  {
    plgFileDevs(&menuBegin, &namesBegin, &count);
  }
  catch (const std::runtime_error & error)
  {
    return error.what();
  }
  const bool isThere =
    std::any_of(names.begin(), names.begin() + count, [](const char * name) { return name == std::string(device); });
  return isThere ? "" : "PLplot has no driver " + std::string(device) + " (Debian: plplot-driver-cairo)";
}

} // namespace

std::string
GetReasonForNoFigure()
{
  // Static, because PLplot looks for its drivers once.
  static const std::string reason = FindReasonForNoFigure();
  return reason;
}

void
DrawAtlasFigure(const AtlasFigure & figure, const std::string & path)
{
  // PLplot can draw only one picture at a time.
  static std::mutex                 mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  StartPage(path);
  DrawSlicesOf(figure);
  DrawCurvesOf(figure);
  plend();
  if (!IsWholePng(path))
  {
    throw std::runtime_error("the disk may be full: the picture is cut short");
  }
}
