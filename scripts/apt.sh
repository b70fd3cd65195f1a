# shellcheck shell=bash
# apt.sh, to be sourced: for scripts that download packages without installing them.

# without_candidate APT_CACHE...: reads names of packages, one a line, and prints those that this apt-cache, a command
# with its options, finds in no source. Empty if an update has brought all that is needed, whatever it said of some
# sources.
without_candidate() {
  local package
  while read -r package; do
    "$@" show --no-all-versions "$package" >/dev/null 2>&1 </dev/null || printf '%s\n' "$package"
  done
}
