// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/RegisterPoints.h"

#include "files/images/ImageGrid.h"
#include "files/input/InputFile.h"
#include "files/points/PointPairs.h"
#include "shared/ErrorList.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

namespace
{

using Point = std::array<double, 3>;

/** Returns a point as "(1, 2.5, 3)". */
std::string
TextOf(const Point & point, unsigned int dimension)
{
  std::ostringstream text;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    text << (axis == 0 ? "(" : ", ") << point[axis];
  }
  text << ") mm";
  return text.str();
}

/** The points of a file in their order, with names for messages. */
struct NamedPoints
{
  const std::string &              path;
  const PointData &                data;
  const std::vector<std::size_t> & numbers;
  std::vector<Point>               places;

  NamedPoints(const std::string & itsPath, const PointData & itsData, const std::vector<std::size_t> & itsNumbers)
    : path(itsPath)
    , data(itsData)
    , numbers(itsNumbers)
  {
    for (const std::size_t number : numbers)
    {
      Point place{ 0.0, 0.0, 0.0 };
      std::copy_n(
        data.coordinates.begin() + static_cast<std::ptrdiff_t>(number * data.dimension), data.dimension, place.begin());
      places.push_back(place);
    }
  }

  /** Returns a text such as "point 3 (AC) is at (1, 2, 3) mm". */
  std::string
  Describe(std::size_t i) const
  {
    const std::string label = data.labels.empty() ? "" : data.labels[numbers[i]];
    return "point " + std::to_string(numbers[i] + 1) + (label.empty() ? "" : " (" + label + ")") + " is at " +
           TextOf(places[i], data.dimension);
  }
};

/** Refuses points outside of the voxels of a grid, up to rounding, and names the first one and their number. */
template <unsigned int VDimension>
void
RequireInside(const NamedPoints & points, const OpenedImage & grid)
{
  const auto  base = ReadGrid<VDimension>(grid);
  const auto  size = base->GetLargestPossibleRegion().GetSize();
  std::size_t first = points.places.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.places.size(); ++i)
  {
    itk::Point<double, VDimension>           place;
    itk::ContinuousIndex<double, VDimension> index;
    std::copy_n(points.places[i].begin(), VDimension, place.Begin());
    // Only the index is needed: the returned value is meaningless for an image without a buffer.
    static_cast<void>(base->TransformPhysicalPointToContinuousIndex(place, index));
    bool isInside = true;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      isInside = isInside && index[axis] >= -0.501 && index[axis] <= static_cast<double>(size[axis]) - 0.499;
    }
    first = isInside || count > 0 ? first : i;
    count += isInside ? 0 : 1;
  }
  if (count > 0)
  {
    RefuseInput(points.path,
                points.Describe(first) + ", outside of " + grid.path +
                  (count == 1 ? "" : "; " + std::to_string(count) + " points are outside"));
  }
}

/** Refuses two points at one position, because one position cannot move to two. */
void
RequireDistinct(const NamedPoints & points)
{
  std::map<Point, std::size_t> seen;
  for (std::size_t i = 0; i < points.places.size(); ++i)
  {
    const auto [found, isNew] = seen.emplace(points.places[i], i);
    if (!isNew)
    {
      RefuseInput(points.path,
                  points.Describe(i) + ", as is point " + std::to_string(points.numbers[found->second] + 1) +
                    "; each must have a place of its own");
    }
  }
}

void
RequireAxes(const std::string & path, const PointData & data, const OpenedImage & image)
{
  if (data.dimension != image.dimension)
  {
    RefuseInput(path,
                "its points have " + std::to_string(data.dimension) + " coordinates, and " + image.path + " has " +
                  std::to_string(image.dimension) + " axes");
  }
}

