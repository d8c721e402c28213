// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Errors.h"

#include "files/base/ErrorStream.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace cudaneuro::files
{

namespace
{

std::function<void(const std::string &)> &
WarningHandler()
{
  static std::function<void(const std::string &)> handler = [](const std::string & text) {
    WriteErrorLine("warning: " + text);
  };
  return handler;
}

} // namespace

void
Warn(const std::string & text)
{
  WarningHandler()(text);
}

void
WarnOnce(const std::string & path, const std::vector<std::string> & notes)
{
  static std::mutex            mutex;
  static std::set<std::string> said;
  std::string                  text;
  for (const std::string & note : notes)
  {
    text += (text.empty() ? path + ": " : "; ") + note;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  if (!text.empty() && said.insert(text).second)
  {
    Warn(text);
  }
}

void
SetWarningHandler(std::function<void(const std::string &)> handler)
{
  WarningHandler() = std::move(handler);
}

std::string
OneLine(const std::string & text)
{
  // ITK begins with "WARNING: In FILE, line N\nClass (0x...): " or with "ITK ERROR: Class(0x...): ".
  std::string       line = text;
  const std::size_t address = line.find("(0x");
  const std::size_t end = address == std::string::npos ? std::string::npos : line.find("): ", address);
  if (end != std::string::npos)
  {
    line.erase(0, end + 3);
  }
  for (const std::string prefix : { "ITK ERROR: ", "ERROR: ", "WARNING: " })
  {
    for (std::size_t at = line.find(prefix); at != std::string::npos; at = line.find(prefix))
    {
      line.erase(at, prefix.size());
    }
  }
  line.erase(0, std::min(line.size(), line.find_first_not_of(" \n\t")));
  line.erase(line.find_last_not_of(" \n\t") + 1);
  for (std::size_t at = line.find('\n'); at != std::string::npos; at = line.find('\n', at))
  {
    line.replace(at, 1, at > 0 && std::string(":;,.").find(line[at - 1]) != std::string::npos ? " " : "; ");
  }
  line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
  return line;
}

} // namespace cudaneuro::files
