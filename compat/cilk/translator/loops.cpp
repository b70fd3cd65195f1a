#include <clang/AST/Attr.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

namespace {

bool names(const Expr* at, const VarDecl* variable) {
  const auto* const found = dyn_cast<DeclRefExpr>(at->IgnoreParenImpCasts());
  return found != nullptr && found->getDecl() == variable;
}

struct condition {
  const char* op = nullptr;
  const Expr* limit = nullptr;
  QualType compared;
};

condition read(const Expr* at, const VarDecl* variable) {
  const Expr *left = nullptr, *right = nullptr;
  std::string op;
  at = at->IgnoreParenImpCasts();
  if (const auto* const full = dyn_cast<FullExpr>(at)) at = full->getSubExpr()->IgnoreParenImpCasts();
  if (const auto* const with = dyn_cast<BinaryOperator>(at)) {
    left = with->getLHS(), right = with->getRHS(), op = with->getOpcodeStr().str();
  } else if (const auto* const call = dyn_cast<CXXOperatorCallExpr>(at); call != nullptr && call->getNumArgs() == 2) {
    left = call->getArg(0), right = call->getArg(1), op = getOperatorSpelling(call->getOperator());
  } else if (const auto* const rewritten = dyn_cast<CXXRewrittenBinaryOperator>(at)) {
    const auto parts = rewritten->getDecomposedForm();
    left = parts.LHS, right = parts.RHS, op = BinaryOperator::getOpcodeStr(parts.Opcode).str();
  }
  if (left == nullptr) return {};
  bool swapped = false;
  if (!names(left, variable)) {
    if (!names(right, variable)) return {};
    std::swap(left, right);
    swapped = true;
  }
  condition result;
  result.limit = right;
  result.compared = right->getType();
  if (op == "!=") result.op = "unequal";
  if (op == "<") result.op = swapped ? "greater" : "less";
  if (op == "<=") result.op = swapped ? "greater_equal" : "less_equal";
  if (op == ">") result.op = swapped ? "less" : "greater";
  if (op == ">=") result.op = swapped ? "less_equal" : "greater_equal";
  return result;
}

struct step {
  bool known = false, negative = false;
  const Expr* amount = nullptr;  // null: 1
};

step read_step(const Expr* at, const VarDecl* variable) {
  step result;
  if (const auto* const full = dyn_cast<FullExpr>(at)) at = full->getSubExpr();
  at = at->IgnoreParenImpCasts();
  if (const auto* const unary = dyn_cast<UnaryOperator>(at)) {
    result.known = unary->isIncrementDecrementOp() && names(unary->getSubExpr(), variable);
    result.negative = unary->isDecrementOp();
  } else if (const auto* const call = dyn_cast<CXXOperatorCallExpr>(at)) {
    const auto op = call->getOperator();
    result.negative = op == OO_MinusMinus || op == OO_MinusEqual;
    result.known = (op == OO_PlusPlus || op == OO_PlusEqual || result.negative) && names(call->getArg(0), variable);
    if (op == OO_PlusEqual || op == OO_MinusEqual) result.amount = call->getArg(1);
  } else if (const auto* const set = dyn_cast<BinaryOperator>(at)) {
    if (!names(set->getLHS(), variable)) return result;
    if (set->getOpcode() == BO_AddAssign || set->getOpcode() == BO_SubAssign) {
      result.known = true;
      result.negative = set->getOpcode() == BO_SubAssign;
      result.amount = set->getRHS();
    } else if (const auto* const sum = dyn_cast<BinaryOperator>(set->getRHS()->IgnoreParenImpCasts());
               set->getOpcode() == BO_Assign && sum != nullptr &&
               (sum->getOpcode() == BO_Add || sum->getOpcode() == BO_Sub)) {
      result.negative = sum->getOpcode() == BO_Sub;
      if (names(sum->getLHS(), variable)) {
        result.known = true;
        result.amount = sum->getRHS();
      } else if (!result.negative && names(sum->getRHS(), variable)) {
        result.known = true;
        result.amount = sum->getLHS();
      }
    }
  }
  return result;
}

}  // namespace

