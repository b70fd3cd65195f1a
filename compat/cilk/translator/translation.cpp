#include "translation.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

#include "refusal.hpp"
#include "unit.hpp"

namespace jackdaw::cilk {

namespace {

constexpr const char* prelude_name = "/jackdaw-cilk-words.h";

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw refusal(file + ": cannot be read");
  return text.str();
}

/// Keeps system headers as #include lines, and everything else as it is after macros.
class preprocess : public clang::PreprocessorFrontendAction {
 public:
  explicit preprocess(std::string& into) : into_(into) {}
  void ExecuteAction() override {
    auto& options = getCompilerInstance().getPreprocessorOutputOpts();
    options.ShowCPP = options.ShowLineMarkers = options.UseLineDirectives = options.KeepSystemIncludes = true;
    options.ShowComments = true;
    llvm::raw_string_ostream out(into_);
    clang::DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &out, options);
  }

 private:
  std::string& into_;
};

class translating : public clang::ASTFrontendAction {
 public:
  using use = std::function<void(clang::ASTContext&)>;
  explicit translating(use with) : with_(std::move(with)) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& of, llvm::StringRef) override {
    struct consumer : clang::ASTConsumer {
      consumer(use& with, clang::CompilerInstance& of) : with(with), of(of) {}
      void HandleTranslationUnit(clang::ASTContext& context) override {
        if (!of.getDiagnostics().hasErrorOccurred()) with(context);
      }
      use& with;
      clang::CompilerInstance& of;
    };
    return std::make_unique<consumer>(with_, of);
  }

 private:
  use with_;
};

/// Whether clang has found no error. `quiet`: it says nothing of those.
bool run(const job& what, const std::string& text, const char* words, std::unique_ptr<clang::FrontendAction> action,
         bool quiet = false) {
  std::vector<std::string> line{"jackdaw-cilk", "-fsyntax-only", "-w", "-x", what.cplusplus ? "c++" : "c",
                                what.cplusplus ? "-std=gnu++20" : "-std=gnu17",
                                // What C compilers of the programs' time took.
                                "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                                "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
                                "-resource-dir", JACKDAW_CLANG_RESOURCES, "-isystem", what.includes, "-isystem",
                                what.jackdaw};
  line.insert(line.end(), what.flags.begin(), what.flags.end());
  if (words != nullptr) line.insert(line.end(), {"-include", prelude_name});
  if (quiet) line.emplace_back("-fno-caret-diagnostics");  // nor how many there are
  line.push_back(what.file);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  memory->addFile(std::filesystem::absolute(what.file).string(), 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  memory->addFile(prelude_name, 0, llvm::MemoryBuffer::getMemBufferCopy(words == nullptr ? "" : words));
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), files);
  clang::tooling::ToolInvocation invocation(std::move(line), std::move(action), manager.get());
  clang::DiagnosticConsumer nobody;  // counts them
  if (quiet) invocation.setDiagnosticConsumer(&nobody);
  return invocation.run();
}

}  // namespace

std::string translate(const job& what) {
  std::string text = read(what.file);
  scan scanned = scan_file(text, what.spoken, what.cplusplus, what.file);
  const std::string head = what.cplusplus ? "#include <jackdaw_cilk.hpp>\n" : "#include <jackdaw_cilk.h>\n";
  bool expanded = false;
  const auto expand = [&] {
    std::string result;
    if (!run(what, text, nullptr, std::make_unique<preprocess>(result))) throw not_compiled();
    text = scanned.features + result;
    scanned = scan_file(text, what.spoken, what.cplusplus, what.file);
    expanded = true;
  };
  // Headers of a Cilk-5 program use its words; any other's only if the first try meets them.
  if (scanned.in_directives || (scanned.includes_own && (what.spoken == dialect::cilk5 || what.elide))) expand();
  const std::string first_line = "#line 1 \"" + what.file + "\"\n";
  if (what.elide) return (!expanded ? first_line : what.cplusplus ? "" : head) + scanned.elided;
  for (;;) {
    class text output(text);
    bool again = false;
    std::string refused, result;
    const bool parsed =
        run(what, scanned.parsed, prelude, std::make_unique<translating>([&](clang::ASTContext& context) {
              unit translating_unit(context, scanned, output, what.file);
              try {
                translating_unit.translate();
                output.sort();
                result = output.render(0, output.size());
              } catch (const needs_preprocessing&) {
                again = true;
              } catch (const refusal& why) {
                refused = why.what();
              }
            }),
            // The program's headers may have keywords; then there is a second try.
            scanned.includes_own && !expanded);
    if (!refused.empty()) throw refusal(refused);
    if (!parsed && expanded) throw not_compiled();
    if (!parsed && scanned.includes_own && !expanded) again = true;
    if (!parsed && !again) throw not_compiled();
    if (!again) return head + (expanded ? "" : first_line) + result;
    if (expanded)
      throw refusal(what.file + ":1:1: a construct that its macros or headers make could not be translated");
    expand();
  }
}

}  // namespace jackdaw::cilk
