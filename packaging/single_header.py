#!/usr/bin/env python3
"""Writes the library as one file.

    python3 packaging/single_header.py -o strided.hpp
    python3 packaging/single_header.py -o strided.hpp draw.hpp interop/npy.hpp   # with these, too

Every #include "strided/..." is replaced by the text of the file: a .hpp once, an .inl each time it
is included, since those are written once for all instruction sets. #include <...> lines stay.
"""

import argparse
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"

OURS = re.compile(r'\s*#\s*include\s*"(strided/[^"]+)"')
OTHER_QUOTED = re.compile(r'\s*#\s*include\s*"')
STANDARD = re.compile(r"\s*#\s*include\s*(<[^>]+>)")
OPENS = re.compile(r"\s*#\s*if")
CLOSES = re.compile(r"\s*#\s*endif")

# Half of the other would be defined twice, with pages of errors.
ALONE = """
#if defined(STRIDED_VERSION_MAJOR)
#error "the library in one file beside strided's headers: include one of the two"
#endif
"""


class Inliner:
    def __init__(self):
        self.seen = set()
        self.standard = set()
        self.lines = []

    def add(self, name, depth=0):
        """The file include/<name>, at `depth` conditionals around it."""
        is_header = name.endswith(".hpp")
        if is_header:
            if name in self.seen:
                return
            # A later include, outside of the condition, would find nothing.
            if depth > 0:
                sys.exit(f"{name}: a header that is included conditionally cannot be inlined once")
            self.seen.add(name)
        for number, line in enumerate((INCLUDE / name).read_text().splitlines(), 1):
            depth += bool(OPENS.match(line)) - bool(CLOSES.match(line))
            ours = OURS.match(line)
            standard = STANDARD.match(line)
            if ours:
                self.add(ours[1], depth)
            elif OTHER_QUOTED.match(line):
                sys.exit(f'{name}:{number}: neither <...> nor "strided/...": {line}')
            elif line.strip() == "#pragma once":
                continue
            elif standard and depth == 0 and standard[1] in self.standard:
                continue
            else:
                if standard and depth == 0:
                    self.standard.add(standard[1])
                self.lines.append(line)


def version():
    config = (INCLUDE / "strided/core/config.hpp").read_text()
    parts = ("MAJOR", "MINOR", "PATCH")
    return ".".join(
        re.search(rf"^#define STRIDED_VERSION_{part} (\d+)$", config, re.MULTILINE)[1]
        for part in parts
    )


def single_header(extra):
    inliner = Inliner()
    headers = ["strided.hpp", *extra]
    for header in headers:
        if not (INCLUDE / "strided" / header).is_file():
            sys.exit(f"{header} is no header below include/strided")
        inliner.add(f"strided/{header}")
    text = "\n".join(inliner.lines)
    text = re.sub(r"\n{3,}", "\n\n", text)
    license_text = (ROOT / "LICENSE").read_text().rstrip()
    notice = "\n".join(f"// {line}".rstrip() for line in license_text.splitlines())
    return (
        f"// strided {version()}, in one file: {', '.join(headers)}.\n"
        "// Made by packaging/single_header.py; changes belong into the files it was made of.\n"
        f"//\n{notice}\n#pragma once\n{ALONE}\n{text.strip()}\n\n#define STRIDED_SINGLE_HEADER\n"
    )


def main():
    parser = argparse.ArgumentParser(description="Writes the library as one file.")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="default: standard output")
    parser.add_argument("headers", nargs="*", help="more headers, below include/strided")
    arguments = parser.parse_args()
    text = single_header(arguments.headers)
    if arguments.output is None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:  # a reader such as head wants no more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(text)


if __name__ == "__main__":
    main()
