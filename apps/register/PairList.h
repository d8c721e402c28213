// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairList_h
#define apps_register_PairList_h

#include "register/RegisterRun.h"

#include <string>
#include <vector>

/** One pair of a list. */
struct RegisterPair
{
  /** Stands for {name} in the names of its outputs. */
  std::string name;
  /** Its files, as if they were those of a command line. */
  RegisterOptions files;
};

using RegisterPairs = std::vector<RegisterPair>;

/** Reads the pairs of --pairs. Names of files are relative to the list.
 * \throws UserError that names all that is wrong with the list, and patterns of outputs without {name} */
RegisterPairs
ReadPairs(const RegisterOptions & options, TransformParts parts);

/** All files that a pair writes, the report last. */
std::vector<std::string>
OutputsOf(const RegisterOptions & files);

#endif
