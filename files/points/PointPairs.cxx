// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointPairs.h"

#include "files/input/InputFile.h"

#include <map>
#include <numeric>

namespace cudaneuro::files
{

namespace
{

using NumbersByLabel = std::map<std::string, std::size_t>;

/** The numbers of points by their labels; nothing where these are not all unique. */
NumbersByLabel
NumberLabels(const PointData & data)
{
  NumbersByLabel numbers;
  for (std::size_t i = 0; i < data.labels.size(); ++i)
  {
    if (data.labels[i].empty() || !numbers.emplace(data.labels[i], i).second)
    {
      return {};
    }
  }
  return numbers;
}

void
CheckOrder(const PointData &   first,
           const std::string & firstPath,
           const PointData &   second,
           const std::string & secondPath)
{
  const std::string advice = "; points are matched by their labels where both files have labels, and each once";
  const std::size_t count = second.GetNumberOfPoints();
  if (first.GetNumberOfPoints() != count)
  {
    RefuseInput(secondPath,
                "it has " + std::to_string(count) + (second.dimension == 1 ? " weights" : " points") + ", and " +
                  firstPath + " " + std::to_string(first.GetNumberOfPoints()) + " points" + advice);
  }
  if (!first.placeless.empty() || !second.placeless.empty())
  {
    RefuseInput(secondPath,
                (second.placeless.empty() ? firstPath : "it") +
                  " has points without a place, so that their order does not tell which belong together" + advice);
  }
}

} // namespace

PointPairs
PairPoints(const PointData &   first,
           const std::string & firstPath,
           const PointData &   second,
           const std::string & secondPath)
{
  const NumbersByLabel inFirst = NumberLabels(first);
  const NumbersByLabel inSecond = NumberLabels(second);
  PointPairs           pairs;
  for (std::size_t i = 0; i < first.labels.size() && !inFirst.empty() && !inSecond.empty(); ++i)
  {
    const auto found = inSecond.find(first.labels[i]);
    if (found == inSecond.end())
    {
      pairs.onlyFirst.push_back(first.labels[i]);
      continue;
    }
    pairs.first.push_back(i);
    pairs.second.push_back(found->second);
  }
  pairs.isByLabel = !pairs.first.empty();
  if (pairs.isByLabel)
  {
    for (const std::string & label : second.labels)
    {
      if (inFirst.count(label) == 0)
      {
        pairs.onlySecond.push_back(label);
      }
    }
    const auto only = [](const std::string & owner, const std::vector<std::string> & names) {
      return names.empty() ? "" : "; left out, because " + owner + " alone has them: " + Listed(names);
    };
    const std::string leftOut = only(firstPath, pairs.onlyFirst) + only(secondPath, pairs.onlySecond);
    if (!leftOut.empty() || pairs.first != pairs.second)
    {
      pairs.note = secondPath + ": " + std::to_string(pairs.first.size()) + " points are matched with those of " +
                   firstPath + " by their labels" + leftOut;
    }
    return pairs;
  }
  CheckOrder(first, firstPath, second, secondPath);
  if (!pairs.onlyFirst.empty())
  {
    pairs.note = secondPath + " has no label of " + firstPath + "; points are matched by their order";
  }
  pairs.onlyFirst.clear();
  pairs.first.resize(first.GetNumberOfPoints());
  std::iota(pairs.first.begin(), pairs.first.end(), 0);
  pairs.second = pairs.first;
  return pairs;
}

std::vector<double>
PickCoordinates(const PointData & data, const std::vector<std::size_t> & points)
{
  std::vector<double> coordinates;
  for (const std::size_t point : points)
  {
    const auto begin = data.coordinates.begin() + static_cast<std::ptrdiff_t>(point * data.dimension);
    coordinates.insert(coordinates.end(), begin, begin + data.dimension);
  }
  return coordinates;
}

} // namespace cudaneuro::files
