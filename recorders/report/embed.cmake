# cmake -DIN=page.html -DOUT=viewer_page.cpp -P embed.cmake: a file as a C++ text. It is plain ASCII
# and does not hold the delimiter; viewer/build.mjs sees to both.
file(READ ${IN} page)
file(WRITE ${OUT} "namespace nonsmooth {\nextern const char* const kViewerPage;\n"
  "const char* const kViewerPage = R\"nonsmooth(" "${page}" ")nonsmooth\";\n}\n")
