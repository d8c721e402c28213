// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/SlicerDescription.h"

#include "cudaneuro/Version.h"
#include "files/base/Text.h"
#include "shared/Files.h"
#include "shared/OptionValue.h"
#include "shared/XmlWriter.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>

namespace
{

using Options = std::vector<const CLI::Option *>;

std::map<const CLI::App *, std::vector<SlicerResult>> &
AllResults()
{
  static std::map<const CLI::App *, std::vector<SlicerResult>> results;
  return results;
}

/** Joins the lines of a text into one paragraph. */
std::string
Paragraph(const std::string & text)
{
  std::string line = Replaced(text, "\n", " ");
  line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
  return line;
}

/** Returns "Range sigma" for "range_sigma". */
std::string
LabelOf(const std::string & name)
{
  std::string label = Replaced(Replaced(name, "_", " "), "-", " ");
  label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
  return label;
}

/** Returns "CudaNeuro Denoise Bilateral" for "cudaneuro-denoise" and "bilateral". */
std::string
TitleOf(const CLI::App & app)
{
  std::string        title = "CudaNeuro";
  const CLI::App *   parent = app.get_parent();
  const std::string  program = (parent == nullptr ? app : *parent).get_name();
  std::istringstream words(Replaced(program + (parent == nullptr ? "" : "-" + app.get_name()), "-", " "));
  std::string        word;
  words >> word;
  while (words >> word)
  {
    title += ' ' + LabelOf(word);
  }
  return title;
}

/** Returns the files of a command that have no flag. */
Options
FilesOf(const CLI::App & app)
{
  return app.get_options([](const CLI::Option * option) { return option->get_positional(); });
}

/** Returns the options of a command that Slicer can have. */
Options
OptionsOf(const CLI::App & app)
{
  return app.get_options([&app](const CLI::Option * option) {
    return !option->get_positional() && !option->get_group().empty() && option != app.get_help_ptr() &&
           option != app.get_version_ptr() && option != app.get_option_no_throw("--xml") && ValueOf(*option).IsShown();
  });
}

bool
HasSameFiles(const CLI::App & first, const CLI::App & second)
{
  const Options a = FilesOf(first);
  const Options b = FilesOf(second);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CLI::Option * x, const CLI::Option * y) {
    return x->get_name(true) == y->get_name(true);
  });
}

/** Returns the commands among which a description of the program offers a choice. */
std::vector<const CLI::App *>
ChoicesOf(const CLI::App & program)
{
  std::vector<const CLI::App *> commands = program.get_subcommands({});
  commands.erase(
    std::remove_if(commands.begin(),
                   commands.end(),
                   [first = commands.front()](const CLI::App * app) { return !HasSameFiles(*first, *app); }),
    commands.end());
  return commands;
}

bool
IsInAll(const CLI::Option & option, const std::vector<const CLI::App *> & commands)
{
  return std::all_of(commands.begin(), commands.end(), [&option](const CLI::App * command) {
    const CLI::Option * const other = command->get_option_no_throw(option.get_name());
    return other != nullptr && other->get_type_name() == option.get_type_name() &&
           other->get_default_str() == option.get_default_str() && other->get_group() == option.get_group();
  });
}

/** Writes a description. */
class Description
{
public:
  explicit Description(const CLI::App & app)
    : m_App(app)
  {}

  std::string
  Write()
  {
    std::vector<const CLI::App *> choices;
    Options                       options;
    if (m_App.get_subcommands({}).empty())
    {
      options = OptionsOf(m_App);
    }
    else
    {
      choices = ChoicesOf(m_App);
      options = OptionsOf(*choices.front());
      options.erase(std::remove_if(options.begin(),
                                   options.end(),
                                   [&](const CLI::Option * option) { return !IsInAll(*option, choices); }),
                    options.end());
    }
    m_Xml.Open("executable");
    this->WriteHead();
    this->WriteFiles(choices);
    this->WriteGroups(options);
    this->WriteResults();
    m_Xml.Close();
    return m_Xml.GetText();
  }

private:
  void
  WriteHead()
  {
    const CLI::App & program = m_App.get_parent() == nullptr ? m_App : *m_App.get_parent();
    m_Xml.Write("category", program.get_group());
    m_Xml.Write("title", TitleOf(m_App));
    m_Xml.Write("description", Paragraph(m_App.get_description()));
    m_Xml.Write("version", cudaneuro::GetVersion());
    m_Xml.Write("documentation-url", "");
    m_Xml.Write("license", "Apache-2.0");
    m_Xml.Write("contributor", "The ITKCudaNeuro Contributors");
  }

  void
  OpenGroup(const std::string & label, bool isAdvanced = false)
  {
    m_Xml.Open("parameters", isAdvanced ? XmlWriter::Attributes{ { "advanced", "true" } } : XmlWriter::Attributes{});
    m_Xml.Write("label", label);
  }

  /** Writes the default and the constraints of a value. */
  void
  WriteValue(const OptionValue & value)
  {
    if (!value.standard.empty())
    {
      m_Xml.Write("default", value.standard);
    }
    for (const std::string & choice : value.choices)
    {
      m_Xml.Write("element", choice);
    }
    if (value.range)
    {
      const auto   number = [](double x) { return (std::ostringstream() << x).str(); };
      const double step = value.tag == "integer"
                            ? 1.0
                            : std::pow(10.0, std::floor(std::log10((value.range->second - value.range->first) / 50.0)));
      m_Xml.Open("constraints");
      m_Xml.Write("minimum", number(value.range->first));
      m_Xml.Write("maximum", number(value.range->second));
      m_Xml.Write("step", number(step));
      m_Xml.Close();
    }
  }

