// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairList.h"

#include "cudaneuro/Version.h"
#include "files/system/SystemFile.h"
#include "shared/ProgramSupport.h"
#include "shared/RunRecord.h"

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace
{

/** Returns all outputs except the report, which is written after them. */
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
  // The order tells the kinds apart: a file that was a mask and is now a label is another input.
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
  return IsComplete(app, report, madeWith, ResultsOf(pair)) ? report : Report::Json();
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
