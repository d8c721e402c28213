// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowSums_cuh
#define cudaneuro_landmarks_FlowSums_cuh

#include "cuda/WarpReduce.cuh"
#include "landmarks/FlowFormulas.h"

namespace cudaneuro::gpu
{

/** Two groups of landmarks in shared memory, which all threads of a warp read. Coordinates and momenta are stored in
 * pairs, each read by one load. */
template <typename T, int VDimension>
struct NearLandmarks
{
  struct alignas(2 * sizeof(T)) Pair
  {
    T first;
    T second;
  };
  Pair pairs[2 * flowGroupSize][VDimension];

  /** Sets the c-th of the landmark's coordinates and momenta. */
  __device__ void
  Set(int landmark, int c, T value)
  {
    Pair & pair = pairs[landmark][c / 2];
    (c % 2 == 0 ? pair.first : pair.second) = value;
  }

  __device__ void
  Get(int landmark, T (&position)[VDimension], T (&momentum)[VDimension]) const
  {
    T values[2 * VDimension];
#pragma unroll
    for (int i = 0; i < VDimension; ++i)
    {
      const Pair pair = pairs[landmark][i];
      values[2 * i] = pair.first;
      values[2 * i + 1] = pair.second;
    }
#pragma unroll
    for (int d = 0; d < VDimension; ++d)
    {
      position[d] = values[d];
      momentum[d] = values[VDimension + d];
    }
  }
};

/** The sums of FlowFormulas.h at VPoints points of each thread of a warp. All threads call them together. Positions are
 * relative to the middle of the warp's points, which minimizes rounding errors in single precision. */
template <typename T, int VDimension, int VPoints>
class FlowSums
{
public:
  /** \param wanted a bit for each point that is to be moved, at least one in the warp; the other points are placed in
   * the middle */
  __device__
  FlowSums(const FlowLandmarks<T, double> & landmarks,
           NearLandmarks<T, VDimension> &   nearLandmarks,
           int                              lane,
           const double (&start)[VPoints][VDimension],
           unsigned int wanted)
    : m_Landmarks(landmarks)
    , m_Near(nearLandmarks)
    , m_Lane(lane)
  {
    // See cpu::FlowSums; here, positions are relative to the middle.
    T largest = 4;
#pragma unroll
    for (int d = 0; d < VDimension; ++d)
    {
      double lowest = 1e300;
      double highest = -1e300;
#pragma unroll
      for (int p = 0; p < VPoints; ++p)
      {
        const bool isWanted = (wanted >> p & 1u) != 0;
        lowest = isWanted ? min(lowest, start[p][d]) : lowest;
        highest = isWanted ? max(highest, start[p][d]) : highest;
      }
      lowest = WarpReduce(lowest, [](double a, double b) { return min(a, b); });
      highest = WarpReduce(highest, [](double a, double b) { return max(a, b); });
      m_Middle[d] = 0.5 * (lowest + highest);
      largest = max(largest, static_cast<T>(0.5 * (highest - lowest)));
#pragma unroll
      for (int p = 0; p < VPoints; ++p)
      {
        m_Start[p][d] = (wanted >> p & 1u) != 0 ? static_cast<T>(start[p][d] - m_Middle[d]) : T(0);
      }
    }
    m_Tolerance =
      sizeof(T) == sizeof(float) ? T(1e-6) + T(1.1920929e-7) * largest : T(1e-12) + T(2.2204461e-16) * largest;
  }

  __device__ void
  Velocity(std::int64_t evaluation, const T (&displacement)[VPoints][VDimension], T (&velocity)[VPoints][VDimension])
  {
    T x[VPoints][VDimension];
    T ofRegion[VPoints][VDimension];
#pragma unroll
    for (int p = 0; p < VPoints; ++p)
    {
#pragma unroll
      for (int d = 0; d < VDimension; ++d)
      {
        x[p][d] = m_Start[p][d] + displacement[p][d];
        velocity[p][d] = 0;
        ofRegion[p][d] = 0;
      }
    }
    const auto add = [&](const T(&xj)[VDimension], const T(&uj)[VDimension]) {
#pragma unroll
      for (int p = 0; p < VPoints; ++p)
      {
        AddVelocity(x[p], xj, uj, ofRegion[p]);
      }
    };
    // A sum of the regions' sums has smaller rounding errors.
    const auto finishRegion = [&] {
#pragma unroll
      for (int p = 0; p < VPoints; ++p)
      {
#pragma unroll
        for (int d = 0; d < VDimension; ++d)
        {
          velocity[p][d] += ofRegion[p][d];
          ofRegion[p][d] = 0;
        }
      }
    };
    this->ForEachNearLandmark(evaluation, x, add, finishRegion);
  }

  __device__ void
  VelocityAndGradient(std::int64_t evaluation,
                      const T (&displacement)[1][VDimension],
                      T (&velocity)[1][VDimension],
                      T (&gradient)[VDimension][VDimension])
  {
    T x[1][VDimension];
#pragma unroll
    for (int a = 0; a < VDimension; ++a)
    {
      x[0][a] = m_Start[0][a] + displacement[0][a];
      velocity[0][a] = 0;
#pragma unroll
      for (int b = 0; b < VDimension; ++b)
      {
        gradient[a][b] = 0;
      }
    }
    const auto add = [&](const T(&xj)[VDimension], const T(&uj)[VDimension]) {
      AddVelocityAndGradient(x[0], xj, uj, velocity[0], gradient);
    };
    this->ForEachNearLandmark(evaluation, x, add, [] {});
#pragma unroll
    for (int a = 0; a < VDimension; ++a)
    {
#pragma unroll
      for (int b = 0; b < VDimension; ++b)
      {
        gradient[a][b] *= static_cast<T>(-twiceLogOf2);
      }
    }
  }

