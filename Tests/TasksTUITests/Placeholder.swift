import Testing

@testable import TasksTUI
