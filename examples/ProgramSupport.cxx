// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ProgramSupport.h"

#include "ProgressBar.h"
#include "itkObjectFactory.h"
#include "itkOutputWindow.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace
{

constexpr int exitStatusError = 1;
constexpr int exitStatusUsage = 2;

std::string programName = "program";

volatile std::sig_atomic_t pendingSignal = 0;
// Files are written by several threads. Lock-free, and so fit for a signal's handler.
std::atomic<int> numberOfCleanUpScopes = 0;

void
HandleSignal(int signal)
{
  if (pendingSignal != 0 && numberOfCleanUpScopes == 0)
  {
    std::_Exit(128 + signal);
  }
  pendingSignal = signal;
  // Some systems fall back to the default action after one signal.
  std::signal(signal, HandleSignal);
}

void
PrintLine(const std::string & kind, const std::string & text)
{
  ProgressBar::Erase();
  // Not through std::cerr, which is listened to while a file is read.
  std::fprintf(stderr, "%s: %s%s\n", programName.c_str(), kind.c_str(), text.c_str());
}

/** Prints what ITK's classes have to say in the same way as this program's own messages. */
class MessageWindow : public itk::OutputWindow
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(MessageWindow);
  using Self = MessageWindow;
  using Superclass = itk::OutputWindow;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  void
  DisplayText(const char * text) override
  {
    PrintLine("", OneLine(text));
  }
  void
  DisplayErrorText(const char * text) override
  {
    PrintLine("error: ", OneLine(text));
  }
  void
  DisplayWarningText(const char * text) override
  {
    PrintWarning(OneLine(text));
  }

protected:
  MessageWindow() = default;
  ~MessageWindow() override = default;
};

/** The exit status of an error of the command line, which is printed; help that was asked for is no error. */
int
ExitParseError(CLI::App & app, const CLI::ParseError & error)
{
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
  {
    return app.exit(error);
  }
  // A value that is out of range is an error like those found later; all else is misuse of the command line.
  const bool        isBadValue = dynamic_cast<const CLI::ValidationError *>(&error) != nullptr;
  const std::string text = OneLine(error.what());
  PrintLine("error: ", isBadValue ? text : text + (text.back() == '.' ? "" : ".") + " Run with --help for help.");
  return isBadValue ? exitStatusError : exitStatusUsage;
}

int
ExitInterrupted()
{
  PrintLine("", "stopped; no output was written");
  return 128 + (pendingSignal != 0 ? pendingSignal : SIGINT);
}

int
ExitError(const std::string & text)
{
  PrintLine("error: ", OneLine(text));
  return exitStatusError;
}

} // namespace

Interrupted::Interrupted()
  : std::runtime_error("interrupted")
{}

bool
IsInterrupted()
{
  return pendingSignal != 0;
}

void
ThrowIfInterrupted()
{
  if (IsInterrupted())
  {
    throw Interrupted();
  }
}

CleanUpScope::CleanUpScope()
{
  ++numberOfCleanUpScopes;
}

CleanUpScope::~CleanUpScope()
{
  --numberOfCleanUpScopes;
}

void
PrintWarning(const std::string & text)
{
  PrintLine("warning: ", text);
}

std::string
OneLine(const std::string & text)
{
  // ITK begins with "WARNING: In FILE, line N\nClass (0x...): " or with "ITK ERROR: Class(0x...): ".
  std::string       line = text;
  const std::size_t address = line.find("(0x");
  const std::size_t end = address == std::string::npos ? std::string::npos : line.find("): ", address);
  if (end != std::string::npos)
  {
    line.erase(0, end + 3);
  }
  for (const std::string prefix : { "ITK ERROR: ", "ERROR: ", "WARNING: " })
  {
    for (std::size_t at = line.find(prefix); at != std::string::npos; at = line.find(prefix))
    {
      line.erase(at, prefix.size());
    }
  }
  line.erase(0, std::min(line.size(), line.find_first_not_of(" \n\t")));
  line.erase(line.find_last_not_of(" \n\t") + 1);
  for (std::size_t at = line.find('\n'); at != std::string::npos; at = line.find('\n', at))
  {
    line.replace(at, 1, at > 0 && std::string(":;,.").find(line[at - 1]) != std::string::npos ? " " : "; ");
  }
  line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
  return line;
}

