// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceLabelLevels_h
#define ReferenceLabelLevels_h

#include "labels/ReferenceMatrices.h"
#include "labels/levels/LabelDomain.h"

#include <array>
#include <functional>
#include <vector>

/** Level sets of labels in double precision, with dense matrices: for bands of some hundred voxels. */
namespace reference
{

using Place = std::array<int, 3>;

/** The places of a band's voxels in the grid, along each axis. */
std::vector<Place>
PlacesOf(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band);

/** The Laplacian of a band, from the places of its voxels. */
Matrix
LaplacianOf(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band);

/** The distances of a version's labels after a Gaussian. Beyond the box is background. */
Numbers
Pilot(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, double sigma, int version);

/** The inverse of 1 + 4 tau penalty L^3. */
Matrix
Smoother(const Matrix & laplacian, const cudaneuro::LabelFit & fit);

/** Cubic B-splines of the nodes at every second voxel, or of nodes at every second one of these. */
class Splines
{
public:
  /** \param levels 1, or 2 for nodes at every fourth voxel */
  explicit Splines(const cudaneuro::LabelDomain & domain, int levels = 1);

  /** f(L) of the means at the nodes, for a function of the eigenvalue of the nodes' Laplacian: a matrix from voxels to
   * nodes. */
  Matrix
  OfMeans(const std::function<double(double)> & function) const;
  /** The Gaussian of the voxels, at the nodes. */
  Matrix
  Pooling(double sigma) const;
  /** The inverse of 1 + 4 tau penalty L^3, from nodes to nodes. */
  Matrix
  Smoother(const cudaneuro::LabelFit & fit) const;
  /** The same of gradient steps: from voxels to nodes. */
  Matrix
  StepSmoother(const cudaneuro::LabelFit & fit) const;
  /** The values at the voxels of a field that is given at the nodes. */
  Numbers
  AtVoxels(const Numbers & nodes) const;

private:
  /** From nodes to nodes. */
  Matrix
  Of(const std::function<double(double)> & function) const;
  /** The eigenvalue that a wave has on the voxels, about. */
  double
  FineEigenvalue(double s) const;
  /** What splines and means take from a wave, inverted, to third order. \param x the nodes' eigenvalue */
  double
  Sharpening(double x) const;

  double m_Spacing;
  int    m_Levels;
  /** From nodes to voxels, and back. */
  Matrix m_Weights;
  Matrix m_Means;
  /** Eigenvectors of the nodes' Laplacian as columns. */
  Matrix  m_Vectors;
  Numbers m_Eigenvalues;
};

/** The level sets of a version, with as many rounds and steps as a fit has.
 * \param smoother what each step applies
 * \param votes of the voxels */
Numbers
Fitted(const cudaneuro::LabelBand & band,
       const Matrix &               smoother,
       const cudaneuro::LabelFit &  fit,
       int                          version,
       const Numbers &              pilot,
       const Numbers &              votes);

/** The same of changes that are splines. */
Numbers
FittedBySplines(const cudaneuro::LabelBand & band,
                const Splines &              splines,
                const cudaneuro::LabelFit &  fit,
                int                          version,
                const Numbers &              pilot,
                const Numbers &              votes);

/** level / max(|gradient|, 0.3), where a neighbor that is missing is the voxel itself. */
Numbers
Distances(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, const Numbers & levels);

/** -log(0.002 + 0.996 / (1 + exp(-distance / width))). */
double
Loss(double distance, double width);

} // namespace reference

#endif
