// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "FileWarnings.h"

#include "files/base/Errors.h"

#include <mutex>
#include <utility>

namespace itk
{

namespace
{

struct KeptWarnings
{
  std::mutex               mutex;
  std::vector<std::string> texts;
};

KeptWarnings &
Kept()
{
  static KeptWarnings kept;
  return kept;
}

} // namespace

void
FileWarnings::Keep()
{
  static const bool isKept = [] {
    cudaneuro::files::SetWarningHandler([](const std::string & text) {
      const std::lock_guard<std::mutex> lock(Kept().mutex);
      Kept().texts.push_back(text);
    });
    return true;
  }();
  static_cast<void>(isKept);
}

std::vector<std::string>
FileWarnings::Take()
{
  const std::lock_guard<std::mutex> lock(Kept().mutex);
  return std::exchange(Kept().texts, {});
}

} // namespace itk
