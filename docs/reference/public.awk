# Doxygen reads the headers through this filter. It puts the names of each public header into a group of main.dox. It
# hides private parts of classes, of which Doxygen would list friends and nested classes, and jackdaw::detail, except the
# public part of placed_elements, which placed containers inherit. Each line keeps its number, so that warnings name the
# right line.
BEGIN {
  split("runtime arena priority options statistics profile_source data_report hotness_source observer error future per_worker", names)
  for (i in names) group[names[i]] = "runtimes"
  split("invoke task_group work rounding region access cancellation task_graph tied isolate semaphore", names)
  for (i in names) group[names[i]] = "forking"
  split("machine placement_order", names)
  for (i in names) group[names[i]] = "machines"
}

FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.hpp$/, "", name)
  inner = FILENAME ~ /\/detail\// && name != "placed_elements"
  module = FILENAME ~ /\/algorithm\// ? "algorithms" : FILENAME ~ /\/memory\// ? "memory" : group[name]
}

$0 == "namespace detail {" { hidden = 1 }
$0 == " private:" || $0 == " protected:" { inside = 1 }
$0 == "};" { inside = 0 }
{ line = hidden || inside || inner || /^JACKDAW_EXPORT_/ ? "" : $0 }
$0 == "}  // namespace detail" { hidden = 0 }

# @addtogroup reads its line to the end, and \ilinebr ends the line without being one.
module != "" && line == "namespace jackdaw {" { line = line "  /** @addtogroup " module " \\ilinebr @{ */" }
module != "" && line == "}  // namespace jackdaw" { line = "/** @} */  " line }
{ print line }
