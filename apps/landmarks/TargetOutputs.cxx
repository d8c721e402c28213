// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/TargetOutputs.h"

#include "files/input/InputFile.h"
#include "files/output/WholeFile.h"
#include "files/transforms/TransformFile.h"
#include "shared/registration/MapOutputs.h"
#include "landmarks/PathPicture.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <fstream>
#include <iomanip>
#include <limits>

namespace
{

void
WriteCoordinates(std::ostream & file, const double * values, unsigned int dimension)
{
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    file << (axis == 0 ? "" : ",") << values[axis];
  }
}

StagedFile
StageMomenta(const OutputFile &          file,
             unsigned int                dimension,
             const std::vector<double> & points,
             const std::vector<double> & momenta)
{
  return file.Stage([&](const std::string & path) {
    WriteLines(path, [&](std::ostream & table) {
      table << (dimension == 3 ? "x,y,z,px,py,pz" : "x,y,px,py") << '\n';
      for (std::size_t i = 0; i < momenta.size(); i += dimension)
      {
        WriteCoordinates(table, points.data() + i, dimension);
        table << ',';
        WriteCoordinates(table, momenta.data() + i, dimension);
        table << '\n';
      }
    });
  });
}

/** Returns a mesh with the path of each point as a line through its positions at all times. */
PointData
LinesOf(const PointPaths & paths)
{
  PointData lines;
  lines.dimension = paths.dimension;
  lines.coordinates = paths.positions;
  for (std::size_t point = 0; point < paths.numberOfPoints; ++point)
  {
    MeshCell line;
    line.kind = MeshCell::Kind::Line;
    for (std::size_t time = 0; time < paths.GetNumberOfTimes(); ++time)
    {
      line.points.push_back(static_cast<std::uint32_t>(time * paths.numberOfPoints + point));
    }
    lines.cells.push_back(std::move(line));
  }
  return lines;
}

StagedFile
StageTrajectory(const OutputFile & file, const PointPaths & paths)
{
  if (EndingOf(file.GetPath()) == ".vtk")
  {
    return StagePointFile(file, LinesOf(paths));
  }
  return file.Stage([&](const std::string & path) {
    WriteLines(path, [&](std::ostream & table) {
      table << (paths.dimension == 3 ? "time,point,x,y,z" : "time,point,x,y") << '\n';
      const std::size_t count = paths.numberOfPoints;
      const auto        steps = static_cast<double>(paths.GetNumberOfTimes() - 1);
      for (std::size_t row = 0; row < paths.GetNumberOfTimes() * count; ++row)
      {
        const std::size_t time = row / count;
        table << static_cast<double>(time) / steps << ',' << row % count << ',';
        WriteCoordinates(table, paths.positions.data() + row * paths.dimension, paths.dimension);
        table << '\n';
      }
    });
  });
}

/** The outputs of one target. */
template <unsigned int VDimension>
class OutputWriter
{
public:
  OutputWriter(const MatchJob &                   job,
               std::size_t                        target,
               const itk::ImageBase<VDimension> * grid,
               const TargetResult<VDimension> &   result)
    : m_Job(job)
    , m_Target(target)
    , m_Grid(grid)
    , m_Result(result)
    , m_Inverse(result.transform->GetInverseTransform())
  {
    m_Paths.dimension = VDimension;
    m_Paths.numberOfPoints = job.GetPoints().targets[target].pairs.first.size();
    m_Paths.positions = result.trajectory;
    m_Paths.targets = job.GetPoints().targets[target].coordinates;
  }

  Report::Json
  Write()
  {
    this->StageMaps();
    this->StagePoints();
    this->StagePaths();
    for (StagedFile & file : m_Files)
    {
      file.Commit();
    }
    return m_Names;
  }

private:
  using TransformType = itk::Transform<double, VDimension, VDimension>;

  const MatchOptions &
  Options() const
  {
    return m_Job.GetOptions();
  }

  void
  Stage(const char * name, const std::string & pattern, const std::function<StagedFile(const OutputFile &)> & write)
  {
    const std::string path = m_Job.GetPath(pattern, m_Target);
    if (!path.empty())
    {
      m_Files.push_back(write(m_Job.GetOutput(path)));
      m_Names[name] = path;
    }
  }

