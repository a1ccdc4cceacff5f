# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Puts beside the library of lanewise_cross_library what the driver's compiler has beside its own: links in folder TO to the
# helper and the built-in libraries of folder FROM.
file(GLOB files ${FROM}/*.lwb ${FROM}/lanewise-compiler)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${TO}/${name} SYMBOLIC)
endforeach()
