# SPDX-License-Identifier: Apache-2.0
#
# Writes pages.c: every docs/findings/LWnnn.md as an array of lines.  Run by the build:
#     cmake -DFOLDER=docs/findings -DOUTPUT=pages.c -P pages.cmake

file(GLOB pages ${FOLDER}/LW*.md)
list(SORT pages)
set(code "/* Made from docs/findings by pages.cmake. */\n#include \"cli/pages.h\"\n")
set(table)
set(count 0)
foreach(path IN LISTS pages)
  get_filename_component(id ${path} NAME_WE)
  string(SUBSTRING ${id} 2 -1 number)
  file(READ ${path} text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}")
  string(REPLACE "\n" "\",\n    \"" text "${text}")
  string(APPEND code "\nstatic const char *const ${id}[] = {\n    \"${text}\",\n};\n")
  string(APPEND table "    {${number}, ${id}, sizeof ${id} / sizeof ${id}[0]},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND code "\nconst struct page cli_pages[] = {\n${table}};\nconst unsigned cli_page_count = ${count};\n")
file(WRITE ${OUTPUT} "${code}")