/// break and return would leave the loop; continue ends one call of the body.
void unit::leaves_loop(const Stmt* each, bool in_loop, bool in_switch) {
  if (each == nullptr || isa<LambdaExpr>(each)) return;
  if (isa<BreakStmt>(each) && !in_loop && !in_switch) refuse(each->getBeginLoc(), "break: it would leave a cilk_for");
  if (isa<ContinueStmt>(each) && !in_loop) {
    const unsigned begin = begin_of(each);
    if (edited_.insert(begin).second) out_.replace(begin, begin + 8, std::string("return"));
  }
  if (isa<AttributedStmt>(each) && has_attribute(each, "cilk_for")) return;
  const bool loops = in_loop || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(each);
  for (const Stmt* inner : each->children()) leaves_loop(inner, loops, in_switch || isa<SwitchStmt>(each));
}

region* unit::loop_region(const Stmt* body, region& in) {
  auto* const made = new region;
  owned_.push_back(made);
  made->is = region::kind::loop;
  made->outer = &in;
  made->body = dyn_cast<CompoundStmt>(body);
  made->single = body;
  made->outlined = !cplusplus_;
  made->number = ++count_;
  leaves_loop(body, false, false);
  return made;
}

std::string unit::loop_body(const region& of, unsigned first, unsigned end) const {
  std::string text = out_.render(first, end, true);  // the body may be another loop
  if (of.body != nullptr) return text;
  return "{ " + (of.forks ? frame_declaration(of) : "") + text + (of.forks && cplusplus_ ? of.frame + ".sync();" : "") +
         " }";
}

std::string unit::grain_of(unsigned begin) const {
  const auto grain = scanned_.grain.find(begin);
  return grain == scanned_.grain.end() ? "0" : grain->second;
}

/// cilk_for (T x : range), for ranges with random access.
void unit::range_loop(const AttributedStmt* at, const CXXForRangeStmt* written, region& in) {
  if (written->getInit() != nullptr) refuse(at->getBeginLoc(), "cilk_for over a range with an initialiser");
  region* const made = loop_region(written->getBody(), in);
  walk(written->getRangeInit(), in, at);
  body(*made);
  const unsigned begin = begin_of(at), first = begin_of(written->getBody());
  const unsigned end = end_of_statement(written->getBody());
  const unsigned declared = begin_of(written->getLoopVarStmt()), colon = offset(written->getColonLoc());
  const std::string grain = grain_of(begin);
  out_.replace(begin, end, [=, this] {
    const std::string item = "jackdaw_item" + std::to_string(made->number);
    const std::string head = "jackdaw::cilk::each(" + source(written->getRangeInit()) + ", " + grain + ", [&](auto&& " +
                             item + ") { " + out_.source().substr(declared, colon - declared) + "= *" + item + "; ";
    return with_lines_of(head, out_.source().substr(begin, first - begin)) + loop_body(*made, first, end) + "});";
  });
}

