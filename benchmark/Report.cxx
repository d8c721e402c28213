// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <sstream>

namespace cudaneuro::benchmark
{

namespace
{

/** Keeps the order of insertion. */
using Json = nlohmann::ordered_json;

/** Three significant digits at least, none of them in powers of ten. */
std::string
Rounded(double value)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 1.0 ? 4 : value < 10.0 ? 3 : value < 100.0 ? 2 : 1) << value;
  return text.str();
}

std::string
Percent(double share)
{
  return std::to_string(std::lround(100.0 * share)) + " %";
}

std::string
Mebibytes(const MemoryResult & result)
{
  return Rounded(static_cast<double>(result.bytes) / (1 << 20));
}

/** The limits that were measured, with their units. */
std::vector<std::pair<std::string, std::string>>
DescribeLimits(const Limits & limits)
{
  constexpr double                      giga = 1.0e-9;
  constexpr double                      tera = 1.0e-12;
  const std::pair<const char *, double> values[] = { { "copy, read + write (GB/s)", giga * limits.copyBytes },
                                                     { "fp32 FMA (1e12/s)", tera * limits.fma },
                                                     { "ex2.approx (1e12/s)", tera * limits.ex2 },
                                                     { "PCIe, to device (GB/s)", giga * limits.hostToDeviceBytes },
                                                     { "PCIe, from device (GB/s)", giga * limits.deviceToHostBytes } };
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto & value : values)
  {
    if (value.second > 0.0)
    {
      lines.emplace_back(value.first, Rounded(value.second));
    }
  }
  return lines;
}

/** Best, default and worst of a sweep. */
struct SweepSummary
{
  const tuning::ShapeTiming * best = nullptr;
  const tuning::ShapeTiming * byDefault = nullptr;
  const tuning::ShapeTiming * worst = nullptr;
};

SweepSummary
Summarize(const tuning::KernelSweep & sweep)
{
  SweepSummary summary;
  for (const tuning::ShapeTiming & timing : sweep.timings)
  {
    if (summary.best == nullptr || timing.milliseconds < summary.best->milliseconds)
    {
      summary.best = &timing;
    }
    if (summary.worst == nullptr || timing.milliseconds > summary.worst->milliseconds)
    {
      summary.worst = &timing;
    }
    if (timing.isDefault)
    {
      summary.byDefault = &timing;
    }
  }
  return summary;
}

std::string
Describe(const tuning::ShapeTiming * timing)
{
  return timing != nullptr ? Rounded(timing->milliseconds) + " (" + timing->shape + ")" : "-";
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

void
WriteMarkdownSweeps(std::ostream & os, const std::vector<tuning::KernelSweep> & sweeps)
{
  os << "| kernel | best, ms | default, ms | worst, ms |\n| --- | --- | --- | --- |\n";
  for (const tuning::KernelSweep & sweep : sweeps)
  {
    const SweepSummary summary = Summarize(sweep);
    os << "| " << sweep.kernel << " | " << Describe(summary.best) << " | " << Describe(summary.byDefault) << " | "
       << Describe(summary.worst) << " |\n";
  }
}

void
WriteMarkdownResults(std::ostream & os, const std::vector<Result> & results)
{
  os << "| name | size | ms | limit | limit, ms | share |\n| --- | --- | ---: | --- | ---: | ---: |\n";
  for (const Result & result : results)
  {
    os << "| " << result.name << " | " << NameOf(result.size) << " | " << Rounded(result.milliseconds) << " | ";
    if (result.floor.name.empty())
    {
      os << "- | - | - |\n";
    }
    else
    {
      os << result.floor.name << " | " << Rounded(result.floor.milliseconds) << " | " << Percent(result.ShareOfLimit())
         << " |\n";
    }
  }
}

void
WriteMarkdownMemory(std::ostream & os, const std::vector<MemoryResult> & memory)
{
  os << "\n| device memory | size | MiB | volumes of float |\n| --- | --- | ---: | ---: |\n";
  for (const MemoryResult & result : memory)
  {
    os << "| " << result.name << " | " << NameOf(result.size) << " | " << Mebibytes(result) << " | "
       << Rounded(result.Volumes()) << " |\n";
  }
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
PrintHeading(std::ostream & os, const Report & report)
{
  os << "device:  " << report.device << "\ndate:    " << report.date << "\ncommit:  " << report.commit
     << "\ncommand: " << report.command << "\n";
  for (const auto & limit : DescribeLimits(report.limits))
  {
    os << "limit:   " << limit.first << ": " << limit.second << "\n";
  }
  os << std::endl;
}

void
PrintTableHeading(std::ostream & os)
{
  os << std::left << std::setw(60) << "name" << std::setw(14) << "size" << std::right << std::setw(11) << "ms"
     << "  " << std::left << std::setw(18) << "limit" << std::right << std::setw(11) << "limit, ms" << std::setw(8)
     << "share" << std::endl;
}

void
PrintRow(std::ostream & os, const Result & result)
{
  os << std::left << std::setw(60) << result.name << std::setw(14) << NameOf(result.size) << std::right << std::setw(11)
     << Rounded(result.milliseconds);
  if (!result.floor.name.empty())
  {
    os << "  " << std::left << std::setw(18) << result.floor.name << std::right << std::setw(11)
       << Rounded(result.floor.milliseconds) << std::setw(8) << Percent(result.ShareOfLimit());
  }
  os << std::endl;
}

void
PrintMemory(std::ostream & os, const std::vector<MemoryResult> & memory)
{
  if (memory.empty())
  {
    return;
  }
  os << "\n"
     << std::left << std::setw(60) << "device memory" << std::setw(14) << "size" << std::right << std::setw(11) << "MiB"
     << std::setw(20) << "volumes of float"
     << "\n";
  for (const MemoryResult & result : memory)
  {
    os << std::left << std::setw(60) << result.name << std::setw(14) << NameOf(result.size) << std::right
       << std::setw(11) << Mebibytes(result) << std::setw(20) << Rounded(result.Volumes()) << "\n";
  }
  os << std::flush;
}

void
PrintSweeps(std::ostream & os, const std::vector<tuning::KernelSweep> & sweeps)
{
  for (const tuning::KernelSweep & sweep : sweeps)
  {
    const SweepSummary summary = Summarize(sweep);
    os << sweep.kernel << " (" << sweep.timings.size() << " shapes)\n  best    " << Describe(summary.best)
       << " ms\n  default " << Describe(summary.byDefault) << " ms\n  worst   " << Describe(summary.worst) << " ms"
       << std::endl;
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
  for (const tuning::KernelSweep & sweep : report.sweeps)
  {
    json["tuning"].push_back(ToJson(sweep));
  }
  return json.dump(2) + "\n";
}

std::string
MarkdownOf(const Report & report)
{
  std::ostringstream text;
  text << report.device << ", " << report.date << ", commit " << report.commit << ":\n\n    " << report.command
       << "\n\n";
  const auto limits = DescribeLimits(report.limits);
  if (!limits.empty())
  {
    text << "| limit | measured |\n| --- | ---: |\n";
    for (const auto & limit : limits)
    {
      text << "| " << limit.first << " | " << limit.second << " |\n";
    }
    text << "\n";
  }
  if (!report.results.empty())
  {
    WriteMarkdownResults(text, report.results);
  }
  if (!report.memory.empty())
  {
    WriteMarkdownMemory(text, report.memory);
  }
  if (!report.sweeps.empty())
  {
    WriteMarkdownSweeps(text, report.sweeps);
  }
  return text.str();
}

} // namespace cudaneuro::benchmark
