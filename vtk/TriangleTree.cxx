// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TriangleTree.h"

#include <algorithm>
#include <numeric>

namespace cudaneuro
{

namespace
{

using Corners = std::array<Vector3, 3>;

Vector3
Weighted(const Corners & corners, const std::array<double, 3> & weights)
{
  Vector3 point;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    point[axis] = weights[0] * corners[0][axis] + weights[1] * corners[1][axis] + weights[2] * corners[2][axis];
  }
  return point;
}

/** Replaces the closest point by the point with these weights of the corners, if that is closer. */
void
Consider(const Corners & corners, const std::array<double, 3> & weights, const Vector3 & point, ClosestPoint & closest)
{
  const Vector3 way = Difference(Weighted(corners, weights), point);
  const double  square = DotProduct(way, way);
  if (square < closest.squaredDistance)
  {
    closest.squaredDistance = square;
    closest.weights = weights;
  }
}

/** Considers the closest point of the edge between two corners, which may be the same. */
void
ConsiderEdge(const Corners & corners, std::size_t from, std::size_t to, const Vector3 & point, ClosestPoint & closest)
{
  const Vector3         edge = Difference(corners[to], corners[from]);
  const double          square = DotProduct(edge, edge);
  const double          along = DotProduct(Difference(point, corners[from]), edge);
  const double          t = square > 0.0 ? std::max(0.0, std::min(1.0, along / square)) : 0.0;
  std::array<double, 3> weights{};
  weights[from] = 1.0 - t;
  weights[to] = t;
  Consider(corners, weights, point, closest);
}

/** Returns the closest point of a triangle: that of its plane, if it is inside, or else one on an edge. */
ClosestPoint
ClosestInTriangle(const Corners & corners, const Vector3 & point)
{
  const Vector3 a = Difference(corners[1], corners[0]);
  const Vector3 b = Difference(corners[2], corners[0]);
  const Vector3 p = Difference(point, corners[0]);
  const double  aa = DotProduct(a, a);
  const double  ab = DotProduct(a, b);
  const double  bb = DotProduct(b, b);
  // The barycentric coordinates u and v of the point u a + v b, from the normal equations times their determinant,
  // which is 0 for a triangle without area.
  const double determinant = aa * bb - ab * ab;
  const double u = bb * DotProduct(p, a) - ab * DotProduct(p, b);
  const double v = aa * DotProduct(p, b) - ab * DotProduct(p, a);
  ClosestPoint closest;
  if (determinant > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= determinant)
  {
    Consider(corners, { 1.0 - (u + v) / determinant, u / determinant, v / determinant }, point, closest);
    return closest;
  }
  ConsiderEdge(corners, 0, 1, point, closest);
  ConsiderEdge(corners, 1, 2, point, closest);
  ConsiderEdge(corners, 2, 0, point, closest);
  return closest;
}

double
SquaredDistanceToBox(const Vector3 & lowest, const Vector3 & highest, const Vector3 & point)
{
  double square = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double outside = std::max({ lowest[axis] - point[axis], 0.0, point[axis] - highest[axis] });
    square += outside * outside;
  }
  return square;
}

} // namespace

TriangleTree::TriangleTree(const SurfaceTriangles & surface)
  : m_Surface(surface)
  , m_Order(surface.GetNumberOfTriangles())
{
  std::vector<Vector3> centers(m_Order.size());
  for (std::size_t i = 0; i < centers.size(); ++i)
  {
    centers[i] = Weighted(surface.GetCorners(i), { 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0 });
  }
  std::iota(m_Order.begin(), m_Order.end(), 0);
  m_Nodes.reserve(m_Order.size());
  this->Build(0, m_Order.size(), centers);
}

TriangleTree::Node
TriangleTree::BoxOf(std::size_t begin, std::size_t end) const
{
  Node node;
  node.lowest.fill(std::numeric_limits<double>::infinity());
  node.highest.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = begin; i < end; ++i)
  {
    for (const Vector3 & corner : m_Surface.GetCorners(m_Order[i]))
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        node.lowest[axis] = std::min(node.lowest[axis], corner[axis]);
        node.highest[axis] = std::max(node.highest[axis], corner[axis]);
      }
    }
  }
  return node;
}

