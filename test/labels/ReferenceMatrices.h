// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceMatrices_h
#define ReferenceMatrices_h

#include <vector>

/** Small dense matrices in double precision. */
namespace reference
{

/** A matrix by rows. */
using Matrix = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

Matrix
Product(const Matrix & a, const Matrix & b);
Numbers
Product(const Matrix & a, const Numbers & x);
Matrix
Transposed(const Matrix & a);
/** Eigenvalues of a symmetric matrix; the eigenvectors are the columns of \p vectors. */
Numbers
EigenvaluesOf(Matrix a, Matrix & vectors);
/** The lower factor of Cholesky's decomposition. */
Matrix
Cholesky(Matrix a);
/** Solves a system of equations whose matrix has this factor. */
Numbers
Solved(const Matrix & factor, Numbers x);

} // namespace reference

#endif