  void
  WriteParameter(const CLI::Option & option, int index = -1)
  {
    const OptionValue value = ValueOf(option);
    const std::string name = SlicerNameOf(option);
    m_Xml.Open(value.tag, value.attributes);
    m_Xml.Write("name", name);
    if (index < 0)
    {
      if (!option.get_snames().empty())
      {
        m_Xml.Write("flag", option.get_snames().front());
      }
      m_Xml.Write("longflag", name);
    }
    m_Xml.Write("label", LabelOf(name));
    m_Xml.Write("description", Paragraph(option.get_description()));
    if (!value.channel.empty())
    {
      m_Xml.Write("channel", value.channel);
    }
    if (index >= 0)
    {
      m_Xml.Write("index", std::to_string(index));
    }
    this->WriteValue(value);
    m_Xml.Close();
  }

  /** Writes the choice of commands, if there is one, and the files that have no flag. */
  void
  WriteFiles(const std::vector<const CLI::App *> & choices)
  {
    Options files = FilesOf(choices.empty() ? m_App : *choices.front());
    files.erase(
      std::remove_if(files.begin(), files.end(), [](const CLI::Option * file) { return !ValueOf(*file).IsShown(); }),
      files.end());
    int index = 0;
    if (files.empty() && choices.empty())
    {
      return;
    }
    this->OpenGroup("Inputs and outputs");
    if (!choices.empty())
    {
      m_Xml.Open("string-enumeration");
      m_Xml.Write("name", "command");
      m_Xml.Write("label", "Command");
      std::string description = "What to do.";
      for (const CLI::App * const command : choices)
      {
        description += ' ' + command->get_name() + ": " + Paragraph(command->get_description());
      }
      m_Xml.Write("description", description);
      m_Xml.Write("index", std::to_string(index++));
      m_Xml.Write("default", choices.front()->get_name());
      for (const CLI::App * const command : choices)
      {
        m_Xml.Write("element", command->get_name());
      }
      m_Xml.Close();
    }
    for (const CLI::Option * const file : files)
    {
      this->WriteParameter(*file, index++);
    }
    m_Xml.Close();
  }

  /** Writes the groups of the help. Groups with data and the first one of other parameters are open, the others
   * folded. */
  void
  WriteGroups(const Options & options)
  {
    std::vector<std::string> groups;
    for (const CLI::Option * const option : options)
    {
      if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end())
      {
        groups.push_back(option->get_group());
      }
    }
    if (groups.empty())
    {
      this->OpenGroup("Slicer", true);
      this->WriteSlicerFlag();
      m_Xml.Close();
    }
    bool isFolded = false;
    for (const std::string & group : groups)
    {
      Options members;
      std::copy_if(options.begin(), options.end(), std::back_inserter(members), [&group](const CLI::Option * option) {
        return option->get_group() == group;
      });
      const bool hasData = std::any_of(
        members.begin(), members.end(), [](const CLI::Option * member) { return !ValueOf(*member).channel.empty(); });
      // Text in brackets is about command lines.
      const std::string label = group.substr(0, group.find(" ("));
      this->OpenGroup(label, !hasData && isFolded);
      isFolded = isFolded || !hasData;
      for (const CLI::Option * const member : members)
      {
        this->WriteParameter(*member);
      }
      if (&group == &groups.back())
      {
        this->WriteSlicerFlag();
      }
      m_Xml.Close();
    }
  }

  void
  WriteResults()
  {
    if (ResultsOf(m_App).empty())
    {
      return;
    }
    this->OpenGroup("Results");
    for (const SlicerResult & result : ResultsOf(m_App))
    {
      m_Xml.Open("double");
      m_Xml.Write("name", result.name);
      m_Xml.Write("label", LabelOf(result.name));
      m_Xml.Write("description", result.description);
      m_Xml.Write("channel", "output");
      m_Xml.Close();
    }
    m_Xml.Close();
  }

  /** Writes the flag with the value true, so that Slicer passes it back. */
  void
  WriteSlicerFlag()
  {
    m_Xml.Open("boolean", { { "hidden", "true" } });
    m_Xml.Write("name", "slicer");
    m_Xml.Write("longflag", "slicer");
    m_Xml.Write("label", "Slicer");
    m_Xml.Write("description", "Report progress on standard output, and take values that are the default for none.");
    m_Xml.Write("default", "true");
    m_Xml.Close();
  }

  const CLI::App & m_App;
  XmlWriter        m_Xml;
};

} // namespace

void
DeclareResults(const CLI::App & command, const std::vector<SlicerResult> & results)
{
  AllResults()[&command] = results;
}

const std::vector<SlicerResult> &
ResultsOf(const CLI::App & command)
{
  return AllResults()[&command];
}

std::string
SlicerNameOf(const CLI::Option & option)
{
  std::string name = option.get_positional() ? option.get_name(true) : option.get_lnames().front();
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  return name;
}

std::string
DescribeForSlicer(const CLI::App & app)
{
  return Description(app).Write();
}
