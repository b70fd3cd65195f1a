#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

unit::unit(ASTContext& context, const scan& scanned, text& output, std::string name)
    : context_(context),
      places_(context.getSourceManager()),
      scanned_(scanned),
      out_(output),
      name_(std::move(name)),
      cplusplus_(context.getLangOpts().CPlusPlus) {}

namespace {

/// Every function and every call, those of instantiated templates included.
struct collector : RecursiveASTVisitor<collector> {
  bool shouldVisitTemplateInstantiations() const { return instances; }
  bool VisitFunctionDecl(FunctionDecl* at) {
    if (at->doesThisDeclarationHaveABody() && on_function) on_function(at);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr* at) {
    if (on_lambda) on_lambda(at);
    return true;
  }
  bool VisitCallExpr(CallExpr* at) {
    if (on_call) on_call(at);
    return true;
  }
  bool VisitVarDecl(VarDecl* at) {
    if (on_variable) on_variable(at);
    return true;
  }
  bool instances = false;
  std::function<void(FunctionDecl*)> on_function;
  std::function<void(LambdaExpr*)> on_lambda;
  std::function<void(CallExpr*)> on_call;
  std::function<void(VarDecl*)> on_variable;
};

}  // namespace

void unit::translate() {
  auto* const all = context_.getTranslationUnitDecl();
  collector calls;
  calls.instances = true;
  calls.on_call = [&](CallExpr* at) {
    if (in_main(at->getBeginLoc()))
      calls_[places_.getFileOffset(places_.getExpansionLoc(at->getBeginLoc()))].push_back(at);
  };
  calls.TraverseDecl(all);
  collector variables;
  variables.on_variable = [&](VarDecl* at) {
    if (in_main(at->getLocation())) find_reducer(at);
  };
  variables.TraverseDecl(all);
  for (const unsigned at : scanned_.dropped) out_.replace(at, at + 4, std::string());
  for (const auto& [begin, end] : scanned_.pragmas) out_.replace(begin, end, std::string());

  collector functions;
  const FunctionDecl* program = nullptr;
  functions.on_function = [&](FunctionDecl* at) {
    const auto* const method = dyn_cast<CXXMethodDecl>(at);
    if (method != nullptr && method->getParent()->isLambda()) return;
    if (at->isDefaulted() || !in_main(at->getLocation())) return;
    if (const auto* const attempt = dyn_cast_or_null<CXXTryStmt>(at->getBody())) return function_try(at, attempt);
    const auto* const written = dyn_cast_or_null<CompoundStmt>(at->getBody());
    if (written == nullptr) return;
    if (at->isMain()) program = at;
    function(at, written);
  };
  functions.on_lambda = [&](LambdaExpr* at) {
    if (!in_main(at->getBeginLoc())) return;
    const auto* const written = dyn_cast_or_null<CompoundStmt>(at->getBody());
    // Of a lambda in a translated function the walk has seen nothing: it is a function of its own.
    if (written != nullptr) function(at->getCallOperator(), written);
  };
  functions.TraverseDecl(all);

  std::string end;
  if (program != nullptr) {
    found_ = true;
    const unsigned at = offset(program->getLocation());
    out_.replace(at, end_offset(program->getLocation()), std::string("jackdaw_cilk_program"));
    const char* const arguments[] = {"", "argc", "argc, argv", "argc, argv, environment"};
    const unsigned count = std::min(program->getNumParams(), 3u);
    const std::string call = std::string("jackdaw_cilk_program(") + arguments[count] + ")";
    const bool is_void = program->getReturnType()->isVoidType();
    end +=
        "\n#line 1 \"<jackdaw cilk>\"\nstatic int jackdaw_cilk_root(int argc, char **argv, char **environment) {\n  "
        "(void)argc, (void)argv, "
        "(void)environment;\n  " +
        (is_void ? call + ";\n  return 0;" : "return " + call + ";") +
        "\n}\nint main(int argc, char **argv, char **environment) {\n"
        "  return jackdaw_cilk_main(jackdaw_cilk_root, argc, argv, environment);\n}\n";
    const unsigned close = offset(cast<CompoundStmt>(program->getBody())->getRBracLoc());
    if (!is_void) out_.insert(close, std::string(" return 0; "));
  }
  if (uses_views_)
    end += "\n__attribute__((constructor)) static void jackdaw_cilk_views_wanted(void) { jackdaw_cilk_use_views(); }\n";
  if (!end.empty()) out_.insert(out_.size(), end);
}

