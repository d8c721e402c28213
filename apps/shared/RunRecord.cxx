// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/RunRecord.h"

#include "files/base/FormatFiles.h"
#include "files/system/SystemFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>

namespace fs = std::filesystem;

namespace
{

/** Returns the record of an older report with the present names of options. */
Report::Json
WithPresentNames(const CLI::App & app, Report::Json madeWith)
{
  if (madeWith.is_object() && madeWith.contains("options") && madeWith["options"].is_object())
  {
    Report::Json options = Report::Json::object();
    for (const auto & entry : madeWith["options"].items())
    {
      const CLI::Option * const option = app.get_option_no_throw(entry.key());
      options[option == nullptr ? entry.key() : option->get_name()] = entry.value();
    }
    madeWith["options"] = options;
  }
  return madeWith;
}

} // namespace

Report::Json
OptionsOf(const CLI::App & app)
{
  const std::vector<std::string> without{ "--pairs",      "--table",     "--cohorts",       "--resume",
                                          "--json",       "--threads",   "--device",        "--quiet",
                                          "--max-memory", "--overwrite", "--no-checkpoint", "--checkpoint-interval" };
  Report::Json                   json = Report::Json::object();
  for (const CLI::Option * const option : app.get_options())
  {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::find(without.begin(), without.end(), name) == without.end())
    {
      json[name] = option->results();
    }
  }
  return json;
}

Report::Json
StampsOf(const std::vector<std::string> & paths)
{
  Report::Json json = Report::Json::object();
  for (const std::string & path : paths)
  {
    for (const fs::path & file : FilesToRead(ToPath(path)))
    {
      std::error_code     error;
      const std::uint64_t bytes = fs::file_size(file, error);
      const auto          time = error ? fs::file_time_type() : fs::last_write_time(file, error);
      Report::Json &      stamp = json[file.string()];
      if (!error)
      {
        // A text, because many readers read numbers of JSON as double.
        stamp["bytes"] = bytes;
        stamp["changed"] = std::to_string(static_cast<std::int64_t>(time.time_since_epoch().count()));
      }
    }
  }
  return json;
}

bool
IsComplete(const CLI::App &                 app,
           const Report::Json &             report,
           const Report::Json &             madeWith,
           const std::vector<std::string> & results)
{
  // Compares the written texts, in which bytes of names that are not UTF-8 have been replaced.
  const auto isSame = [](const Report::Json & one, const Report::Json & other) {
    return JsonText(one) == JsonText(other);
  };
  return report.is_object() && report.contains("made_with") && report.contains("results") &&
         isSame(WithPresentNames(app, report["made_with"]), madeWith) && isSame(report["results"], StampsOf(results));
}
