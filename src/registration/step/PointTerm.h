// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_PointTerm_h
#define cudaneuro_registration_step_PointTerm_h

#include "core/Dispatch.h"
#include "fields/CellSampler.h"
#include "registration/step/Step.h"

#include <array>
#include <memory>
#include <vector>

/** The term of the pairs of points in the energy of a registration. With h(x) = x + d(x), positions x_k and the
 * displacements w_k wanted there, it is
 *   V / N sum over k of |d(x_k) - w_k|^2 / (2 s_k^2),
 * in mm, with the N voxels of the grid and the V voxels that a velocity's kernel reaches (see KernelVolume). d is
 * linear between voxels, so that a point's force acts on the eight voxels around it. In a symmetric registration, d is
 * the difference of both maps' displacements. */
namespace cudaneuro
{

/** A pair of points on the grid of a level. */
struct PointRecord
{
  /** The position at which the displacement is read, and the wanted displacement, both in voxels. */
  float position[3];
  float wanted[3];
  /** Factors of the squared distance in mm, for the energy, and of the distance in voxels, for the force. */
  float energy;
  float pull;
};

/** The share of a voxel in a point's force. */
struct PointShare
{
  int   point;
  float weight;
};

/** The points of a level, in memory of the context's device. */
struct LevelPoints
{
  CellGrid            grid;
  float               squaredSpacing[3];
  int                 numberOfPoints;
  const PointRecord * points;
  /** The voxels around points, in order; the k-th one has the shares from begins[k] to begins[k + 1]. */
  int                numberOfVoxels;
  const int *        voxels;
  const int *        begins;
  const PointShare * shares;
  /** Partial sums that blocks of a GPU write for the last one to end, at most two per point; and the number of blocks
   * that have ended, 0 between steps. */
  double *       sums;
  unsigned int * finishedBlocks;
};

/** The parameters of a level's term. */
struct PointTermSetting
{
  Extent                extent;
  std::array<double, 3> spacing{ 1.0, 1.0, 1.0 };
  /** Positions and wanted displacements in voxels of the level. */
  std::vector<std::array<double, 3>> positions;
  std::vector<std::array<double, 3>> wanted;
  /** Standard deviations in mm, one per point. */
  std::vector<double> standardDeviations;
  double              kernelVolume = 1.0;
  double              weight = 1.0;
};

/** The lists of a level's points, in host memory. */
class PointTermLists
{
public:
  PointTermLists() = default;
  explicit PointTermLists(const PointTermSetting & setting);

private:
  friend class PointTerm;

  template <typename T>
  std::size_t
  Add(const std::vector<T> & values);

  // The lists follow one another, so that one copy takes them all to the device.
  std::vector<unsigned char> m_Bytes;
  // The points, whose pointers are not set.
  LevelPoints m_Points{};
  std::size_t m_Records = 0; // offset of each list in m_Bytes
  std::size_t m_Voxels = 0;
  std::size_t m_Begins = 0;
  std::size_t m_Shares = 0;
  std::size_t m_Sums = 0;
  std::size_t m_FinishedBlocks = 0;
};

/** Owns the points of a level. */
class PointTerm
{
public:
  /** Enqueues the copy of the lists, and does not wait for the device.
   * \throws OutOfMemoryError */
  PointTerm(Context & context, const PointTermLists & lists);

  const LevelPoints &
  Get() const
  {
    return m_Points;
  }

private:
  std::shared_ptr<void> m_Staging; // source of the device's copy
  DeviceMemory          m_Lists;
  LevelPoints           m_Points{};
};

} // namespace cudaneuro

#endif
