// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairList.h"

#include "cudaneuro/Version.h"
#include "files/base/FormatFiles.h"
#include "files/system/SystemFile.h"
#include "shared/ProgramSupport.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace
{

/** The options of a command line that results depend on. Which files of a list a pair has, its inputs tell. */
Report::Json
OptionsOf(const CLI::App & app)
{
  const std::vector<std::string> without{ "--pairs",   "--table",  "--resume", "--json",
                                          "--threads", "--device", "--quiet",  "--max-memory" };
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

/** What the results of an older report were made with, where options have the names that they have now. */
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

/** Size and time of last change of files, with all that they consist of. A file that is missing is null. */
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
        // A text: numbers of JSON are double in many readers.
        stamp["bytes"] = bytes;
        stamp["changed"] = std::to_string(time.time_since_epoch().count());
      }
    }
  }
  return json;
}

/** All outputs but the report, which is written after them. */
std::vector<std::string>
ResultsOf(const RegisterPair & pair)
{
  std::vector<std::string> paths = OutputsOf(pair.files);
  paths.pop_back();
  return paths;
}

} // namespace

Report::Json
RecordInputs(const CLI::App & app, const RegisterMethod & method, const RegisterPair & pair)
{
  Report::Json json;
  json["version"] = cudaneuro::GetVersion();
  json["method"] = method.name;
  json["options"] = OptionsOf(app);
  // In the order of their columns: a mask that becomes a label is another input.
  const RegisterOptions & files = pair.files;
  json["columns"] = { files.fixed,       files.moving,       files.fixedMask,         files.movingMask,
                      files.fixedLabels, files.movingLabels, files.initialTransforms, files.initialField };
  for (const ChannelFiles & channel : files.channels)
  {
    json["channels"].push_back({ channel.fixed,
                                 channel.moving,
                                 channel.fixedMask,
                                 channel.movingMask,
                                 channel.fixedTransform,
                                 channel.movingTransform });
  }
  if (!files.fixedPoints.empty())
  {
    json["points"] = { files.fixedPoints, files.movingPoints };
  }
  json["inputs"] = StampsOf(InputsOf(files));
  return json;
}

void
NoteRecord(RegisterReport & report, const RegisterPair & pair, const Report::Json & madeWith)
{
  report.Set("/pair", pair.name);
  report.Set("/made_with", madeWith);
  report.Set("/results", StampsOf(ResultsOf(pair)));
}

Report::Json
ReadCompleteReport(const CLI::App & app, const RegisterPair & pair, const Report::Json & madeWith)
{
  std::ifstream      file(pair.files.json);
  const Report::Json report = Report::Json::parse(file, nullptr, false);
  const bool         isReport = report.is_object() && report.contains("made_with") && report.contains("results");
  // Compared as they are written, where bytes of names that are not UTF-8 have been replaced.
  const auto isSame = [](const Report::Json & one, const Report::Json & other) {
    return JsonText(one) == JsonText(other);
  };
  const bool isComplete = isReport && isSame(WithPresentNames(app, report["made_with"]), madeWith) &&
                          isSame(report["results"], StampsOf(ResultsOf(pair)));
  return isComplete ? report : Report::Json();
}

void
RemoveReport(const RegisterPair & pair)
{
  std::error_code error;
  fs::remove(FollowLinks(ToPath(pair.files.json)), error);
  if (error)
  {
    throw UserError("cannot remove " + pair.files.json + ": " + error.message());
  }
}
