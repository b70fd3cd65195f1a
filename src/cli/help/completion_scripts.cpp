#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

struct script {
  std::string_view shell, text;
};

// Each hands the words up to the cursor to the program and offers what it answers, or files if that is nothing.
constexpr std::array<script, 3> scripts{{{"bash", R"(# bash completion of jackdaw; made by `jackdaw completion bash`
_jackdaw() {
  # By blanks only: bash itself also divides at = and :, which are inside of words here, and replaces the last part.
  local -a words
  local line="${COMP_LINE:0:COMP_POINT}" found last
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  last="${words[${#words[@]} - 1]}"
  COMPREPLY=()
  while IFS= read -r found; do
    found="${found%%$'\t'*}"
    [[ $last == *[=:]* ]] && found="${found#"${last%"${last##*[=:]}"}"}"
    COMPREPLY+=("$found")
  done < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
}
complete -o default -F _jackdaw jackdaw
)"},
                                         {"zsh", R"(#compdef jackdaw
# zsh completion of jackdaw; made by `jackdaw completion zsh`
_jackdaw() {
  local -a lines described
  local line
  lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  for line in $lines; do
    [[ -n $line ]] && described+=("${${line%%$'\t'*}//:/\\:}${${(M)line:#*$'\t'*}:+:${line#*$'\t'}}")
  done
  if (( ${#described} )); then
    _describe jackdaw described
  else
    _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _jackdaw "$@"
else
  compdef _jackdaw jackdaw
fi
)"},
                                         {"fish", R"(# fish completion of jackdaw; made by `jackdaw completion fish`
function __jackdaw_complete
  set -l words (commandline -opc)
  $words[1] __complete $words[2..] (commandline -ct) 2> /dev/null
end
complete -c jackdaw -a '(__jackdaw_complete)'
)"}}};

}  // namespace

void add_completion(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("completion", "Print what bash, zsh or fish reads to complete commands");
  const auto shell = std::make_shared<std::string>();
  std::vector<std::string> shells;
  shells.reserve(scripts.size());
  for (const script& each : scripts) shells.emplace_back(each.shell);
  offer(*command.add_option("SHELL", *shell, "bash, zsh or fish")->required(), shells);
  command.footer(
      "Installed packages have these files where the shells look for them. Elsewhere:\n"
      "  source <(jackdaw completion bash)\n"
      "  jackdaw completion zsh > \"${fpath[1]}/_jackdaw\"\n"
      "  jackdaw completion fish > ~/.config/fish/completions/jackdaw.fish");
  command.callback([shell, shells, &result] {
    const auto found =
        std::find_if(scripts.begin(), scripts.end(), [&](const script& each) { return each.shell == *shell; });
    if (found == scripts.end())
      throw error(fmt::format("unknown shell '{}', expected one of {}", one_line(*shell), joined(shells)));
    fmt::print("{}", found->text);
    result = good;
  });
}

}  // namespace jackdaw::cli
