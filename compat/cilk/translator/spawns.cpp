#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

namespace {

/// Without what clang adds around an expression, and without parentheses.
const Expr* bare(const Expr* at) {
  for (;;) {
    const Expr* next = at;  // IgnoreParens() would skip __extension__, which cilk_spawn is
    if (const auto* const with = dyn_cast<ParenExpr>(next)) next = with->getSubExpr();
    if (const auto* const with = dyn_cast<ImplicitCastExpr>(next)) next = with->getSubExpr();
    if (const auto* const with = dyn_cast<FullExpr>(next)) next = with->getSubExpr();
    if (const auto* const with = dyn_cast<MaterializeTemporaryExpr>(next)) next = with->getSubExpr();
    if (const auto* const with = dyn_cast<CXXBindTemporaryExpr>(next)) next = with->getSubExpr();
    if (const auto* const with = dyn_cast<CXXConstructExpr>(next);
        with != nullptr && !isa<CXXTemporaryObjectExpr>(with) && with->getNumArgs() == 1 &&
        with->getConstructor()->isCopyOrMoveConstructor())
      next = with->getArg(0);
    if (next == at) return at;
    at = next;
  }
}

/// Whether a conversion that may have effects stands between the argument and the parameter.
bool converts(const Expr* at) {
  for (;;) {
    if (const auto* const cast_to = dyn_cast<ImplicitCastExpr>(at)) {
      if (cast_to->getCastKind() == CK_ConstructorConversion || cast_to->getCastKind() == CK_UserDefinedConversion)
        return true;
      at = cast_to->getSubExpr();
    } else if (const auto* const full = dyn_cast<FullExpr>(at)) {
      at = full->getSubExpr();
    } else if (const auto* const temporary = dyn_cast<MaterializeTemporaryExpr>(at)) {
      at = temporary->getSubExpr();
    } else if (const auto* const bound = dyn_cast<CXXBindTemporaryExpr>(at)) {
      at = bound->getSubExpr();
    } else if (const auto* const made = dyn_cast<CXXConstructExpr>(at);
               made != nullptr && !isa<CXXTemporaryObjectExpr>(made)) {
      if (made->getNumArgs() == 0 || !made->getConstructor()->isCopyOrMoveConstructor()) return true;
      at = made->getArg(0);
    } else {
      return isa<InitListExpr>(at) || isa<CXXStdInitializerListExpr>(at);
    }
  }
}

bool is_constant(const Expr* at) {
  at = bare(at);
  if (isa<IntegerLiteral, CharacterLiteral, StringLiteral, CXXNullPtrLiteralExpr, GNUNullExpr, CXXBoolLiteralExpr,
          FloatingLiteral>(at))
    return true;
  if (const auto* const cast_to = dyn_cast<CStyleCastExpr>(at)) return is_constant(cast_to->getSubExpr());
  if (const auto* const name = dyn_cast<DeclRefExpr>(at))
    return isa<FunctionDecl, EnumConstantDecl, FunctionTemplateDecl>(name->getDecl());
  if (isa<OverloadExpr>(at)) return true;
  if (const auto* const address = dyn_cast<UnaryOperator>(at); address != nullptr && address->getOpcode() == UO_AddrOf)
    return is_constant(address->getSubExpr()) && !isa<StringLiteral>(bare(address->getSubExpr()));
  return false;
}

bool lists_constants(const Stmt* at, const ASTContext& context) {
  const auto* const list = dyn_cast<InitListExpr>(at);
  if (list == nullptr) {
    for (const Stmt* each : at->children())
      if (each == nullptr || !lists_constants(each, context)) return false;
    return at->child_begin() != at->child_end();
  }
  for (const Expr* each : list->inits())
    if (each->isInstantiationDependent() || !each->isEvaluatable(context)) return false;
  return true;
}

const FunctionProtoType* prototype(const CallExpr* of) {
  if (const FunctionDecl* const called = of->getDirectCallee()) return called->getType()->getAs<FunctionProtoType>();
  QualType type = of->getCallee()->getType();
  if (const auto* const pointer = type->getAs<PointerType>()) type = pointer->getPointeeType();
  if (const auto* const member = dyn_cast<BinaryOperator>(of->getCallee()->IgnoreParens()))
    if (const auto* const pointer = member->getRHS()->getType()->getAs<MemberPointerType>())
      type = pointer->getPointeeType();
  return type->getAs<FunctionProtoType>();
}

}  // namespace