int
RunProgram(CLI::App & app, int argc, char ** argv)
{
  programName = app.get_name();
  std::signal(SIGINT, HandleSignal);
  std::signal(SIGTERM, HandleSignal);
  itk::OutputWindow::SetInstance(MessageWindow::New());
  try
  {
    app.parse(argc, argv);
    if (app.get_subcommands().empty())
    {
      throw CLI::RequiredError("A subcommand");
    }
    return EXIT_SUCCESS;
  }
  catch (const CLI::ParseError & error)
  {
    return ExitParseError(app, error);
  }
  catch (const Interrupted &)
  {
    return ExitInterrupted();
  }
  catch (const itk::ProcessAborted &)
  {
    return ExitInterrupted();
  }
  catch (const itk::ExceptionObject & error)
  {
    return ExitError(error.GetDescription());
  }
  catch (const std::bad_alloc &)
  {
    return ExitError("there is not enough memory");
  }
  catch (const std::exception & error)
  {
    return ExitError(error.what());
  }
}

itk::ComputeDevice
ComputeOptions::GetDevice() const
{
  return device.empty() ? itk::ComputeDevice::GetDefault() : itk::ComputeDevice::FromName(device);
}

void
AddComputeOptions(CLI::App & app, ComputeOptions & options)
{
  const std::string group = "Computing";
  app
    .add_option("-d,--device",
                options.device,
                "auto (a GPU if there is one), cpu, or cuda:N.\n"
                "Default: the environment variable CUDANEURO_DEVICE, or else auto")
    ->option_text("NAME")
    ->group(group);
  app.add_option("-t,--threads", options.numberOfThreads, "CPU threads. Default: all cores")
    ->option_text("N")
    ->group(group);
  app
    .add_option("--max-memory",
                options.maximumDeviceMemory,
                "Most GPU memory to compute with, as 500MB or 4GB, results\n"
                "that stay on the GPU not counted. Denoising and comparing\n"
                "work on parts of an image to stay below; a registration that\n"
                "needs more fails. Default: all that is free")
    ->transform(CLI::AsSizeValue(false))
    ->option_text("SIZE")
    ->group(group);
  app.add_flag("-q,--quiet", options.isQuiet, "No progress bar and no summary")->group(group);
}

void
WarnOfUnusedMemoryLimit(const ComputeOptions & options)
{
  const bool isCuda = options.GetDevice().IsCuda();
  if (options.maximumDeviceMemory > 0 && !isCuda)
  {
    PrintWarning("--max-memory has no effect: it limits GPU memory, and the CPU computes");
  }
}

void
UpdateWithProgress(itk::ProcessObject &   filter,
                   const ComputeOptions & options,
                   const std::string &    label,
                   const ProgressNote &   note)
{
  if (options.numberOfThreads > 0)
  {
    filter.SetNumberOfWorkUnits(options.numberOfThreads);
  }
  ThrowIfInterrupted();
  ProgressBar bar(label, options.isQuiet);
  const auto  observer = [&](const itk::EventObject &) {
    bar.Show(filter.GetProgress(), note ? note() : "");
    if (IsInterrupted())
    {
      filter.AbortGenerateDataOn();
    }
  };
  const unsigned long tag = filter.AddObserver(itk::ProgressEvent(), observer);
  try
  {
    filter.Update();
  }
  catch (...)
  {
    filter.RemoveObserver(tag);
    throw;
  }
  filter.RemoveObserver(tag);
  ThrowIfInterrupted();
}
