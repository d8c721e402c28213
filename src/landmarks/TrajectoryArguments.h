// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryArguments_h
#define cudaneuro_landmarks_TrajectoryArguments_h

#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** The contributions of a tile of points to a loss, in working units. */
struct LossTerms
{
  double kineticEnergy;
  /** The mismatch without the factor lambda. */
  double weightedSquaredDistance;
  /** Sum over points of positive weight. */
  double sumOfDistances;
  double maximumDistance;
};

/** Numbers in the record of a target's point: its position, and its weight at index targetWeight. */
constexpr int targetWidth = 4;
constexpr int targetWeight = 3;

/** Arguments of TrajectoryKernel, in device memory, and in working units and order unless stated otherwise. Arrays of
 * records are those of points/PointRecords.cuh, with paddedPoints records per evaluation; records beyond
 * numberOfPoints, of which there is at least one, are 0, so that they add nothing to sums. */
template <typename T>
struct TrajectoryArguments
{
  int numberOfPoints;
  int paddedPoints;
  int numberOfGroups;
  int numberOfTiles;
  int numberOfEvaluations;
  /** Number of evaluations with a gradient, which come first. */
  int numberOfGradients;
  int numberOfSteps;
  int stages;
  /** Coefficients of the Integrator, times the length of a step. */
  T advance[5];
  T weight[4];
  T negligibleSquaredDistance;
  /** Limit of lists of near points, whose distance includes a margin for motion in one stage; and the largest change of
   * a point's coordinate for which that margin suffices. */
  T      listSquaredDistance;
  T      mostMove;
  T      twiceLambda;
  double scale;

  /** dimension coordinates for each point. */
  const T *            templatePoints;
  const std::int32_t * order;
  /** Records of all points of each target. */
  const T * targets;

  /** Arrivals at the grid's barrier; must be 0 when the kernel starts. */
  unsigned int * arrivals;
  /** The target of each evaluation, or -1 for a trajectory without a loss. */
  const int * targetOfEvaluation;
  /** (evaluation, stage of all steps and the final state): not 0 if a coordinate has changed by more than mostMove in
   * the previous stage; must be 0 when the kernel starts. */
  int * marks;
  /** dimension numbers for each point of each evaluation, in the caller's order and units. */
  const double * momenta;

  /** (evaluation, stage of all steps and the final state, point) */
  T * states;
  /** (evaluation, stage of all steps, group) */
  T * boxes;
  /** (evaluation, 2, point): the input of a stage's adjoint sums; stages use both in turn. */
  T * adjoints;
  /** (evaluation, point): the sum of a step's slopes; on the way back, the adjoint at the end of a step. */
  T * carried;
  /** (evaluation, point): the adjoint at the end of a step plus the stages' parts so far. */
  T * sums;
  /** (evaluation, point): the slopes at the first stage. */
  T * firstSlopes;

  /** (gradient, point), in the caller's order and units. */
  double * gradients;
  /** (evaluation, tile) */
  LossTerms * terms;
};

/** A kernel, and its launch parameters. */
template <typename T>
struct TrajectoryKernelChoice
{
  void (*kernel)(TrajectoryArguments<T>) = nullptr;
  int         pointsOfTile = 0;
  int         tilesOfBlock = 1;
  int         threads = 0;
  std::size_t sharedBytes = 0;
  /** Resident blocks per multiprocessor. */
  int residentBlocks = 0;
};

/** Kernels for few and for many evaluations at once, which yield the same bits. */
template <typename T>
struct TrajectoryKernelChoices
{
  TrajectoryKernelChoice<T> few;
  TrajectoryKernelChoice<T> many;
  /** Number of tiles per multiprocessor from which on the kernel for many is used. */
  int tilesOfMany = 1;
};

template <typename T>
TrajectoryKernelChoices<T>
ChooseTrajectoryKernels(int dimension, std::int64_t numberOfPoints, int multiprocessors);

/** The number of points of each kernel's tile divides this number. */
constexpr int pointsOfLargestTile = 64;

} // namespace cudaneuro

#endif
