// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/PointMeans.h"

#include "core/ParallelRanges.h"
#include "core/SpaceMatrices.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

namespace cudaneuro
{

namespace
{

/** Number of points of all images that processes exchange at a time. */
constexpr std::int64_t mostExchanged = std::int64_t{ 1 } << 22;
/** Whether an image has a point, and the bits of its position. */
constexpr std::size_t valuesOfPoint = 4;

/** A position of a point on the template, and the weight of the image from which it comes. */
struct WeighedPlace
{
  std::int32_t weight = 0;
  Vector3d     position{};

  bool
  operator<(const WeighedPlace & other) const
  {
    return std::tie(weight, position) < std::tie(other.weight, other.position);
  }
};

/** The mean of some positions, whose bits do not depend on their order. */
AtlasPoint
MeanOf(std::vector<WeighedPlace> & places)
{
  AtlasPoint mean;
  mean.numberOfImages = static_cast<int>(places.size());
  if (places.empty())
  {
    mean.position.fill(std::numeric_limits<double>::quiet_NaN());
    mean.covariance.fill(std::numeric_limits<double>::quiet_NaN());
    return mean;
  }
  std::sort(places.begin(), places.end()); // sums of equal terms in the same order
  // Sums are relative to one of the positions, so that the mean of equal positions is exact.
  const Vector3d one = places.front().position;
  Vector3d       sum{};
  double         sumOfWeights = 0.0;
  for (const WeighedPlace & place : places)
  {
    sumOfWeights += place.weight;
    sum = Sum(sum, place.weight, Difference(place.position, one));
  }
  mean.position = Sum(one, 1.0 / sumOfWeights, sum);
  for (const WeighedPlace & place : places)
  {
    const Vector3d deviation = Difference(place.position, mean.position);
    for (std::size_t entry = 0; entry < 9; ++entry)
    {
      mean.covariance[entry] += place.weight / sumOfWeights * (deviation[entry / 3] * deviation[entry % 3]);
    }
  }
  return mean;
}

/** The members of this process that have points, sorted by number. */
class OwnPoints
{
public:
  explicit OwnPoints(const std::vector<std::unique_ptr<AtlasShare>> & shares)
  {
    for (const auto & share : shares)
    {
      for (const Member & member : share->GetMembers())
      {
        if (member.points != nullptr)
        {
          m_Images.push_back({ static_cast<std::size_t>(member.image), *member.points });
          std::sort(m_Images.back().points.begin(),
                    m_Images.back().points.end(),
                    [](const CarriedPoint & a, const CarriedPoint & b) { return a.number < b.number; });
        }
      }
    }
  }

  /** Writes, for each image that has points, the largest number on the template plus 2, or 1 if none is on the
   * template. */
  void
  WriteCounts(std::vector<std::int64_t> & counts) const
  {
    for (const OfImage & image : m_Images)
    {
      counts[image.index] = image.points.empty() ? 1 : image.points.back().number + 2;
    }
  }

  /** Writes the values of the points with numbers in [begin, end), image after image. */
  void
  Write(std::int64_t begin, std::int64_t end, std::vector<std::int64_t> & values) const
  {
    for (const OfImage & image : m_Images)
    {
      auto point = std::lower_bound(image.points.begin(),
                                    image.points.end(),
                                    begin,
                                    [](const CarriedPoint & a, std::int64_t number) { return a.number < number; });
      for (; point != image.points.end() && point->number < end; ++point)
      {
        const auto           row = static_cast<std::int64_t>(image.index) * (end - begin) + point->number - begin;
        std::int64_t * const own = values.data() + valuesOfPoint * static_cast<std::size_t>(row);
        own[0] = 1;
        std::memcpy(own + 1, point->position.data(), sizeof(point->position));
      }
    }
  }

private:
  struct OfImage
  {
    std::size_t               index;
    std::vector<CarriedPoint> points;
  };
  std::vector<OfImage> m_Images;
};

/** The number of points, the largest number in any process plus one.
 * \throws Error if no image has points */
std::int64_t
CountPoints(Communicator * communicator, std::size_t images, const OwnPoints & own)
{
  std::vector<std::int64_t> counts(images, 0);
  own.WriteCounts(counts);
  if (communicator != nullptr)
  {
    communicator->Sum(counts.data(), counts.size());
  }
  const std::int64_t largest = *std::max_element(counts.begin(), counts.end());
  if (largest == 0)
  {
    throw Error("GetPoints", "no image of the atlas has points: SetPoints was not called");
  }
  return largest - 1;
}

/** The weighted positions of a point, from the values of some points of all images. */
std::vector<WeighedPlace>
PlacesOf(const std::vector<std::int64_t> & values,
         const std::vector<std::int32_t> & weights,
         std::int64_t                      count,
         std::int64_t                      point)
{
  std::vector<WeighedPlace> places;
  for (std::size_t image = 0; image < weights.size(); ++image)
  {
    const std::int64_t         row = static_cast<std::int64_t>(image) * count + point;
    const std::int64_t * const own = values.data() + valuesOfPoint * static_cast<std::size_t>(row);
    if (own[0] != 0 && weights[image] > 0)
    {
      places.push_back({ weights[image], {} });
      std::memcpy(places.back().position.data(), own + 1, sizeof(places.back().position));
    }
  }
  return places;
}

} // namespace

std::vector<AtlasPoint>
MeanPoints(Context &                                        context,
           const AtlasPlan &                                plan,
           const std::vector<std::unique_ptr<AtlasShare>> & shares,
           Communicator *                                   communicator)
{
  const auto              images = static_cast<std::int64_t>(plan.weights.size());
  const OwnPoints         own(shares);
  const std::int64_t      count = CountPoints(communicator, plan.weights.size(), own);
  const std::int64_t      atATime = std::max<std::int64_t>(1, mostExchanged / images);
  std::vector<AtlasPoint> means(static_cast<std::size_t>(count));
  for (std::int64_t begin = 0; begin < count; begin += atATime)
  {
    const std::int64_t        end = std::min(begin + atATime, count);
    std::vector<std::int64_t> values(valuesOfPoint * static_cast<std::size_t>(images * (end - begin)), 0);
    own.Write(begin, end, values);
    if (communicator != nullptr)
    {
      communicator->Sum(values.data(), values.size());
    }
    {
      const Context::ProgressPause pause(context);
      ForEachInRanges(context, end - begin, [&](std::int64_t point) {
        std::vector<WeighedPlace> places = PlacesOf(values, plan.wholeWeights, end - begin, point);
        means[static_cast<std::size_t>(begin + point)] = MeanOf(places);
      });
    }
    context.ReportProgress(static_cast<double>(end) / static_cast<double>(count));
  }
  return means;
}

} // namespace cudaneuro
