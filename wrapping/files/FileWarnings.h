// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FileWarnings_h
#define FileWarnings_h

#include <string>
#include <vector>

namespace itk
{

/** Keeps the warnings of the library of files until Python asks for them: its threads may not call Python. */
class FileWarnings
{
public:
  /** Keeps warnings from now on; all but the first call do nothing. */
  static void
  Keep();

  /** Returns the warnings since the last call. */
  static std::vector<std::string>
  Take();
};

} // namespace itk

#endif
