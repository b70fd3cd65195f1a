# Builds bench_rayon with cargo. If the registry of Rust crates cannot be reached, it reports that and leaves the
# program out, so that the other runtimes can be measured.
file(REMOVE ${PROGRAM})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env JACKDAW_LEAF_DIR=${LEAF} CARGO_TARGET_DIR=${TARGET}
          ${CARGO} build --release --locked --quiet --manifest-path ${SOURCE}/Cargo.toml
  RESULT_VARIABLE failed)
if(failed)
  message("bench_rayon: cargo could not build it (see above), so rayon is left out")
else()
  file(COPY ${TARGET}/release/bench_rayon DESTINATION ${TARGET}/..)
endif()
