// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairList.h"

#include "files/images/ImageFormat.h"
#include "files/images/OpenedImage.h"
#include "files/points/PointFile.h"
#include "files/system/SystemFile.h"
#include "files/transforms/TransformFile.h"
#include "shared/ErrorList.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace
{

/** Refuses options of the alignment if no pair is aligned. */
void
CheckAlignment(const CLI::App & app, const RegisterMethod & method, const RegisterPairs & pairs)
{
  if (std::any_of(pairs.begin(), pairs.end(), [&](const RegisterPair & pair) { return method.isAligned(pair.files); }))
  {
    return;
  }
  for (const std::string name : { "--start", "--search-angle", "--search-distance", "--require-success" })
  {
    if (app.count(name) > 0)
    {
      throw UserError(name + " has no effect here: all pairs have an initial map; only with --align rigid or affine");
    }
  }
}

/** Refuses options of channels, points and labels if no pair has any. */
void
CheckTerms(const CLI::App & app, const RegisterPairs & pairs)
{
  const auto check = [&](const std::vector<std::string> & names, const char * columns, const auto & has) {
    if (std::any_of(pairs.begin(), pairs.end(), [&](const RegisterPair & pair) { return has(pair.files); }))
    {
      return;
    }
    for (const std::string & name : names)
    {
      if (app.get_option_no_throw(name) != nullptr && app.count(name) > 0)
      {
        throw UserError(name + " has no effect here: the list has no " + columns);
      }
    }
  };
  check(
    { "--channel-metric", "--channel-weights", "--channel-correlation-radius", "--channel-number-of-histogram-bins" },
    "fixed_2 and moving_2",
    [](const RegisterOptions & files) { return !files.channels.empty(); });
  check({ "--point-standard-deviations", "--point-weight" },
        "fixed_points and moving_points",
        [](const RegisterOptions & files) { return !files.fixedPoints.empty(); });
  check({ "--label-distances", "--label-weight", "--weight-of-label" },
        "fixed_labels and moving_labels",
        [](const RegisterOptions & files) { return !files.fixedLabels.empty(); });
}

/** Checks the header of each file once, though many pairs may share it. */
void
CheckHeaders(const RegisterPairs & pairs)
{
  ErrorList             errors;
  std::set<std::string> checked;
  for (const RegisterPair & pair : pairs)
  {
    const auto checkOnce = [&](const std::string & path, const auto & check) {
      if (!path.empty() && checked.insert(path).second)
      {
        errors.Check(check);
      }
    };
    const auto open = [&](const std::string & path) { static_cast<void>(pair.files.opened->OpenAny(path)); };
    for (const std::string & path : TransformsOf(pair.files))
    {
      checkOnce(path, [&] { IsImageName(path) ? open(path) : CheckTransformFile(path); });
    }
    for (const std::string & path : ImagesOf(pair.files))
    {
      checkOnce(path, [&] { open(path); });
    }
    for (const std::string & path : { pair.files.fixedPoints, pair.files.movingPoints })
    {
      checkOnce(path, [&] { static_cast<void>(ReadPointFile(path)); });
    }
  }
  errors.ThrowIfAny();
}

/** Makes a folder and its parents. */
void
MakeWithParents(const fs::path & folder, NewFolders & folders)
{
  if (!folder.empty() && !fs::exists(folder))
  {
    MakeWithParents(folder.parent_path(), folders);
    folders.Make(folder);
  }
}

/** Refuses an output of a pair that is an input or output of another, and makes the folders of outputs. */
void
CheckPlaces(const RegisterOptions & options, const RegisterPairs & pairs, NewFolders & folders)
{
  FilesOfRun files;
  files.AddInput(options.pairs);
  for (const RegisterPair & pair : pairs)
  {
    for (const std::string & path : InputsOf(pair.files))
    {
      files.AddInput(path);
    }
  }
  ErrorList errors;
  errors.Check([&] {
    MakeWithParents(ToPath(options.table).parent_path(), folders);
    files.AddOutput(options.table);
  });
  for (const RegisterPair & pair : pairs)
  {
    for (const std::string & path : OutputsOf(pair.files))
    {
      // The place is checked, but not kept, because each place keeps a file open, and there are many.
      errors.Check([&] {
        MakeWithParents(ToPath(path).parent_path(), folders);
        files.AddOutput(path);
      });
    }
  }
  errors.ThrowIfAny();
}

/** Makes and drops the run of each pair, which checks its parameters. An error of all pairs is reported once. */
void
CheckRuns(const RegisterMethod & method, const RegisterPairs & pairs)
{
  ErrorList errors;
  for (const RegisterPair & pair : pairs)
  {
    errors.CheckOnce("", [&] { MakeRun(method, pair.files); });
  }
  errors.ThrowIfAny();
}

} // namespace

void
CheckPairs(const CLI::App &        app,
           const RegisterMethod &  method,
           const RegisterOptions & options,
           const RegisterPairs &   pairs,
           NewFolders &            folders)
{
  CheckAlignment(app, method, pairs);
  CheckTerms(app, pairs);
  CheckHeaders(pairs);
  CheckPlaces(options, pairs, folders);
  CheckRuns(method, pairs);
}
