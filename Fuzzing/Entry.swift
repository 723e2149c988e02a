import Glibc

// The function that libFuzzer calls with each of its inputs. FUZZ_TARGET says which target they are for.

@_cdecl("LLVMFuzzerTestOneInput")
public func runFuzzTarget(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try target(bytes)
  } catch {
    fatalError("\(error)")
  }
  return 0
}

private let target: @Sendable ([UInt8]) throws -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  if let target = LiveStoreFuzzTarget(rawValue: name) { return target.run }
  if let target = TasksFuzzTarget(rawValue: name) { return target.run }
  let names = LiveStoreFuzzTarget.allCases.map(\.rawValue) + TasksFuzzTarget.allCases.map(\.rawValue)
  print("FUZZ_TARGET has to be one of \(names.joined(separator: " "))")
  exit(2)
}()