/** Returns the standard deviations of the paired points. */
std::vector<double>
ChosenDeviations(const RegisterOptions & files, const PointData & fixed, const std::vector<std::size_t> & numbers)
{
  const std::vector<double> & given = files.pointStandardDeviations;
  if (given.size() == 1)
  {
    return given;
  }
  const std::size_t count = fixed.GetNumberOfPoints();
  if (given.size() != count)
  {
    throw UserError("--point-standard-deviations has " + std::to_string(given.size()) + " values; the " +
                    std::to_string(count) + " points of " + files.fixedPoints + " need 1 or " + std::to_string(count));
  }
  std::vector<double> chosen;
  for (const std::size_t number : numbers)
  {
    chosen.push_back(given[number]);
  }
  return chosen;
}

} // namespace

RegisterPoints
ReadRegisterPoints(const RegisterOptions & files, const OpenedImage & fixed, const OpenedImage & moving)
{
  const PointData fixedData = ReadPointFile(files.fixedPoints);
  const PointData movingData = ReadPointFile(files.movingPoints);
  RequireAxes(files.fixedPoints, fixedData, fixed);
  RequireAxes(files.movingPoints, movingData, moving);
  const cudaneuro::files::PointPairs pairs = PairPoints(fixedData, files.fixedPoints, movingData, files.movingPoints);
  const NamedPoints                  fixedPoints(files.fixedPoints, fixedData, pairs.first);
  const NamedPoints                  movingPoints(files.movingPoints, movingData, pairs.second);
  ErrorList                          errors;
  const auto                         checkInside = [&](const NamedPoints & points, const OpenedImage & grid) {
    errors.Check([&] { grid.dimension == 2 ? RequireInside<2>(points, grid) : RequireInside<3>(points, grid); });
  };
  errors.Check([&] { RequireDistinct(fixedPoints); });
  checkInside(fixedPoints, fixed);
  checkInside(movingPoints, moving);
  errors.ThrowIfAny();

  RegisterPoints points;
  points.pairs.fixed = fixedPoints.places;
  points.pairs.moving = movingPoints.places;
  points.pairs.standardDeviations = ChosenDeviations(files, fixedData, pairs.first);
  points.isByLabel = pairs.isByLabel;
  for (const std::size_t number : pairs.first)
  {
    points.labels.push_back(fixedData.labels.empty() ? "" : fixedData.labels[number]);
  }
  if (fixedData.labels.empty())
  {
    points.labels.clear();
  }
  points.notes = { NotesOf(fixedData, files.fixedPoints), NotesOf(movingData, files.movingPoints), pairs.note };
  return points;
}

DistanceSummary
Summarize(std::vector<double> distances)
{
  if (distances.empty())
  {
    return {};
  }
  std::sort(distances.begin(), distances.end());
  const std::size_t count = distances.size();
  return { std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(count),
           (distances[(count - 1) / 2] + distances[count / 2]) / 2.0,
           distances.back() };
}

void
AddPointOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & group)
{
  // The same kind as in cudaneuro-landmarks.
  const char * const  kind = "pointfile input type=point fileExtensions=.mrk.json coordinateSystem=lps";
  CLI::Option * const fixed = AddFile(app,
                                      "--fixed-points",
                                      options.fixedPoints,
                                      "Points on the fixed image, in mm: .csv, .tsv, .txt, elastix' .pts,\n"
                                      "3D Slicer's markups (.json, .fcsv), or the vertices of a mesh",
                                      group,
                                      kind);
  CLI::Option * const moving = AddFile(app,
                                       "--moving-points",
                                       options.movingPoints,
                                       "The same places on the moving image: points of the same labels,\n"
                                       "where these are unique in both files, or as many in the same\n"
                                       "order",
                                       group,
                                       kind);
  fixed->needs(moving);
  moving->needs(fixed);
  modes.Add(AsList(app.add_option("--point-standard-deviations,--point-standard-deviation",
                                  options.pointStandardDeviations,
                                  "How far a pair of points may be off, in mm: one value for all, or\n"
                                  "one a point of the fixed file"))
              ->check(Positive())
              ->group(group),
            "--fixed-points",
            [&options] { return !options.fixedPoints.empty() || !options.pairs.empty(); });
}
