#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "profile/hotness/page_calls.hpp"

namespace jackdaw::test {

/// A fake kernel in which the test chooses the accessed pages; it reports mappings of several pages as one.
class fake_pages final : public profile::page_calls {
 public:
  static constexpr std::size_t page = 4096;

  std::map<std::uintptr_t, std::size_t> apart;  // ranges that are mappings of their own
  std::set<std::uintptr_t> accessed;            // pages
  std::set<std::uintptr_t> joined;              // begins of pages that make one mapping with the page after them
  std::size_t refused_from = SIZE_MAX;          // of calls of set_apart(true), counting from 0
  int refused_look = 0;
  unsigned looks = 0;

  int set_apart(std::uintptr_t at, std::size_t bytes, bool wanted) override {
    if (!wanted) {
      apart.erase(at);
      return 0;
    }
    if (calls_++ >= refused_from) return EPERM;
    apart[at] = bytes;
    return 0;
  }

  int forget(std::uintptr_t at, std::size_t bytes) override {
    for (std::uintptr_t each = at; each < at + bytes; each += page) accessed.erase(each);
    return 0;
  }

  int mappings(std::string& into) override {
    ++looks;
    into = "00001000-00002000 r-xp 00000000 08:01 1234  /bin/program\nReferenced:            4 kB\n";
    if (refused_look != 0) return refused_look;
    for (auto each = apart.begin(); each != apart.end(); ++each) {
      const std::uintptr_t begin = each->first;
      std::uintptr_t end = begin + each->second;
      while (joined.contains(end - page) && std::next(each) != apart.end()) end = (++each)->first + each->second;
      add(begin, end, into);
    }
    return 0;
  }

 private:
  void add(std::uintptr_t begin, std::uintptr_t end, std::string& into) const {
    std::size_t kib = 0;
    for (std::uintptr_t each = begin; each < end; each += page) kib += accessed.contains(each) ? page / 1024 : 0;
    char line[128];
    std::snprintf(line, sizeof line,
                  "%lx-%lx rw-p 00000000 00:00 0 \nRss:  8 kB\nReferenced: %6zu kB\nVmFlags: rd wr\n",
                  static_cast<unsigned long>(begin), static_cast<unsigned long>(end), kib);
    into += line;
  }

  std::size_t calls_ = 0;
};

}  // namespace jackdaw::test
