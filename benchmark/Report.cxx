// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Report.h"

#include <nlohmann/json.hpp>

#include <ctime>
#include <iostream>

namespace cudaneuro::benchmark
{

namespace
{

/** JSON objects that keep the order of insertion. */
using Json = nlohmann::ordered_json;

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
ToJson(const Record::Value & value)
{
  const auto toJson = [](const auto & held) {
    if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
    {
      return Json();
    }
    else
    {
      return Json(held);
    }
  };
  return std::visit(toJson, value);
}

Json
ToJson(const Record & record)
{
  Json json;
  json["name"] = record.name;
  json["size"] = NameOf(record.size);
  for (const auto & [key, value] : record.values)
  {
    json[key] = ToJson(value);
  }
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
  for (const char * const section : { "results", "device_memory", "landmark_matching" })
  {
    for (const Record & record : report.records)
    {
      if (record.section == std::string(section))
      {
        json[section].push_back(ToJson(record));
      }
    }
  }
  for (const tuning::KernelSweep & sweep : report.sweeps)
  {
    json["tuning"].push_back(ToJson(sweep));
  }
  return json.dump(2) + "\n";
}

} // namespace cudaneuro::benchmark
