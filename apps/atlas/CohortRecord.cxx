// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/CohortRecord.h"

#include "cudaneuro/Version.h"
#include "files/system/SystemFile.h"
#include "shared/RunRecord.h"

#include <fstream>

namespace
{

/** Returns all files that a report lists as written. There may be no figure. */
std::vector<std::string>
ResultsOf(const Report::Json & report)
{
  std::vector<std::string> paths;
  const auto               add = [&paths](const Report::Json & holder) {
    if (holder.contains("outputs"))
    {
      for (const auto & output : holder.at("outputs").items())
      {
        if (output.value().is_string())
        {
          paths.push_back(output.value().get<std::string>());
        }
      }
    }
  };
  add(report);
  if (report.contains("images"))
  {
    for (const Report::Json & image : report.at("images"))
    {
      add(image);
    }
  }
  return paths;
}

} // namespace

Report::Json
RecordOf(const CLI::App & app, const AtlasOptions & options, const Population & population)
{
  Report::Json record;
  record["version"] = cudaneuro::GetVersion();
  record["options"] = OptionsOf(app);
  for (const PopulationImage & image : population)
  {
    Report::Json row{ image.path, image.mask, image.transform, image.labels, image.points, image.weight };
    for (const PopulationChannel & channel : image.channels)
    {
      row.push_back({ channel.path, channel.mask, channel.transform });
    }
    record["images"].push_back(row);
  }
  record["inputs"] = StampsOf(InputsOf(options, population));
  return record;
}

void
NoteRecord(AtlasReport & report, const std::string & cohort, const Report::Json & madeWith)
{
  report.Set("/cohort", cohort);
  report.Set("/made_with", madeWith);
  report.Set("/results", StampsOf(ResultsOf(Report::Json::parse(report.GetJson()))));
}

Report::Json
ReadCompleteReport(const CLI::App & app, const std::string & folder, const Report::Json & madeWith)
{
  std::ifstream      file(ToPath(folder) / "report.json");
  const Report::Json report = Report::Json::parse(file, nullptr, false);
  return report.is_object() && IsComplete(app, report, madeWith, ResultsOf(report)) ? report : Report::Json();
}
