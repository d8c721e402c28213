// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "core/CounterRandom.h"
#include "cudaneuro/MeshDenoising.h"
#include "meshes/MeshDenoisingScales.h"

#include <cmath>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

/** A torus with folds and noise, whose edges are about 1 mm long. */
class MeshCase
{
public:
  MeshCase(const Device & device, int rows)
    : m_Context(device)
    , m_Rows(rows)
    , m_Columns(4 * rows)
  {
    for (int row = 0; row < m_Rows; ++row)
    {
      for (int column = 0; column < m_Columns; ++column)
      {
        this->AddVertex(row, column);
        const int nextRow = (row + 1) % m_Rows;
        const int nextColumn = (column + 1) % m_Columns;
        this->AddTriangle(row, column, row, nextColumn, nextRow, column);
        this->AddTriangle(row, nextColumn, nextRow, nextColumn, nextRow, column);
      }
    }
    m_Denoised.resize(m_Points.size());
  }

  void
  Denoise()
  {
    DenoiseMesh(m_Context,
                {},
                { m_Points.data(), this->GetSize()[0], m_Triangles.data(), this->GetSize()[1] },
                m_Denoised.data());
  }

  Size
  GetSize() const
  {
    const std::int64_t vertices = std::int64_t{ m_Rows } * m_Columns;
    return { vertices, 2 * vertices, 1 };
  }

private:
  void
  AddVertex(int row, int column)
  {
    constexpr double turn = 6.283185307179586;
    const double     u = turn * column / m_Columns;
    const double     v = turn * row / m_Rows;
    const double     folds = 1.5 * std::sin(std::round(m_Columns / 20.0) * u) * std::sin(std::round(m_Rows / 16.0) * v);
    const double     noise = 0.2 * RandomNormal(7, m_Points.size() / 3);
    const double     radius = m_Rows / turn + folds + noise;
    const double     toAxis = m_Columns / turn + radius * std::cos(v);
    m_Points.insert(m_Points.end(), { toAxis * std::cos(u), toAxis * std::sin(u), radius * std::sin(v) });
  }

  void
  AddTriangle(int rowA, int columnA, int rowB, int columnB, int rowC, int columnC)
  {
    m_Triangles.insert(m_Triangles.end(),
                       { rowA * m_Columns + columnA, rowB * m_Columns + columnB, rowC * m_Columns + columnC });
  }

  Context                   m_Context;
  int                       m_Rows;
  int                       m_Columns;
  std::vector<double>       m_Points;
  std::vector<std::int32_t> m_Triangles;
  std::vector<double>       m_Denoised;
};

/** Counts only the multiply-adds of the means of normals, where a triangle has the neighbors of an even mesh: three for
 * the cosine, one for the exponent, and four for the sums. */
double
MultiplyAddsOf(std::int64_t triangles)
{
  constexpr double trianglesPerArea = 2.309; // for edges of length 1
  constexpr double fmaPerPair = 8.0;
  double           pairs = 0.0;
  for (const NormalScale & scale : normalScales)
  {
    pairs += trianglesPerArea * 3.14159 * scale.radius * scale.radius * scale.rounds * (1 + scale.twicings);
  }
  return fmaPerPair * pairs * versions * static_cast<double>(triangles);
}

void
AddRows(Table & table, const Settings & settings, int rows)
{
  const std::int64_t vertices = 4 * std::int64_t{ rows } * rows;
  const Size         size{ vertices, 2 * vertices, 1 };
  const auto         limit = [triangles = size[1]](const Limits & limits) {
    return FloorOf("FMA rate", MultiplyAddsOf(triangles), limits.fma);
  };
  table.push_back({ "mesh denoised, call", size, limit, [&settings, rows] {
                     MeshCase mesh(settings.device, rows);
                     return MedianByTheClock(settings.repetition, [&] { mesh.Denoise(); });
                   } });
  AddMemoryRow(table, settings, "mesh denoised, memory", size, [&settings, rows] {
    MeshCase mesh(settings.device, rows);
    return PeakDeviceBytes(settings.device, [&] { mesh.Denoise(); });
  });
}

} // namespace

Table
MeshRows(const Settings & settings)
{
  Table table;
  if (settings.isQuick)
  {
    AddRows(table, settings, 16);
    return table;
  }
  AddRows(table, settings, 66);  // 17,424 vertices
  AddRows(table, settings, 209); // 174,724
  if (settings.device.IsCuda())  // a CPU takes a minute
  {
    AddRows(table, settings, 500); // 1,000,000
  }
  return table;
}

} // namespace cudaneuro::benchmark
