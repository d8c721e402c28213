// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HalfProducts_h
#define HalfProducts_h

#include "cudaneuro/Context.h"

#include <vector>

/** What the search on a GPU computes of vectors before it computes distances. */
namespace halfproducts
{

/** Components of a vector, and from one to the next. */
constexpr int dimension = 125;
constexpr int stride = 128;

struct HalfProducts
{
  /** The halves that stand for the vectors, as floats, and 2^e. */
  std::vector<float> queries;
  std::vector<float> points;
  float              factor = 1.0f;
  /** Bounds of the queries, and the largest error of a point. */
  std::vector<float> errors;
  std::vector<float> norms;
  float              largestError = 0.0f;
  /** Of each query with all points. */
  std::vector<float> products;
};

/** Makes halves about the center 0, and multiplies them on the device's matrix units. */
HalfProducts
Multiply(cudaneuro::Context & context, const std::vector<float> & queries, const std::vector<float> & points);

/** AccumulationError and LeastProduct of src/neighbors/NeighborBounds.cuh, for these vectors. */
double
AccumulationError();
double
LeastProduct(const HalfProducts & products, std::size_t query, double reached);

} // namespace halfproducts

#endif
