// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/SeriesMover.h"

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/LabelTypes.h"
#include "files/images/SeriesFile.h"
#include "files/maps/Background.h"
#include "files/maps/ConvertNumbers.h"
#include "files/maps/EngineVolumes.h"
#include "files/maps/LimitedVoxels.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace cudaneuro::files
{

namespace
{

/** The number of volumes that are moved at a time, and of threads for each. */
struct Division
{
  unsigned int volumes = 1;
  unsigned int threadsOfVolume = 1;
};

/** \param voxels of a volume */
Division
Divide(const MapComputing & computing, std::size_t count, std::size_t voxels)
{
  // As many large volumes as fit into memory. Few volumes, or one if its memory is limited, keep a GPU busy.
  constexpr std::size_t few = 8;
  constexpr std::size_t voxelsAtOnce = std::size_t{ 1 } << 26;
  const std::size_t     most = DeviceOf(computing).IsCuda()
                                 ? (computing.maximumDeviceMemory > 0 ? 1 : few)
                                 : std::max(few, voxelsAtOnce / std::max<std::size_t>(1, voxels));
  const unsigned int    given = computing.numberOfThreads;
  const unsigned int    threads = given > 0 ? given : std::max(1u, std::thread::hardware_concurrency());
  Division              division;
  division.volumes = static_cast<unsigned int>(std::min<std::size_t>({ threads, count, most }));
  division.threadsOfVolume = threads / division.volumes;
  return division;
}

/** Moves the volumes of a series, for several threads. */
class VolumeMover
{
public:
  explicit VolumeMover(const SeriesMovement & movement);

  unsigned int
  GetVolumesAtOnce() const
  {
    return m_Division.volumes;
  }
  bool
  IsAllBackground() const
  {
    return m_IsAllBackground;
  }
  std::uint64_t
  GetNumberOfLimitedVoxels() const
  {
    return m_LimitedVoxels;
  }

  /** Makes the numbers of a volume of the output. */
  void
  Make(std::size_t volume, char * to);

  /** Throws the exception of the first volume that failed. */
  void
  ThrowIfFailed() const
  {
    m_Failure ? std::rethrow_exception(m_Failure) : void();
  }

private:
  void
  MoveVolume(std::size_t volume, char * to);
  SpaceMap<3>::ConstPointer
  MapOf(std::size_t volume) const;
  void
  MoveValues(const SpaceMap<3> & map, const Workspace & workspace, char * to);
  void
  MoveVolumeOfLabels(std::size_t volume, const SpaceMap<3> & map, const Workspace & workspace, char * to) const;
  void
  NoteValues(const char * numbers);
  bool
  IsLabel() const
  {
    return m_Movement.ofVolume.interpolation == Interpolation::Label;
  }
  std::unique_ptr<Workspace>
  TakeWorkspace();

  SeriesMovement                        m_Movement;
  const OpenedImage                     m_Volume;
  const itk::ImageBase<3>::ConstPointer m_Grid;
  const itk::IOComponentEnum            m_OutputType;
  const std::size_t                     m_OutputVoxels;
  const std::size_t                     m_Count;
  Division                              m_Division;
  VolumeSource                          m_Source;
  EngineVolumes                         m_Engine;
  /** The mover of all volumes, if they have the same map, and the engine cannot apply it. */
  std::optional<ImageMover<3>> m_Repeated;
  std::atomic<bool>            m_IsAllBackground{ true };
  std::atomic<std::uint64_t>   m_LimitedVoxels{ 0 };

  std::mutex                              m_Mutex;
  std::vector<std::unique_ptr<Workspace>> m_FreeWorkspaces;
  ShowProgress                            m_Show;
  std::size_t                             m_Done = 0;
  std::exception_ptr                      m_Failure;
  std::size_t                             m_FailedVolume = 0;
};

VolumeMover::VolumeMover(const SeriesMovement & movement)
  : m_Movement(movement)
  , m_Volume(VolumeOf(movement.series, 0))
  , m_Grid(ReadGrid<3>(movement.reference))
  , m_OutputType(movement.outputType)
  , m_OutputVoxels(m_Grid->GetLargestPossibleRegion().GetNumberOfPixels())
  , m_Count(movement.series.size[3])
  , m_Division(Divide(movement.ofVolume.computing, m_Count, std::max(m_OutputVoxels, m_Volume.GetNumberOfVoxels())))
  , m_Source(movement.series)
  , m_Engine(m_Volume, *m_Grid, movement.ofVolume, m_OutputType, movement.map)
  , m_Show(movement.ofVolume.computing.watch("Resampling"))
{
  ImageMovement & one = m_Movement.ofVolume;
  one.computing.watch = WatchNothing;
  if (!movement.transformOf && !this->IsLabel() && !m_Engine.WarpOf(movement.map))
  {
    one.isRepeated = true;
    m_Repeated.emplace(movement.map, *m_Grid, one);
    m_Division = { 1, 0 };
    return;
  }
  one.isRepeated = false;
  one.computing.numberOfThreads = m_Division.threadsOfVolume;
}

void
VolumeMover::Make(std::size_t volume, char * to)
{
  try
  {
    this->MoveVolume(volume, to);
  }
  catch (...)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (!m_Failure || volume < m_FailedVolume)
    {
      m_Failure = std::current_exception();
      m_FailedVolume = volume;
    }
    throw;
  }
}

void
VolumeMover::MoveVolume(std::size_t volume, char * to)
{
  std::unique_ptr<Workspace> workspace = this->TakeWorkspace();
  m_Source.Read(volume, workspace->bytes);
  const SpaceMap<3>::ConstPointer map = this->MapOf(volume);
  if (const auto warp = m_Engine.WarpOf(*map))
  {
    m_LimitedVoxels += m_Engine.Move(*warp, *workspace, to);
  }
  else if (this->IsLabel())
  {
    this->MoveVolumeOfLabels(volume, *map, *workspace, to);
  }
  else
  {
    this->MoveValues(*map, *workspace, to);
  }
  this->NoteValues(to);
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_FreeWorkspaces.push_back(std::move(workspace));
  ++m_Done;
  m_Show(static_cast<double>(m_Done) / static_cast<double>(m_Count));
}

std::unique_ptr<Workspace>
VolumeMover::TakeWorkspace()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (!m_FreeWorkspaces.empty())
    {
      std::unique_ptr<Workspace> workspace = std::move(m_FreeWorkspaces.back());
      m_FreeWorkspaces.pop_back();
      return workspace;
    }
  }
  return std::make_unique<Workspace>(m_Movement.ofVolume.computing);
}

