#include "checks/symbol.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace jackdaw::checks {
namespace {

/// A file in memory, for reading.
class mapped_file {
 public:
  explicit mapped_file(const char* path) noexcept {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about{};
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
      void* const memory = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) {
        bytes_ = static_cast<const std::byte*>(memory);
        size_ = static_cast<std::size_t>(about.st_size);
      }
    }
    if (file >= 0) {
      close(file);
    }
  }
  ~mapped_file() {
    if (bytes_ != nullptr) {
      munmap(const_cast<std::byte*>(bytes_), size_);
    }
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  /// `count` of them from there on; null if the file is too short.
  template <class T>
  const T* at(std::size_t offset, std::size_t count = 1) const noexcept {
    const bool inside = offset <= size_ && count <= (size_ - offset) / sizeof(T) && offset % alignof(T) == 0;
    return inside ? reinterpret_cast<const T*>(bytes_ + offset) : nullptr;
  }

 private:
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// The function at `address` of the file, from its full symbol table. dladdr() does not read that table, and a program
/// exports few of its functions. Empty if the table was stripped.
std::string function_in(const mapped_file& file, std::uintptr_t address) {
  const auto* const head = file.at<ElfW(Ehdr)>(0);
  const auto* const sections = head != nullptr ? file.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum) : nullptr;
  for (std::size_t i = 0; sections != nullptr && i < head->e_shnum; ++i) {
    const ElfW(Shdr)& each = sections[i];
    if (each.sh_type != SHT_SYMTAB || each.sh_link >= head->e_shnum) {
      continue;
    }
    const ElfW(Shdr)& names = sections[each.sh_link];
    const std::size_t count = each.sh_size / sizeof(ElfW(Sym));
    const auto* const symbols = file.at<ElfW(Sym)>(each.sh_offset, count);
    const char* const text = file.at<char>(names.sh_offset, names.sh_size);
    for (std::size_t k = 0; symbols != nullptr && text != nullptr && k < count; ++k) {
      const ElfW(Sym)& one = symbols[k];
      if ((one.st_info & 15) == STT_FUNC && address - one.st_value < one.st_size && one.st_name < names.sh_size) {
        return {text + one.st_name, strnlen(text + one.st_name, names.sh_size - one.st_name)};
      }
    }
  }
  return {};
}

std::string hexadecimal(std::uintptr_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, 16).ptr;
  return "0x" + std::string(digits, end);
}

std::string demangled(const std::string& name) {
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr),
                                                         &std::free);
  std::string whole = text != nullptr ? text.get() : name;
  constexpr std::size_t most = 200;
  if (whole.size() > most) {
    whole.replace(most, std::string::npos, "...");
  }
  return whole;
}

}  // namespace

bool symbol::of_library() const noexcept {
  constexpr std::array<std::string_view, 7> own{"_ZN7jackdaw", "_ZNK7jackdaw",  "_ZNSt",   "_ZNKSt",
                                                "_ZSt",        "_ZN9__gnu_cxx", "jackdaw_"};
  return std::any_of(own.begin(), own.end(), [&](std::string_view each) { return name.starts_with(each); }) ||
         name.find("__gthread_") != std::string::npos;
}

bool symbol::of_template() const {
  const std::string text = demangled(name);
  return text.find('<') < text.find('(');
}

std::string symbol::shown() const { return name.empty() ? place : demangled(name) + " (" + place + ")"; }

symbol find_symbol(const void* address) {
  Dl_info about{};
  link_map* in = nullptr;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (dladdr1(address, &about, reinterpret_cast<void**>(&in), RTLD_DL_LINKMAP) == 0 || in == nullptr) {
    return {{}, hexadecimal(at)};
  }
  const bool program = *in->l_name == '\0';
  const mapped_file file(program ? "/proc/self/exe" : in->l_name);
  symbol found{function_in(file, at - in->l_addr), about.dli_fname};
  if (found.name.empty() && about.dli_sname != nullptr) {
    found.name = about.dli_sname;
  }
  found.place = found.place.substr(found.place.rfind('/') + 1) + "+" + hexadecimal(at - in->l_addr);
  return found;
}

}  // namespace jackdaw::checks
