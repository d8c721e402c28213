// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairList_h
#define apps_register_PairList_h

#include "files/output/NewFolders.h"
#include "register/RegisterRun.h"

#include <string>
#include <vector>

/** One pair of a list. */
struct RegisterPair
{
  /** Replaces {name} in the names of its outputs. */
  std::string name;
  /** Its files, as on a command line. */
  RegisterOptions files;
};

using RegisterPairs = std::vector<RegisterPair>;

/** Reads the pairs of --pairs. Names of files are relative to the list.
 * \throws UserError that names all errors of the list, and patterns of outputs without {name} */
RegisterPairs
ReadPairs(const RegisterOptions & options, TransformParts parts);

/** Returns all files that a pair writes, the report last. */
std::vector<std::string>
OutputsOf(const RegisterOptions & files);

/** Checks before voxels are read: options without effect, the headers of all files, the parameters of the method for
 * each pair, and the places of all outputs, whose folders it makes.
 * \throws UserError that names the option, or all files that cannot be used, and why */
void
CheckPairs(const CLI::App &        app,
           const RegisterMethod &  method,
           const RegisterOptions & options,
           const RegisterPairs &   pairs,
           NewFolders &            folders);

/** Returns the record of a pair's inputs: the program's version, method and options, and the sizes and times of the
 * files that it read. Its report has it for --resume. */
Report::Json
RecordInputs(const CLI::App & app, const RegisterMethod & method, const RegisterPair & pair);

/** Writes the record of inputs, and the list of results, which are all in their places, into the report of a pair. */
void
NoteRecord(RegisterReport & report, const RegisterPair & pair, const Report::Json & madeWith);

/** Returns the report of a pair, if its outputs are complete and have the same record of inputs, else null. Options of
 * the report may have older names. */
Report::Json
ReadCompleteReport(const CLI::App & app, const RegisterPair & pair, const Report::Json & madeWith);

/** Removes the report of an earlier run, so that a pair that fails or is stopped does not look complete.
 * \throws UserError that names the file */
void
RemoveReport(const RegisterPair & pair);

/** Registers the pairs of a list on the devices of all processes: the next free device takes the next pair. While a
 * device computes one pair, other threads read the next and write the previous one, so that each device has at most
 * three in memory. A pair that fails does not stop the others.
 * \param devices of this process
 * \throws UserError that names the pairs that failed, Interrupted */
void
RunPairs(const CLI::App &                        app,
         const RegisterMethod &                  method,
         const RegisterOptions &                 options,
         const std::vector<itk::ComputeDevice> & devices);

#endif
