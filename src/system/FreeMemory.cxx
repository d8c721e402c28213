// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/SystemMemory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#if defined(_WIN32)
#  include "system/Windows.h"
#endif

namespace cudaneuro::system
{

#if defined(_WIN32)

std::size_t
FreeMemory()
{
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) ? static_cast<std::size_t>(status.ullAvailPhys) : 0;
}

#else

namespace
{

/** Returns the number with which a file begins; \p otherwise if there is no such file or number. */
std::size_t
ReadNumber(const std::string & file, std::size_t otherwise)
{
  std::ifstream stream(file);
  std::size_t   number = 0;
  return stream >> number ? number : otherwise;
}

/** Returns the kernel's estimate of the memory that programs can get without swapping; 0 if there is none. */
std::size_t
BytesOfMachine()
{
  std::ifstream stream("/proc/meminfo");
  std::string   key;
  std::size_t   kibibytes = 0;
  std::string   unit;
  while (stream >> key >> kibibytes && std::getline(stream, unit))
  {
    if (key == "MemAvailable:")
    {
      return kibibytes << 10;
    }
  }
  return 0;
}

/** Returns the number that follows a word in a file of words and numbers; 0 if there is none. */
std::size_t
ReadNumberAfter(const std::string & file, const std::string & word)
{
  std::ifstream stream(file);
  std::string   key;
  for (std::size_t number = 0; stream >> key >> number;)
  {
    if (key == word)
    {
      return number;
    }
  }
  return 0;
}

/** Returns the minimum that a control group and the groups around it leave. What they use has cached files in it, which
 * the system gives up for programs; the inactive ones at once. */
std::size_t
BytesOfGroups(const std::string & root,
              std::string         group,
              const std::string & limitFile,
              const std::string & usedFile,
              const std::string & inactiveFiles)
{
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  std::size_t           least = unlimited;
  for (;;)
  {
    const std::string folder = root + group + "/";
    const std::size_t limit = ReadNumber(folder + limitFile, unlimited); // the word "max" is not a number
    const std::size_t used = ReadNumber(folder + usedFile, 0);
    const std::size_t cached = std::min(used, ReadNumberAfter(folder + "memory.stat", inactiveFiles));
    least = std::min(least, limit - std::min(limit, used - cached));
    if (group.empty())
    {
      return least;
    }
    group.erase(group.rfind('/'));
  }
}

/** Returns what the limits of containers and batch systems leave, in both versions of Linux's control groups. A line of
 * the file is "number:controllers:/group"; version 2 names no controllers. */
std::size_t
BytesOfControlGroups()
{
  std::ifstream stream("/proc/self/cgroup");
  std::size_t   least = std::numeric_limits<std::size_t>::max();
  for (std::string line; std::getline(stream, line);)
  {
    const std::size_t group = line.find(":/");
    if (group == std::string::npos)
    {
      continue;
    }
    const std::string path = line.substr(group + 1);
    if (line.compare(0, group, "0:") == 0)
    {
      least = std::min(least, BytesOfGroups("/sys/fs/cgroup", path, "memory.max", "memory.current", "inactive_file"));
    }
    else if (line.find(":memory:") != std::string::npos)
    {
      const std::string limit = "memory.limit_in_bytes";
      const std::string used = "memory.usage_in_bytes";
      least = std::min(least, BytesOfGroups("/sys/fs/cgroup/memory", path, limit, used, "total_inactive_file"));
    }
  }
  return least;
}

} // namespace

// Without these files the result is 0: unknown.
std::size_t
FreeMemory()
{
  return std::min(BytesOfMachine(), BytesOfControlGroups());
}

#endif

} // namespace cudaneuro::system
