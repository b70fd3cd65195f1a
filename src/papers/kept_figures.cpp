#include "papers/kept_figures.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <jackdaw/error.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/replacement.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"

namespace jackdaw::cli {
namespace {

using nlohmann::json;
using f = reproduction::figures;

constexpr std::array numbers = {
    &f::time,         &f::whole,           &f::first,          &f::total,         &f::local_bytes,
    &f::remote_bytes, &f::straggler_bytes, &f::private_misses, &f::shared_misses, &f::dram_bytes,
    &f::hbm_bytes,    &f::watching,        &f::moving,         &f::moved_bytes,   &f::idle,
    &f::sampled,      &f::upper_tier,      &f::in_regions,     &f::work,          &f::span};

using s = reproduction::sample;
constexpr std::array of_sample = {&s::time,         &s::local_steals, &s::remote_steals, &s::local_false,
                                  &s::remote_false, &s::local_bytes,  &s::remote_bytes};

/// Tells this build from others.
std::string this_build() {
  struct stat program{};
  if (stat("/proc/self/exe", &program) != 0) return "";
  return fmt::format("{} bytes of {}.{:09}", program.st_size, program.st_mtim.tv_sec, program.st_mtim.tv_nsec);
}

json to_json(const f& of) {
  json made = json::array();
  for (const auto number : numbers) made.push_back(of.*number);
  made.push_back(of.settled);
  made.push_back(of.curve);
  made.push_back(of.map);
  json samples = json::array();
  for (const s& each : of.samples) {
    for (const auto number : of_sample) samples.push_back(each.*number);
  }
  made.push_back(samples);
  return made;
}

f from_json(const json& of) {
  f made;
  for (std::size_t i = 0; i < numbers.size(); ++i) made.*numbers[i] = of.at(i).get<double>();
  made.settled = of.at(numbers.size()).get<unsigned>();
  made.curve = of.at(numbers.size() + 1).get<std::vector<double>>();
  made.map = of.at(numbers.size() + 2).get<std::vector<double>>();
  const json& samples = of.at(numbers.size() + 3);
  made.samples.resize(samples.size() / of_sample.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    made.samples.at(i / of_sample.size()).*of_sample[i % of_sample.size()] = samples[i].get<double>();
  return made;
}

}  // namespace

std::string file_name(std::string of) {
  std::replace_if(of.begin(), of.end(), [](char c) { return c == ' ' || c == '/'; }, '_');
  return of;
}

kept_figures::kept_figures(std::string folder, std::string made_with)
    : folder_(std::move(folder)), made_with_(std::move(made_with)) {
  if (folder_.empty()) return;
  std::error_code code;
  std::filesystem::create_directory(folder_, code);
  if (code || !std::filesystem::is_directory(folder_, code))
    throw error(fmt::format("--keep: '{}', expected a folder, or a new one in an existing folder", one_line(folder_)));
  detail::check_replaceable(file_of("any"), "--keep");
}

std::optional<std::vector<f>> kept_figures::find(const std::string& program,
                                                 const std::vector<std::string>& experiments, std::size_t count) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(file_of(program));
  if (!file) return std::nullopt;
  const auto refuse = [&](const char* what) {
    return error(
        fmt::format("--keep: '{}' is {}, expected a folder of this command alone", one_line(file_of(program)), what));
  };
  try {
    const json kept = json::parse(file);
    if (kept.at("build") != this_build()) throw refuse("of another build");
    if (kept.at("made with") != made_with_ || kept.at("experiments") != experiments) throw refuse("of another command");
    std::vector<f> found;
    for (const json& each : kept.at("figures")) found.push_back(from_json(each));
    if (found.size() != count) throw refuse("damaged");
    return found;
  } catch (const json::exception&) {
    throw refuse("damaged");
  }
}

void kept_figures::add(const std::string& program, const std::vector<std::string>& experiments,
                       const std::vector<f>& found) const {
  if (folder_.empty()) return;
  json figures = json::array();
  for (const f& each : found) figures.push_back(to_json(each));
  const json kept = {
      {"build", this_build()}, {"made with", made_with_}, {"experiments", experiments}, {"figures", figures}};
  whole_file(file_of(program), true, "--keep").write(kept.dump() + '\n');
}

std::string kept_figures::file_of(const std::string& program) const {
  return folder_ + '/' + file_name(program) + ".json";
}

}  // namespace jackdaw::cli
