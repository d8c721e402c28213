// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairTable_h
#define apps_register_PairTable_h

#include "processes/ListTable.h"
#include "register/PairList.h"

/** Makes the table of a list of pairs. */
ListTable
MakePairTable(const RegisterPairs & pairs);

/** Warns of unsuccessful alignments of pairs that have not failed.
 * \param path of the table */
void
WarnOfUntrustedAlignments(const ListTable & table, const std::string & path);

#endif
