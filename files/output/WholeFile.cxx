// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"

#include "cudaneuro/detail/NewFile.h"
#include "files/system/SystemFile.h"

#include <iomanip>
#include <limits>
#include <sstream>

namespace cudaneuro::files
{

void
WriteBytes(const std::string & path, const std::string & bytes)
{
  cudaneuro::detail::NewFile file(ToPath(path));
  file.Write(bytes.data(), bytes.size());
  file.Close();
}

void
WriteLines(const std::string & path, const std::function<void(std::ostream &)> & write)
{
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  write(text);
  WriteBytes(path, text.str());
}

} // namespace cudaneuro::files
