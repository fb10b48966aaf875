# SPDX-License-Identifier: Apache-2.0
#
# Writes html_embedded.c: style and script of the HTML page as arrays of lines, each with its checksum.  Run by the build:
#     cmake -DFOLDER=src/cost -DOUTPUT=html_embedded.c -P html.cmake

# SHA-256 of a text in base64, as a content security policy writes it.
function(checksum text result)
  string(SHA256 digits "${text}")
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(APPEND digits "00") # 32 bytes and one of nothing: 11 groups of 3
  set(letters "")
  foreach(group RANGE 10)
    math(EXPR at "${group} * 6")
    string(SUBSTRING "${digits}" ${at} 6 six)
    math(EXPR value "0x${six}")
    foreach(shift 18 12 6 0)
      math(EXPR letter "(${value} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${letter} 1 letter)
      string(APPEND letters ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING "${letters}" 0 43 letters) # 256 bits are 43 letters; the 44th is the mark
  set(${result} "${letters}=" PARENT_SCOPE)
endfunction()

set(code "/* Made from page.css and page.js by html.cmake. */\n#include \"cost/html.h\"\n")
foreach(part style:page.css script:page.js)
  string(REGEX REPLACE ":.*" "" name ${part})
  string(REGEX REPLACE ".*:" "" file ${part})
  file(READ ${FOLDER}/${file} text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  checksum("${text}\n" sha256)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}")
  string(REPLACE "\n" "\",\n    \"" text "${text}")
  string(APPEND code "\nstatic const char *const ${name}_lines[] = {\n    \"${text}\",\n};\n"
    "const struct html_embedded html_${name} = {${name}_lines, sizeof ${name}_lines / sizeof ${name}_lines[0],\n    \"${sha256}\"};\n")
endforeach()
file(WRITE ${OUTPUT} "${code}")
