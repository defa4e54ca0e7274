"""The version is written in core/config.hpp, and no other file says a different one.

    python3 tests/packaging/check_versions.py            # of this tree, and that planted ones are seen
"""

import json
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = "include/strided/core/config.hpp"

# What states a version of this project: strided 1.2.3, find_package(strided 1.2), "version": "1.2",
# version = "1.2", VERSION 1.2.3, and ## 1.2.3 of the changelog.
STATES = re.compile(
    r"""(?ix) \bstrided [ ]* [-/@(=,"' ]{1,3} v?(\d+\.\d+(?:\.\d+)?)\b
      | (?:^|[{,]) \s* "?version(?:-semver|-string)? "? \s* [:=] \s* ["'](\d+[.\d]*)["']
      | \bVERSION [ ] (\d+\.\d+\.\d+)
      | ^\#\#[ ] (\d+\.\d+\.\d+)""",
    re.MULTILINE,
)
SUFFIXES = {".md", ".txt", ".cmake", ".py", ".json", ".hpp", ".inl", ".cpp", ".in", ".sh"}
# The consumer that asks for versions that are not there, and texts that are no statements of ours.
EXEMPT = ("tests/packaging/", "tests/data/", "tests/consumer/", "bench/")


def version_of(root):
    config = (root / CONFIG).read_text()
    return ".".join(re.findall(r"^#define STRIDED_VERSION_[A-Z]+ (\d+)$", config, re.MULTILINE))


def statements(root):
    """(file, line number, version) of every statement in the tree."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if hidden or name.startswith(("build", *EXEMPT)) or path.suffix not in SUFFIXES:
            continue
        text = path.read_text()
        for match in STATES.finditer(text):
            stated = next(group for group in match.groups() if group)
            yield name, text.count("\n", 0, match.start(match.lastindex)) + 1, stated


def wrong(root):
    version = version_of(root)
    short = version.rsplit(".", 1)[0]
    return [
        f"{name}:{line}: says {stated}, and {CONFIG} {version}"
        for name, line, stated in statements(root)
        if stated not in (version, short)
    ]


def check_planted():
    planted = {
        "conanfile.py": 'class A:\n    version = "9.8.7"\n',
        "vcpkg.json": '{ "version": "9.8.7" }',
        "CMakeLists.txt": "project(strided VERSION 9.8.7)\n",
        "README.md": "find_package(strided 9.8)\n",
        "CHANGELOG.md": "# Changelog\n\n## 9.8.7 - unreleased\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / CONFIG).parent.mkdir(parents=True)
        (root / CONFIG).write_text((ROOT / CONFIG).read_text())
        for name, text in planted.items():
            (root / name).write_text(text)
        seen = {entry.split(":")[0] for entry in wrong(root)}
    return [f"a wrong version planted in {name} is not seen" for name in planted.keys() - seen]


def main():
    version = version_of(ROOT)
    complaints = wrong(ROOT) + check_planted()
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        complaints.append(f"{CONFIG}: the version is {version!r}")
    # vcpkg reads JSON alone, and the changelog begins with what comes next.
    port = json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text())
    if port["version"] != version:
        complaints.append(f"vcpkg.json: {port['version']}")
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    if newest != version:
        complaints.append(f"CHANGELOG.md begins with {newest}")
    found = list(statements(ROOT))
    print(f"{version}, stated in {', '.join(sorted({name for name, _, _ in found}))}")
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
