#include "scanner.hpp"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include "refusal.hpp"

namespace jackdaw::cilk {

const char* const prelude = R"(
#define jdk_spawn_ __extension__
#define jdk_spawn__ __extension__
#define jdksp __extension__
#define jdk_block_ [[clang::suppress("cilk_block")]]
#define jdk_block__ [[clang::suppress("cilk_block")]]
#define jdk_sync_ [[clang::suppress("cilk_sync")]]
#define jdk_sync__ [[clang::suppress("cilk_sync")]]
#define jdks [[clang::suppress("cilk_sync")]]
#define jdk_scope_ [[clang::suppress("cilk_scope")]]
#define jdk_scope__ [[clang::suppress("cilk_scope")]]
#define jdk_for_ [[clang::suppress("cilk_for")]] for
#define jdk_for__ [[clang::suppress("cilk_for")]] for
#define jdk_reducer_(...) [[clang::annotate_type("cilk_reducer")]]
#define jdksynd 1
)";

namespace {

struct keyword {
  const char *word, *parsed, *elided;
};

const keyword opencilk_words[] = {
    {"cilk_spawn", "jdk_spawn_", ""},   {"cilk_sync", "jdk_sync_", ""},       {"cilk_scope", "jdk_scope_", ""},
    {"cilk_for", "jdk_for_", "for"},    {"cilk_reducer", "jdk_reducer_", ""}, {"_Hyperobject", "jdk_reducer_", ""},
    {"_Cilk_spawn", "jdk_spawn__", ""}, {"_Cilk_sync", "jdk_sync__", ""},     {"_Cilk_for", "jdk_for__", "for"},
    {"_Cilk_scope", "jdk_scope__", ""},
};
const keyword cilk5_words[] = {
    {"cilk", "    ", ""}, {"spawn", "jdksp", ""}, {"sync", "jdks", ""}, {"SYNCHED", "jdksynd", "1"}};

[[noreturn]] void refuse(const std::string& text, unsigned at, const std::string& name, const std::string& why) {
  unsigned line = 1, column = 1;
  for (unsigned i = 0; i < at; ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  throw refusal(name + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + why);
}

}  // namespace

scan scan_file(const std::string& text, dialect spoken, bool cplusplus, const std::string& name) {
  scan result;
  result.parsed = text;
  clang::LangOptions options;
  options.LineComment = options.C99 = options.Digraphs = true;
  if (cplusplus) {
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
    options.RawStringLiterals = true;
  }
  clang::Lexer lexer(clang::SourceLocation(), options, text.data(), text.data(), text.data() + text.size());
  struct word {
    unsigned at, length;
    clang::tok::TokenKind kind;
    bool begins_line;
  };
  std::vector<word> words;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    const auto at = static_cast<unsigned>(lexer.getBufferLocation() - text.data()) - token.getLength();
    words.push_back({at, token.getLength(), token.getKind(), token.isAtStartOfLine()});
  }
  const auto spelled = [&](std::size_t i) {
    return i < words.size() ? text.substr(words[i].at, words[i].length) : std::string();
  };
  unsigned copied = 0;
  std::string grain;
  bool directive = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].begins_line) {
      directive = words[i].kind == clang::tok::hash;
      if (directive && spelled(i + 1) == "include" && i + 2 < words.size() &&
          words[i + 2].kind == clang::tok::string_literal)
        result.includes_own = true;
      if (directive && spelled(i + 1) == "define" && spelled(i + 2).starts_with("_")) {
        std::size_t end = text.find('\n', words[i].at);
        while (end != std::string::npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
        result.features +=
            "#ifndef " + spelled(i + 2) + "\n" + text.substr(words[i].at, end - words[i].at) + "\n#endif\n";
      }
      if (directive && spelled(i + 1) == "pragma" && spelled(i + 2) == "cilk" && spelled(i + 3) == "grainsize") {
        const std::size_t end = std::min(text.find('\n', words[i].at), text.size());
        const std::size_t from = words[i + 3].at + words[i + 3].length;
        grain = text.substr(from, end - from);
        if (const std::size_t equals = grain.find('='); equals != std::string::npos) grain.erase(0, equals + 1);
        if (grain.find_first_not_of(" \t\r") == std::string::npos)
          refuse(text, words[i].at, name, "the pragma says no grain size");
        result.pragmas.emplace_back(words[i].at, static_cast<unsigned>(end));
      }
    }
    if (words[i].kind != clang::tok::raw_identifier) continue;
    const std::string here = spelled(i);
    const keyword* found = nullptr;
    for (const keyword& each : opencilk_words)
      if (here == each.word) found = &each;
    if (spoken == dialect::cilk5) {
      for (const keyword& each : cilk5_words)
        if (here == each.word) found = &each;
      if (here == "inlet" && !directive)
        refuse(text, words[i].at, name, "inlet: inlets are not translated; assign the result and combine after sync");
      if (here == "abort" && spelled(i + 1) == ";" && !directive)
        refuse(text, words[i].at, name, "abort: children that run cannot be aborted");
      // A member or a call of the system's sync() is no keyword.
      if (found != nullptr && i > 0 && (spelled(i - 1) == "." || spelled(i - 1) == "->")) found = nullptr;
      if (found != nullptr && here == "sync" && spelled(i + 1) != ";" && !directive) found = nullptr;
    }
    if (found == nullptr) continue;
    if (directive) {
      const bool is_pragma = here == "cilk";
      if (!is_pragma && spelled(i - 1) != "<" && spelled(i + 1) != "/") result.in_directives = true;
      continue;
    }
    std::string parsed = found->parsed;
    if (here == "cilk_spawn" && spelled(i + 1) == "{") parsed = "jdk_block_";
    if (here == "_Cilk_spawn" && spelled(i + 1) == "{") parsed = "jdk_block__";
    if (here == "cilk") result.dropped.push_back(words[i].at);
    if (here == "cilk_for" || here == "_Cilk_for") {
      if (!grain.empty()) result.grain[words[i].at] = std::exchange(grain, {});
    }
    result.parsed.replace(words[i].at, words[i].length, parsed);
    result.elided.append(text, copied, words[i].at - copied).append(found->elided);
    copied = words[i].at + words[i].length;
    if (here == "cilk_reducer" || here == "_Hyperobject") {
      int open = 0;
      for (std::size_t j = i + 1; j < words.size(); ++j) {
        open += spelled(j) == "(" ? 1 : spelled(j) == ")" ? -1 : 0;
        if (open == 0) {
          copied = words[j].at + words[j].length;
          break;
        }
      }
    }
  }
  result.elided.append(text, copied);
  return result;
}

}  // namespace jackdaw::cilk
