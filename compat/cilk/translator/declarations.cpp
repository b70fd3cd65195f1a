#include <clang/AST/Attr.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

namespace {

bool has_auto(const VarDecl* of) {
  return of->getType()->getContainedAutoType() != nullptr ||
         (of->getTypeSourceInfo() != nullptr && of->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr);
}

/// Whether the child has to construct the variable, because it cannot be assigned to.
bool is_constructed(const VarDecl* of) {
  const QualType type = of->getType();
  return has_auto(of) || type->isReferenceType() || type->isDependentType() || type->isRecordType() ||
         type.isConstQualified();
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

/// Where the declarator's initialiser begins, with its `=`, `(` or `{`.
unsigned unit::before_initializer(const VarDecl* of) const {
  const std::string& all = out_.source();
  unsigned at = begin_of(spawn_of(of->getInit()));
  while (at > 0 && is_space(all[at - 1])) --at;
  return at - 1;
}

/// Behind the bracket that closes the one at `open`.
unsigned unit::behind_bracket(unsigned open) const {
  const std::string& all = out_.source();
  int depth = 0;
  for (unsigned at = open; at < all.size(); ++at) {
    const char c = all[at];
    if (c == '"' || c == '\'') {
      for (++at; at < all.size() && all[at] != c; ++at) at += all[at] == '\\' ? 1 : 0;
    } else if (c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if (c == ')' || c == '}' || c == ']') {
      if (--depth == 0) return at + 1;
    }
  }
  return static_cast<unsigned>(all.size());
}

unsigned unit::end_of_declarator(const VarDecl* of) const {
  if (of->getInit() != nullptr && spawn_of(of->getInit()) != nullptr) {
    const unsigned begin = before_initializer(of);
    if (out_.source()[begin] != '=') return behind_bracket(begin);
    return end_of(spawn_of(of->getInit()));
  }
  unsigned end = end_offset(of->getEndLoc());
  if (of->getInit() != nullptr && of->getInitStyle() == VarDecl::CallInit) {
    unsigned open = end_offset(of->getLocation());
    while (is_space(out_.source()[open])) ++open;
    if (out_.source()[open] == '(') end = behind_bracket(open);
  }
  return end;
}

/// A declaration of several variables becomes several declarations; a spawn follows the variable that it sets.
bool unit::spawn_declaration(const DeclStmt* declared, region& in, const Stmt* parent) {
  struct part {
    const VarDecl* variable;
    const UnaryOperator* spawn;
    result into;
    unsigned begin, end, initializer;
  };
  std::vector<part> parts;
  bool any = false;
  for (const Decl* each : declared->decls()) {
    const auto* const variable = dyn_cast<VarDecl>(each);
    const UnaryOperator* const found = variable == nullptr ? nullptr : spawn_of(variable->getInit());
    any = any || found != nullptr;
    parts.push_back({variable, found, {}, 0, 0, 0});
  }
  if (!any) return false;
  if (parent == nullptr || !isa<CompoundStmt, SwitchCase, LabelStmt>(parent))
    refuse(declared->getBeginLoc(), "a declaration that spawns has to stand in a block");
  const std::string& all = out_.source();
  const unsigned begin = begin_of(declared);
  unsigned first = offset(parts[0].variable->getLocation());
  while (first > begin &&
         (is_space(all[first - 1]) || all[first - 1] == '*' || all[first - 1] == '&' || all[first - 1] == '('))
    --first;
  const std::string specifiers = all.substr(begin, first - begin);
  unsigned at = first;
  for (part& each : parts) {
    const VarDecl* const variable = each.variable;
    if (variable == nullptr) refuse(declared->getBeginLoc(), "a declaration that spawns and declares no variable");
    each.begin = at;
    each.end = end_of_declarator(variable);
    at = each.end;
    while (at < all.size() && is_space(all[at])) ++at;
    if (at < all.size() && all[at] == ',') ++at;
    if (each.spawn == nullptr) continue;
    each.initializer = before_initializer(variable);
    const QualType type = variable->getType();
    if (variable->isStaticLocal())
      refuse(variable->getLocation(), "a static variable cannot be initialised by a child");
    const Expr* const call = bare_call(each.spawn);
    if (type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified() && call->isLValue())
      refuse(variable->getLocation(), "a reference cannot get its value from a child; use a pointer");
    each.into.lvalue = variable->getNameAsString();
    each.into.made = variable;
    if (cplusplus_ && is_constructed(variable)) each.into.constructed = "jackdaw_later" + std::to_string(++count_);
  }
  declaration(declared, in, nullptr);
  const bool single = parts.size() == 1;
  const unsigned end = end_of(declared);
  out_.replace(begin, end, [=, this, &in] {
    std::string text;
    for (const part& each : parts) {
      if (!text.empty()) text += " ";
      if (each.spawn == nullptr) {
        text += specifiers + " " + out_.render(each.begin, each.end) + ";";
        continue;
      }
      const VarDecl* const variable = each.variable;
      const QualType type = variable->getType();
      if (!each.into.constructed.empty()) {
        const QualType plain = type.getNonReferenceType();
        const bool is_auto = has_auto(variable);
        std::string made = "std::decay_t<decltype(" + source(bare_call(each.spawn)) + ")>";
        if (!is_auto) {
          made = all.substr(first, offset(variable->getLocation()) - first).find_first_of("*&(") == std::string::npos &&
                         specifiers.find("static") == std::string::npos && single
                     ? "std::remove_cv_t<" + specifiers + ">"
                     : type_text(plain.getUnqualifiedType());
        }
        const bool constant = plain.isConstQualified() ||
                              (is_auto && plain->getContainedAutoType() != nullptr && plain.isConstQualified());
        text += "jackdaw::cilk::later<" + made + "> " + each.into.constructed + "; [[maybe_unused]] " +
                (constant ? "const auto& " : "auto& ") + each.into.lvalue + " = " + each.into.constructed + ".value;";
        for (region* around = &in; around != nullptr; around = around->exits() ? nullptr : around->outer)
          if (around->forks && around->guarded)
            text += " jackdaw::cilk::at_unwind_of<" + made + "> " + each.into.constructed + "u" +
                    around->frame.substr(13) + "(" + around->frame + ");";
        text += " " + cpp_call(each.spawn, each.into, in);
      } else {
        text += !cplusplus_ && type.isConstQualified()
                    ? type_text(type.getUnqualifiedType(), each.into.lvalue)
                    : specifiers + all.substr(each.begin, each.initializer - each.begin);
        text += "; " + (cplusplus_ ? cpp_call(each.spawn, each.into, in) : c_call(each.spawn, each.into, in));
      }
    }
    return with_lines_of(text, all.substr(begin, end - begin));
  });
  for (const part& each : parts) {
    if (each.spawn == nullptr) continue;
    if (!cplusplus_) c_call(each.spawn, each.into, in);
    walk_children(bare_call(each.spawn), in);
  }
  return true;
}

}  // namespace jackdaw::cilk
