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

void unit::loop(const AttributedStmt* at, region& in) {
  found_ = true;
  const auto* const written = dyn_cast<ForStmt>(at->getSubStmt());
  if (written == nullptr) refuse(at->getBeginLoc(), "cilk_for over a range; write a loop with an index or an iterator");
  const auto* const declared = dyn_cast_or_null<DeclStmt>(written->getInit());
  const auto* const variable =
      declared != nullptr && declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
  if (variable == nullptr || variable->getInit() == nullptr)
    refuse(written->getInit() != nullptr ? written->getInit()->getBeginLoc() : at->getBeginLoc(),
           "cilk_for: expected one loop variable that is declared and initialised here");
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

  // break and return would leave the loop; continue ends one call of the body.
  const std::function<void(const Stmt*, bool, bool)> leave = [&](const Stmt* each, bool in_loop, bool in_switch) {
    if (each == nullptr || isa<LambdaExpr>(each)) return;
    if (isa<BreakStmt>(each) && !in_loop && !in_switch) refuse(each->getBeginLoc(), "break: it would leave a cilk_for");
    if (isa<ContinueStmt>(each) && !in_loop) {
      const unsigned begin = begin_of(each);
      if (edited_.insert(begin).second) out_.replace(begin, begin + 8, std::string("return"));
    }
    if (isa<GotoStmt>(each)) return;
    if (isa<AttributedStmt>(each) && has_attribute(each, "cilk_for")) return;
    const bool loops = in_loop || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(each);
    for (const Stmt* inner : each->children()) leave(inner, loops, in_switch || isa<SwitchStmt>(each));
  };
  auto* const made = new region;
  owned_.push_back(made);
  made->is = region::kind::loop;
  made->outer = &in;
  made->body = dyn_cast<CompoundStmt>(written->getBody());
  made->single = written->getBody();
  made->outlined = !cplusplus_;
  made->number = ++count_;
  homes_[variable] = made;
  leave(written->getBody(), false, false);
  walk(variable->getInit(), in, at);
  walk(until.limit, in, at);
  if (by.amount != nullptr) walk(by.amount, in, at);
  body(*made);

  const unsigned begin = begin_of(at), first = begin_of(written->getBody());
  unsigned end = end_of(written->getBody());
  if (made->body == nullptr && out_.source()[end - 1] != '}' && out_.source()[end - 1] != ';')
    end = after_semicolon(end);
  const auto grain = scanned_.grain.find(begin);
  const std::string grain_text = grain == scanned_.grain.end() ? "0" : grain->second;
  const auto body_text = [=, this] {
    std::string text = out_.render(first, end, true);  // the body may be another loop
    if (made->body == nullptr) {
      text = "{ " +
             (made->forks
                  ? (cplusplus_ ? "jackdaw::cilk::frame " + made->frame + "; "
                                : "struct jackdaw_cilk_frame " + made->frame +
                                      " __attribute__((cleanup(jackdaw_cilk_sync))); " + made->frame + ".open = 0; ")
                  : "") +
             text + (made->forks && cplusplus_ ? made->frame + ".sync();" : "") + " }";
    }
    return text;
  };
  const std::string name = variable->getNameAsString();
  if (cplusplus_) {
    const bool automatic = variable->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr;
    const std::string type =
        out_.source().substr(begin_of(declared), offset(variable->getLocation()) - begin_of(declared));
    out_.replace(begin, end, [=, this] {
      const std::string start = source(variable->getInit());
      const std::string amount = by.amount == nullptr ? "1" : "(" + source(by.amount) + ")";
      const std::string stride = !by.negative           ? amount
                                 : by.amount == nullptr ? "-1"
                                                        : "-jackdaw::cilk::signed_stride" + amount;
      const std::string head = std::string("jackdaw::cilk::loop<jackdaw::cilk::until::") + until.op + ">(" +
                               (automatic ? start : "static_cast<" + type + ">(" + start + ")") + ", " +
                               source(until.limit) + ", " + stride + ", " + grain_text + ", [&](" + type + name + ") ";
      // The body keeps its line.
      return with_lines_of(head, out_.source().substr(begin, first - begin)) + body_text() + ");";
    });
    return;
  }
  const std::string number = std::to_string(made->number);
  const std::string type = "struct jackdaw_s" + number;
  const std::string head = "static void jackdaw_w" + number + "(void *jackdaw_p, unsigned long long jackdaw_i)";
  const QualType plain = kind.getUnqualifiedType();
  const bool pointer = plain->isPointerType();
  const std::string start_type = type_text(plain, "jackdaw_first");
  before_.push_back([=, this] { return structure(*made, start_type + "; long long jackdaw_stride; ") + head + ";\n"; });
  after_.push_back([=, this] {
    const std::string from = "jackdaw_s" + number + "->jackdaw_first";
    const std::string steps = "jackdaw_s" + number + "->jackdaw_stride";
    const std::string value = pointer ? from + " + (long long)jackdaw_i * " + steps
                                      : "(" + type_text(plain) + ")((unsigned long long)" + from +
                                            " + jackdaw_i * (unsigned long long)" + steps + ")";
    return head + " { " + type + " *const jackdaw_s" + number + " = (" + type + " *)jackdaw_p; " +
           type_text(plain, name) + " = " + value + ";" + line_mark(first) + body_text() + " }\n";
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
    return with_lines_of("{ " + type + " " + object + "; " + captures(*made, in) + object +
                             ".jackdaw_first = " + source(variable->getInit()) + "; " + object + ".jackdaw_stride = " +
                             (by.negative ? "-" : "") + "(long long)" + amount + "; jackdaw_cilk_loop(" + trips + ", " +
                             grain_text + ", jackdaw_w" + number + ", &" + object + "); }",
                         out_.source().substr(begin, end - begin));
  });
}

}  // namespace jackdaw::cilk