  __device__ T
  Tolerance() const
  {
    return m_Tolerance;
  }
  __device__ static bool
  IsTrueForAny(bool flag)
  {
    return __any_sync(allLanes, flag);
  }

private:
  static constexpr unsigned int allLanes = 0xffffffffu;

  /** The box of the warp's points, relative to the landmarks' center. */
  __device__ void
  FindBox(const T (&x)[VPoints][VDimension], T (&lowest)[VDimension], T (&highest)[VDimension]) const
  {
#pragma unroll
    for (int d = 0; d < VDimension; ++d)
    {
      lowest[d] = x[0][d];
      highest[d] = x[0][d];
#pragma unroll
      for (int p = 1; p < VPoints; ++p)
      {
        lowest[d] = min(lowest[d], x[p][d]);
        highest[d] = max(highest[d], x[p][d]);
      }
      lowest[d] = static_cast<T>(m_Middle[d]) + WarpReduce(lowest[d], [](T a, T b) { return min(a, b); });
      highest[d] = static_cast<T>(m_Middle[d]) + WarpReduce(highest[d], [](T a, T b) { return max(a, b); });
    }
  }

  /** Calls add(position, momentum) for the landmarks that are not negligible at the warp's points, and finishRegion()
   * after those of each region. */
  template <typename TAdd, typename TFinish>
  __device__ void
  ForEachNearLandmark(std::int64_t evaluation,
                      const T (&x)[VPoints][VDimension],
                      const TAdd &    add,
                      const TFinish & finishRegion)
  {
    T lowest[VDimension];
    T highest[VDimension];
    this->FindBox(x, lowest, highest);
    const int       regions = m_Landmarks.numberOfRegions;
    const T * const regionBoxes = m_Landmarks.regionBoxes + evaluation * 2 * VDimension * regions;
    for (int begin = 0; begin < regions; begin += 32)
    {
      const int    region = min(begin + m_Lane, regions - 1);
      const bool   isNear = SquaredGap(lowest, highest, regionBoxes + region, regions) < m_Landmarks.negligible;
      unsigned int nearRegions = __ballot_sync(allLanes, isNear && begin + m_Lane < regions);
      while (nearRegions != 0)
      {
        this->ForEachNearLandmarkOf(begin + __ffs(nearRegions) - 1, evaluation, lowest, highest, add);
        finishRegion();
        nearRegions &= nearRegions - 1;
      }
    }
  }

  template <typename TAdd>
  __device__ void
  ForEachNearLandmarkOf(int          region,
                        std::int64_t evaluation,
                        const T (&lowest)[VDimension],
                        const T (&highest)[VDimension],
                        const TAdd & add)
  {
    const std::int64_t groups = std::int64_t{ m_Landmarks.numberOfRegions } * flowGroupsPerRegion;
    const std::int64_t firstGroup = std::int64_t{ region } * flowGroupsPerRegion;
    const T * const    boxes = m_Landmarks.groupBoxes + evaluation * 2 * VDimension * groups + firstGroup;
    const bool         isNear = SquaredGap(lowest, highest, boxes + m_Lane, groups) < m_Landmarks.negligible;
    unsigned int       nearGroups = __ballot_sync(allLanes, isNear);
    while (nearGroups != 0)
    {
      // The halves of the warp read two groups. Without a second one, both read the first, of which one copy counts.
      const int first = __ffs(nearGroups) - 1;
      nearGroups &= nearGroups - 1;
      const int second = __ffs(nearGroups) - 1;
      nearGroups &= nearGroups - 1;
      const int group = m_Lane < flowGroupSize || second < 0 ? first : second;
      this->LoadLandmark(evaluation, (firstGroup + group) * flowGroupSize + m_Lane % flowGroupSize);
      const int count = second < 0 ? flowGroupSize : 2 * flowGroupSize;
#pragma unroll 4
      for (int i = 0; i < count; ++i)
      {
        T xj[VDimension];
        T uj[VDimension];
        m_Near.Get(i, xj, uj);
        add(xj, uj);
      }
    }
  }

  /** Replaces the landmarks in shared memory; each thread loads one. */
  __device__ void
  LoadLandmark(std::int64_t evaluation, std::int64_t landmark)
  {
    const std::int64_t row = m_Landmarks.numberOfLandmarks;
    const std::int64_t offset = evaluation * VDimension * row + landmark;
    T                  position[VDimension];
    T                  momentum[VDimension];
#pragma unroll
    for (int d = 0; d < VDimension; ++d)
    {
      position[d] = static_cast<T>(m_Landmarks.positions[offset + d * row] - m_Middle[d]);
      momentum[d] = m_Landmarks.momenta[offset + d * row];
    }
    __syncwarp();
#pragma unroll
    for (int d = 0; d < VDimension; ++d)
    {
      m_Near.Set(m_Lane, d, position[d]);
      m_Near.Set(m_Lane, VDimension + d, momentum[d]);
    }
    __syncwarp();
  }

  const FlowLandmarks<T, double> & m_Landmarks;
  NearLandmarks<T, VDimension> &   m_Near;
  int                              m_Lane;
  double                           m_Middle[VDimension];
  T                                m_Start[VPoints][VDimension];
  T                                m_Tolerance;
};

} // namespace cudaneuro::gpu

#endif
