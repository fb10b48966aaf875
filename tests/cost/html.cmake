# SPDX-License-Identifier: Apache-2.0
# The HTML page: what it says, and how it looks in a browser (skipped where there is none; Debian: chromium).
lanewise_add_unit_test(cost_html html_page.c)
if(TARGET test_cost_html)
  target_link_libraries(test_cost_html PRIVATE lanewise_tool)
  add_test(NAME cost/html_browser
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/html_browser.sh $<TARGET_FILE:test_cost_html> $<TARGET_FILE:lanewise>)
  set_tests_properties(cost/html_browser PROPERTIES LABELS cost SKIP_RETURN_CODE 66 TIMEOUT 300)
endif()
