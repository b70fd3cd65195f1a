# expect_exports(LIBRARY): a shared jackdaw exports the names that its public headers declare, and no internal ones.
function(expect_exports library)
  find_program(nm nm REQUIRED)
  # Mangled, a name in jackdaw::sched has 7jackdaw5sched; the demangled name would show those of arguments, too.
  run(${nm} -D --defined-only ${library} OUTPUT symbols)
  string(REGEX REPLACE "(^|\n)[0-9a-f]+ [A-Za-z] ([^\n]*)" "\\2;" names "${symbols}")
  foreach(name IN LISTS names)
    if(name AND NOT name MATCHES "jackdaw" AND NOT name STREQUAL "pthread_create")
      message(FATAL_ERROR "${library} exports ${name}, expected nothing but names of jackdaw and pthread_create")
    endif()
  endforeach()
  list(LENGTH names count)
  if(count LESS 100 OR count GREATER 400)
    message(FATAL_ERROR "${library} exports ${count} names, expected 100 to 400")
  endif()
  foreach(room analysis checks models numa probe profile sched sim trace)
    string(LENGTH ${room} length)
    if(symbols MATCHES "(^|\n)[0-9a-f]+ [A-Za-z] (_Z(TV|TI|TS|GV)?N[KVRO]*7jackdaw${length}${room}[^\n]*)")
      message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_2}, of jackdaw::${room}, expected nothing of the inside")
    endif()
  endforeach()

  # jackdaw::detail has classes that public headers only declare by name.
  foreach(inside worker threads group_access sited_group runtime_access)
    string(LENGTH ${inside} length)
    if(symbols MATCHES "(^|\n)[0-9a-f]+ T (_ZN[KVRO]*7jackdaw6detail${length}${inside}[^\n]*)")
      message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_2}, expected nothing of jackdaw::detail::${inside}")
    endif()
  endforeach()

  # Names that inline code and exceptions need: a thread's lane, the types of exceptions. And what is called in
  # the place of the C library's.
  foreach(wanted jackdaw_lane jackdaw_home_slot jackdaw_open_ties jackdaw_switch jackdaw_call_on _ZTIN7jackdaw5errorE
      _ZTIN7jackdaw9cancelledE pthread_create)
    if(NOT symbols MATCHES " ${wanted}(\n|$)")
      message(FATAL_ERROR "${library} does not export ${wanted}, which programs use")
    endif()
  endforeach()
endfunction()
