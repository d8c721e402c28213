// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearQuality_h
#define cudaneuro_linear_LinearQuality_h

#include "linear/LinearRun.h"

namespace cudaneuro
{

/** Tells a success from a failure. A map that is right has a metric that its neighbors, some degrees away, lose much of; where a
 * registration has ended in a wrong place, some neighbor is nearly as good or better. With l the part of the metric that the most alike
 * neighbor loses, and L what it loses on the border between successes and failures, the quality is l / (l + L): 0 to 1, and one half
 * on the border. It is 0 where the map has too little overlap at the level.
 * \param level of a low resolution, where noise counts little and an evaluation takes little */
double
QualityOf(LinearRun & run, const LinearLevel & level, const AffineMap & map);

} // namespace cudaneuro

#endif