  void
  StageMaps()
  {
    const ComputeOptions & compute = this->Options().compute;
    const auto &           forward = *m_Result.transform;
    const auto *           backward = dynamic_cast<const TransformType *>(m_Inverse.GetPointer());
    this->Stage("transform", this->Options().outputTransform, [&](const OutputFile & file) {
      return StageTransform<VDimension>(file, &forward);
    });
    this->Stage("inverse_transform", this->Options().outputInverseTransform, [&](const OutputFile & file) {
      return StageTransform<VDimension>(file, backward);
    });
    this->Stage("field", this->Options().outputField, [&](const OutputFile & file) {
      return StageField<VDimension>(file, forward, m_Grid, compute);
    });
    this->Stage("inverse_field", this->Options().outputInverseField, [&](const OutputFile & file) {
      return StageField<VDimension>(file, *backward, m_Grid, compute);
    });
  }

  /** Returns the moved template with all its points, also those that the target lacks. */
  PointData
  MoveTemplate() const
  {
    const std::vector<std::size_t> & matched = m_Job.GetPoints().targets[m_Target].pairs.first;
    PointData                        moved = m_Job.GetPoints().templatePoints;
    if (matched.size() < moved.GetNumberOfPoints())
    {
      moved = MovePoints<VDimension>(*m_Result.transform, moved, ComputingOf(this->Options().compute));
    }
    for (std::size_t i = 0; i < m_Result.movedPoints.size(); ++i)
    {
      moved.coordinates[matched[i / VDimension] * VDimension + i % VDimension] = m_Result.movedPoints[i];
    }
    return moved;
  }

  void
  StagePoints()
  {
    this->Stage("points", this->Options().outputPoints, [&](const OutputFile & file) {
      return StagePointFile(file, this->MoveTemplate());
    });
    this->Stage("mesh", this->Options().outputMesh, [&](const OutputFile & file) {
      return StagePointFile(
        file,
        MovePoints<VDimension>(*m_Result.transform, m_Job.GetPoints().mesh, ComputingOf(this->Options().compute)));
    });
    this->Stage("momenta", this->Options().outputMomenta, [&](const OutputFile & file) {
      const auto & points = m_Job.GetPoints();
      return StageMomenta(file,
                          VDimension,
                          PickCoordinates(points.templatePoints, points.targets[m_Target].pairs.first),
                          m_Result.momenta);
    });
  }

  void
  StagePaths()
  {
    this->Stage("trajectory", this->Options().outputTrajectory, [&](const OutputFile & file) {
      return StageTrajectory(file, m_Paths);
    });
    if (this->Options().picture.empty() && this->Options().animation.empty())
    {
      return;
    }
    PathPicture       picture(m_Paths);
    const std::size_t last = m_Paths.GetNumberOfTimes() - 1;
    this->Stage("picture", this->Options().picture, [&](const OutputFile & file) {
      return file.Stage([&](const std::string & path) { picture.Draw(last, path); });
    });
    const std::string folder = m_Job.GetPath(this->Options().animation, m_Target);
    if (folder.empty())
    {
      return;
    }
    m_Names["animation"] = folder;
    ProgressBar bar("Drawing", this->Options().compute.isQuiet);
    for (std::size_t time = 0; time <= last; ++time)
    {
      bar.Show(static_cast<double>(time) / static_cast<double>(last));
      OutputFile(MatchJob::FramePath(folder, static_cast<unsigned int>(time))).Write([&](const std::string & path) {
        picture.Draw(time, path);
      });
    }
  }

  const MatchJob &                                    m_Job;
  std::size_t                                         m_Target;
  const itk::ImageBase<VDimension> *                  m_Grid;
  const TargetResult<VDimension> &                    m_Result;
  typename TransformType::InverseTransformBasePointer m_Inverse;
  PointPaths                                          m_Paths;
  std::vector<StagedFile>                             m_Files;
  Report::Json                                        m_Names = Report::Json::object();
};

} // namespace

bool
NeedsTrajectory(const MatchOptions & options)
{
  return !options.outputTrajectory.empty() || !options.picture.empty() || !options.animation.empty();
}

template <unsigned int VDimension>
Report::Json
WriteOutputs(const MatchJob &                   job,
             std::size_t                        target,
             const itk::ImageBase<VDimension> * grid,
             const TargetResult<VDimension> &   result)
{
  return OutputWriter<VDimension>(job, target, grid, result).Write();
}

template Report::Json
WriteOutputs(const MatchJob &, std::size_t, const itk::ImageBase<2> *, const TargetResult<2> &);
template Report::Json
WriteOutputs(const MatchJob &, std::size_t, const itk::ImageBase<3> *, const TargetResult<3> &);
