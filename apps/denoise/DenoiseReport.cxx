// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseReport.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

namespace
{

using Json = Report::Json;

/** The values of all volumes under a JSON pointer. */
std::vector<double>
ValuesOf(const std::vector<Json> & volumes, const std::string & where)
{
  std::vector<double> values;
  for (const Json & volume : volumes)
  {
    values.push_back(volume.at(Json::json_pointer(where)).get<double>());
  }
  return values;
}

/** The sum of these values, where volumes have them; the first has them if all have. */
std::optional<double>
SumOf(const std::vector<Json> & volumes, const std::string & where)
{
  if (!volumes.front().contains(Json::json_pointer(where)))
  {
    return std::nullopt;
  }
  const std::vector<double> values = ValuesOf(volumes, where);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/** Moves the value under a JSON pointer to a report if it is the same for all volumes. */
void
MoveShared(std::vector<Json> & volumes, const Json::json_pointer & where, Json & report)
{
  const Json::json_pointer parent = where.parent_pointer();
  const auto               isSame = [&](const Json & volume) {
    return volume.contains(where) && volume.at(where) == volumes.front().at(where);
  };
  if (!volumes.front().contains(where) || !std::all_of(volumes.begin(), volumes.end(), isSame))
  {
    return;
  }
  report[where] = volumes.front().at(where);
  for (Json & volume : volumes)
  {
    Json & owner = volume.at(parent);
    owner.erase(where.back());
    if (owner.empty() && !parent.empty())
    {
      volume.erase(parent.back());
    }
  }
}

} // namespace

void
DenoiseReport::SetNoiseMap(const std::string & origin)
{
  this->Set("/noise_map", origin);
  const char * const number = "/parameters/noise_standard_deviation";
  if (this->Has(number))
  {
    this->Set(number, "noise map");
  }
}

void
DenoiseReport::AddVolume(DenoiseReport & volume)
{
  m_Volumes.push_back(std::move(volume.GetValues()));
}

void
DenoiseReport::SumUpVolumes()
{
  Json & report = this->GetValues();
  report["number_of_volumes"] = m_Volumes.size();
  const Json parameters = m_Volumes.front().value("parameters", Json::object());
  for (const auto & parameter : parameters.items())
  {
    MoveShared(m_Volumes, Json::json_pointer("/parameters/" + parameter.key()), report);
  }
  for (const char * const where : { "/noise_is_estimated", "/noise_map", "/slabs" })
  {
    MoveShared(m_Volumes, Json::json_pointer(where), report);
  }
  this->SumUpNoise();
  for (const char * const where : { "/excluded_voxels", "/voxels_without_noise", "/limited_voxels" })
  {
    if (const auto sum = SumOf(m_Volumes, where))
    {
      report[Json::json_pointer(where)] = static_cast<std::uint64_t>(*sum);
    }
  }
  for (const char * const where : { "/seconds/denoising", "/seconds/estimating", "/seconds/on_device" })
  {
    if (const auto sum = SumOf(m_Volumes, where))
    {
      report[Json::json_pointer(where)] = *sum;
    }
  }
  report["volumes"] = m_Volumes;
}

std::uint64_t
DenoiseReport::GetNumberOfLimitedVoxels()
{
  const Json::json_pointer where("/limited_voxels");
  return this->GetValues().contains(where) ? this->GetValues().at(where).get<std::uint64_t>() : 0;
}

void
DenoiseReport::SumUpNoise()
{
  Json & report = this->GetValues();
  if (const auto sum = SumOf(m_Volumes, "/noise"))
  {
    report["noise"] = *sum / static_cast<double>(m_Volumes.size());
    const bool isMap = m_Volumes.front().contains("noise_minimum");
    const auto minima = ValuesOf(m_Volumes, isMap ? "/noise_minimum" : "/noise");
    const auto maxima = ValuesOf(m_Volumes, isMap ? "/noise_maximum" : "/noise");
    if (isMap || report.contains("noise_is_estimated"))
    {
      report["noise_minimum"] = *std::min_element(minima.begin(), minima.end());
      report["noise_maximum"] = *std::max_element(maxima.begin(), maxima.end());
    }
  }
}

void
DenoiseReport::Print() const
{
  PrintLine("input", this->TextOf("/input") + ": " + this->TextOf("/input_description"));
  PrintLine("filter", this->TextOf("/filter") + ": " + this->TextOfAll("/parameters"));
  if (this->Has("/noise"))
  {
    PrintLine(
      "noise",
      this->TextOf("/noise") +
        (this->Has("/noise_is_estimated") || this->Has("/noise_maximum") ? " (estimated)" : " (given)") +
        (this->Has("/number_of_volumes") ? ", the mean of " + this->TextOf("/number_of_volumes") + " volumes" : ""));
  }
  if (this->Has("/noise_map"))
  {
    PrintLine("map", this->TextOf("/noise_map"));
    PrintLine("excluded", this->TextOf("/voxels_without_noise") + " voxels, where the noise map is 0");
  }
  if (this->Has("/noise_maximum"))
  {
    PrintLine("range", this->TextOf("/noise_minimum") + " to " + this->TextOf("/noise_maximum"));
  }
  if (this->Has("/excluded_voxels"))
  {
    PrintLine("excluded", this->TextOf("/excluded_voxels") + " voxels, near which nothing tells of the noise");
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
  PrintLine("output", this->TextOf("/output") + ": " + this->TextOf("/output_type"));
}
