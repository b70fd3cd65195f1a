#include "jackdaw_cilk_views.hpp"

#include <cstdlib>
#include <new>

#include "jackdaw_cilk.hpp"

namespace jackdaw::cilk {

namespace {

struct a_view {
  void* key;
  void* value;
  void (*reduce)(void*, void*);
  jackdaw_cilk_monoid* monoid;  // instead of reduce
  bool borrowed;                // the variable's own storage
  a_view* next;

  void reduce_into(void* left) const {
    if (monoid == nullptr) {
      reduce(left, value);
      return;
    }
    monoid->reduce(monoid, left, value);
    if (monoid->destroy != nullptr) monoid->destroy(monoid, value);
  }
};

thread_local strand* current = nullptr;

}  // namespace

struct strand {
  a_view* first = nullptr;
  strand* next = nullptr;
};

namespace {

a_view** find(strand& in, const void* key) noexcept {
  a_view** at = &in.first;
  while (*at != nullptr && (*at)->key != key) at = &(*at)->next;
  return at;
}

void free_view(a_view* done) noexcept {
  if (!done->borrowed) std::free(done->value);
  delete done;
}

/// `right` is the view after all that `into` has.
void reduce_into(strand* into, a_view* right) noexcept {
  if (into == nullptr) {
    if (right->value != right->key) right->reduce_into(right->key);
    free_view(right);
    return;
  }
  a_view** const found = find(*into, right->key);
  if (*found == nullptr) {
    right->next = nullptr;
    *found = right;
    return;
  }
  right->reduce_into((*found)->value);
  free_view(right);
}

}  // namespace

[[gnu::noinline]] strand* this_strand() noexcept { return current; }
[[gnu::noinline]] void set_strand(strand* now) noexcept { current = now; }

strand* segments::add() {
  auto* const made = new strand;
  (first_ == nullptr ? first_ : last_->next) = made;
  last_ = made;
  return made;
}

void segments::merge() noexcept {
  if (!begun_) return;
  begun_ = false;
  set_strand(home_);
  strand* right = first_;
  first_ = last_ = nullptr;
  while (right != nullptr) {
    for (a_view* view = right->first; view != nullptr;) {
      a_view* const next = view->next;
      reduce_into(home_, view);
      view = next;
    }
    strand* const done = right;
    right = right->next;
    delete done;
  }
}

}  // namespace jackdaw::cilk

namespace jackdaw::cilk {

// The values are applied before the views that they may be applied to are merged.
void frame::sync_extended() {
  struct ending {
    ~ending() {
      of.more_.views.merge();
      of.more_.~more();
      of.state_ = 0;
    }
    frame& of;
  } const afterwards{*this};
  group_.wait();
  more_.to_apply.apply();
}

}  // namespace jackdaw::cilk

using namespace jackdaw::cilk;

namespace {

template <class F>
void* view_of(void* key, unsigned long size, F identity, void (*reduce)(void*, void*), jackdaw_cilk_monoid* monoid) {
  strand* const mine = this_strand();
  if (mine == nullptr) return key;
  a_view** const found = find(*mine, key);
  if (*found == nullptr) {
    void* const value = std::aligned_alloc(64, (size + 63) / 64 * 64);
    if (value == nullptr) throw std::bad_alloc();
    identity(value);
    *found = new a_view{key, value, reduce, monoid, false, nullptr};
  }
  return (*found)->value;
}

void begin_view(void* key, void (*reduce)(void*, void*), jackdaw_cilk_monoid* monoid) {
  strand* const mine = this_strand();
  if (mine == nullptr) return;
  a_view** const found = find(*mine, key);
  if (*found == nullptr) *found = new a_view{key, key, reduce, monoid, true, nullptr};
}

}  // namespace

void* jackdaw_cilk_view(void* key, unsigned long size, void (*identity)(void*), void (*reduce)(void*, void*)) {
  return view_of(key, size, identity, reduce, nullptr);
}
void* jackdaw_cilk_monoid_view(void* key, unsigned long size, jackdaw_cilk_monoid* of) {
  return view_of(key, size, [of](void* at) { of->identity(of, at); }, nullptr, of);
}

unsigned char jackdaw_cilk_views_used = 0;
void jackdaw_cilk_use_views() { jackdaw_cilk_views_used = 1; }

void jackdaw_cilk_begin_view(void* key, void (*reduce)(void*, void*)) { begin_view(key, reduce, nullptr); }
void jackdaw_cilk_begin_monoid(void* key, jackdaw_cilk_monoid* of) { begin_view(key, nullptr, of); }

void jackdaw_cilk_end_view(void* key) {
  strand* const mine = this_strand();
  if (mine == nullptr) return;
  a_view** const found = find(*mine, key);
  if (a_view* const done = *found) {
    *found = done->next;
    free_view(done);
  }
}
