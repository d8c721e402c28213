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

/** Means of the voxels' numbers at each node, with the weights of the splines. */
void
RestrictToNodes(const SplineDomain & domain, const VersionValues & voxels, VersionValues & nodes);
/** Calls body(number of the voxel, the four values there of a field given at the nodes). */
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

/** The changes of level sets that maximize the penalized likelihood of the labels.
 * \param votes weights of the voxels, besides those by distance; may be null */
VersionValues
FindChanges(const LabelDomain &        domain,
            const DomainRows &         rows,
            const VersionValues &      levels,
            const LabelFit &           fit,
            const std::vector<float> & series,
            const float *              votes = nullptr);

/** FindChanges for a series of the nodes' Laplacian: changes are splines.
 * \param isCoarse whether the nodes are the coarse ones */
VersionValues
FindSplineChanges(const LabelDomain &        domain,
                  const DomainRows &         rows,
                  bool                       isCoarse,
                  const VersionValues &      levels,
                  const LabelFit &           fit,
                  const std::vector<float> & series);

} // namespace cudaneuro::cpu

#endif
