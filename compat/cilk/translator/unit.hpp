#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "scanner.hpp"
#include "text.hpp"

namespace jackdaw::cilk {

/// What has children of its own that it waits for at its end: a function's body, a loop's body, a block that is
/// spawned, a cilk_scope, or a try block.
struct region {
  enum class kind { function, loop, block, scope, attempt };

  kind is = kind::function;
  region* outer = nullptr;  ///< within the same function
  const clang::CompoundStmt* body = nullptr;
  bool forks = false;
  std::string frame;                    ///< its variable's name
  bool guarded = false;                 ///< the walk is behind the frame's declaration
  const clang::Stmt* single = nullptr;  ///< a loop's body that is no compound statement

  // In C a loop's body and a block become functions, which get what they use by a struct.
  bool outlined = false;
  unsigned number = 0;
  unsigned begin = 0, end = 0;
  std::vector<const clang::VarDecl*> captured;
  bool exits() const { return is == kind::function || is == kind::loop || is == kind::block; }
};

/// One translation unit: finds what is Cilk's and writes what stands for it.
class unit {
 public:
  unit(clang::ASTContext& context, const scan& scanned, text& output, std::string name);

  void translate();
  bool found_anything() const { return found_; }

 private:
  // finder.cpp
  void find_in(const clang::Decl* of);
  void function(const clang::FunctionDecl* of, const clang::CompoundStmt* body);
  void function_try(const clang::FunctionDecl* of, const clang::CXXTryStmt* written);
  void body(region& of);
  void walk(const clang::Stmt* at, region& in, const clang::Stmt* parent);
  void walk_type(const clang::TypeSourceInfo* of, region& in);
  void walk_children(const clang::Stmt* at, region& in);
  void reference(const clang::DeclRefExpr* at, region& in);
  void mark_synced(const clang::CompoundStmt* in);
  bool calls_something(const clang::Stmt* at) const;
  void returns(const clang::ReturnStmt* at, region& in);
  void declaration(const clang::DeclStmt* at, region& in, const clang::Stmt* parent);
  bool forks(const clang::Stmt* at) const;
  void collect_calls(const clang::Decl* of);

  // spawns.cpp
  struct result {
    std::string lvalue;                    ///< its text; empty if there is none
    const clang::Expr* target = nullptr;   ///< or, for a declaration,
    const clang::VarDecl* made = nullptr;  ///< the variable
    std::string op = "=";
    std::string constructed;  ///< the name of the storage in which the child constructs `made`
  };
  bool spawn_statement(const clang::Stmt* at, region& in, const clang::Stmt* parent);
  std::string cpp_call(const clang::UnaryOperator* keyword, const result& into, region& in);
  std::string c_call(const clang::UnaryOperator* keyword, const result& into, region& in);
  const clang::UnaryOperator* spawn_of(const clang::Expr* in) const;
  const clang::UnaryOperator* is_spawn(const clang::Stmt* at) const;
  std::string default_argument(const clang::CXXDefaultArgExpr* of) const;  // defaults.cpp
  const clang::CallExpr* bare_call(const clang::UnaryOperator* keyword) const;
  static std::string begin_declaration(const std::string& number);
  static std::string begin_definition(const std::string& number);
  static std::string fork(const std::string& number, const std::string& sets, const region& in);
  void block(const clang::AttributedStmt* at, region& in);

  // declarations.cpp
  bool spawn_declaration(const clang::DeclStmt* declared, region& in, const clang::Stmt* parent);
  unsigned before_initializer(const clang::VarDecl* of) const;
  unsigned behind_bracket(unsigned open) const;
  unsigned end_of_declarator(const clang::VarDecl* of) const;

  // loops.cpp
  void loop(const clang::AttributedStmt* at, region& in);
  void range_loop(const clang::AttributedStmt* at, const clang::CXXForRangeStmt* written, region& in);
  void leaves_loop(const clang::Stmt* each, bool in_loop, bool in_switch);
  region* loop_region(const clang::Stmt* body, region& in);
  std::string loop_body(const region& of, unsigned first, unsigned end) const;
  std::string grain_of(unsigned begin) const;

  // outlining.cpp: C
  std::string variable(const clang::VarDecl* of, region* in);
  std::string variable_type(clang::QualType type, std::string declarator, const std::string& sizes,
                            unsigned& next) const;
  std::string variable_views(const region& of) const;
  std::string structure(region& of, const std::string& first);
  std::string captures(region& of, region& outer, const std::string& access = ".");

  // reducers.cpp
  struct reducer {
    std::string identity, reduce;
  };
  const reducer* reducer_of(const clang::ValueDecl* of);
  void find_reducer(const clang::VarDecl* of);
  std::string view_of(const clang::VarDecl* of, const std::string& name);

  // places.cpp
  unsigned offset(clang::SourceLocation at) const;
  unsigned end_offset(clang::SourceLocation last_token) const;
  unsigned begin_of(const clang::Stmt* at) const { return offset(at->getBeginLoc()); }
  unsigned end_of(const clang::Stmt* at) const;
  unsigned after_semicolon(unsigned from) const;
  unsigned end_of_statement(const clang::Stmt* at) const;
  std::string frame_declaration(const region& of) const;
  bool in_main(clang::SourceLocation at) const;
  std::string source(const clang::Stmt* at) const;
  std::string type_text(clang::QualType type, const std::string& declarator = "") const;
  bool has_attribute(const clang::Stmt* at, llvm::StringRef name) const;
  [[noreturn]] void refuse(clang::SourceLocation at, const std::string& why) const;
  std::string line_mark(unsigned at) const;

  clang::ASTContext& context_;
  clang::SourceManager& places_;
  const scan& scanned_;
  text& out_;
  std::string name_;
  bool cplusplus_;
  bool found_ = false;
  bool uses_views_ = false;
  unsigned count_ = 0;
  const clang::FunctionDecl* function_ = nullptr;
  std::vector<region*> owned_;
  std::vector<text::writer> before_, after_;  ///< what the current function's outlining adds around it
  std::map<const clang::ValueDecl*, reducer> reducers_;
  std::map<unsigned, std::vector<const clang::CallExpr*>> calls_;  ///< instantiations too, by where they begin
  std::set<const clang::Stmt*> done_, emitted_, synced_;
  std::map<const clang::Stmt*, unsigned> spawn_numbers_;
  std::set<unsigned> edited_;
  std::map<const clang::VarDecl*, region*> homes_;  ///< where C's locals are declared
};

}  // namespace jackdaw::cilk