void unit::function(const FunctionDecl* of, const CompoundStmt* written) {
  if (!done_.insert(written).second) return;
  const FunctionDecl* const outer = std::exchange(function_, of);
  auto* const whole = new region;
  owned_.push_back(whole);
  whole->body = written;
  before_.clear();
  after_.clear();
  for (const ParmVarDecl* each : of->parameters()) homes_[each] = whole;
  body(*whole);
  if (!before_.empty()) {
    unsigned start = offset(of->getBeginLoc());
    for (const unsigned each : scanned_.dropped)
      if (each < start && start - each < 8) start = each;
    const auto all = [](const std::vector<text::writer>& of) {
      std::string text;
      for (const text::writer& each : of) text += each();
      return text;
    };
    out_.insert(start, [this, all, of = before_, start] { return "\n" + all(of) + line_mark(start).substr(1); });
    const unsigned close = end_of(written);
    out_.insert(close, [this, all, of = after_, close] { return "\n" + all(of) + line_mark(close).substr(1); });
  }
  function_ = outer;
}

/// A function whose body is a try block: each of its blocks waits for its own children.
void unit::function_try(const FunctionDecl* of, const CXXTryStmt* written) {
  if (of->isMain()) refuse(written->getBeginLoc(), "main() as a try block; put the block inside");
  function(of, written->getTryBlock());
  for (unsigned i = 0; i < written->getNumHandlers(); ++i)
    if (const auto* const block = dyn_cast<CompoundStmt>(written->getHandler(i)->getHandlerBlock()))
      function(of, block);
}

bool unit::forks(const Stmt* at) const {
  if (at == nullptr) return false;
  if (is_spawn(at) != nullptr || has_attribute(at, "cilk_block")) return true;
  if (isa<LambdaExpr>(at) || has_attribute(at, "cilk_for") || has_attribute(at, "cilk_scope")) return false;
  if (isa<CXXTryStmt>(at)) {
    for (unsigned i = 0; i < cast<CXXTryStmt>(at)->getNumHandlers(); ++i)
      if (forks(cast<CXXTryStmt>(at)->getHandler(i))) return true;
    return false;
  }
  for (const Stmt* each : at->children())
    if (forks(each)) return true;
  return false;
}

void unit::body(region& of) {
  of.forks = forks(of.body);
  if (of.body == nullptr) {
    of.forks = of.guarded = forks(of.single);
    if (of.forks) of.frame = "jackdaw_frame" + std::to_string(++count_);
    walk(of.single, of, nullptr);
    return;
  }
  bool labels = false;
  const std::function<void(const Stmt*)> look = [&](const Stmt* at) {
    if (at == nullptr) return;
    labels = labels || isa<LabelStmt>(at);
    for (const Stmt* each : at->children()) look(each);
  };
  if (of.forks) {
    found_ = true;
    look(of.body);
    of.frame = "jackdaw_frame" + std::to_string(++count_);
  }
  const std::string made = frame_declaration(of);
  if (of.forks && (labels || of.is == region::kind::loop)) {
    out_.insert(offset(of.body->getLBracLoc()) + 1, " " + made);
    of.guarded = true;
  }
  const Stmt* last = nullptr;
  mark_synced(of.body);
  for (const Stmt* each : of.body->body()) {
    if (of.forks && !of.guarded && forks(each)) {
      out_.insert(begin_of(each), made);
      of.guarded = true;
    }
    walk(each, of, of.body);
    last = each;
  }
  // In C the frame's cleanup does it.
  if (cplusplus_ && of.forks && (last == nullptr || !isa<ReturnStmt>(last)))
    out_.insert(offset(of.body->getRBracLoc()), of.frame + ".sync(); ");
}

void unit::walk_children(const Stmt* at, region& in) {
  for (const Stmt* each : at->children())
    if (each != nullptr) walk(each, in, at);
}

/// The expressions in a written type: sizes of arrays, and what typeof asks for.
void unit::walk_type(const TypeSourceInfo* of, region& in) {
  if (of == nullptr || cplusplus_) return;
  for (TypeLoc at = of->getTypeLoc(); !at.isNull(); at = at.getNextTypeLoc()) {
    if (const auto array = at.getAs<ArrayTypeLoc>(); !array.isNull() && array.getSizeExpr() != nullptr)
      walk(array.getSizeExpr(), in, nullptr);
    if (const auto asked = at.getAs<TypeOfExprTypeLoc>(); !asked.isNull()) walk(asked.getUnderlyingExpr(), in, nullptr);
  }
}

