// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Report.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace cudaneuro::benchmark
{

namespace
{

/** Keeps the order of insertion. */
using Json = nlohmann::ordered_json;

/** At least three significant digits, without an exponent. */
std::string
Rounded(double value)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 1.0 ? 4 : value < 10.0 ? 3 : value < 100.0 ? 2 : 1) << value;
  return text.str();
}

Json
ToJson(const Limits & limits)
{
  Json                                  json = Json::object();
  const std::pair<const char *, double> values[] = { { "copy_bytes_per_second", limits.copyBytes },
                                                     { "fma_per_second", limits.fma },
                                                     { "ex2_per_second", limits.ex2 },
                                                     { "host_to_device_bytes_per_second", limits.hostToDeviceBytes },
                                                     { "device_to_host_bytes_per_second", limits.deviceToHostBytes } };
  for (const auto & value : values)
  {
    if (value.second > 0.0)
    {
      json[value.first] = value.second;
    }
  }
  return json;
}

Json
ToJson(const Result & result)
{
  const bool hasLimit = !result.floor.name.empty();
  Json       json;
  json["name"] = result.name;
  json["size"] = NameOf(result.size);
  if (!result.error.empty())
  {
    json["error"] = result.error;
    return json;
  }
  json["milliseconds"] = result.milliseconds;
  json["limit"] = hasLimit ? Json(result.floor.name) : Json();
  json["limit_value"] = hasLimit ? Json(result.floor.milliseconds) : Json();
  json["share_of_limit"] = hasLimit ? Json(result.ShareOfLimit()) : Json();
  return json;
}

Json
ToJson(const MemoryResult & result)
{
  Json json;
  json["name"] = result.name;
  json["size"] = NameOf(result.size);
  json["bytes"] = result.bytes;
  json["float_volumes"] = result.Volumes();
  return json;
}

Json
ToJson(const MatchingResult & result)
{
  Json json;
  json["name"] = result.name;
  json["size"] = NameOf(result.size);
  json["mean_before"] = result.meanBefore;
  json["maximum_before"] = result.maximumBefore;
  json["mean_after"] = result.meanAfter;
  json["maximum_after"] = result.maximumAfter;
  json["iterations"] = result.iterations;
  json["evaluations"] = result.evaluations;
  json["seconds"] = result.seconds;
  return json;
}

Json
ToJson(const tuning::KernelSweep & sweep)
{
  Json json;
  json["kernel"] = sweep.kernel;
  for (const tuning::ShapeTiming & timing : sweep.timings)
  {
    json["shapes"].push_back(
      { { "shape", timing.shape }, { "milliseconds", timing.milliseconds }, { "default", timing.isDefault } });
  }
  return json;
}

/** Begins the line of a row. */
std::ostream &
PrintName(const std::string & name, const Size & size)
{
  return std::cout << std::left << std::setw(58) << name << ' ' << std::setw(12) << NameOf(size) << std::right
                   << std::setw(10);
}

} // namespace

std::string
CurrentDate()
{
  const std::time_t now = std::time(nullptr);
  char              text[32] = "";
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

void
PrintHeading(const Report & report)
{
  std::cout << report.device << ", " << report.date << ", commit " << report.commit << '\n' << std::endl;
}

void
Print(const Result & result)
{
  if (!result.error.empty())
  {
    PrintName(result.name, result.size) << "failed: " << result.error << std::endl;
    return;
  }
  PrintName(result.name, result.size) << Rounded(result.milliseconds) << " ms";
  if (!result.floor.name.empty())
  {
    std::cout << std::setw(6) << std::lround(100.0 * result.ShareOfLimit()) << " % of " << result.floor.name;
  }
  std::cout << std::endl;
}

void
Print(const MemoryResult & result)
{
  PrintName(result.name, result.size) << (result.bytes >> 20) << " MiB" << std::endl;
}

void
Print(const MatchingResult & result)
{
  PrintName(result.name, result.size) << Rounded(1000.0 * result.seconds) << " ms  mean " << Rounded(result.meanBefore)
                                      << " to " << Rounded(result.meanAfter) << ", maximum "
                                      << Rounded(result.maximumBefore) << " to " << Rounded(result.maximumAfter)
                                      << " mm" << std::endl;
}

void
Print(const tuning::KernelSweep & sweep)
{
  std::cout << sweep.kernel << ':' << std::endl;
  for (const tuning::ShapeTiming & timing : sweep.timings)
  {
    std::cout << "  " << Rounded(timing.milliseconds) << " ms, " << timing.shape
              << (timing.isDefault ? " (default)" : "") << std::endl;
  }
}

std::string
JsonOf(const Report & report)
{
  Json json;
  json["commit"] = report.commit;
  json["device"] = report.device;
  json["date"] = report.date;
  json["command"] = report.command;
  json["limits"] = ToJson(report.limits);
  json["results"] = Json::array();
  for (const Result & result : report.results)
  {
    json["results"].push_back(ToJson(result));
  }
  for (const MemoryResult & result : report.memory)
  {
    json["device_memory"].push_back(ToJson(result));
  }
  for (const MatchingResult & result : report.matchings)
  {
    json["landmark_matching"].push_back(ToJson(result));
  }
  for (const tuning::KernelSweep & sweep : report.sweeps)
  {
    json["tuning"].push_back(ToJson(sweep));
  }
  return json.dump(2) + "\n";
}

} // namespace cudaneuro::benchmark
