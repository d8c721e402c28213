// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointFormats_h
#define files_points_PointFormats_h

#include "files/points/PointFile.h"

/** The formats of PointFile.h that are no meshes, one by one. What is read has the number of points that the file announces;
 * coordinates are checked by ReadPointFile. All throw UserError that names the file, and the line where there are lines. */

PointData
ReadPointTable(const std::string & path);
void
WritePointTable(const std::string & path, const PointData & data);

PointData
ReadMarkups(const std::string & path);
void
WriteMarkups(const std::string & path, const PointData & data);

/** Changes between LPS and RAS, either way. */
void
TurnAround(PointData & data);

#endif