const UnaryOperator* unit::is_spawn(const Stmt* at) const {
  const auto* const found = dyn_cast_or_null<UnaryOperator>(at);
  if (found == nullptr || found->getOpcode() != UO_Extension || !found->getOperatorLoc().isMacroID()) return nullptr;
  const llvm::StringRef name = Lexer::getImmediateMacroName(found->getOperatorLoc(), places_, context_.getLangOpts());
  return name == "jdk_spawn_" || name == "jdk_spawn__" || name == "jdksp" ? found : nullptr;
}

const UnaryOperator* unit::spawn_of(const Expr* in) const {
  for (const Expr* at = in; at != nullptr;) {
    at = bare(at);
    if (const UnaryOperator* const found = is_spawn(at)) return found;
    // What converts the result: the child does that.
    if (const auto* const list = dyn_cast<InitListExpr>(at)) {
      at = list->getNumInits() == 1 ? list->getInit(0) : nullptr;
    } else if (const auto* const several = dyn_cast<ParenListExpr>(at)) {
      at = several->getNumExprs() == 1 ? several->getExpr(0) : nullptr;
    } else if (const auto* const made = dyn_cast<CXXConstructExpr>(at);
               made != nullptr && made->getNumArgs() > 0 && !isa<CXXTemporaryObjectExpr>(made)) {
      for (unsigned i = 1; i < made->getNumArgs(); ++i)
        if (!isa<CXXDefaultArgExpr>(made->getArg(i))) return nullptr;
      at = made->getArg(0);
    } else if (const auto* const member = dyn_cast<CXXMemberCallExpr>(at);
               member != nullptr && isa_and_nonnull<CXXConversionDecl>(member->getMethodDecl())) {
      at = member->getImplicitObjectArgument();
    } else {
      at = nullptr;
    }
  }
  return nullptr;
}

/// What `keyword` spawns.
const CallExpr* unit::bare_call(const UnaryOperator* keyword) const {
  const Expr* const call = bare(keyword->getSubExpr());
  if (!isa<CallExpr>(call)) refuse(call->getBeginLoc(), "cilk_spawn: expected a function call");
  return cast<CallExpr>(call);
}

bool unit::spawn_statement(const Stmt* at, region& in, const Stmt* parent) {
  bool stands_alone = parent == nullptr || isa<CompoundStmt, SwitchCase, LabelStmt, AttributedStmt>(parent);
  if (const auto* const each = dyn_cast_or_null<IfStmt>(parent))
    stands_alone = at == each->getThen() || at == each->getElse();
  if (const auto* const each = dyn_cast_or_null<ForStmt>(parent)) stands_alone = at == each->getBody();
  if (const auto* const each = dyn_cast_or_null<CXXForRangeStmt>(parent)) stands_alone = at == each->getBody();
  if (const auto* const each = dyn_cast_or_null<WhileStmt>(parent)) stands_alone = at == each->getBody();
  if (const auto* const each = dyn_cast_or_null<DoStmt>(parent)) stands_alone = at == each->getBody();
  if (const auto* const each = dyn_cast_or_null<SwitchStmt>(parent)) stands_alone = at == each->getBody();
  if (const auto* const each = dyn_cast_or_null<SwitchCase>(parent)) stands_alone = at == each->getSubStmt();
  if (!stands_alone) return false;

  if (const auto* const declared = dyn_cast<DeclStmt>(at)) return spawn_declaration(declared, in, parent);

  const auto* const expression = dyn_cast<Expr>(at);
  if (expression == nullptr) return false;
  const Expr* top = expression;
  while (const auto* const full = dyn_cast<FullExpr>(top)) top = full->getSubExpr();
  if (const auto* const cast_to = dyn_cast<CStyleCastExpr>(top); cast_to != nullptr && cast_to->getType()->isVoidType())
    top = cast_to->getSubExpr();
  result into;
  const UnaryOperator* found = spawn_of(top);
  if (const auto* const set = dyn_cast<BinaryOperator>(top); set != nullptr && set->isAssignmentOp()) {
    found = spawn_of(set->getRHS());
    into.target = set->getLHS();
    into.op = set->getOpcodeStr().str();
  } else if (const auto* const call = dyn_cast<CXXOperatorCallExpr>(bare(top));
             call != nullptr && call->isAssignmentOp() && call->getNumArgs() == 2) {
    found = spawn_of(call->getArg(1));
    into.target = call->getArg(0);
    into.op = getOperatorSpelling(call->getOperator());
  }
  if (found == nullptr) return false;
  const CallExpr* const call = bare_call(found);
  if (into.target != nullptr && into.target->refersToBitField())
    refuse(into.target->getBeginLoc(), "a bit-field cannot get its value from a child; use a variable");
  if (!cplusplus_) c_call(found, into, in);  // registers its function
  const bool braced = parent == nullptr || !isa<CompoundStmt>(parent);
  const unsigned begin = begin_of(at), end = after_semicolon(end_of(at));
  out_.replace(begin, end, [this, found, into, &in, braced, begin, end] {
    const std::string text = cplusplus_ ? cpp_call(found, into, in) : c_call(found, into, in);
    return with_lines_of(braced ? "{ " + text + " }" : text, out_.source().substr(begin, end - begin));
  });
  if (into.target != nullptr) walk(into.target, in, found);
  walk_children(call, in);
  return true;
}

