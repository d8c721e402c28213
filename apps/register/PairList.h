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

/** Checks all that can be checked before voxels are read: options without effect, the headers of all files, the
 * parameters of the method for each pair, and the places of all outputs, whose folders are made.
 * \throws UserError that names the option, or all files that cannot be used, and why */
void
CheckPairs(const CLI::App &        app,
           const RegisterMethod &  method,
           const RegisterOptions & options,
           const RegisterPairs &   pairs,
           NewFolders &            folders);

/** What a pair's results were made with: the program's version, method and options, and the sizes and times of the
 * files that it read. Stands in its report, where --resume finds it. */
Report::Json
RecordInputs(const CLI::App & app, const RegisterMethod & method, const RegisterPair & pair);

/** Notes in the report of a pair what its results were made with, and which files they are, which are all in their
 * places. */
void
NoteRecord(RegisterReport & report, const RegisterPair & pair, const Report::Json & madeWith);

/** The report of a pair whose outputs are complete and were made with the same; null where they are not. Options of
 * the report may have older names. */
Report::Json
ReadCompleteReport(const CLI::App & app, const RegisterPair & pair, const Report::Json & madeWith);

/** Removes the report of an earlier run, so that a pair that fails or is stopped does not look complete.
 * \throws UserError that names the file */
void
RemoveReport(const RegisterPair & pair);

/** Registers the pairs of a list on the devices of all processes: the next free device takes the next pair. While one
 * is computed by a device, the next is read and the one before is written, each by a thread: there are never more than
 * three in memory for each device. A pair that fails does not stop the others.
 * \param devices of this process
 * \throws UserError that names the pairs that failed, Interrupted */
void
RunPairs(const CLI::App &                        app,
         const RegisterMethod &                  method,
         const RegisterOptions &                 options,
         const std::vector<itk::ComputeDevice> & devices);

#endif
