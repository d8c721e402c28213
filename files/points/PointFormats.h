// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointFormats_h
#define files_points_PointFormats_h

#include "files/points/PointFile.h"

/** The formats of PointFile.h that are no meshes, one by one. What is read has the number of points that the file announces;
 * coordinates are checked by ReadPointFile. All throw UserError that names the file, and the line where there are lines. */

/** Tables of text: .csv and .txt, those of elastix among them. */
PointData
ReadPointTable(const std::string & path);
void
WriteCsv(const std::string & path, const PointData & data);
void
WriteTxt(const std::string & path, const PointData & data);

/** Files of elastix: "point", the number of points, and a point a line. */
PointData
ReadElastix(const std::string & path);
void
WriteElastix(const std::string & path, const PointData & data);

/** 3D Slicer's markups of today, JSON, and of old, a table. */
PointData
ReadMarkups(const std::string & path);
void
WriteMarkups(const std::string & path, const PointData & data);
PointData
ReadFcsv(const std::string & path);
void
WriteFcsv(const std::string & path, const PointData & data);

/** Changes between LPS and RAS, either way. */
void
TurnAround(PointData & data);

#endif
