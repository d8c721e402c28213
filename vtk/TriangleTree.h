// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TriangleTree_h
#define TriangleTree_h

#include "SurfaceTriangles.h"

#include <functional>
#include <limits>

namespace cudaneuro
{

/** The point of a surface that is closest to another point. */
struct ClosestPoint
{
  /** Index of the triangle that contains it, and the weights of its corners. */
  std::size_t           triangle = 0;
  std::array<double, 3> weights{};
  double                squaredDistance = std::numeric_limits<double>::infinity();
};

/** Finds the closest points on a surface of triangles, by a tree of bounding boxes.
 *
 * VTK's locators find the same; but those of VTK 9.1 clear a table of all cells for each point, and take 20 to 200
 * microseconds per point on a surface of a million triangles. */
class TriangleTree
{
public:
  /** \param surface must outlive this object */
  explicit TriangleTree(const SurfaceTriangles & surface);

  /** Returns the closest point; of several, that of the triangle with the lowest index. */
  ClosestPoint
  Find(const Vector3 & point) const;

  /** Finds the closest points of several points, on the threads of the context.
   * \param pointAt returns the points by their indices */
  std::vector<ClosestPoint>
  FindAll(Context & context, std::size_t count, const std::function<Vector3(std::size_t)> & pointAt) const;

  /** Calls visit(triangle) for each triangle at this distance from a point or less. */
  void
  ForEachWithin(const Vector3 & point, double squaredDistance, const std::function<void(std::size_t)> & visit) const;

private:
  /** A box with its content: triangles from first on, or, if it has none, the next node and the node at first. */
  struct Node
  {
    Vector3       lowest;
    Vector3       highest;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  void
  Build(std::size_t begin, std::size_t end, const std::vector<Vector3> & centers);
  Node
  BoxOf(std::size_t begin, std::size_t end) const;
  void
  CompareWith(const Node & leaf, const Vector3 & point, ClosestPoint & closest) const;

  const SurfaceTriangles &   m_Surface;
  std::vector<std::uint32_t> m_Order;
  std::vector<Node>          m_Nodes;
};

} // namespace cudaneuro

#endif
