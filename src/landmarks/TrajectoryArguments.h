// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryArguments_h
#define cudaneuro_landmarks_TrajectoryArguments_h

#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** What a tile of points adds to a loss, in working units. */
struct LossTerms
{
  double kineticEnergy;
  /** Without lambda. */
  double weightedSquaredDistance;
  /** Over points of positive weight. */
  double sumOfDistances;
  double maximumDistance;
};

/** Numbers in the record of a target's point: its position, and from targetWeight on its weight. */
constexpr int targetWidth = 4;
constexpr int targetWeight = 3;

/** What TrajectoryKernel works on, in device memory and working units and order where nothing else is said. Arrays of
 * records are those of points/PointRecords.cuh, with paddedPoints records for an evaluation; records beyond
 * numberOfPoints, of which there is at least one, are 0, so that they add nothing to sums. */
template <typename T>
struct TrajectoryArguments
{
  int numberOfPoints;
  int paddedPoints;
  int numberOfGroups;
  int numberOfTiles;
  int numberOfEvaluations;
  /** The first so many evaluations get a gradient. */
  int numberOfGradients;
  int numberOfSteps;
  int stages;
  /** Coefficients of the Integrator, times the length of a step. */
  T advance[5];
  T weight[4];
  T negligibleSquaredDistance;
  /** As that, but of a distance enlarged by what a point and a tile may come nearer in a stage, and the most that a
   * coordinate of a point may change for that. */
  T      listSquaredDistance;
  T      mostMove;
  T      twiceLambda;
  double scale;

  /** dimension coordinates for each point. */
  const T *            templatePoints;
  const std::int32_t * order;
  /** Records of all points of each target. */
  const T * targets;

  /** Arrivals at the grid's barrier; 0 when the kernel starts. */
  unsigned int * arrivals;
  /** The target of each evaluation, or -1 for a trajectory without a loss. */
  const int * targetOfEvaluation;
  /** (evaluation, stage of all steps and the final state): not 0 where a coordinate has changed by more than
   * mostMove in the stage before; 0 when the kernel starts. */
  int * marks;
  /** dimension numbers for each point of each evaluation, in the caller's order and units. */
  const double * momenta;

  /** (evaluation, stage of all steps and the final state, point) */
  T * states;
  /** (evaluation, stage of all steps, group) */
  T * boxes;
  /** (evaluation, 2, point): what the sums of a stage are made of; stages in turn. */
  T * adjoints;
  /** (evaluation, point): the sum of the slopes of a step, then the adjoint of the end of a step. */
  T * carried;
  /** (evaluation, point): the adjoint of the end of a step with the stages' parts so far. */
  T * sums;
  /** (evaluation, point): the slopes at the first stage. */
  T * firstSlopes;

  /** (gradient, point), in the caller's order and units. */
  double * gradients;
  /** (evaluation, tile) */
  LossTerms * terms;
};

/** A kernel, and what its launch takes. */
template <typename T>
struct TrajectoryKernelChoice
{
  void (*kernel)(TrajectoryArguments<T>) = nullptr;
  int         pointsOfTile = 0;
  int         tilesOfBlock = 1;
  int         threads = 0;
  std::size_t sharedBytes = 0;
  /** Blocks that a multiprocessor holds. */
  int residentBlocks = 0;
};

/** Kernels for few and for many evaluations at once, which give the same bits. */
template <typename T>
struct TrajectoryKernelChoices
{
  TrajectoryKernelChoice<T> few;
  TrajectoryKernelChoice<T> many;
  /** Tiles of a multiprocessor from which on there are many. */
  int tilesOfMany = 1;
};

template <typename T>
TrajectoryKernelChoices<T>
ChooseTrajectoryKernels(int dimension, std::int64_t numberOfPoints, int multiprocessors);

/** Tiles of all kernels divide this number of points. */
constexpr int pointsOfLargestTile = 64;

} // namespace cudaneuro

#endif
