#!/usr/bin/env bash
# docs.sh [FOLDER]: builds the API reference in FOLDER/html, by default in build/docs/html. Fails with Doxygen's
# warnings if a public name is not documented. The theme doxygen-awesome-css is used where it is installed. The
# variable DOXYGEN_OPTIONS adds lines to the configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/docs}
theme=/usr/share/doxygen-awesome-css/doxygen-awesome.css

if ! command -v doxygen >/dev/null; then
  echo "docs.sh: doxygen is not installed; run: scripts/setup.sh docs" >&2
  exit 2
fi

mkdir -p "$folder"
rm -rf "$folder/html"
style=docs/reference/jackdaw.css
if [[ -e $theme ]]; then style="$theme $style"; fi
version=$(sed -nE 's/^project.* VERSION ([0-9.]+).*/\1/p' CMakeLists.txt | head -1)

doxygen - <<END
$(cat docs/reference/Doxyfile)
PROJECT_NUMBER = $version
OUTPUT_DIRECTORY = "$folder"
HTML_EXTRA_STYLESHEET = $style
${DOXYGEN_OPTIONS:-}
END
echo "docs.sh: the first page is $folder/html/index.html"