std::string unit::cpp_call(const UnaryOperator* keyword, const result& into, region& in) {
  const auto* const call = cast<CallExpr>(bare(keyword->getSubExpr()));
  std::string captures;
  const auto capture = [&](const std::string& what) { captures += (captures.empty() ? "" : ", ") + what; };
  // What the instantiations of a template know of its parameters.
  std::vector<const CallExpr*> known;
  for (const CallExpr* each : calls_[places_.getFileOffset(places_.getExpansionLoc(call->getBeginLoc()))])
    if (!each->isTypeDependent() && !each->isValueDependent() && prototype(each) != nullptr &&
        each->getNumArgs() == call->getNumArgs())
      known.push_back(each);
  if (!call->isTypeDependent() && prototype(call) != nullptr) known.assign(1, call);

  std::string callee;
  unsigned skipped = 0;
  const Expr* const called = call->getCallee()->IgnoreParenImpCasts();
  const auto object = [&](const Expr* base, bool implicit, bool arrow, const Expr* whole) {
    if (implicit || isa<CXXThisExpr>(base->IgnoreParenImpCasts())) {
      capture("this");
      return source(whole);
    }
    const auto* const overloaded = dyn_cast<CXXOperatorCallExpr>(base->IgnoreParenImpCasts());
    if (overloaded != nullptr && overloaded->getOperator() == OO_Arrow) {
      capture("jackdaw_o = jackdaw::cilk::arrow(" + source(overloaded->getArg(0)) + ")");
      return "jackdaw_o->" + out_.render(end_of(base), end_of(whole));
    }
    if (arrow && base->isTypeDependent()) {
      capture("jackdaw_o = jackdaw::cilk::arrow(" + source(base) + ")");
      return "jackdaw_o" + out_.render(end_of(base), end_of(whole));
    }
    const bool by_reference = !arrow && base->isLValue() && !isa<MaterializeTemporaryExpr>(base);
    capture((by_reference ? "&jackdaw_o = (" : "jackdaw_o = (") + source(base) + ")");
    return "jackdaw_o" + out_.render(end_of(base), end_of(whole));
  };
  if (const auto* const with = dyn_cast<CXXOperatorCallExpr>(call)) {
    if (with->getOperator() != OO_Call) refuse(keyword->getBeginLoc(), "cilk_spawn: expected a function call");
    const Expr* const functor = with->getArg(0);
    const bool by_reference = functor->isLValue() && !isa<MaterializeTemporaryExpr>(functor->IgnoreImpCasts());
    capture((by_reference ? "&jackdaw_f = (" : "jackdaw_f = (") + source(functor) + ")");
    callee = "jackdaw_f";
    skipped = 1;
  } else if (const auto* const member = dyn_cast<MemberExpr>(called)) {
    if (isa<FieldDecl>(member->getMemberDecl())) {
      capture("jackdaw_f = (" + source(member) + ")");
      callee = "jackdaw_f";
    } else {
      callee = object(member->getBase(), member->isImplicitAccess(), member->isArrow(), member);
    }
  } else if (const auto* const dependent = dyn_cast<CXXDependentScopeMemberExpr>(called)) {
    callee = dependent->isImplicitAccess() ? object(nullptr, true, true, dependent)
                                           : object(dependent->getBase(), false, dependent->isArrow(), dependent);
  } else if (const auto* const overloaded = dyn_cast<UnresolvedMemberExpr>(called)) {
    callee = overloaded->isImplicitAccess() ? object(nullptr, true, true, overloaded)
                                            : object(overloaded->getBase(), false, overloaded->isArrow(), overloaded);
  } else if (isa<OverloadExpr>(called) ||
             (isa<DeclRefExpr>(called) && isa<FunctionDecl>(cast<DeclRefExpr>(called)->getDecl())) ||
             isa<DependentScopeDeclRefExpr>(called)) {
    callee = source(called);
  } else if (const auto* const through = dyn_cast<BinaryOperator>(called);
             through != nullptr && through->isPtrMemOp()) {
    refuse(keyword->getBeginLoc(), "cilk_spawn through a pointer to a member; call it in a lambda or a function");
  } else {
    const bool by_reference = called->isTypeDependent() && called->isLValue();
    capture((by_reference ? "&jackdaw_f = (" : "jackdaw_f = (") + source(called) + ")");
    callee = "jackdaw_f";
  }

  // Default arguments that are no constants are evaluated in the parent too, and so all before them are written.
  unsigned last_default = 0;
  for (unsigned i = skipped; i < call->getNumArgs(); ++i)
    if (const auto* const by_default = dyn_cast<CXXDefaultArgExpr>(call->getArg(i));
        by_default != nullptr && !default_argument(by_default).empty())
      last_default = i + 1;
  std::string list;
  for (unsigned i = skipped; i < call->getNumArgs(); ++i) {
    const Expr* const argument = call->getArg(i);
    if (const auto* const by_default = dyn_cast<CXXDefaultArgExpr>(argument)) {
      if (i >= last_default) break;
      const std::string text = default_argument(by_default);
      const std::string name = "jackdaw_a" + std::to_string(i - skipped);
      const QualType type = by_default->getParam()->getType();
      list += i != skipped ? ", " : "";
      if (text.empty()) {
        list += Lexer::getSourceText(CharSourceRange::getTokenRange(by_default->getExpr()->getSourceRange()), places_,
                                     context_.getLangOpts());
      } else if (type->isLValueReferenceType() && by_default->getExpr()->isLValue() &&
                 !isa<MaterializeTemporaryExpr>(by_default->getExpr()->IgnoreImpCasts())) {
        capture("&" + name + " = (" + text + ")");
        list += name;
      } else {
        const std::string made = type_text(type.getNonReferenceType().getUnqualifiedType());
        capture(name + " = " + (text.starts_with("{") ? made + text : "static_cast<" + made + ">(" + text + ")"));
        list += "std::move(" + name + ")";
      }
      continue;
    }
    const std::string name = "jackdaw_a" + std::to_string(i - skipped);
    if (const auto* const pack = dyn_cast<PackExpansionExpr>(argument)) {
      capture("..." + name + " = " + source(pack->getPattern()));
      list += std::string(i != skipped ? ", " : "") + "std::move(" + name + ")...";
      continue;
    }
    int by_reference = -1;
    bool rvalue = false, conversion = false, decays = false;
    std::string type;
    for (const CallExpr* each : known) {
      const FunctionProtoType* const shape = prototype(each);
      const Expr* const passed = each->getArg(i);
      if (i - skipped >= shape->getNumParams()) continue;
      const QualType parameter = shape->getParamType(i - skipped);
      const bool reference =
          parameter->isReferenceType() && passed->isLValue() && !isa<MaterializeTemporaryExpr>(passed);
      if (by_reference >= 0 && (by_reference != 0) != reference)
        refuse(argument->getBeginLoc(),
               "cilk_spawn: this argument is passed by value in one instance of the template "
               "and by reference in another");
      by_reference = reference ? 1 : 0;
      rvalue = rvalue || (!reference && (parameter->isRValueReferenceType() || parameter->isRecordType()));
      decays = decays || parameter->isPointerType();
      if (!reference && converts(passed)) {
        const std::string written = type_text(parameter.getNonReferenceType().getUnqualifiedType().getCanonicalType());
        if (conversion && type != written)
          refuse(argument->getBeginLoc(),
                 "cilk_spawn: this argument is converted differently in the template's instances");
        conversion = true;
        type = written;
      }
    }
    if (i != skipped) list += ", ";
    const std::string text = source(argument);
    if (type.starts_with("std::initializer_list<")) {
      // Its elements live as long as the expression that lists them, which has to be the child's.
      if (!lists_constants(argument, context_))
        refuse(argument->getBeginLoc(), "cilk_spawn: a list in braces whose elements are no constants");
      list += text;
      continue;
    }
    if (by_reference != 1 && !conversion && is_constant(argument)) {
      list += text;
      continue;
    }
    if (by_reference == 1) {
      capture("&" + name + " = (" + text + ")");
    } else if (conversion) {
      capture(name + " = " + (text.starts_with("{") ? type + text : "static_cast<" + type + ">(" + text + ")"));
    } else {
      capture(name + " = (" + text + ")");
    }
    list += rvalue && by_reference != 1 ? "std::move(" + name + ")" : name;
  }
  std::string value = callee + "(" + list + ")";
  if (!into.constructed.empty()) {
    capture("&jackdaw_r = " + into.constructed);
    value = "jackdaw_r.make([&]() -> decltype(auto) { return " + value + "; })";
  } else if (into.made != nullptr) {
    capture("&jackdaw_r = " + into.lvalue);
    value = "jackdaw_r = " + value;
  } else if (into.target != nullptr) {
    const bool lvalue = into.target->isLValue() || into.target->isTypeDependent();
    const std::string target = (lvalue ? "&jackdaw_r = (" : "jackdaw_r = (") + source(into.target) + ")";
    if (into.op != "=")
      return in.frame + ".spawn_update([" + captures + "]() mutable { return " + value + "; }, [" + target +
             "](auto&& jackdaw_v) mutable { jackdaw_r " + into.op +
             " std::forward<decltype(jackdaw_v)>(jackdaw_v); });";
    capture(target);
    value = "jackdaw_r = " + value;
  }
  return in.frame + ".spawn([" + captures + "]() mutable { " + value + "; });";
}

