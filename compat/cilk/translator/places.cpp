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

bool unit::in_main(SourceLocation at) const {
  return at.isValid() && places_.getFileID(places_.getExpansionLoc(at)) == places_.getMainFileID();
}

std::string unit::source(const Stmt* at) const { return out_.render(begin_of(at), end_of(at)); }

std::string unit::type_text(QualType type, const std::string& declarator) const {
  PrintingPolicy policy(context_.getLangOpts());
  policy.FullyQualifiedName = true;
  policy.SuppressUnwrittenScope = true;
  policy.Bool = cplusplus_;
  std::string result = declarator;
  type.getAsStringInternal(result, policy);
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
