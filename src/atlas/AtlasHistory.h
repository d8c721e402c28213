// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasHistory_h
#define cudaneuro_atlas_AtlasHistory_h

#include "cudaneuro/Atlas.h"

#include <string>

namespace cudaneuro
{

/** The course of a run as text, with all digits, and back. */
std::string
WriteHistory(const AtlasResult & result);

/** \throws Error when the text is something else. */
void
ReadHistory(const std::string & text, AtlasResult & result);

} // namespace cudaneuro

#endif
