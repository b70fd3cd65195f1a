import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir
from conan.tools.system.package_manager import Apt, Dnf, PacMan, Zypper


class Jackdaw(ConanFile):
    """The library of the tree that this file stands in: conan create packaging/conan"""

    name = "jackdaw"
    license = "Apache-2.0 WITH LLVM-exception"
    description = "A fork-join runtime whose scheduler knows the machine"
    topics = ("fork-join", "task-parallelism", "scheduler", "numa")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    @property
    def _tree(self):
        return Path(self.recipe_folder).parent.parent

    def set_version(self):
        told = (self._tree / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"project\(jackdaw VERSION ([0-9.]+)", told)[1]

    def export_sources(self):
        for wanted in ("CMakeLists.txt", "LICENSE", "cmake/*", "compat/tbb/*", "include/*", "src/*"):
            copy(self, wanted, self._tree, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("jackdaw runs on Linux, on x86_64 and armv8")

    def system_requirements(self):
        # Conan's own recipes have no libpfm4, and a program shall not have two versions of the others.
        Apt(self).install(["libhwloc-dev", "libnuma-dev", "libpfm4-dev", "libprotozero-dev", "pkg-config"])
        Dnf(self).install(["hwloc-devel", "numactl-devel", "libpfm-devel", "protozero-devel", "pkgconf-pkg-config"])
        PacMan(self).install(["hwloc", "numactl", "libpfm", "protozero", "pkgconf"])
        Zypper(self).install(["hwloc-devel", "libnuma-devel", "libpfm-devel", "protozero-devel", "pkgconf-pkg-config"])

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("PROGRAM", "TESTS", "BENCHMARKS"):
            toolchain.cache_variables[f"JACKDAW_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        # Conan writes its own.
        for theirs in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, Path(self.package_folder) / theirs)

    def package_info(self):
        self.cpp_info.libs = ["jackdaw"]
        self.cpp_info.set_property("cmake_file_name", "jackdaw")
        self.cpp_info.set_property("cmake_target_name", "jackdaw::jackdaw")
        self.cpp_info.set_property("pkg_config_name", "jackdaw")
        self.cpp_info.system_libs = ["pthread"]
        if not self.options.shared:
            self.cpp_info.system_libs += ["hwloc", "numa", "pfm", "dl"]
