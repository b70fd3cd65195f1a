# shellcheck shell=bash
# apt.sh is sourced by scripts that download packages without installing them.

# without_candidate APT_CACHE...: reads names of packages, one per line, and prints those that this apt-cache, a command
# with its options, finds in no source. Prints nothing if an update brought everything needed, even if some sources
# failed.
without_candidate() {
  local package
  while read -r package; do
    "$@" show --no-all-versions "$package" >/dev/null 2>&1 </dev/null || printf '%s\n' "$package"
  done
}