std::string unit::c_call(const UnaryOperator* keyword, const result& into, region& in) {
  const auto* const call = cast<CallExpr>(bare(keyword->getSubExpr()));
  const std::string number = [&] {
    const auto [at, is_new] = spawn_numbers_.try_emplace(keyword, 0);
    if (is_new) at->second = ++count_;
    return std::to_string(at->second);
  }();
  const std::string object = "jackdaw_c" + number + "->", behind = "jackdaw_s" + number + "->";
  // First all values are computed, for that may fork; then they are written to where the child finds them.
  std::string members, values, sets, list, update;
  const auto stored = [&](QualType type, const std::string& name, const std::string& value) {
    type = type.getNonReferenceType();
    if (type->isArrayType() || type->isFunctionType()) type = context_.getDecayedType(type);
    const std::string local = "jackdaw_" + name + "_" + number;
    const auto declared = [&](const std::string& with) {
      return type->isVariablyModifiedType() ? "void *" + with : type_text(type.getUnqualifiedType(), with);
    };
    members += declared(name) + "; ";
    values += declared(local) + " = " + value + "; ";
    sets += object + name + " = " + local + "; ";
  };
  std::string invocation;
  const Expr* const called = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* const name = dyn_cast<DeclRefExpr>(called); name != nullptr && isa<FunctionDecl>(name->getDecl())) {
    invocation = name->getNameInfo().getAsString();
  } else {
    stored(call->getCallee()->getType(), "f", source(call->getCallee()));
    invocation = behind + "f";
  }
  const FunctionProtoType* const shape = prototype(call);
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const Expr* const argument = call->getArg(i);
    const std::string name = "a" + std::to_string(i);
    if (!list.empty()) list += ", ";
    stored(shape != nullptr && i < shape->getNumParams() ? shape->getParamType(i) : argument->getType(), name,
           source(argument));
    list += behind + name;
  }
  std::string value = invocation + "(" + list + ")";
  QualType target;
  if (into.made != nullptr) target = into.made->getType();
  if (into.target != nullptr) target = into.target->getType();
  if (!target.isNull()) {
    if (target->isVariablyModifiedType()) refuse(keyword->getBeginLoc(), "the result has a type of variable size");
    const QualType pointer = context_.getPointerType(target.getUnqualifiedType());
    const std::string place =
        "(" + type_text(pointer) + ")&(" + (into.made != nullptr ? into.lvalue : source(into.target)) + ")";
    if (into.op == "=") {
      stored(pointer, "r", place);
      value = "*" + behind + "r = " + value;
    } else {
      const std::string type = "struct jackdaw_u" + number, local = "jackdaw_u_" + number;
      update = type + " { " + type_text(pointer, "r") + "; " + type_text(call->getType().getUnqualifiedType(), "v") +
               "; };\nstatic void jackdaw_a" + number + "(void *jackdaw_p);\n";
      members += type + " *u; ";
      values += type + " *" + local + " = jackdaw_cilk_update(&" + in.frame + ", jackdaw_a" + number + ", sizeof(" +
                type + ")); " + local + "->r = " + place + "; ";
      sets += object + "u = " + local + "; ";
      value = behind + "u->v = " + value;
    }
  }
  if (members.empty()) members = "char none; ";
  const std::string type = "struct jackdaw_s" + number;
  if (emitted_.insert(keyword).second) {
    const std::string head = "static void jackdaw_w" + number + "(void *jackdaw_p)";
    before_.push_back([=] {
      return update + type + " { " + members + "} __attribute__((aligned(16)));\n" + head + ";\n" +
             begin_declaration(number);
    });
    after_.push_back([=, this] {
      return line_mark(begin_of(keyword)).substr(1) + head + " { " + type + " *const jackdaw_s" + number +
             " = jackdaw_p; (void)jackdaw_s" + number + "; " + value + "; } " + begin_definition(number) +
             (update.empty() ? ""
                             : "static void jackdaw_a" + number + "(void *jackdaw_p) { struct jackdaw_u" + number +
                                   " *jackdaw_u = jackdaw_p; *jackdaw_u->r " + into.op + " jackdaw_u->v; }\n");
    });
  }
  return "{ " + values + fork(number, sets, in) + " }";
}

