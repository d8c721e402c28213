// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterJob_h
#define apps_register_RegisterJob_h

#include "files/transforms/TransformFile.h"
#include "register/inputs/RegisterInputs.h"
#include "register/inputs/RegisterReport.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <map>

/** The files and the report of one pair. */
class RegisterJob
{
public:
  /** Checks options, inputs and places of outputs before any voxel is read, and begins the report.
   * \param parts whether the map is one linear transform
   * \throws UserError, itk::ExceptionObject */
  RegisterJob(const std::string & methodName, const RegisterOptions & options, TransformParts parts);

  const RegisterOptions &
  GetOptions() const
  {
    return m_Options;
  }
  unsigned int
  GetDimension() const
  {
    return m_Images.fixed.dimension;
  }
  const RegisterImages &
  GetImages() const
  {
    return m_Images;
  }
  /** Returns the header of the fixed image, whose grid the outputs have. */
  const itk::MetaDataDictionary &
  GetGridMetadata() const
  {
    return m_GridMetadata;
  }
  /** Returns the pixel type of the warped image. */
  itk::IOComponentEnum
  GetWarpedType() const
  {
    return m_WarpedType;
  }
  RegisterReport &
  GetReport()
  {
    return m_Report;
  }

  /** Returns whether an output was requested: "warped", "field", "inverse_field", "jacobian", "transform",
   * "inverse_transform", "alignment", "labels". */
  bool
  Has(const std::string & output) const
  {
    return m_Outputs.count(output) > 0;
  }
  const OutputFile &
  GetOutput(const std::string & output) const
  {
    return m_Outputs.at(output);
  }

  /** Completes the report, writes and prints it. */
  void
  Finish();

private:
  void
  AddImage(const std::string & name, const std::string & path);
  void
  AddFiles();
  void
  NoteFiles();
  void
  NoteChannels();

  const RegisterOptions             m_Options;
  const TransformParts              m_Parts;
  Stopwatch                         m_Stopwatch;
  RegisterImages                    m_Images;
  itk::MetaDataDictionary           m_GridMetadata;
  itk::IOComponentEnum              m_WarpedType = itk::IOComponentEnum::FLOAT;
  FilesOfRun                        m_Files;
  std::map<std::string, OutputFile> m_Outputs;
  std::unique_ptr<OutputFile>       m_JsonFile;
  RegisterReport                    m_Report;
};

#endif
