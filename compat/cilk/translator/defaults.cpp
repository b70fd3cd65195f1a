#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

namespace {

struct names : RecursiveASTVisitor<names> {
  bool VisitDeclRefExpr(DeclRefExpr* at) {
    found.push_back(at);
    return true;
  }
  std::vector<const DeclRefExpr*> found;
};

}  // namespace

/// A default argument as it may be written where the function is called: its names are looked up where the function is
/// declared. Empty if the child may evaluate it as well, since it is a constant, or if that cannot be written here.
std::string unit::default_argument(const CXXDefaultArgExpr* of) const {
  const Expr* const value = of->getExpr();
  if (value->isInstantiationDependent() || value->isEvaluatable(context_)) return "";
  const CharSourceRange range = CharSourceRange::getTokenRange(value->getSourceRange());
  if (range.getBegin().isMacroID() || range.getEnd().isMacroID()) return "";
  std::string text = Lexer::getSourceText(range, places_, context_.getLangOpts()).str();
  if (text.empty()) return "";
  names used;
  used.TraverseStmt(const_cast<Expr*>(value));
  std::sort(used.found.begin(), used.found.end(), [&](const DeclRefExpr* a, const DeclRefExpr* b) {
    return places_.getFileOffset(a->getLocation()) > places_.getFileOffset(b->getLocation());
  });
  const unsigned begin = places_.getFileOffset(range.getBegin());
  for (const DeclRefExpr* each : used.found) {
    const NamedDecl* const named = each->getDecl();
    if (each->getLocation().isMacroID() || named->getAccess() == AS_private || named->getAccess() == AS_protected)
      return "";
    const std::string whole = named->getQualifiedNameAsString(), simple = named->getNameAsString();
    const unsigned at = places_.getFileOffset(each->getLocation());
    if (each->hasQualifier() || at < begin || at - begin + simple.size() > text.size() ||
        whole.find('(') != std::string::npos || text.compare(at - begin, simple.size(), simple) != 0 ||
        !named->getDeclName().isIdentifier() || named->getDeclContext()->isFunctionOrMethod())
      continue;
    text.replace(at - begin, simple.size(), "::" + whole);
  }
  return text;
}

}  // namespace jackdaw::cilk
