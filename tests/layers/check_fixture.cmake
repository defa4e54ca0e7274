# cmake -P check_fixture.cmake
#
# Tests check_layers.cmake: a small tree that keeps the rule must pass, and with planted violations
# exactly those must be named. An entry is: file, the text of its #include.
cmake_minimum_required(VERSION 3.25)

set(kept
  "core/kept.hpp|<vector>"
  "core/kept.hpp|\"strided/core/config.hpp\""
  "view/kept.hpp|\"strided/core/dims.hpp\""
  "view/kept.hpp|\"sibling.hpp\""
  "engine/kernels/kept.hpp|<immintrin.h>"
  "engine/kernels/kept.hpp|\"strided/core/config.hpp\""
  "engine/kept.hpp|\"strided/engine/kernels/avx2.hpp\""
  "engine/kept.hpp|<strided/view/layout.hpp>"
  "ops/kept.hpp|\"strided/engine/plan.hpp\""
  "reference/kept.hpp|\"strided/view/slice.hpp\""
  "verify/kept.hpp|\"strided/reference/copy.hpp\""
  "interop/kept.hpp|<mpi.h>"
  "interop/kept.hpp|\"strided/view/strided_view.hpp\""
  "interop/kept.hpp|\"strided/ops/copy.hpp\""
  "interop/kept.hpp|\"strided/interop/kept/part.hpp\""
  "interop/npy/kept.hpp|\"strided/interop/npy/header.hpp\""
  "draw/kept.hpp|\"strided/engine/copy_plan.hpp\""
  "draw/kept.hpp|\"strided/view/strided_view.hpp\""
  "draw.hpp|\"strided/draw/text.hpp\""
  "strided.hpp|\"strided/ops/copy.hpp\"")

set(planted
  "core/planted.hpp|\"strided/view/layout.hpp\""
  "core/planted.hpp|<immintrin.h>"
  "core/planted.hpp|<boost/config.hpp>"
  "view/planted.hpp|\"strided/engine/plan.hpp\""
  "view/planted.hpp|\"../ops/copy.hpp\""
  "view/planted.hpp|STRIDED_SOME_HEADER"
  "engine/kernels/planted.hpp|\"strided/view/layout.hpp\""
  "engine/kernels/planted.hpp|\"strided/engine/plan.hpp\""
  "engine/planted.hpp|\"strided/ops/copy.hpp\""
  "engine/planted.hpp|\"strided/reference/copy.hpp\""
  "ops/planted.hpp|<strided/strided.hpp>"
  "ops/planted.hpp|\"strided/engine/kernels/avx2.hpp\""
  "ops/planted.hpp|\"strided/interop/npy.hpp\""
  "reference/planted.hpp|\"strided/engine/plan.hpp\""
  "reference/planted.hpp|\"strided/ops/copy.hpp\""
  "verify/planted.hpp|\"strided/interop/npy.hpp\""
  "interop/planted.hpp|\"strided/interop/npy.hpp\""
  "interop/planted.hpp|\"strided/engine/plan.hpp\""
  "interop/npy/planted.hpp|\"strided/interop/dlpack.hpp\""
  "interop/planted.hpp|<strided/strided.hpp>"
  "draw/planted.hpp|\"strided/ops/copy.hpp\""
  "draw/planted.hpp|\"strided/engine/kernels/kernel.hpp\""
  "draw/planted.hpp|<fmt/core.h>"
  "view/planted.hpp|\"strided/draw/text.hpp\""
  "planted.hpp|\"strided/draw.hpp\""
  "planted.hpp|\"strided/interop/npy.hpp\""
  "misplaced/planted.hpp|<vector>")

set(tree "${CMAKE_CURRENT_BINARY_DIR}/layers_fixture")
file(REMOVE_RECURSE "${tree}")
file(WRITE "${tree}/strided/view/sibling.hpp" "")
file(WRITE "${tree}/strided/ops/copy.hpp" "")

function(plant entries)
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "^(.*)[|](.*)$" matched "${entry}")
    file(APPEND "${tree}/strided/${CMAKE_MATCH_1}" "#include ${CMAKE_MATCH_2}\n")
  endforeach()
endfunction()

function(check_tree)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DINCLUDE_DIR=${tree}"
            -P "${CMAKE_CURRENT_LIST_DIR}/check_layers.cmake"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

plant("${kept}")
check_tree()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "a tree that keeps the rule was refused:\n${output}")
endif()

plant("${planted}")
check_tree()
if(status EQUAL 0)
  message(FATAL_ERROR "planted violations went unseen:\n${output}")
endif()
foreach(entry IN LISTS planted)
  string(REPLACE "|" ": #include " expected "strided/${entry}")
  string(FIND "${output}" "${expected}: " found)
  if(found EQUAL -1)
    message(FATAL_ERROR "not reported: ${expected}\n${output}")
  endif()
endforeach()
if(output MATCHES "kept[.]hpp:")
  message(FATAL_ERROR "reported, and should not be:\n${output}")
endif()

list(LENGTH planted count)
message(STATUS "${count} planted violations, each reported, and nothing else")
