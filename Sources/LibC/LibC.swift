// The C library that the program is linked to, so that the question which one it is stands here alone. Files
// that import this module see what is in it only by the attribute.
#if canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
