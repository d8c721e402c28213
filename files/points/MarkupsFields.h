// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_MarkupsFields_h
#define files_points_MarkupsFields_h

#include "files/points/PointFile.h"

namespace cudaneuro::files
{

/** What 3D Slicer notes of a control point beside its place and label: its names in .json and .fcsv, where each has it,
 * one more in other tables, and what holds where nothing is said. */
struct MarkupsField
{
  const char * json;
  const char * fcsv;
  const char * other;
  const char * normal;
  bool         isFlag = false;
};

constexpr MarkupsField markupsFields[] = { { "id", "id", "", "" },
                                           { "", "ow", "", "0" },
                                           { "", "ox", "", "0" },
                                           { "", "oy", "", "0" },
                                           { "", "oz", "", "1" },
                                           { "visibility", "vis", "visible", "1", true },
                                           { "selected", "sel", "", "1", true },
                                           { "locked", "lock", "", "0", true },
                                           { "description", "desc", "comment", "" },
                                           { "associatedNodeID", "associatedNodeID", "", "" },
                                           { "orientation", "", "", "" } };

/** Whether a field has a name. */
bool
IsNamed(const MarkupsField & field, const std::string & name);

/** The field that a column holds, or null. */
const MarkupsField *
FindField(const std::string & column);

/** The column of a field, or null. */
const PointColumn *
FindColumn(const PointData & data, const MarkupsField & field);

/** Removes columns of fields that say of all points what holds where nothing is said. */
void
RemoveNormal(PointData & data);

} // namespace cudaneuro::files

#endif
