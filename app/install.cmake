# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` and `cpack` put where.
install(TARGETS quaver RUNTIME)
install(TARGETS quaver_solver ARCHIVE)
install(FILES ${QUAVER_HEADERS} ${PROJECT_BINARY_DIR}/generated/quaver/version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/quaver)
file(GLOB QUAVER_SCENES CONFIGURE_DEPENDS scenes/*.json scenes/*.png scenes/*.glb)
install(FILES ${QUAVER_SCENES} DESTINATION ${CMAKE_INSTALL_DATADIR}/quaver/scenes)
install(FILES app/data/manual.md DESTINATION ${CMAKE_INSTALL_DATADIR}/quaver)
install(FILES app/data/quaver.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY app/data/farm app/data/vat DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(QUAVER_UI)
    install(FILES app/data/quaver.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES app/data/quaver.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES app/data/quaver.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

# The prefix follows from where the .pc file lies, so that `cmake --install --prefix` and a .deb both work.
file(RELATIVE_PATH QUAVER_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(app/data/quaver.pc.in quaver.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quaver.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Quaver developers <quaver@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(QUAVER_UI)
    # What the window opens at run time, and no linked library tells of.
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1-mesa-dri, fonts-inter, fonts-font-awesome")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
