#include <algorithm>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

/// How `of` is named in `in`: itself, or through the struct of the function that `in` has become part of.
std::string unit::variable(const VarDecl* of, region* in) {
  const auto home = homes_.find(of);
  region* outlined = in;
  while (outlined != nullptr && !outlined->outlined) {
    if (home != homes_.end() && home->second == outlined) return of->getNameAsString();
    outlined = outlined->outer;
  }
  if (outlined == nullptr || (home != homes_.end() && home->second == outlined)) return of->getNameAsString();
  if (of->getType()->isVariablyModifiedType())
    refuse(of->getLocation(), "'" + of->getNameAsString() +
                                  "' has a type of variable size and is used in a cilk_for or "
                                  "a spawned block of a C program; pass it as a pointer to a function");
  auto& list = outlined->captured;
  if (std::find(list.begin(), list.end(), of) == list.end()) list.push_back(of);
  return "(*jackdaw_s" + std::to_string(outlined->number) + "->" + of->getNameAsString() + ")";
}

std::string unit::structure(region& of, const std::string& first) {
  std::string text = "struct jackdaw_s" + std::to_string(of.number) + " { " + first;
  for (const VarDecl* each : of.captured)
    text += type_text(context_.getPointerType(each->getType().getNonReferenceType()), each->getNameAsString()) + "; ";
  return text + "} __attribute__((aligned(16)));\n";
}

/// Sets the struct's pointers, in the region around.
std::string unit::captures(region& of, region& outer) {
  std::string text;
  const std::string name = "jackdaw_c" + std::to_string(of.number) + ".";
  for (std::size_t i = 0; i < of.captured.size(); ++i)
    text += name + of.captured[i]->getNameAsString() + " = &" + variable(of.captured[i], &outer) + "; ";
  return text;
}

}  // namespace jackdaw::cilk
