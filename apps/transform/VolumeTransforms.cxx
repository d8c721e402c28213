// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/VolumeTransforms.h"

#include "files/maps/Maps.h"
#include "files/transforms/TransformFile.h"
#include "shared/ErrorList.h"

#include <map>
#include <utility>

namespace
{

/** Returns for each different step of a list its positions in the list. */
std::vector<std::vector<std::size_t>>
PlacesOf(const std::vector<MapStep> & steps)
{
  std::map<std::pair<std::string, bool>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>>               places;
  for (std::size_t i = 0; i < steps.size(); ++i)
  {
    const auto found = numbers.emplace(std::make_pair(steps[i].path, steps[i].isInverse), places.size());
    if (found.second)
    {
      places.emplace_back();
    }
    places[found.first->second].push_back(i);
  }
  return places;
}

} // namespace

VolumeTransforms::VolumeTransforms(const std::vector<MapStep> & steps,
                                   const ReadingOptions &       reading,
                                   const std::string &          what,
                                   const ComputeOptions &       compute)
  : m_Steps(steps)
  , m_Reading(reading)
  , m_What(what)
  , m_Compute(compute)
  , m_Kept(steps.size())
{
  const auto         places = PlacesOf(steps);
  cudaneuro::Context context(cudaneuro::Device(), compute.numberOfThreads);
  ErrorList          errors;
  errors.CheckInParallel(context, places.size(), [&](std::size_t number) {
    const auto map = ReadLinearMap<3>(steps[places[number].front()], reading, what);
    for (const std::size_t place : places[number])
    {
      m_Kept[place] = map;
    }
  });
  errors.ThrowIfAny();
}

VolumeTransforms::VolumeTransforms(const std::string & path, const std::string & what)
{
  for (const auto & transform : ReadSeveralTransforms<3>(path, what))
  {
    RequireRegular<3>(path, *transform);
    m_Kept.push_back(SpaceMap<3>::New());
    m_Kept.back()->AddTransform(transform);
  }
}

SpaceMap<3>::Pointer
VolumeTransforms::Get(std::size_t volume) const
{
  return m_Kept[volume].IsNotNull() ? m_Kept[volume] : ReadMap<3>({ m_Steps[volume] }, m_Reading, m_What, m_Compute);
}
