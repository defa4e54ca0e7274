"""The Conan recipe does what it should, with a stand-in of the part of Conan that it uses.

    python3 tests/packaging/conan_recipe.py <empty folder> <expected version>
"""

import pathlib
import shutil
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Values(dict):
    """settings, info and cpp_info: attributes, and a record of what was called."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__

    def get_safe(self, name):
        return self.get(name)

    def set_property(self, name, value):
        self[name] = value


def stand_in(calls):
    def copy(_recipe, pattern, src, dst):
        found = list(pathlib.Path(src).rglob(pattern))
        assert found, f"nothing matches {pattern} in {src}"
        for path in found:
            target = pathlib.Path(dst) / path.relative_to(src)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)

    modules = {
        "conan": {"ConanFile": object},
        "conan.tools.build": {"check_min_cppstd": lambda _, least: calls.append(("cppstd", least))},
        "conan.tools.files": {"copy": copy, "load": lambda _, path: pathlib.Path(path).read_text()},
        "conan.tools.layout": {"basic_layout": lambda _: calls.append(("layout",))},
    }
    sys.modules["conan.tools"] = types.ModuleType("conan.tools")
    for name, members in modules.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)


def exported(recipe, folder, patterns):
    """What Conan takes along: only that is there when a package is made."""
    patterns = (patterns,) if isinstance(patterns, str) else patterns
    for pattern in patterns:
        found = [path for path in ROOT.glob(pattern.replace("/*", "/**/*")) if path.is_file()]
        assert found, f"{recipe.name} exports {pattern}, which matches nothing"
        for path in found:
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return str(folder)


def main():
    folder, expected = pathlib.Path(sys.argv[1]), sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    calls = []
    stand_in(calls)
    names = {}
    exec(compile((ROOT / "conanfile.py").read_text(), "conanfile.py", "exec"), names)
    recipe = names["StridedConan"]()

    recipe.recipe_folder = exported(recipe, folder / "recipe", recipe.exports)
    recipe.set_version()
    assert (recipe.name, recipe.version) == ("strided", expected), recipe.version
    assert (recipe.package_type, recipe.license) == ("header-library", "MIT")
    assert "version" not in vars(names["StridedConan"]), "a second place that states the version"

    recipe.layout()
    recipe.settings = Values({"compiler.cppstd": "17"})
    recipe.validate()
    assert calls == [("layout",), ("cppstd", 20)], calls
    recipe.info = types.SimpleNamespace(clear=lambda: calls.append(("clear",)))
    recipe.package_id()
    assert calls[-1] == ("clear",)

    recipe.source_folder = exported(recipe, folder / "source", recipe.exports_sources)
    recipe.package_folder = str(folder / "package")
    recipe.package()
    ours = {p.relative_to(ROOT) for p in (ROOT / "include").rglob("*") if p.is_file()}
    packed = {p.relative_to(folder / "package") for p in (folder / "package").rglob("*.*pp")}
    packed |= {p.relative_to(folder / "package") for p in (folder / "package").rglob("*.inl")}
    assert packed == ours, packed ^ ours
    assert (folder / "package/licenses/LICENSE").is_file()

    recipe.cpp_info = Values()
    recipe.package_info()
    assert recipe.cpp_info == {
        "cmake_file_name": "strided",
        "cmake_target_name": "strided::strided",
        "pkg_config_name": "strided",
        "bindirs": [],
        "libdirs": [],
    }, recipe.cpp_info
    print(f"{recipe.name}/{recipe.version}: {len(packed)} headers")


if __name__ == "__main__":
    main()
