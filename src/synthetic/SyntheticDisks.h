// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticDisks_h
#define cudaneuro_synthetic_SyntheticDisks_h

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** Takes one candidate after the other, unless it is nearer than a radius to one that has been taken. The radius is the
 * largest one, to about a thousandth, with which \p count are taken; further candidates are omitted.
 * \param candidates at least \p count different points, in a random order
 * \param area of the surface on which they are, from which the search for the radius starts */
std::vector<std::array<double, 3>>
PoissonDiskSample(const std::vector<std::array<double, 3>> & candidates, std::int64_t count, double area);

} // namespace cudaneuro

#endif
