#include <clang/AST/Attr.h>
#include <clang/AST/TypeLoc.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

void unit::find_reducer(const VarDecl* of) {
  // The attribute's place is that of the keyword; what it names is read there, for the expressions may be dependent.
  for (TypeLoc at = of->getTypeSourceInfo() != nullptr ? of->getTypeSourceInfo()->getTypeLoc() : TypeLoc();
       !at.isNull(); at = at.getNextTypeLoc()) {
    const auto attributed = at.getAs<AttributedTypeLoc>();
    if (attributed.isNull() || attributed.getAttr() == nullptr) continue;
    const auto* const named = dyn_cast<AnnotateTypeAttr>(attributed.getAttr());
    if (named == nullptr || named->getAnnotation() != "cilk_reducer") continue;
    unsigned begin = places_.getFileOffset(places_.getExpansionLoc(named->getLocation()));
    const std::string& all = out_.source();
    const unsigned keyword = begin;
    while (begin < all.size() && all[begin] != '(') ++begin;
    int open = 0;
    unsigned comma = 0, end = begin;
    for (; end < all.size(); ++end) {
      if (all[end] == '(' || all[end] == '<' || all[end] == '{' || all[end] == '[') ++open;
      if (all[end] == ')' || (all[end] == '>' && all[end - 1] != '-') || all[end] == '}' || all[end] == ']') --open;
      if (all[end] == ',' && open == 1 && comma == 0) comma = end;
      if (open == 0) break;
    }
    if (comma == 0) refuse(named->getLocation(), "cilk_reducer: expected an identity and a reduction");
    if (of->getType()->isPointerType() || of->getType()->isArrayType())
      refuse(named->getLocation(), "cilk_reducer: only variables of scalar and class types are translated");
    reducers_[of] = {all.substr(begin + 1, comma - begin - 1), all.substr(comma + 1, end - comma - 1)};
    if (edited_.insert(keyword).second)
      out_.replace(keyword, end + 1, with_lines_of("", all.substr(keyword, end + 1 - keyword)));
    uses_views_ = found_ = true;
    return;
  }
}

const unit::reducer* unit::reducer_of(const ValueDecl* of) {
  const auto found = reducers_.find(of);
  return found == reducers_.end() ? nullptr : &found->second;
}

std::string unit::view_of(const VarDecl* of, const std::string& name) {
  const reducer& with = reducers_.at(of);
  if (cplusplus_) return "jackdaw::cilk::view(" + name + ", " + with.identity + ", " + with.reduce + ")";
  return "(*(__typeof__(" + name + ") *)jackdaw_cilk_view(&" + name + ", sizeof " + name + ", " + with.identity + ", " +
         with.reduce + "))";
}

}  // namespace jackdaw::cilk
