// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelFitCpu_h
#define cudaneuro_labels_levels_LabelFitCpu_h

#include "labels/levels/BandFilterCpu.h"
#include "labels/levels/LabelDomain.h"

#include <vector>

namespace cudaneuro::cpu
{

/** The rows of a domain's bands. */
struct DomainRows
{
  BandRows voxels;
  BandRows nodes;
  BandRows coarse;

  explicit DomainRows(const LabelDomain & domain)
    : voxels(domain.band)
    , nodes(domain.spline.nodes)
    , coarse(domain.coarse.nodes)
  {}
};

/** Means of the voxels' numbers at each node, by the weights of the splines. */
void
RestrictToNodes(const SplineDomain & domain, const VersionValues & voxels, VersionValues & nodes);
/** Calls body(number of the voxel, the four numbers there of a field that is given at the nodes). */
template <typename TBody>
void
ForEachSplineValue(const SplineDomain & domain, const VersionValues & nodes, const TBody & body)
{
  for (std::int32_t i = 0; i < domain.band.count; ++i)
  {
    const int place = domain.band.voxels[static_cast<std::size_t>(i)];
    const int x = place % domain.box.x;
    const int y = place / domain.box.x % domain.box.y;
    const int z = place / domain.box.x / domain.box.y;
    float     sums[versions] = {};
    ForEachNode(domain.spline.extent, x, y, z, [&](std::int64_t node, float weight) {
      const float * const from = nodes.data() + versions * domain.spline.nodes.numbers[static_cast<std::size_t>(node)];
      for (int v = 0; v < versions; ++v)
      {
        sums[v] += weight * from[v];
      }
    });
    body(i, sums);
  }
}

/** The changes of level sets that make the labels likely.
 * \param votes of the voxels, beside those by distance; may be null */
VersionValues
FindChanges(const LabelDomain &        domain,
            const DomainRows &         rows,
            const VersionValues &      levels,
            const LabelFit &           fit,
            const std::vector<float> & series,
            const float *              votes = nullptr);

/** The same for a series of the nodes' Laplacian: changes are splines.
 * \param isCoarse whether these are the coarse nodes */
VersionValues
FindSplineChanges(const LabelDomain &        domain,
                  const DomainRows &         rows,
                  bool                       isCoarse,
                  const VersionValues &      levels,
                  const LabelFit &           fit,
                  const std::vector<float> & series);

} // namespace cudaneuro::cpu

#endif
