// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterRun_h
#define apps_register_RegisterRun_h

#include "register/RegisterJob.h"

#include <functional>
#include <memory>

/** The run of a subcommand for one pair, in steps. Different threads may run the steps, one after the other, so that
 * one pair is read and one written while another is computed. */
class RegisterRun
{
public:
  explicit RegisterRun(std::unique_ptr<RegisterJob> job)
    : m_Job(std::move(job))
  {}
  virtual ~RegisterRun() = default;

  RegisterJob &
  GetJob()
  {
    return *m_Job;
  }

  /** Reads and uploads the files. */
  virtual void
  Read() = 0;
  virtual void
  Compute() = 0;
  /** Downloads and writes the outputs, and moves them to their places. */
  virtual void
  Write() = 0;

private:
  std::unique_ptr<RegisterJob> m_Job;
};

/** A subcommand with the values of its options. */
struct RegisterMethod
{
  std::string name;
  /** Whether the map is one linear transform. */
  TransformParts parts;
  bool           isSuccessRequired;
  /** Returns whether a pair of these files is aligned. */
  std::function<bool(const RegisterOptions & files)> isAligned;
  /** Makes the run of a job, and checks its parameters. */
  std::function<std::unique_ptr<RegisterRun>(std::unique_ptr<RegisterJob>)> make;
};

/** Makes the run of a pair, with the checks that are possible before voxels are read.
 * \throws UserError, itk::ExceptionObject */
std::unique_ptr<RegisterRun>
MakeRun(const RegisterMethod & method, const RegisterOptions & files);

/** Runs a step of a run. Errors of the library name the pair.
 * \throws UserError, Interrupted */
void
TakeStep(RegisterRun & run, void (RegisterRun::*step)());

/** Registers the pair, or the pairs, of the command line of a subcommand. */
void
RunMethod(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options);

#endif