void unit::walk(const Stmt* at, region& in, const Stmt* parent) {
  if (at == nullptr) return;
  if (const auto* const cast_to = dyn_cast<ExplicitCastExpr>(at)) walk_type(cast_to->getTypeInfoAsWritten(), in);
  if (const auto* const literal = dyn_cast<CompoundLiteralExpr>(at)) walk_type(literal->getTypeSourceInfo(), in);
  if (const auto* const size = dyn_cast<UnaryExprOrTypeTraitExpr>(at); size != nullptr && size->isArgumentType())
    walk_type(size->getArgumentTypeInfo(), in);
  if (isa<LambdaExpr>(at)) {
    for (const Expr* each : cast<LambdaExpr>(at)->capture_inits())
      if (each != nullptr && each->getBeginLoc().isValid() && !isa<DeclRefExpr>(each->IgnoreParenImpCasts()))
        walk(each, in, at);
    function(cast<LambdaExpr>(at)->getCallOperator(), cast<CompoundStmt>(cast<LambdaExpr>(at)->getBody()));
    return;
  }
  if (has_attribute(at, "cilk_sync")) {
    found_ = true;
    std::string text;
    for (region* each = &in; each != nullptr; each = each->is == region::kind::attempt ? each->outer : nullptr) {
      if (each->forks && each->guarded)
        text += cplusplus_ ? each->frame + ".sync(); " : "jackdaw_cilk_sync(&" + each->frame + "); ";
    }
    if (!text.empty()) text.resize(text.size() - 2);  // the statement has a semicolon
    const unsigned begin = begin_of(at);
    unsigned end = begin;
    while (end < out_.size() && (std::isalnum(out_.source()[end]) != 0 || out_.source()[end] == '_')) ++end;
    const bool alone = parent != nullptr && isa<CompoundStmt>(parent);
    out_.replace(begin, end, alone || text.find(';') == std::string::npos ? text : "{" + text + ";}");
    return;
  }
  if (has_attribute(at, "cilk_for")) return loop(cast<AttributedStmt>(at), in);
  if (has_attribute(at, "cilk_block")) return block(cast<AttributedStmt>(at), in);
  if (has_attribute(at, "cilk_scope")) {
    found_ = true;
    const unsigned begin = begin_of(at);
    unsigned behind = begin;
    while (std::isalnum(out_.source()[behind]) != 0 || out_.source()[behind] == '_') ++behind;
    out_.replace(begin, behind, std::string());
    const auto* const inner = dyn_cast<CompoundStmt>(cast<AttributedStmt>(at)->getSubStmt());
    if (inner == nullptr) refuse(at->getBeginLoc(), "cilk_scope: expected a compound statement");
    auto* const scope = new region;
    owned_.push_back(scope);
    scope->is = region::kind::scope;
    scope->outer = &in;
    scope->body = inner;
    scope->outlined = false;
    body(*scope);
    return;
  }
  if (const auto* const attempt = dyn_cast<CXXTryStmt>(at)) {
    auto* const inner = new region;
    owned_.push_back(inner);
    inner->is = region::kind::attempt;
    inner->outer = &in;
    inner->body = attempt->getTryBlock();
    body(*inner);
    for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) walk_children(attempt->getHandler(i), in);
    return;
  }
  if (const auto* const several = dyn_cast<CompoundStmt>(at)) mark_synced(several);
  if (spawn_statement(at, in, parent)) return;
  if (is_spawn(at) != nullptr)
    refuse(at->getBeginLoc(),
           "cilk_spawn: its value is used at once; spawn it as a statement of its own: `f();` or `x = f();`");
  if (const auto* const declared = dyn_cast<DeclStmt>(at)) return declaration(declared, in, parent);
  if (const auto* const leaves = dyn_cast<ReturnStmt>(at)) return returns(leaves, in);
  if (const auto* const used = dyn_cast<DeclRefExpr>(at)) return reference(used, in);
  if (const auto* const number = dyn_cast<IntegerLiteral>(at)) {
    if (number->getLocation().isMacroID() &&
        Lexer::getImmediateMacroName(number->getLocation(), places_, context_.getLangOpts()) == "jdksynd") {
      const unsigned begin = offset(number->getLocation());
      out_.replace(begin, begin + 7,
                   in.forks && in.guarded ? "jackdaw_cilk_synched(&" + in.frame + ")" : std::string("1"));
    }
    return;
  }
  walk_children(at, in);
}

