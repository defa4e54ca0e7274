# cmake -DPROGRAM=<path> [-DARGUMENT=<text>] -DEXPECTED=<file> -P compare_output.cmake
#
# PROGRAM must end with status 0 and print exactly the text of EXPECTED, in which <number> stands for
# any number with a decimal point, such as a time.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${PROGRAM}" ${ARGUMENT} RESULT_VARIABLE status OUTPUT_VARIABLE printed)
if(NOT status EQUAL 0)
  message(NOTICE "${printed}")
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
file(READ "${EXPECTED}" expected)
if(expected MATCHES "<number>")
  string(REGEX REPLACE "[0-9]+[.][0-9]+" "<number>" printed "${printed}")
endif()
if(NOT printed STREQUAL expected)
  message(NOTICE "--- expected\n${expected}--- printed\n${printed}---")
  message(FATAL_ERROR "${PROGRAM} does not print what ${EXPECTED} says")
endif()