/// C: what starts a child on its stack.
std::string unit::begin_declaration(const std::string& number) {
  return "static void *jackdaw_b" + number + "(void *jackdaw_p);\n";
}

std::string unit::begin_definition(const std::string& number) {
  return "static void *jackdaw_b" + number + "(void *jackdaw_p) { JACKDAW_CILK_CHILD(struct jackdaw_s" + number +
         ", jackdaw_w" + number + ") }\n";
}

/// `sets` writes what the child gets to *jackdaw_cN.
std::string unit::fork(const std::string& number, const std::string& sets, const region& in) {
  return "JACKDAW_CILK_FORK(" + number + ", " + in.frame + ", " + sets + ")";
}

void unit::block(const AttributedStmt* at, region& in) {
  const auto* const inner = dyn_cast<CompoundStmt>(at->getSubStmt());
  if (inner == nullptr) refuse(at->getBeginLoc(), "cilk_spawn: expected a call or a block");
  auto* const made = new region;
  owned_.push_back(made);
  made->is = region::kind::block;
  made->outer = &in;
  made->body = inner;
  made->outlined = !cplusplus_;
  made->number = ++count_;
  body(*made);
  const unsigned begin = begin_of(at), first = begin_of(inner), end = end_of(inner);
  if (cplusplus_) {
    out_.replace(begin, first, in.frame + ".spawn([&]() ");
    out_.insert(end, std::string(");"));
    return;
  }
  const std::string number = std::to_string(made->number);
  const std::string type = "struct jackdaw_s" + number;
  const std::string head = "static void jackdaw_w" + number + "(void *jackdaw_p)";
  before_.push_back([=, this] { return structure(*made, "") + head + ";\n" + begin_declaration(number); });
  after_.push_back([=, this] {
    return line_mark(first).substr(1) + head + " { " + type + " *const jackdaw_s" + number +
           " = jackdaw_p; (void)jackdaw_s" + number + "; " + variable_views(*made) + line_mark(first) +
           out_.render(first, end) + " } " + begin_definition(number);
  });
  captures(*made, in);  // what the blocks around have to capture as well
  out_.replace(begin, end, [=, this, &in] {
    return with_lines_of("{ " + fork(number, captures(*made, in, "->"), in) + " }",
                         out_.source().substr(begin, end - begin));
  });
}

}  // namespace jackdaw::cilk
