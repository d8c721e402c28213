// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointTable_h
#define files_points_PointTable_h

#include "files/input/CsvTable.h"
#include "files/points/PointFile.h"

namespace cudaneuro::files
{

/** The points of a table: columns x, y and z, l, p and s, or r, a and s, labels, and what other columns hold. Rows
 * without a place are removed from the table.
 * \throws UserError that names the file and what in it cannot be right */
PointData
TakePoints(const std::string & path, CsvTable & table);

} // namespace cudaneuro::files

#endif
