// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairRuns_h
#define apps_register_PairRuns_h

#include "register/RegisterRun.h"

/** Registers the pairs of a list. While one is computed, the next is read and the one before is written, each by a
 * thread: there are never more than three in memory. A pair that fails does not stop the others.
 * \throws UserError that names the pairs that failed, Interrupted */
void
RunPairs(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options);

#endif
