// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointPairs_h
#define files_points_PointPairs_h

#include "files/points/PointFile.h"

namespace cudaneuro::files
{

/** Which points of two files belong together. */
struct PointPairs
{
  /** By their labels, or by their order. */
  bool isByLabel = false;
  /** The points of the first file in their order, and those of the second that belong to them. */
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  /** The labels that only one file has. */
  std::vector<std::string> onlyFirst;
  std::vector<std::string> onlySecond;
  /** How they were paired, for a warning; empty where labels and order say the same. */
  std::string note;
};

/** Pairs the points of two files: by label, where both have labels that are all unique and one of them at least in
 * common; else by order.
 * \throws UserError that names the second file, where order does not tell which points belong together */
PointPairs
PairPoints(const PointData &   first,
           const std::string & firstPath,
           const PointData &   second,
           const std::string & secondPath);

/** The coordinates of some points, in the order of their numbers. */
std::vector<double>
PickCoordinates(const PointData & data, const std::vector<std::size_t> & points);

} // namespace cudaneuro::files

#endif