void
TriangleTree::Build(std::size_t begin, std::size_t end, const std::vector<Vector3> & centers)
{
  constexpr std::size_t mostInLeaf = 4;
  const std::size_t     index = m_Nodes.size();
  m_Nodes.push_back(this->BoxOf(begin, end));
  if (end - begin <= mostInLeaf)
  {
    m_Nodes[index].first = static_cast<std::uint32_t>(begin);
    m_Nodes[index].count = static_cast<std::uint32_t>(end - begin);
    return;
  }
  // The node is halved along the longest side of its box.
  const Vector3     sides = Difference(m_Nodes[index].highest, m_Nodes[index].lowest);
  const auto        axis = static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin());
  const std::size_t middle = (begin + end) / 2;
  const auto        at = [this](std::size_t i) { return m_Order.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    return centers[a][axis] < centers[b][axis] || (centers[a][axis] == centers[b][axis] && a < b);
  });
  this->Build(begin, middle, centers);
  m_Nodes[index].first = static_cast<std::uint32_t>(m_Nodes.size());
  this->Build(middle, end, centers);
}

void
TriangleTree::CompareWith(const Node & leaf, const Vector3 & point, ClosestPoint & closest) const
{
  for (std::uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i)
  {
    ClosestPoint found = ClosestInTriangle(m_Surface.GetCorners(m_Order[i]), point);
    found.triangle = m_Order[i];
    if (found.squaredDistance < closest.squaredDistance ||
        (found.squaredDistance == closest.squaredDistance && found.triangle < closest.triangle))
    {
      closest = found;
    }
  }
}

ClosestPoint
TriangleTree::Find(const Vector3 & point) const
{
  struct Entry
  {
    std::uint32_t node;
    double        squaredDistance;
  };
  // Nodes that remain to be visited: one for each level of the tree, which halves 2^31 triangles.
  std::array<Entry, 64> stack{};
  std::size_t           size = 1;
  ClosestPoint          closest;
  while (size > 0)
  {
    const Entry entry = stack[--size];
    if (entry.squaredDistance > closest.squaredDistance)
    {
      continue;
    }
    const Node & node = m_Nodes[entry.node];
    if (node.count > 0)
    {
      this->CompareWith(node, point, closest);
      continue;
    }
    const auto distanceOf = [&](std::uint32_t child) {
      return Entry{ child, SquaredDistanceToBox(m_Nodes[child].lowest, m_Nodes[child].highest, point) };
    };
    Entry nearer = distanceOf(entry.node + 1);
    Entry farther = distanceOf(node.first);
    if (farther.squaredDistance < nearer.squaredDistance)
    {
      std::swap(nearer, farther);
    }
    stack[size++] = farther;
    stack[size++] = nearer;
  }
  return closest;
}

void
TriangleTree::ForEachWithin(const Vector3 &                          point,
                            double                                   squaredDistance,
                            const std::function<void(std::size_t)> & visit) const
{
  std::vector<std::uint32_t> nodes = { 0 };
  while (!nodes.empty())
  {
    const std::uint32_t index = nodes.back();
    const Node &        node = m_Nodes[index];
    nodes.pop_back();
    if (SquaredDistanceToBox(node.lowest, node.highest, point) > squaredDistance)
    {
      continue;
    }
    if (node.count == 0)
    {
      nodes.insert(nodes.end(), { index + 1, node.first });
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
    {
      if (ClosestInTriangle(m_Surface.GetCorners(m_Order[i]), point).squaredDistance <= squaredDistance)
      {
        visit(m_Order[i]);
      }
    }
  }
}

std::vector<ClosestPoint>
TriangleTree::FindAll(Context & context, std::size_t count, const std::function<Vector3(std::size_t)> & pointAt) const
{
  constexpr std::size_t     block = 1024;
  std::vector<ClosestPoint> found(count);
  context.ParallelFor(static_cast<std::int64_t>((count + block - 1) / block), [&](std::int64_t index) {
    const std::size_t begin = static_cast<std::size_t>(index) * block;
    for (std::size_t i = begin; i < std::min(begin + block, count); ++i)
    {
      found[i] = this->Find(pointAt(i));
    }
  });
  return found;
}

} // namespace cudaneuro
