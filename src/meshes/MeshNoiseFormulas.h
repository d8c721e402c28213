// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshNoiseFormulas_h
#define cudaneuro_meshes_MeshNoiseFormulas_h

#include "meshes/MeshDenoisingFormulas.h"

/** The noise at a vertex: its distance from a cubic surface through its neighbors. */
namespace cudaneuro
{

/** Number of terms of polynomials of degree 3 in two variables. */
constexpr int cubicTerms = 10;
/** Minimum number of neighbors for an estimate of the noise. */
constexpr int leastNoiseNeighbors = 14;

/** Cosine of the largest angle between normals of neighbors. */
constexpr float leastNoiseCosine = 0.2f;

/** Weighted least squares of cubic polynomials over the tangent plane at a vertex. The fit at the vertex is a weighted
 * sum of the heights around it: call Add() for the vertex and its neighbors, then Solve(), then ShareOf() for the
 * weight of each height. */
struct CubicFit
{
  Vector3 tangents[2];
  /** The lower triangle of the normal equations' matrix, row after row. */
  float matrix[cubicTerms * (cubicTerms + 1) / 2];
  /** The solution of the normal equations for the polynomial's value at the vertex. */
  float solution[cubicTerms];
  int   count;

  CUDANEURO_HOST_DEVICE void
  Start(const Vector3 & normal)
  {
    const float   ax = std::fabs(normal.x);
    const float   ay = std::fabs(normal.y);
    const float   az = std::fabs(normal.z);
    const bool    isXLeast = ax <= ay && ax <= az;
    const bool    isYLeast = !isXLeast && ay <= az;
    const Vector3 axis{ isXLeast ? 1.0f : 0.0f, isYLeast ? 1.0f : 0.0f, isXLeast || isYLeast ? 0.0f : 1.0f };
    tangents[0] = Normalized(Cross(normal, axis), axis);
    tangents[1] = Cross(normal, tangents[0]);
    for (float & entry : matrix)
    {
      entry = 0.0f;
    }
    count = 0;
  }

  /** Computes the polynomials' terms at an offset from the vertex. \returns its weight */
  CUDANEURO_HOST_DEVICE float
  TermsAt(const Vector3 & offset, float * terms) const
  {
    const float u = Dot(offset, tangents[0]) * (1.0f / noiseRadius);
    const float v = Dot(offset, tangents[1]) * (1.0f / noiseRadius);
    terms[0] = 1.0f;
    terms[1] = u;
    terms[2] = v;
    terms[3] = u * u;
    terms[4] = u * v;
    terms[5] = v * v;
    terms[6] = u * u * u;
    terms[7] = u * u * v;
    terms[8] = u * v * v;
    terms[9] = v * v * v;
    return Exp2(-2.0f * static_cast<float>(log2OfE) * (u * u + v * v));
  }

  CUDANEURO_HOST_DEVICE void
  Add(const Vector3 & offset)
  {
    float       terms[cubicTerms];
    const float weight = this->TermsAt(offset, terms);
    int         entry = 0;
    for (int row = 0; row < cubicTerms; ++row)
    {
      for (int column = 0; column <= row; ++column)
      {
        matrix[entry++] += weight * terms[row] * terms[column];
      }
    }
    ++count;
  }

  /** Solves the normal equations by Cholesky's decomposition, with a small term added to the diagonal. */
  CUDANEURO_HOST_DEVICE void
  Solve()
  {
    float trace = 0.0f;
    for (int row = 0; row < cubicTerms; ++row)
    {
      trace += this->At(row, row);
    }
    for (int row = 0; row < cubicTerms; ++row)
    {
      this->At(row, row) += 1e-5f * trace / cubicTerms;
      for (int column = 0; column <= row; ++column)
      {
        float rest = this->At(row, column);
        for (int i = 0; i < column; ++i)
        {
          rest -= this->At(row, i) * this->At(column, i);
        }
        this->At(row, column) =
          row == column ? std::sqrt(rest > 1e-12f ? rest : 1e-12f) : rest / this->At(column, column);
      }
    }
    for (int row = 0; row < cubicTerms; ++row)
    {
      float rest = row == 0 ? 1.0f : 0.0f;
      for (int i = 0; i < row; ++i)
      {
        rest -= this->At(row, i) * solution[i];
      }
      solution[row] = rest / this->At(row, row);
    }
    for (int row = cubicTerms - 1; row >= 0; --row)
    {
      float rest = solution[row];
      for (int i = row + 1; i < cubicTerms; ++i)
      {
        rest -= this->At(i, row) * solution[i];
      }
      solution[row] = rest / this->At(row, row);
    }
  }

  /** The weight in the fit at the vertex of the height at an offset. */
  CUDANEURO_HOST_DEVICE float
  ShareOf(const Vector3 & offset) const
  {
    float       terms[cubicTerms];
    const float weight = this->TermsAt(offset, terms);
    float       value = 0.0f;
    for (int i = 0; i < cubicTerms; ++i)
    {
      value += terms[i] * solution[i];
    }
    return weight * value;
  }

private:
  CUDANEURO_HOST_DEVICE float &
  At(int row, int column)
  {
    return matrix[row * (row + 1) / 2 + column];
  }
};

/** The residual of the heights at a vertex. */
struct FitResidual
{
  float residual = 0.0f;
  float squares = 0.0f;

  /** Adds a height. \p share is minus its weight in the fit, plus 1 for the vertex itself. */
  CUDANEURO_HOST_DEVICE void
  Add(float share, float height)
  {
    residual += share * height;
    squares += share * share;
  }

  /** The residual with the standard deviation of the heights, if these are independent. */
  CUDANEURO_HOST_DEVICE float
  Normalized() const
  {
    return squares > 0.0f ? residual / std::sqrt(squares) : 0.0f;
  }
};

} // namespace cudaneuro

#endif
