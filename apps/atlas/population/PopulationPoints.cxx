// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/population/PopulationPoints.h"

#include "files/input/InputFile.h"
#include "files/points/PointPairs.h"
#include "shared/ErrorList.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace
{

/** The points of all files so far, in the order of their numbers. */
class PointNumbering
{
public:
  explicit PointNumbering(unsigned int dimension)
    : m_Dimension(dimension)
  {}

  /** Reads a file.
   * \param notes receives notes for users */
  ImagePoints
  Add(const std::string & path, std::vector<std::string> & notes)
  {
    const PointData data = ReadPointFile(path);
    if (data.dimension != m_Dimension)
    {
      RefuseInput(path,
                  "its points have " + std::to_string(data.dimension) + " coordinates, and the images " +
                    std::to_string(m_Dimension) + " axes");
    }
    notes.push_back(NotesOf(data, path));
    return m_FirstPath.empty() ? this->AddFirst(path, data) : this->AddNext(path, data, notes);
  }

  std::size_t
  GetNumberOfPoints() const
  {
    return m_FirstPath.empty() ? 0 : m_All.GetNumberOfPoints();
  }
  const std::vector<std::string> &
  GetLabels() const
  {
    return m_All.labels;
  }

private:
  ImagePoints
  AddFirst(const std::string & path, const PointData & data)
  {
    m_FirstPath = path;
    m_All = data;
    std::vector<std::size_t> points(data.GetNumberOfPoints());
    std::iota(points.begin(), points.end(), 0);
    return Pick(data, points, points);
  }

  ImagePoints
  AddNext(const std::string & path, const PointData & data, std::vector<std::string> & notes)
  {
    PointPairs pairs = PairPoints(m_All, m_FirstPath, data, path);
    if (!pairs.isByLabel)
    {
      notes.push_back(pairs.note);
      return Pick(data, pairs.second, pairs.first);
    }
    for (std::size_t point = 0; point < data.GetNumberOfPoints(); ++point)
    {
      const std::string & label = data.labels[point];
      if (std::find(pairs.onlySecond.begin(), pairs.onlySecond.end(), label) != pairs.onlySecond.end())
      {
        pairs.second.push_back(point);
        pairs.first.push_back(m_All.GetNumberOfPoints());
        m_All.labels.push_back(label);
        const std::vector<double> place = PickCoordinates(data, { point });
        m_All.coordinates.insert(m_All.coordinates.end(), place.begin(), place.end());
      }
    }
    return Pick(data, pairs.second, pairs.first);
  }

  /** Returns several points of a file with their numbers. */
  static ImagePoints
  Pick(const PointData & data, const std::vector<std::size_t> & points, const std::vector<std::size_t> & numbers)
  {
    ImagePoints               picked;
    const std::vector<double> coordinates = PickCoordinates(data, points);
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      picked.positions.push_back({});
      std::copy_n(&coordinates[i * data.dimension], data.dimension, picked.positions.back().begin());
      picked.numbers.push_back(static_cast<int>(numbers[i]));
    }
    return picked;
  }

  unsigned int m_Dimension;
  std::string  m_FirstPath;
  PointData    m_All;
};

} // namespace

std::string
PopulationPoints::NameOf(int number) const
{
  const auto index = static_cast<std::size_t>(number);
  return index < labels.size() && !labels[index].empty() ? labels[index] : std::to_string(number);
}

PopulationPoints
ReadPopulationPoints(const Population & population, unsigned int dimension)
{
  PopulationPoints points;
  PointNumbering   numbering(dimension);
  ErrorList        errors;
  for (const PopulationImage & image : population)
  {
    points.images.emplace_back();
    if (!image.points.empty())
    {
      errors.Check([&] { points.images.back() = numbering.Add(image.points, points.notes); });
    }
  }
  errors.ThrowIfAny();
  points.numberOfPoints = numbering.GetNumberOfPoints();
  points.labels = numbering.GetLabels();
  return points;
}
