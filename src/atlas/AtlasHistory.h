// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasHistory_h
#define cudaneuro_atlas_AtlasHistory_h

#include "cudaneuro/Atlas.h"

#include <string>

namespace cudaneuro
{

/** Writes the history of a run as text, from which ReadHistory restores all bits. */
std::string
WriteHistory(const AtlasResult & result);

/** \throws Error if the text has another format */
void
ReadHistory(const std::string & text, AtlasResult & result);

} // namespace cudaneuro

#endif
