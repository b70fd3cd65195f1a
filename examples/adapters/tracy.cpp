// Shows Tracy what jackdaw's workers do: stacks are its fibers. Link this file into a program, with the Tracy client;
// define TRACY_ENABLE and TRACY_FIBERS for both.
#include <jackdaw/observer.hpp>
#include <map>
#include <mutex>
#include <string>
#include <tracy/Tracy.hpp>

namespace {

class tracy_observer final : public jackdaw::observer {
 public:
  tracy_observer() { jackdaw::observe(this); }

  void see(const jackdaw::worker_event& what) noexcept override {
    using kind = jackdaw::worker_event::kind;
    switch (what.what) {
      case kind::start:
        tracy::SetThreadName(("jackdaw worker " + std::to_string(what.worker)).c_str());
        break;
      case kind::run:
        TracyFiberEnter(name_of("stack", what.stack));
        break;
      case kind::leave:
        TracyFiberLeave;
        break;
      case kind::decide:
        TracyMessage(what.name.data(), what.name.size());
        break;
      case kind::open:
        FrameMarkStart(name_of("iteration", what.site));
        break;
      case kind::close:
        FrameMarkEnd(name_of("iteration", what.site));
        break;
      default:
        break;
    }
  }

 private:
  /// Tracy wants the same address for the same name, for ever.
  const char* name_of(const char* kind, std::uint64_t number) {
    const std::lock_guard hold(mutex_);
    std::string& name = names_[number];
    if (name.empty()) name = std::string(kind) + " " + std::to_string(names_.size());
    return name.c_str();
  }

  std::mutex mutex_;
  std::map<std::uint64_t, std::string> names_;
};

tracy_observer& observer = *new tracy_observer;  // never destroyed: the default runtime outlives static objects

}  // namespace
