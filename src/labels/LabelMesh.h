// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelMesh_h
#define cudaneuro_labels_LabelMesh_h

#include "labels/BandContour.h"
#include "labels/FitWeights.h"
#include "labels/levels/LabelLevels.h"
#include "meshes/MeshDenoising.h"
#include "meshes/MeshDenoisingFormulas.h"

#include <vector>

namespace cudaneuro
{

/** A contour whose vertices move to fit the labels. Lengths are in units. */
class LabelMesh
{
public:
  /** Contours the mixed level sets. All arguments must outlive this object. */
  LabelMesh(Context & context, const LabelDomain & domain, const FitWeights & fits, LabelLevels & levels);

  /** Filters the normals at several scales, weighted by cross-validation with left-out labels.
   * \returns the width of the likelihood */
  float
  ChooseScales();
  /** The last step towards the labels. \param width of the likelihood */
  void
  Correct(float width);
  /** Moves the vertices of thin parts so that the local volume equals that of the label's voxels. */
  void
  KeepVolumeOfThinParts();
  const BandContour &
  GetContour() const
  {
    return m_Contour;
  }

private:
  std::vector<Vector3>
  Normals() const;
  /** The degree, from 0 to 1, to which each vertex is in a thin part. */
  std::vector<float>
  ThinShares() const;
  /** Steps of the vertices along their normals that make the local volume equal to that of the voxels. */
  std::vector<float>
  StepsToVolumeNearby() const;
  /** The distances of the band's voxels from the mesh, positive inside, up to a reach.
   * \param shift of the voxels along all axes, in voxels */
  std::vector<float>
  Distances(double reach, double shift) const;
  void
  MoveAlongNormals(const std::vector<float> & steps);
  /** The contours of the level sets that leave labels out, as moves of this mesh's vertices along its normals. */
  VersionPositions
  MovesToVersions(const VersionValues & distances, double edgeLength) const;
  /** For each candidate, the distances of the judging voxels from the version that leaves their label out. */
  CandidateValues
  DistancesOfCandidates(const VersionValues &                 distances,
                        const VersionPositions &              start,
                        const std::vector<VersionPositions> & filtered,
                        double                                edgeLength) const;
  /** The mean over the judging voxels of the penalty for correlated noise, times the width. */
  float
  MeanPenalty() const;
  float
  BestWidthOf(const CandidateValues & candidates) const;
  /** The losses of the candidates, including the penalty, near each node. */
  CandidateValues
  PooledLosses(const CandidateValues & candidates, float width) const;
  /** The nearest vertex of the contour for each judging voxel; -1 for other voxels. */
  std::vector<std::int32_t>
  NearestVertices() const;
  std::int32_t
  NearestVertex(std::int32_t voxel) const;

  /** The value of a field given at the nodes, at a vertex. */
  float
  SampleNodes(const std::vector<float> & field, std::size_t vertex) const;

  Context &                 m_Context;
  const LabelDomain &       m_Domain;
  const LabelGrid &         m_Grid;
  const LabelBand &         m_Band;
  const FitWeights &        m_Fits;
  LabelLevels &             m_Levels;
  std::vector<std::uint8_t> m_Judges;
  BandContour               m_Contour;
  /** Normals of the initial contour. */
  std::vector<Vector3> m_Normals;
};

} // namespace cudaneuro

#endif
