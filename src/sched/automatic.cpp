#include "sched/automatic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include "sched/family.hpp"
#include "sched/upper_root.hpp"

namespace jackdaw::sched {
namespace {

struct named_way {
  std::string_view name;
  way how;
};
constexpr std::array<named_way, 3> ways{
    {{"auto:hints", way::hints}, {"auto:times", way::times}, {"auto:plain", way::plain}}};

std::string name_of(std::optional<way> pinned) {
  for (const named_way& each : ways) {
    if (pinned == each.how) return std::string(each.name);
  }
  return "auto";
}

std::int64_t percent(double part) { return std::lround(100 * part); }

}  // namespace

automatic::automatic(std::optional<way> pinned)
    : learning_adws(stealing::on, hint_source::both), pinned_(pinned), named_(name_of(pinned)) {}

void automatic::start(const engine& on) {
  on_ = &on.run;
  data_ = &on.data;
  shares_.start(on);
  learning_adws::start(on, &shares_);
  places_ = shares_.matter() && !on.data.user_places();
  seats_ = std::make_unique<seat[]>(on_->workers());
  confined_.start(on_->workers());
}

// ---- iterations ---------------------------------------------------------------------------------------------------

/// Called when a group begins an iteration of the root that is laid out.
bool automatic::learns(worker_id self, const upper_group& iteration) {
  if (places_ && !std::exchange(told_, true)) on_->note(self, decisions::place, shares_.nodes());
  now_.store(way::hints, std::memory_order_relaxed);
  under_way_ = nullptr;
  try {
    under_way_ = &regions_.enter(iteration.site);
  } catch (const std::bad_alloc&) {
    return false;  // by hints, and unseen
  }
  region* const next = under_way_;
  if (pinned_) next->how = way_finder(*pinned_);
  if (declares_no_data()) next->how.expect_plain();
  if (!pinned_) begin_in_set(self, *next);
  now_.store(way_of(*next), std::memory_order_relaxed);
  next->began = on_->now();
  confined_.begin(next->began, next->took);
  for (worker_id each = 0; looks(*next) && each < on_->workers(); ++each) {
    seats_[each].before = seats_[each].idle.idle(next->began);
  }
  disturbed_ = moves_data() || has_plain_roots();
  return now() == way::times;
}

destination automatic::fork(worker_id self, upper_group& group, upper_task& child) {
  const bool first = begins_iteration(group) && lays_out(group.task) && !group.task.unshared;
  return first && now() == way::plain ? open_up(group, child) : learning_adws::fork(self, group, child);
}

destination automatic::close(worker_id self, upper_group& group) {
  if (ends_iteration(group) && lays_out(group.task) && !group.task.unshared && under_way_ != nullptr) {
    finish(self, *under_way_);
  }
  const destination where = learning_adws::close(self, group);
  // If the next iteration is plain, too, nothing of it belongs to the root's owner.
  const bool stays = where.where == destination::how::mailbox && begins_iteration(group) && lays_out(group.task) &&
                     uses_local(self) && now() == way::plain && way_of(*under_way_) == way::plain;
  return stays ? destination{.where = destination::how::here, .as = where.as} : where;
}

void automatic::begin_in_set(worker_id self, region& next) {
  const auto found = set_.begin(next.together);
  if (!found) return;
  regions_.for_each([&](region& each) {
    if (set_.has(each.together)) each.how = way_finder::from(found->how, found->saves, found->final);
  });
  on_->note(self, found->how == way::times ? decisions::all_times : decisions::all_hints, percent(found->saves));
}

void automatic::finish(worker_id self, region& ended) {
  const double now = on_->now(), took = ended.took = now - ended.began;
  if (disturbed_ || moves_data() || has_plain_roots()) {
    set_.disturb();
    return ended.how.disturb();
  }
  const idleness idle = looks(ended) ? idle_in(ended, now) : idleness{};
  const bool waits = ended.how.waits() && set_.searches();
  set_.end(ended.together, took, idle, ended.how.compares());
  if (set_.tries() || waits) return;
  const unsigned kept = ended.how.kept();
  if (ended.how.record(took, idle)) tell(self, ended.how);
  if (ended.how.kept() != kept) set_.doubt();
}

void automatic::tell(worker_id self, const way_finder& decided) {
  switch (decided.next()) {
    case way::hints:
      return on_->note(self, decisions::hints, percent(decided.idle()));
    case way::times:
      return on_->note(self, decisions::times, percent(decided.saves()));
    case way::plain:
      return on_->note(self, decisions::plain, percent(decided.saves()));
  }
}

idleness automatic::idle_in(const region& ended, double now) const noexcept {
  const double took = now - ended.began;
  if (took <= 0) return {};
  double sum = 0, least = took;
  for (worker_id each = 0; each < on_->workers(); ++each) {
    const double idle = seats_[each].idle.idle(now) - seats_[each].before;
    sum += idle;
    least = std::min(least, idle);
  }
  const double mean = sum / on_->workers();
  // Work that was stolen from outside of the thief's range has evened out what the layout had made uneven.
  return {mean / took, (confined_.was_left() ? mean : mean - least) / took};
}

// ---- workers ------------------------------------------------------------------------------------------------------

item automatic::idle(worker_id self) {
  if (places_ && !seats_[self].placed) {
    seats_[self].placed = true;
    data_->touch_to(self, shares_.node_of(self));
  }
  item found = learning_adws::idle(self);
  if (!found && !steals_plainly() && confined_.is_over(self, on_->now())) {
    found = steal_beyond(self);
    if (found) confined_.leave();
  }
  looked(self, static_cast<bool>(found));
  return found;
}

void automatic::resume(worker_id self, upper_task& task) {
  looked(self, true);  // it may have come another way than by idle()
  learning_adws::resume(self, task);
}

void automatic::rescued(worker_id self) {
  looked(self, true);
  learning_adws::rescued(self);
}

void automatic::looked(worker_id self, bool found) noexcept {
  if (found) confined_.found(self);
  seats_[self].idle.looked(found, [this] { return on_->now(); });
}

family automatic_schedulers() {
  static constexpr std::array<std::string_view, 1> names{"auto"};
  static constexpr auto forms = [] {
    std::array<std::string_view, ways.size()> of;
    std::ranges::transform(ways, of.begin(), &named_way::name);
    return of;
  }();
  return {names,
          [](std::string_view name, const settings&) -> std::unique_ptr<scheduler> {
            if (name == names[0]) return std::make_unique<automatic>(std::nullopt);
            for (const named_way& each : ways) {
              if (name == each.name) return std::make_unique<automatic>(each.how);
            }
            return nullptr;
          },
          forms};
}

}  // namespace jackdaw::sched
