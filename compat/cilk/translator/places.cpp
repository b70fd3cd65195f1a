#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include "unit.hpp"

namespace jackdaw::cilk {

using namespace clang;

unsigned unit::offset(SourceLocation at) const {
  if (at.isInvalid()) throw needs_preprocessing();
  if (at.isMacroID()) {
    // The keywords are macros; so is an argument that a macro makes as a whole.
    SourceLocation begin;
    if (Lexer::isAtStartOfMacroExpansion(at, places_, context_.getLangOpts(), &begin)) {
      at = begin;
    } else if (places_.isMacroArgExpansion(at)) {
      at = places_.getSpellingLoc(at);
      throw needs_preprocessing();
    } else {
      throw needs_preprocessing();
    }
  }
  if (places_.getFileID(at) != places_.getMainFileID()) throw needs_preprocessing();
  return places_.getFileOffset(at);
}

unsigned unit::end_offset(SourceLocation last) const {
  if (last.isInvalid()) throw needs_preprocessing();
  if (last.isMacroID()) {
    SourceLocation end;
    if (!Lexer::isAtEndOfMacroExpansion(last, places_, context_.getLangOpts(), &end)) throw needs_preprocessing();
    last = end;
  }
  if (places_.getFileID(last) != places_.getMainFileID()) throw needs_preprocessing();
  return places_.getFileOffset(last) + Lexer::MeasureTokenLength(last, places_, context_.getLangOpts());
}

unsigned unit::end_of(const Stmt* at) const { return end_offset(at->getEndLoc()); }

unsigned unit::after_semicolon(unsigned from) const {
  const std::string& all = out_.source();
  while (from < all.size() && all[from] != ';') ++from;
  return from + 1;
}

/// Behind a statement and its semicolon, if it has one.
unsigned unit::end_of_statement(const Stmt* at) const {
  const Stmt* last = at;
  for (;;) {
    if (const auto* const with = dyn_cast<AttributedStmt>(last)) {
      last = with->getSubStmt();
    } else if (const auto* const label = dyn_cast<LabelStmt>(last)) {
      last = label->getSubStmt();
    } else if (const auto* const branch = dyn_cast<IfStmt>(last)) {
      last = branch->getElse() != nullptr ? branch->getElse() : branch->getThen();
    } else if (const auto* const loop = dyn_cast<ForStmt>(last)) {
      last = loop->getBody();
    } else if (const auto* const range = dyn_cast<CXXForRangeStmt>(last)) {
      last = range->getBody();
    } else if (const auto* const repeat = dyn_cast<WhileStmt>(last)) {
      last = repeat->getBody();
    } else if (const auto* const choice = dyn_cast<SwitchStmt>(last)) {
      last = choice->getBody();
    } else {
      break;
    }
  }
  const unsigned end = end_of(last);
  // A declaration and an empty statement end with their semicolons.
  if (isa<CompoundStmt, CXXTryStmt, DeclStmt, NullStmt>(last) && !has_attribute(at, "cilk_sync")) return end;
  return after_semicolon(end);
}

std::string unit::frame_declaration(const region& of) const {
  return cplusplus_ ? "jackdaw::cilk::frame " + of.frame + "; "
                    : "struct jackdaw_cilk_frame " + of.frame +
                          " __attribute__((cleanup(jackdaw_cilk_sync))); jackdaw_cilk_begin(&" + of.frame + "); ";
}

bool unit::in_main(SourceLocation at) const {
  return at.isValid() && places_.getFileID(places_.getExpansionLoc(at)) == places_.getMainFileID();
}

std::string unit::source(const Stmt* at) const { return out_.render(begin_of(at), end_of(at), true); }

std::string unit::type_text(QualType type, const std::string& declarator) const {
  PrintingPolicy policy(context_.getLangOpts());
  policy.FullyQualifiedName = true;
  policy.SuppressUnwrittenScope = true;
  policy.Bool = cplusplus_;
  std::string result = declarator;
  type.getAsStringInternal(result, policy);
  // A reducer's mark is only clang's.
  for (std::size_t at = 0; (at = result.find("[[clang::annotate_type")) != std::string::npos;)
    result.erase(at, result.find("]]", at) + 2 - at);
  return result;
}

bool unit::has_attribute(const Stmt* at, llvm::StringRef name) const {
  const auto* const with = dyn_cast<AttributedStmt>(at);
  if (with == nullptr) return false;
  for (const Attr* each : with->getAttrs()) {
    const auto* const found = dyn_cast<SuppressAttr>(each);
    if (found != nullptr && found->diagnosticIdentifiers_size() == 1 && *found->diagnosticIdentifiers_begin() == name)
      return true;
  }
  return false;
}

void unit::refuse(SourceLocation at, const std::string& why) const {
  const PresumedLoc place = places_.getPresumedLoc(places_.getExpansionLoc(at));
  throw refusal(std::string(place.isValid() ? place.getFilename() : name_) + ":" +
                std::to_string(place.isValid() ? place.getLine() : 0) + ":" +
                std::to_string(place.isValid() ? place.getColumn() : 0) + ": " + why);
}

std::string unit::line_mark(unsigned at) const {
  const PresumedLoc place =
      places_.getPresumedLoc(places_.getLocForStartOfFile(places_.getMainFileID()).getLocWithOffset(at));
  return "\n#line " + std::to_string(place.getLine()) + " \"" + place.getFilename() + "\"\n";
}

}  // namespace jackdaw::cilk