void unit::declaration(const DeclStmt* at, region& in, const Stmt* parent) {
  std::string behind;
  region* own = &in;
  for (const Decl* each : at->decls()) {
    const auto* const variable = dyn_cast<VarDecl>(each);
    if (variable == nullptr) continue;
    homes_[variable] = &in;
    walk_type(variable->getTypeSourceInfo(), in);
    if (variable->getInit() != nullptr && spawn_of(variable->getInit()) == nullptr) walk(variable->getInit(), in, at);
    if (!variable->isLocalVarDecl() || variable->isStaticLocal() || variable->hasExternalStorage()) continue;
    if (const reducer* const found = reducer_of(variable)) {
      const std::string name = variable->getNameAsString();
      const std::string key = "jackdaw_view" + std::to_string(++count_);
      behind += cplusplus_ ? " jackdaw::cilk::own_view " + key + "(&" + name + ", " + found->reduce + ");"
                           : " void *" + key + " __attribute__((cleanup(jackdaw_cilk_end))) = &" + name +
                                 "; jackdaw_cilk_begin_view(" + key + ", " + found->reduce + ");";
    }
    if (cplusplus_ && (variable->getType()->isDependentType() || variable->getType().isDestructedType())) {
      for (; own != nullptr; own = own->exits() ? nullptr : own->outer)
        if (own->forks && own->guarded)
          behind += " jackdaw::cilk::at_unwind jackdaw_unwind" + std::to_string(++count_) + "(" + own->frame + ");";
      own = &in;
    }
  }
  if (!behind.empty() && parent != nullptr && isa<CompoundStmt>(parent)) out_.insert(end_of(at), behind);
}

void unit::mark_synced(const CompoundStmt* in) {
  const Stmt* before = nullptr;
  for (const Stmt* each : in->body()) {
    if (before != nullptr && isa<ReturnStmt>(each) && has_attribute(before, "cilk_sync")) synced_.insert(each);
    before = each;
  }
}

/// Whether an expression runs other code, which may run at the same time as the children.
bool unit::calls_something(const Stmt* at) const {
  if (at == nullptr || isa<LambdaExpr>(at)) return false;
  if (const auto* const made = dyn_cast<CXXConstructExpr>(at)) {
    if (!made->getConstructor()->isCopyOrMoveConstructor()) return true;
  } else if (const auto* const call = dyn_cast<CallExpr>(at)) {
    if (!call->isTypeDependent() && call->getBuiltinCallee() != 0) return false;
    return true;
  } else if (isa<CXXNewExpr, CXXUnresolvedConstructExpr, StmtExpr, CXXDeleteExpr>(at)) {
    return true;
  }
  for (const Stmt* each : at->children())
    if (calls_something(each)) return true;
  return false;
}

void unit::returns(const ReturnStmt* at, region& in) {
  std::vector<region*> waiting;
  for (region* each = &in; each != nullptr; each = each->exits() ? nullptr : each->outer) {
    if (each->is == region::kind::loop) refuse(at->getBeginLoc(), "return: it would leave a cilk_for");
    if (each->is == region::kind::block) refuse(at->getBeginLoc(), "return: it would leave a spawned block");
    if (each->forks && each->guarded) waiting.insert(waiting.begin(), each);
  }
  // Right behind a sync there are no children.
  if (waiting.empty() || (waiting.size() == 1 && synced_.count(at) != 0)) return walk_children(at, in);
  std::string before = "{ ";
  if (!calls_something(at->getRetValue())) {
    // The value may be what a child sets: as if a sync stood here.
    for (auto each = waiting.rbegin(); each != waiting.rend(); ++each)
      before += cplusplus_ ? (*each)->frame + ".sync(); " : "jackdaw_cilk_sync(&" + (*each)->frame + "); ";
  } else if (cplusplus_) {
    for (const region* each : waiting) {
      const std::string name = "jackdaw_return" + std::to_string(++count_);
      before += "jackdaw::cilk::at_return " + name + "(" + each->frame + "); ";
    }
  } else {
    return walk_children(at, in);  // the frame's cleanup waits
  }
  out_.insert(begin_of(at), before);
  out_.insert(after_semicolon(end_of(at)), std::string(" }"));
  walk_children(at, in);
}

void unit::reference(const DeclRefExpr* at, region& in) {
  const auto* const variable = dyn_cast<VarDecl>(at->getDecl());
  if (variable == nullptr || !at->getLocation().isValid()) return;
  const bool is_reducer = reducer_of(variable) != nullptr;
  std::string name = variable->getNameAsString();
  if (!cplusplus_ && variable->isLocalVarDeclOrParm()) name = this->variable(variable, &in);
  if (is_reducer) {
    name = view_of(variable, name);
    found_ = true;
  }
  if (name == variable->getNameAsString()) return;
  const unsigned begin = offset(at->getLocation());
  if (edited_.insert(begin).second) out_.replace(begin, end_offset(at->getLocation()), name);
}

}  // namespace jackdaw::cilk
