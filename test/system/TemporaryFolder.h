// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TemporaryFolder_h
#define TemporaryFolder_h

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

/** An empty folder that is removed with its content. */
class TemporaryFolder
{
public:
  TemporaryFolder()
  {
    std::random_device random;
    do
    {
      m_Path = std::filesystem::temp_directory_path() / ("cudaneuro-" + std::to_string(random()));
    } while (!std::filesystem::create_directory(m_Path));
  }
  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(m_Path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &
  operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &
  GetPath() const
  {
    return m_Path;
  }

private:
  std::filesystem::path m_Path;
};

#endif
