// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MapJob_h
#define apps_transform_MapJob_h

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/OpenedField.h"
#include "files/maps/MapFile.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/registration/MapOutputs.h"
#include "shared/ProgramSupport.h"
#include "shared/Report.h"
#include "transform/MapSteps.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/** Common options of the commands that work on maps, not on images. */
struct MapJobOptions
{
  std::string    reference;
  std::string    output;
  std::string    json;
  ComputeOptions compute;

  /** The images that a run opens, by --nifti-place. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** Adds --reference, --nifti-place, --volume, --json, and the options of ComputeOptions. */
void
AddMapJobOptions(CLI::App & app, MapJobOptions & options, const std::string & reference, const std::string & group);

/** Adds the output of a map. */
void
AddMapOutput(CLI::App &          app,
             MapJobOptions &     options,
             const std::string & meaning = "The file to write: a transform (.h5, .tfm, .txt, .mat), or an\nimage of "
                                           "displacements (.nii.gz, .mha, .nrrd)");

/** Adds a transform that is a positional argument. */
void
AddTransformFile(CLI::App & app, const std::string & name, std::string & path, const std::string & meaning);

/** The files and the report of a run. */
class MapJob
{
public:
  /** Checks the files and makes the places of outputs.
   * \throws UserError */
  MapJob(const MapJobOptions & options, const std::vector<MapStep> & steps);

  unsigned int
  GetDimension() const
  {
    return m_Dimension;
  }
  const MapJobOptions &
  GetOptions() const
  {
    return m_Options;
  }
  Report &
  GetReport()
  {
    return *m_Report;
  }
  FilesOfRun &
  GetFiles()
  {
    return m_Files;
  }
  /** Returns the output, if there is one. */
  const OutputFile *
  GetOutput() const
  {
    return m_Output.get();
  }

  /** Reads several steps as one map. */
  template <unsigned int VDimension>
  typename SpaceMap<VDimension>::Pointer
  Read(const std::vector<MapStep> & steps) const
  {
    const std::string what =
      m_Options.reference.empty() ? "the other transforms" : "the axes of " + m_Options.reference;
    return ReadMap<VDimension>(steps, m_Options.opened->reading, what, m_Options.compute);
  }

  MapComputing
  GetComputing() const
  {
    return ComputingOf(m_Options.compute);
  }

  /** Returns the grid of an image; none if its path is empty. */
  template <unsigned int VDimension>
  MapGrid<VDimension>
  ReadMapGrid(const std::string & name) const
  {
    if (name.empty())
    {
      return {};
    }
    const OpenedImage image = OpenGridOrField(*m_Options.opened, name);
    return { ReadGrid<VDimension>(image).GetPointer(), GridMetadata(image.metadata) };
  }

  /** Returns the grid of --reference, if there is one. */
  template <unsigned int VDimension>
  MapGrid<VDimension>
  GetReference() const
  {
    return this->ReadMapGrid<VDimension>(m_Options.reference);
  }

  /** Writes a map to the output, and describes it in the report.
   * \param name of the map in messages */
  template <unsigned int VDimension>
  void
  Write(const MapType<VDimension> & map, const std::string & name, const MapFormat & format = {})
  {
    if (!m_Options.reference.empty() && !IsImageName(m_Options.output) && IsLinear<VDimension>(map))
    {
      throw UserError("--reference has no effect here: " + m_Options.output +
                      " gets a linear transform, without a grid");
    }
    const MapGrid<VDimension> reference = this->GetReference<VDimension>();
    m_Report->Set("/output_description", DescribeMapFile<VDimension>(m_Options.output, map, format));
    StageMapFile<VDimension>(*m_Output, map, format, reference, this->GetComputing(), name).Commit();
  }

  void
  Finish();

private:
  const MapJobOptions &       m_Options;
  const Stopwatch             m_Stopwatch;
  unsigned int                m_Dimension = 3;
  FilesOfRun                  m_Files;
  std::unique_ptr<OutputFile> m_Output;
  std::unique_ptr<OutputFile> m_Json;
  std::unique_ptr<Report>     m_Report;
};

#endif
