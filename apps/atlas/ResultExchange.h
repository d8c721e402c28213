// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_ResultExchange_h
#define apps_atlas_ResultExchange_h

#include "atlas/Alignment.h"
#include "processes/Processes.h"
#include "cudaneuro/Atlas.h"

/** Sends the results of all images to all processes.
 * \param own the images of this process */
std::vector<cudaneuro::AtlasImageResult>
ExchangeResults(const Processes &                                processes,
                const std::vector<int> &                         own,
                const std::vector<cudaneuro::AtlasImageResult> & results);

/** The same for the alignment. */
Alignment
ExchangeAlignment(const Processes & processes, const std::vector<int> & own, const Alignment & alignment);

#endif
