// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_PathPicture_h
#define apps_landmarks_PathPicture_h

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/** Why no picture can be drawn, or an empty string: this program may be built without VTK, and VTK may need a
 * display that is not there. */
std::string
GetReasonForNoPicture();

/** What a picture shows: the paths of points up to a time. */
struct PointPaths
{
  unsigned int dimension = 3;
  std::size_t  numberOfPoints = 0;
  /** Positions at all times: an array of shape (times, points, dimension). */
  std::vector<double> positions;
  /** Where they are to go. */
  std::vector<double> targets;

  std::size_t
  GetNumberOfTimes() const
  {
    return positions.size() / (numberOfPoints * dimension);
  }
};

/** Draws pictures of the same paths up to some of their times. Only where there is no reason not to.
 * \param paths must live longer. */
class PathPicture
{
public:
  explicit PathPicture(const PointPaths & paths);
  ~PathPicture();
  PathPicture(const PathPicture &) = delete;
  PathPicture &
  operator=(const PathPicture &) = delete;

  /** Writes a PNG of the points at a time, and of the way that they came.
   * \throws std::runtime_error */
  void
  Draw(std::size_t time, const std::string & path);

private:
  class Scene;
  std::unique_ptr<Scene> m_Scene;
};

#endif
