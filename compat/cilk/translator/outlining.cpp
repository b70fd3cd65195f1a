#include <algorithm>
#include <functional>

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
  auto& list = outlined->captured;
  if (std::find(list.begin(), list.end(), of) == list.end()) list.push_back(of);
  if (of->getType()->isVariablyModifiedType())
    return "(*jackdaw_v" + std::to_string(outlined->number) + "_" + of->getNameAsString() + ")";
  return "(*jackdaw_s" + std::to_string(outlined->number) + "->" + of->getNameAsString() + ")";
}

namespace {

/// The sizes that are known only when the program runs, outermost first: `each(size of what, of which element)`.
void variable_sizes(const ASTContext& context, QualType type, const std::string& value,
                    const std::function<void(const std::string&)>& each) {
  if (const ArrayType* const array = context.getAsArrayType(type)) {
    const std::string element = "(" + value + ")[0]";
    if (isa<VariableArrayType>(array)) each("sizeof(" + value + ") / sizeof(" + element + ")");
    variable_sizes(context, array->getElementType(), element, each);
  } else if (const auto* const pointer = type->getAs<PointerType>()) {
    variable_sizes(context, pointer->getPointeeType(), "*(" + value + ")", each);
  }
}

}  // namespace

/// The declaration of `declarator` with a type of variable size; `sizes` names each size.
std::string unit::variable_type(QualType type, std::string declarator, const std::string& sizes, unsigned& next) const {
  if (const ArrayType* const array = context_.getAsArrayType(type)) {
    if (declarator.starts_with("*")) declarator = "(" + declarator + ")";
    if (const auto* const known = dyn_cast<ConstantArrayType>(array)) {
      declarator += "[" + std::to_string(known->getSize().getZExtValue()) + "]";
    } else {
      declarator += "[" + sizes + std::to_string(next++) + "]";
    }
    return variable_type(array->getElementType(), declarator, sizes, next);
  }
  if (const auto* const pointer = type->getAs<PointerType>(); pointer != nullptr && type->isVariablyModifiedType())
    return variable_type(pointer->getPointeeType(), "*" + declarator, sizes, next);
  return type_text(type, declarator);
}

/// In a function that a loop's body or a block has become: what is captured and has a type of variable size.
std::string unit::variable_views(const region& of) const {
  std::string text;
  for (const VarDecl* each : of.captured) {
    if (!each->getType()->isVariablyModifiedType()) continue;
    const std::string name = each->getNameAsString(), number = std::to_string(of.number);
    unsigned next = 0;
    text += variable_type(each->getType(), "*jackdaw_v" + number + "_" + name,
                          "jackdaw_s" + number + "->" + name + "_size", next) +
            " = jackdaw_s" + number + "->" + name + "; (void)jackdaw_v" + number + "_" + name + "; ";
  }
  return text;
}

std::string unit::structure(region& of, const std::string& first) {
  std::string text = "struct jackdaw_s" + std::to_string(of.number) + " { " + first;
  for (const VarDecl* each : of.captured) {
    if (each->getType()->isVariablyModifiedType()) {
      const std::string name = each->getNameAsString();
      text += "void *" + name + "; ";
      unsigned count = 0;
      variable_sizes(context_, each->getType(), name, [&](const std::string&) {
        text += "unsigned long " + name + "_size" + std::to_string(count++) + "; ";
      });
      continue;
    }
    text += type_text(context_.getPointerType(each->getType().getNonReferenceType()), each->getNameAsString()) + "; ";
  }
  return text + "} __attribute__((aligned(16)));\n";
}

/// Sets the struct's pointers, in the region around.
std::string unit::captures(region& of, region& outer, const std::string& access) {
  std::string text;
  const std::string name = "jackdaw_c" + std::to_string(of.number) + access;
  for (std::size_t i = 0; i < of.captured.size(); ++i) {
    const VarDecl* const each = of.captured[i];
    const std::string value = variable(each, &outer);
    text += name + each->getNameAsString() + " = &" + value + "; ";
    if (!each->getType()->isVariablyModifiedType()) continue;
    unsigned count = 0;
    variable_sizes(context_, each->getType(), value, [&](const std::string& size) {
      text += name + each->getNameAsString() + "_size" + std::to_string(count++) + " = " + size + "; ";
    });
  }
  return text;
}

}  // namespace jackdaw::cilk
