#include "compiler.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "refusal.hpp"

namespace jackdaw::cilk {

namespace {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code).parent_path();
}

bool installed() { return fs::exists(program_folder() / JACKDAW_CILK_FROM_BIN / "jackdaw_cilk.h"); }

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

int run(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw refusal(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    execvp(pointers[0], pointers.data());
    std::fprintf(stderr, "%s: cannot be run: %s\n", pointers[0], std::strerror(errno));
    _exit(2);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

struct folder {
  folder() {
    std::string pattern = (fs::temp_directory_path() / "jackdaw-cilk-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw refusal(pattern + ": " + std::strerror(errno));
    path = pattern;
  }
  ~folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
  fs::path path;
};

}  // namespace

std::string compiler::includes() {
  if (installed()) return (program_folder() / JACKDAW_CILK_FROM_BIN).lexically_normal().string();
  return JACKDAW_CILK_SOURCE "/include";
}

std::string compiler::jackdaw_includes() {
  const fs::path here = installed() ? fs::path(includes()) / ".." : fs::path(JACKDAW_CILK_SOURCE "/../../include");
  return here.lexically_normal().string();
}

int compiler::compile(const std::vector<job>& jobs, const std::vector<std::string>& texts) const {
  const char* const chosen = std::getenv("CXX");  // there is one thread
  const std::vector<std::string> command = words_of(chosen != nullptr && *chosen != 0 ? chosen : "g++");
  const folder scratch;
  std::vector<std::string> objects;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const fs::path source = scratch.path / (fs::path(jobs[i].file).stem().string() + std::to_string(i) +
                                            (jobs[i].cplusplus ? ".cpp" : ".c"));
    std::ofstream file(source);
    file << texts[i];
    file.close();
    if (!file) throw refusal(source.string() + ": cannot be written");
    std::string object = source.string() + ".o";
    if (only_objects) object = output.empty() ? fs::path(jobs[i].file).stem().string() + ".o" : output;
    std::vector<std::string> line = command;
    line.insert(line.end(), {"-x", jobs[i].cplusplus ? "c++" : "c"});
    bool standard = false;
    for (const std::string& each : jobs[i].flags) standard = standard || each.starts_with("-std=");
    if (!standard) line.emplace_back(jobs[i].cplusplus ? "-std=gnu++20" : "-std=gnu17");
    const fs::path beside = fs::path(jobs[i].file).parent_path();
    line.insert(line.end(), {"-iquote", beside.empty() ? "." : beside.string()});
    line.insert(line.end(), jobs[i].flags.begin(), jobs[i].flags.end());
    line.insert(line.end(), {"-isystem", includes(), "-isystem", jackdaw_includes()});
    for (const std::string& each : words_of(JACKDAW_CILK_DEFINES)) line.push_back(each);
    line.insert(line.end(), options.begin(), options.end());
    line.insert(line.end(), {"-pthread", "-c", source.string(), "-o", object});
    if (const int status = run(line); status != 0) return status;
    objects.push_back(object);
  }
  if (only_objects) return 0;
  std::vector<std::string> line = command;
  line.insert(line.end(), options.begin(), options.end());
  line.insert(line.end(), objects.begin(), objects.end());
  line.insert(line.end(), link.begin(), link.end());
  if (installed()) {
    const std::string libraries = (program_folder() / JACKDAW_LIB_FROM_BIN).lexically_normal().string();
    line.insert(line.end(), {"-L" + libraries, "-Wl,-rpath," + libraries, "-ljackdaw_cilk", "-ljackdaw"});
  } else {
    for (const std::string& each : words_of(JACKDAW_CILK_LIBRARIES)) line.push_back(each);
  }
  for (const std::string& each : words_of(JACKDAW_CILK_LINK)) line.push_back(each);
  line.insert(line.end(), {"-pthread", "-lm", "-o", output.empty() ? "a.out" : output});
  return run(line);
}

}  // namespace jackdaw::cilk
