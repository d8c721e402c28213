// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshRemainderFormulas.h"
#include "meshes/MeshStepsCpu.h"

namespace cudaneuro::cpu
{

void
MeshSteps::ReturnRemainders()
{
  const std::vector<PartCoefficients>    coefficients = CoefficientsOfParts();
  const std::size_t                      count = m_Moves.size();
  std::array<MovesArray, remainderParts> results;
  RemainderBands                         bands{};
  for (int part = 0; part < remainderParts; ++part)
  {
    results[part].resize(count);
    bands.bands[part] = results[part].data();
  }
  MovesArray before(count);
  MovesArray last(count);
  MovesArray next(count);
  this->ForEachVertex([&](std::int64_t i) {
    last[i] = Plus(MovesOfNoisy(m_Signs[i], m_Noise.probe), -1.0f, m_Moves[i]);
    bands.Set(coefficients[0], last[i], i);
  });
  for (int step = 1; step <= sincSteps; ++step)
  {
    this->ForEachVertex([&](std::int64_t i) {
      next[i] = NextPolynomial(MeanOfMoves(m_Mesh, last.data(), i), before[i], step == 1);
      bands.Add(coefficients[step], next[i], i);
    });
    before.swap(last);
    last.swap(next);
  }
  std::vector<ShareRisks> shares(count);
  this->ForEachVertex([&](std::int64_t i) {
    shares[i] = ShareRisksAt(m_Mesh, m_Moves.data(), bands, m_Signs.data(), m_Noise.divergenceScale, i);
  });
  this->Pool(shares);
  this->ForEachVertex([&](std::int64_t i) {
    const Vector3 returned = ReturnedAt(shares[i], bands, i) * m_Normals[i];
    m_Displacements[3 * i] += returned.x;
    m_Displacements[3 * i + 1] += returned.y;
    m_Displacements[3 * i + 2] += returned.z;
  });
}

} // namespace cudaneuro::cpu
