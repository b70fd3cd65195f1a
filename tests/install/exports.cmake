# expect_exports(LIBRARY): a shared jackdaw exports what its public headers declare, and nothing of its inside.
function(expect_exports library)
  find_program(nm nm REQUIRED)
  # Mangled, a name in jackdaw::sched has 7jackdaw5sched; the demangled name would show those of arguments, too.
  run(${nm} -D --defined-only ${library} OUTPUT symbols)
  foreach(room analysis checks models numa probe profile sched sim trace)
    string(LENGTH ${room} length)
    if(symbols MATCHES "(^|\n)[0-9a-f]+ [A-Za-z] (_Z(TV|TI|TS|GV)?N[KVRO]*7jackdaw${length}${room}[^\n]*)")
      message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_2}, of jackdaw::${room}, expected nothing of the inside")
    endif()
  endforeach()

  # In jackdaw::detail there are classes that public headers know by name only.
  foreach(inside worker threads group_access sited_group runtime_access)
    string(LENGTH ${inside} length)
    if(symbols MATCHES "(^|\n)[0-9a-f]+ T (_ZN[KVRO]*7jackdaw6detail${length}${inside}[^\n]*)")
      message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_2}, expected nothing of jackdaw::detail::${inside}")
    endif()
  endforeach()

  # What inline code and exceptions need: the lane of a thread, the type of what is thrown.
  foreach(wanted jackdaw_lane jackdaw_home_slot jackdaw_switch jackdaw_call_on _ZTIN7jackdaw5errorE)
    if(NOT symbols MATCHES " ${wanted}(\n|$)")
      message(FATAL_ERROR "${library} does not export ${wanted}, which its public headers use")
    endif()
  endforeach()
endfunction()