SpaceMap<3>::ConstPointer
VolumeMover::MapOf(std::size_t volume) const
{
  if (!m_Movement.transformOf)
  {
    return &m_Movement.map;
  }
  const auto map = SpaceMap<3>::New();
  // The last one is applied first.
  map->AddTransform(const_cast<MapType<3> *>(m_Movement.transformOf(volume).GetPointer()));
  if (!m_Movement.map.IsTransformQueueEmpty())
  {
    map->AddTransform(const_cast<SpaceMap<3> *>(&m_Movement.map));
  }
  return map.GetPointer();
}

void
VolumeMover::MoveValues(const SpaceMap<3> & map, const Workspace & workspace, char * to)
{
  const auto image = itk::Image<double, 3>::New();
  SetGrid<3>(*image, m_Volume);
  image->Allocate();
  ConvertPlainVoxels(m_Volume, workspace.bytes.data(), image->GetBufferPointer());
  const std::vector<double> values =
    m_Repeated ? m_Repeated->Move(*image) : ImageMover<3>(map, *m_Grid, m_Movement.ofVolume).Move(*image);
  m_LimitedVoxels += ConvertNumbers(values.data(), values.size(), m_OutputType, to);
}

void
VolumeMover::MoveVolumeOfLabels(std::size_t         volume,
                                const SpaceMap<3> & map,
                                const Workspace &   workspace,
                                char *              to) const
{
  OpenedImage opened = m_Volume;
  opened.path = "volume " + std::to_string(volume) + " of " + m_Volume.path;
  const auto labels = LabelsOf<3>(opened, workspace.bytes.data());
  const auto background = static_cast<std::int64_t>(m_Movement.ofVolume.background);
  const auto moved = MoveLabels<3>(map, *m_Grid, *labels, background, m_Movement.ofVolume.computing);
  const std::vector<std::int64_t> numbers(moved->GetBufferPointer(), moved->GetBufferPointer() + m_OutputVoxels);
  if (TypeForLabels(numbers, m_OutputType) != m_OutputType)
  {
    const auto wrong = std::find_if(numbers.begin(), numbers.end(), [this](std::int64_t label) {
      return TypeForLabels({ label }, m_OutputType) != m_OutputType;
    });
    throw UserError(opened.path + " has the label " + std::to_string(*wrong) + ", which " + NameOf(m_OutputType) +
                    " has not; another --output-type is needed");
  }
  WithComponentType(m_OutputType, [&](auto number) {
    std::transform(numbers.begin(), numbers.end(), reinterpret_cast<decltype(number) *>(to), [](std::int64_t label) {
      return static_cast<decltype(number)>(label);
    });
  });
}

void
VolumeMover::NoteValues(const char * numbers)
{
  if (!m_IsAllBackground)
  {
    return;
  }
  WithComponentType(m_OutputType, [&](auto number) {
    const auto         background = static_cast<decltype(number)>(m_Movement.ofVolume.background);
    const auto * const begin = reinterpret_cast<const decltype(number) *>(numbers);
    if (!std::all_of(begin, begin + m_OutputVoxels, [=](auto value) { return IsBackground(value, background); }))
    {
      m_IsAllBackground = false;
    }
  });
}

} // namespace

MovedSeries
StageMovedSeries(const OutputFile & file, const SeriesMovement & movement)
{
  ImageToWrite output;
  static_cast<ImageDescription &>(output) = movement.reference;
  output.components = 1;
  output.componentType = movement.outputType;
  output.metadata = MovedMetadata(movement.reference, movement.series);
  output.size.push_back(movement.series.size[3]);
  output.dimension = 4;
  VolumeMover      mover(movement);
  const MakeVolume make = [&](std::size_t volume, char * to) { mover.Make(volume, to); };
  try
  {
    StagedFile staged = StageSeries(file, output, make, mover.GetVolumesAtOnce());
    if (mover.IsAllBackground())
    {
      WarnOfBackground(file.GetPath(), movement.reference, movement.series);
    }
    WarnOfLimitedVoxels(file.GetPath(), mover.GetNumberOfLimitedVoxels(), NameOf(movement.outputType));
    return { std::move(staged), mover.GetNumberOfLimitedVoxels() };
  }
  catch (...)
  {
    // With its own message, not as a failure to write.
    mover.ThrowIfFailed();
    throw;
  }
}

} // namespace cudaneuro::files
