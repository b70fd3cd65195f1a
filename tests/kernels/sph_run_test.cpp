// Runs of smoothed particle hydrodynamics as a user asks for them: from files, with snapshots.

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#include "kernels/sph/sph.hpp"

namespace jackdaw::kernels {
namespace {

class sph_runs : public testing::Test {
 protected:
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("jackdaw-sph-" + std::to_string(getpid()));

  void SetUp() override { std::filesystem::create_directory(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path with(std::string_view text) const {
    std::ofstream(folder / "water.txt") << text;
    return folder / "water.txt";
  }

  /// Two checked runs on three workers.
  static void run(const request& wanted, const std::string& scheduler) {
    options with;
    with.workers = 3;
    with.scheduler = scheduler;
    runtime rt{with};
    const auto p = find("sph")->sides.front().make(wanted);
    for (int repetition = 0; repetition != 2; ++repetition) {
      rt.run([&] {
        p->prepare();
        p->run();
      });
      EXPECT_NO_THROW(p->check()) << scheduler;
    }
  }

  static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
};

TEST_F(sph_runs, files_of_few_particles_and_of_many_in_one_place) {
  std::string heap = "spacing 0.01\n";
  for (int i = 0; i != 400; ++i) heap += "1 1 0 0\n";
  const std::vector<std::string> files = {"spacing 0.1\n3.95 0.05 5 -5\n", "spacing 0.1\n1 1 0 0\n1.1 1 -2 0\n", heap};
  for (const std::string& text : files)
    for (const char* scheduler : {"random", "adws", "laws"}) run({.input = with(text), .iterations = 20}, scheduler);
  run({.shape = "3d", .input = with("spacing 0.1\n1 0.5 1 0 0 0\n1.1 0.5 1 -2 0 0\n"), .iterations = 20}, "adws");
}

TEST_F(sph_runs, the_first_run_leaves_snapshots) {
  request wanted{.size = "tiny", .iterations = 25};
  wanted.snapshots = folder / "pictures";
  for (const char* shape : {"2d", "3d"}) {
    wanted.shape = shape;
    run(wanted, "adws");
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(wanted.snapshots))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    // Steps 0, 2, .. 24: three files each.
    ASSERT_EQ(names.size(), 39U);
    EXPECT_EQ(names.front(), "water-000000.png");
    EXPECT_EQ(names.back(), "workers-000024.png");
    std::istringstream vtk(content(wanted.snapshots / "water-000024.vtk"));
    std::string line;
    std::getline(vtk, line);
    EXPECT_EQ(line, "# vtk DataFile Version 3.0");
    std::size_t lines = 1;
    for (; std::getline(vtk, line); ++lines) EXPECT_EQ(line.find("nan"), line.npos);
    EXPECT_EQ(lines, 14 + 6 * 400U);
    std::filesystem::remove_all(wanted.snapshots);
  }
}

TEST_F(sph_runs, a_folder_that_cannot_be_made_is_named) {
  request wanted{.size = "tiny"};
  wanted.snapshots = with("no folder\n") / "pictures";
  const auto p = find("sph")->sides.back().make(wanted);
  p->prepare();
  p->run();
  try {
    p->check();
    ADD_FAILURE() << "no error";
  } catch (const error& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with(wanted.snapshots.string())) << e.what();
  }
}

/// The pixels of a picture, as a viewer decodes it.
std::vector<std::uint8_t> pixels_of(const std::string& png) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0);
  image.format = PNG_FORMAT_RGB;
  EXPECT_EQ(image.width, 1200U);
  EXPECT_EQ(image.height, 900U);
  std::vector<std::uint8_t> result(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, result.data(), 0, nullptr), 0);
  return result;
}

TEST(sph_picture, particles_are_where_they_are) {
  const sph_snapshot one{.step = 0,
                         .up = 1,
                         .time = 0,
                         .spacing = 0.1,
                         .places = {{1, 2, 0}, {4, 0, 0}, {2, 1, 0}},
                         .velocities = {{0, 0, 0}, {0, -100, 0}, {3, 0, 0}},
                         .densities = {1, 1, 1},
                         .numbers = {0, 1, 2},
                         .workers = {0, 1, 3}};
  const auto by_speed = pixels_of(png_picture(one, sph_colour::speed, 4));
  const auto by_worker = pixels_of(png_picture(one, sph_colour::worker, 4));
  const auto at = [](const std::vector<std::uint8_t>& pixels, double x, double up) {
    const std::size_t i = 3 * (static_cast<std::size_t>(899 - up * 300) * 1200 + static_cast<std::size_t>(x * 300));
    return std::vector<int>(pixels.begin() + static_cast<std::ptrdiff_t>(i),
                            pixels.begin() + static_cast<std::ptrdiff_t>(i) + 3);
  };
  const std::vector<int> white{255, 255, 255};
  EXPECT_EQ(at(by_speed, 1, 2), (std::vector<int>{68, 1, 84}));
  EXPECT_EQ(at(by_speed, 3.99, 0.01), (std::vector<int>{253, 231, 37}));
  EXPECT_NE(at(by_speed, 2, 1), white);
  EXPECT_EQ(at(by_speed, 1.2, 2), white);
  EXPECT_EQ(at(by_speed, 3, 2), white);
  EXPECT_EQ(at(by_worker, 1, 2), (std::vector<int>{200, 40, 40}));
  EXPECT_NE(at(by_worker, 2, 1), at(by_worker, 1, 2));
  EXPECT_NE(at(by_worker, 3.99, 0.01), at(by_worker, 1, 2));
}

TEST(sph_picture, the_nearest_particle_is_in_front) {
  sph_snapshot two{.step = 0,
                   .up = 2,
                   .time = 0,
                   .spacing = 0.1,
                   .places = {{1, 0.1F, 2}, {1, 0.9F, 2}},
                   .velocities = {{0, 0, 0}, {0, 0, 100}},
                   .densities = {1, 1},
                   .numbers = {0, 1},
                   .workers = {0, 0}};
  const std::size_t centre = 3 * (299 * 1200 + 300);
  EXPECT_EQ(pixels_of(png_picture(two, sph_colour::speed, 1))[centre], 68);
  std::swap(two.places[0], two.places[1]);
  EXPECT_EQ(pixels_of(png_picture(two, sph_colour::speed, 1))[centre], 253);
}

}  // namespace
}  // namespace jackdaw::kernels
