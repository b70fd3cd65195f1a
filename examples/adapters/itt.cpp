// Shows Intel's ITT (VTune) what jackdaw's workers do. Link this file into a program, with libittnotify.
#include <ittnotify.h>

#include <jackdaw/observer.hpp>
#include <string>

namespace {

class itt_observer final : public jackdaw::observer {
 public:
  itt_observer() { jackdaw::observe(this); }

  void see(const jackdaw::worker_event& what) noexcept override {
    using kind = jackdaw::worker_event::kind;
    switch (what.what) {
      case kind::start:
        __itt_thread_set_name(("jackdaw worker " + std::to_string(what.worker)).c_str());
        break;
      case kind::run:
        __itt_task_begin(domain_, __itt_null, __itt_null, task_);
        break;
      case kind::search:
        __itt_task_begin(domain_, __itt_null, __itt_null, search_);
        break;
      case kind::sleep:
        __itt_task_begin(domain_, __itt_null, __itt_null, sleep_);
        break;
      case kind::leave:
      case kind::found:
      case kind::wake:
        __itt_task_end(domain_);
        break;
      case kind::open:  // an iteration; its end may be on another thread
        __itt_frame_begin_v3(domain_, nullptr);
        break;
      case kind::close:
        __itt_frame_end_v3(domain_, nullptr);
        break;
      default:
        break;
    }
  }

 private:
  __itt_domain* domain_ = __itt_domain_create("jackdaw");
  __itt_string_handle* task_ = __itt_string_handle_create("task");
  __itt_string_handle* search_ = __itt_string_handle_create("search");
  __itt_string_handle* sleep_ = __itt_string_handle_create("sleep");
};

itt_observer& itt = *new itt_observer;  // never destroyed: the default runtime outlives static objects

}  // namespace
