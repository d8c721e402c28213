// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairTable_h
#define apps_register_PairTable_h

#include "processes/ListTable.h"
#include "register/PairList.h"

/** The table of a list of pairs. */
ListTable
MakePairTable(const RegisterPairs & pairs);

/** Warns of the alignments of pairs that have not failed, but are no success.
 * \param path that of the table */
void
WarnOfUntrustedAlignments(const ListTable & table, const std::string & path);

#endif
