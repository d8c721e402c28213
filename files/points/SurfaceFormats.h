// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_SurfaceFormats_h
#define files_points_SurfaceFormats_h

#include "files/points/PointFile.h"

/** Formats of surfaces beside those of PointFormats.h, which take the place of VTK's readers as those do of ITK's: VTK's say nothing
 * where a file of these is cut short. All throw UserError that names the file and what in it cannot be right. */

/** Reads STL, text or binary. Each triangle has three points of its own. */
PointData
ReadStl(const std::string & path);

/** Reads PLY, text or binary of either byte order: points and faces. Colors and other numbers are left out. */
PointData
ReadPly(const std::string & path);

#endif
