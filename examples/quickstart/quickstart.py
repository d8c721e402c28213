# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Shows each topic on data whose true answer is known, and checks how near the programs come to it.

    python quickstart.py FOLDER_OF_PROGRAMS OUTPUT [--topics NAME...] [--small]
"""

import argparse
import importlib
import sys
import time
from pathlib import Path

from report import number, save_report
from topic import Topic, TopicError

TOPICS = ("denoise", "align", "register", "atlas", "landmarks", "surface")
START = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - START:4.0f} s] {text}", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="the folder of cudaneuro-denoise and the other programs")
    parser.add_argument("output", type=Path, help="where to leave the report, and a folder a topic")
    parser.add_argument("--topics", nargs="+", choices=TOPICS, default=TOPICS, help="these only")
    parser.add_argument("--small", action="store_true", help="small data, which take seconds: for tests")
    return parser.parse_args()


def run_topic(name, arguments):
    """Runs one topic. What goes wrong is noted, so that the others still run."""
    module = importlib.import_module(name)
    folder = arguments.output.resolve() / name
    folder.mkdir(parents=True, exist_ok=True)
    topic = Topic(name, arguments.programs.resolve(), folder, module.LIMIT, arguments.small)
    say(f"{name}: {module.__doc__.splitlines()[0]} Programs get {module.LIMIT} s.")
    try:
        module.run(topic)
    except TopicError as error:
        topic.error = str(error)
    except Exception as error:  # whatever it is, it is of this topic
        topic.error = f"{type(error).__name__}: {error}"
    topic.taken = topic.seconds()
    for check in topic.checks:
        bound = f"{'above' if check.above else 'below'} {number(check, check.bound)}"
        say(f"  {'holds' if check.passes else 'FAILS'}: {check.what}: {number(check, check.value)}, must be {bound}")
    if topic.error:
        say(f"  FAILS: {topic.error}")
    return topic


def main():
    arguments = parse_arguments()
    arguments.output.mkdir(parents=True, exist_ok=True)
    topics = [run_topic(name, arguments) for name in arguments.topics]
    save_report(arguments.output, topics)
    say(f"Done: see {arguments.output}/report.md")
    failures = [topic.name for topic in topics if not topic.passes()]
    if failures:
        sys.exit("These topics failed: " + ", ".join(failures))


if __name__ == "__main__":
    main()