void unit::loop(const AttributedStmt* at, region& in) {
  found_ = true;
  if (const auto* const range = dyn_cast<CXXForRangeStmt>(at->getSubStmt())) return range_loop(at, range, in);
  const auto* const written = cast<ForStmt>(at->getSubStmt());
  const auto* const declared = dyn_cast_or_null<DeclStmt>(written->getInit());
  // The loop variable is the one that the increment changes; what else is declared here stands before the loop.
  const VarDecl* variable = nullptr;
  const Expr* start = nullptr;
  const Expr* assigned = nullptr;
  if (declared != nullptr) {
    for (const Decl* each : declared->decls()) {
      const auto* const found = dyn_cast<VarDecl>(each);
      if (found != nullptr && found->getInit() != nullptr &&
          (declared->isSingleDecl() || (written->getInc() != nullptr && read_step(written->getInc(), found).known)))
        variable = found, start = found->getInit();
    }
  } else if (const auto* const init = dyn_cast_or_null<Expr>(written->getInit())) {
    const auto* const set = dyn_cast<BinaryOperator>(init->IgnoreParens());
    const auto* const to = set != nullptr && set->getOpcode() == BO_Assign
                               ? dyn_cast<DeclRefExpr>(set->getLHS()->IgnoreParens())
                               : nullptr;
    if (to != nullptr) variable = dyn_cast<VarDecl>(to->getDecl());
    if (variable != nullptr) start = set->getRHS(), assigned = set->getLHS();
  }
  if (variable == nullptr)
    refuse(written->getInit() != nullptr ? written->getInit()->getBeginLoc() : at->getBeginLoc(),
           "cilk_for: expected one loop variable that is initialised here");
  if (assigned != nullptr && (!variable->hasLocalStorage() || reducer_of(variable) != nullptr))
    refuse(assigned->getBeginLoc(), "cilk_for: the loop variable has to be a local variable");
  const bool several = declared != nullptr && !declared->isSingleDecl();
  const SourceLocation where = written->getCond() != nullptr ? written->getCond()->getBeginLoc() : at->getBeginLoc();
  const condition until = written->getCond() != nullptr ? read(written->getCond(), variable) : condition{};
  if (until.op == nullptr)
    refuse(where, "cilk_for: expected one comparison of '" + variable->getNameAsString() +
                      "' by !=, <, <=, > or >= as the condition");
  const SourceLocation there = written->getInc() != nullptr ? written->getInc()->getBeginLoc() : at->getBeginLoc();
  const step by = written->getInc() != nullptr ? read_step(written->getInc(), variable) : step{};
  if (!by.known)
    refuse(there, "cilk_for: expected ++, --, += or -= of '" + variable->getNameAsString() + "' as the increment");
  const QualType kind = variable->getType().getNonReferenceType();
  if (!kind->isDependentType() && (kind->isFloatingType() || variable->getType()->isReferenceType()))
    refuse(variable->getLocation(), "cilk_for: the loop variable has to be an integer, a pointer or an iterator");

  // Where the loop variable is declared outside, the body has its own, and the outer one is set at the end.
  if (several) {
    for (const Decl* each : declared->decls()) {
      if (const auto* const found = dyn_cast<VarDecl>(each)) {
        homes_[found] = &in;
        if (found->getInit() != nullptr) walk(found->getInit(), in, at);
      }
    }
  } else {
    walk(start, in, at);
  }
  if (assigned != nullptr) walk(assigned, in, at);
  walk(until.limit, in, at);
  if (by.amount != nullptr) walk(by.amount, in, at);
  region* const made = loop_region(written->getBody(), in);
  const auto home = homes_.find(variable);
  region* const before = home == homes_.end() ? nullptr : home->second;
  homes_[variable] = made;
  body(*made);
  if (before != nullptr) homes_[variable] = before;

  const unsigned begin = begin_of(at), first = begin_of(written->getBody());
  const unsigned end = end_of_statement(written->getBody());
  const std::string grain_text = grain_of(begin);
  const auto body_text = [=, this] { return loop_body(*made, first, end); };
  const std::string name = variable->getNameAsString();
  // What is declared before the loop, and where the loop variable starts.
  const auto declarations = [=, this] { return several ? source(declared) : std::string(); };
  const auto start_text = [=, this] { return several ? name : source(start); };
  const auto outside = [=, this, &in] {
    return assigned == nullptr ? std::string() : cplusplus_ ? source(assigned) : this->variable(variable, &in);
  };
  if (cplusplus_) {
    const bool automatic = variable->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr;
    const std::string type =
        assigned != nullptr ? "std::remove_cv_t<decltype(" + name + ")> "
        : several           ? "std::decay_t<decltype(" + name + ")> "
                  : out_.source().substr(begin_of(declared), offset(variable->getLocation()) - begin_of(declared));
    out_.replace(begin, end, [=, this] {
      const std::string from = start_text();
      const std::string amount = by.amount == nullptr ? "1" : "(" + source(by.amount) + ")";
      const std::string stride = !by.negative           ? amount
                                 : by.amount == nullptr ? "-1"
                                                        : "-jackdaw::cilk::signed_stride" + amount;
      const std::string head = (several ? "{ " + declarations() + " " : "") +
                               (assigned != nullptr ? outside() + " = " : "") +
                               "jackdaw::cilk::loop<jackdaw::cilk::until::" + until.op + ">(" +
                               (automatic || several ? from : "static_cast<" + type + ">(" + from + ")") + ", " +
                               source(until.limit) + ", " + stride + ", " + grain_text + ", [&](" + type + name + ") ";
      // The body keeps its line.
      return with_lines_of(head, out_.source().substr(begin, first - begin)) + body_text() + ");" +
             (several ? " }" : "");
    });
    return;
  }

  const std::string number = std::to_string(made->number);
  const std::string type = "struct jackdaw_s" + number;
  const std::string head = "static void jackdaw_w" + number + "(void *jackdaw_p, unsigned long long jackdaw_i)";
  const QualType plain = kind.getUnqualifiedType();
  const bool pointer = plain->isPointerType();
  const std::string start_type = type_text(plain, "jackdaw_first");
  const auto value_at = [=, this](const std::string& object, const std::string& index) {
    const std::string from = object + "jackdaw_first", steps = object + "jackdaw_stride";
    return pointer ? from + " + (long long)" + index + " * " + steps
                   : "(" + type_text(plain) + ")((unsigned long long)" + from + " + " + index +
                         " * (unsigned long long)" + steps + ")";
  };
  before_.push_back([=, this] { return structure(*made, start_type + "; long long jackdaw_stride; ") + head + ";\n"; });
  after_.push_back([=, this] {
    return line_mark(first).substr(1) + head + " { " + type + " *const jackdaw_s" + number + " = (" + type +
           " *)jackdaw_p; " + variable_views(*made) + type_text(plain, name) + " = " +
           value_at("jackdaw_s" + number + "->", "jackdaw_i") + "; (void)" + name + ";" + line_mark(first) +
           body_text() + " }\n";
  });
  captures(*made, in);
  const bool is_unsigned = until.compared->isUnsignedIntegerType();
  out_.replace(begin, end, [=, this, &in] {
    const std::string object = "jackdaw_c" + number;
    const std::string limit = source(until.limit);
    const std::string amount = by.amount == nullptr ? "1" : "(" + source(by.amount) + ")";
    const std::string trips = pointer ? "jackdaw_cilk_trips(jackdaw_cilk_" + std::string(until.op) + ", 0, (" + limit +
                                            ") - " + object + ".jackdaw_first, " + object + ".jackdaw_stride)"
                                      : std::string("jackdaw_cilk_trips") + (is_unsigned ? "_unsigned" : "") +
                                            "(jackdaw_cilk_" + until.op + ", (" +
                                            type_text(until.compared.getUnqualifiedType()) + ")" + object +
                                            ".jackdaw_first, " + limit + ", " + object + ".jackdaw_stride)";
    return with_lines_of(
        "{ " + declarations() + " " + type + " " + object + "; " + captures(*made, in) + object +
            ".jackdaw_first = " + start_text() + "; " + object + ".jackdaw_stride = " + (by.negative ? "-" : "") +
            "(long long)" + amount + "; const unsigned long long jackdaw_n = " + trips +
            "; jackdaw_cilk_loop(jackdaw_n, " + grain_text + ", jackdaw_w" + number + ", &" + object + ");" +
            (assigned != nullptr ? " " + outside() + " = " + value_at(object + ".", "jackdaw_n") + ";" : "") + " }",
        out_.source().substr(begin, end - begin));
  });
}

}  // namespace jackdaw::cilk
