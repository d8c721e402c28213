// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_PathPicture_h
#define apps_landmarks_PathPicture_h

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/** Returns why no picture can be drawn, or an empty string: this program may be built without VTK, and VTK may need a
 * display. */
std::string
GetReasonForNoPicture();

/** The content of a picture: the paths of points up to a time. */
struct PointPaths
{
  unsigned int dimension = 3;
  std::size_t  numberOfPoints = 0;
  /** Positions at all times: an array of shape (times, points, dimension). */
  std::vector<double> positions;
  /** Positions of the targets. */
  std::vector<double> targets;

  std::size_t
  GetNumberOfTimes() const
  {
    return positions.size() / (numberOfPoints * dimension);
  }
};

/** Draws pictures of the same paths up to several times. Requires that GetReasonForNoPicture is empty, and that the
 * paths outlive this object. */
class PathPicture
{
public:
  explicit PathPicture(const PointPaths & paths);
  ~PathPicture();
  PathPicture(const PathPicture &) = delete;
  PathPicture &
  operator=(const PathPicture &) = delete;

  /** Writes a PNG of the points at a time, and of their paths up to it.
   * \throws std::runtime_error */
  void
  Draw(std::size_t time, const std::string & path);

private:
  class Scene;
  std::unique_ptr<Scene> m_Scene;
};

#endif
