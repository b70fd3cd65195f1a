#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "compiler.hpp"
#include "refusal.hpp"
#include "translation.hpp"

namespace {

namespace fs = std::filesystem;
using namespace jackdaw::cilk;

constexpr const char* usage =
    "Usage: jackdaw cilk FILE... [OPTION]... [compiler options]\n"
    "\n"
    "Translates C and C++ with Cilk (.c, .cpp ...) or MIT Cilk-5 (.cilk) into programs on jackdaw, and compiles them\n"
    "with $CXX (g++ if it is not set).\n"
    "\n"
    "  -S        print the translation\n"
    "  --elide   compile the serial program, without the keywords\n"
    "  --help    print this\n";

std::optional<job> source_of(const std::string& word) {
  const std::string extension = fs::path(word).extension().string();
  job found;
  found.file = word;
  if (extension == ".cilk") {
    found.spoken = dialect::cilk5;
  } else if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" ||
             extension == ".c++") {
    found.cplusplus = true;
  } else if (extension != ".c") {
    return std::nullopt;
  }
  return found;
}

int run(const std::vector<std::string>& words) {
  std::vector<job> jobs;
  compiler with;
  bool print = false, elide = false;
  std::vector<std::string> parsed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (++i == words.size()) throw refusal(word + ": expected a value");
      return words[i];
    };
    if (word == "--help" || word == "-h") return std::fputs(usage, stdout) < 0 ? 1 : 0;
    if (word == "-S") {
      print = true;
    } else if (word == "--elide") {
      elide = true;
    } else if (word == "-c") {
      with.only_objects = true;
    } else if (word == "-o") {
      with.output = value();
    } else if (word.starts_with("-o") && word.size() > 2 && word[2] != 'p') {
      with.output = word.substr(2);
    } else if (auto found = word.starts_with("-") ? std::nullopt : source_of(word)) {
      jobs.push_back(*found);
    } else if (word == "-I" || word == "-D" || word == "-U" || word == "-include" || word == "-isystem" ||
               word == "-iquote") {
      parsed.insert(parsed.end(), {word, value()});
    } else if (word.starts_with("-std=") && word.find("++") != std::string::npos) {
      // The headers need C++20; what was right before is right in it, nearly always.
      const std::string year = word.substr(word.size() - 2);
      const bool older = year == "98" || year == "03" || year == "0x" || year == "11" || year == "1y" || year == "14" ||
                         year == "1z" || year == "17";
      parsed.push_back(!older ? word : word.find("gnu") != std::string::npos ? "-std=gnu++20" : "-std=c++20");
    } else if (word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-U") ||
               word.starts_with("-std=") || word.starts_with("-isystem")) {
      parsed.push_back(word);
    } else if (word.ends_with(".o") || word.ends_with(".a") || word.ends_with(".so") || word.starts_with("-l") ||
               word.starts_with("-L") || word.starts_with("-Wl,")) {
      with.link.push_back(word);
    } else if (word == "-x" || word == "-E") {
      throw refusal(word + ": not taken; the language is known from the file's name, and -S prints the translation");
    } else {
      with.options.push_back(word);
    }
  }
  if (jobs.empty() && (with.link.empty() || with.only_objects || print))
    throw refusal("expected a source: .c, .cpp, .cc, .cxx, .C or .cilk; or objects to link");
  if (with.only_objects && !with.output.empty() && jobs.size() > 1)
    throw refusal("-o with -c: expected one source, got " + std::to_string(jobs.size()));
  with.parsed = parsed;
  std::vector<std::string> texts;
  for (job& each : jobs) {
    each.elide = elide;
    each.includes = with.includes();
    each.jackdaw = with.jackdaw_includes();
    for (const std::string& flag : parsed) {
      const bool other = flag.starts_with("-std=") && each.cplusplus != (flag.find("++") != std::string::npos);
      if (!other) each.flags.push_back(flag);
    }
    if (!fs::is_regular_file(each.file)) throw refusal(each.file + ": no such file");
    texts.push_back(translate(each));
  }
  if (print) {
    if (with.output.empty()) {
      for (const std::string& each : texts) std::cout << each;
      std::cout.flush();
      return std::cout.good() ? 0 : 1;
    }
    std::ofstream file(with.output);
    for (const std::string& each : texts) file << each;
    file.close();
    if (!file) throw refusal(with.output + ": cannot be written");
    return 0;
  }
  return with.compile(jobs, texts);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const not_compiled&) {
    return 1;
  } catch (const std::exception& why) {
    std::fprintf(stderr, "%s\n", why.what());
    return 2;
  }
}
