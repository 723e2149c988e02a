import ExampleProcesses
import Foundation
import Programs
import TestSupport
import Testing

@Suite("A server of changes, and a page in a real browser", .serialized)
struct VoteServerTests {
  private let folder = TemporaryFolder()

  private func serve() throws -> (server: ExampleProcess, url: String) {
    let server = try ExampleProcess("VoteServer", folder("votes.db"), "0")
    return (server, try #require(try server.line()))
  }

  @Test(
    "Rows come, change and move in the page, whether a browser or another program writes",
    .enabled(if: HeadlessBrowser.path != nil, "Debian's chromium-headless-shell is not installed"))
  func page() throws {
    let (server, url) = try serve()
    defer { server.kill() }
    let browser = try HeadlessBrowser(url)
    let rows = "[...document.querySelectorAll('li')].map(row => row.textContent).join('|')"
    for text in ["tea", "<b>cake</b>"] {
      try browser.evaluate("form.text.value = '\(text)'; form.requestSubmit()")
      try browser.wait(for: "\(rows).includes('\(text)')")
    }
    try browser.evaluate(
      "[...document.querySelectorAll('li')].find(row => /cake/.test(row.textContent)).click()")
    try browser.wait(for: "\(rows) == '1  <b>cake</b>|0  tea'")
    // A row that stays in its place keeps its element; one that moves is another.
    try browser.evaluate("list.children[0].mark = 'first'; list.children[1].mark = 'second'")
    try folder.sqlite3("votes.db", "UPDATE Proposal SET votes = votes + 2 WHERE text = 'tea'")
    try browser.wait(for: "\(rows) == '2  tea|1  <b>cake</b>'")
    let marks = try browser.evaluate("[...list.children].map(row => row.mark ?? row.className).join()")
    #expect(marks as? String == "inserted,first")
    try folder.sqlite3("votes.db", "UPDATE Proposal SET text = 'green tea' WHERE text = 'tea'")
    try browser.wait(for: "\(rows) == '2  green tea|1  <b>cake</b>'")
    #expect(try browser.evaluate("list.children[0].className") as? String == "modified")
    try folder.sqlite3("votes.db", "DELETE FROM Proposal WHERE votes = 1")
    try browser.wait(for: "\(rows) == '2  green tea'")
    // A second browser begins with what is there, and gets the same from then on.
    let other = try HeadlessBrowser(url)
    try other.wait(for: "\(rows) == '2  green tea'")
    try other.evaluate("list.children[0].click()")
    for browser in [browser, other] { try browser.wait(for: "\(rows) == '3  green tea'") }
  }

  @Test(
    "A page that lost its server connects again, and shows what has changed meanwhile",
    .enabled(if: HeadlessBrowser.path != nil, "Debian's chromium-headless-shell is not installed"))
  func reconnecting() throws {
    let (server, url) = try serve()
    try folder.sqlite3("votes.db", "INSERT INTO Proposal (id, text) VALUES (hex(randomblob(16)), 'one')")
    let browser = try HeadlessBrowser(url)
    let rows = "[...document.querySelectorAll('li')].map(row => row.textContent).join('|')"
    try browser.wait(for: "\(rows) == '0  one'")
    server.kill()
    try folder.sqlite3("votes.db", "UPDATE Proposal SET text = 'two'")
    let port = String(url.split(separator: ":").last ?? "")
    let again = try ExampleProcess("VoteServer", folder("votes.db"), port)
    defer { again.kill() }
    try browser.wait(for: "\(rows) == '0  two'")
  }

  @Test("Requests without a page, in parts, and too long")
  func requests() throws {
    let (server, url) = try serve()
    defer { server.kill() }
    func status(_ arguments: String...) throws -> String {
      let port = String(url.split(separator: ":").last ?? "")
      return try Program(["python3", "-c", Self.client, port] + arguments).run().output
    }
    #expect(try status("GET /nothing HTTP/1.1\r\n\r\n") == "HTTP/1.1 404 Not Found")
    #expect(try status("POST /votes/none HTTP/1.1\r\n\r\n") == "HTTP/1.1 404 Not Found")
    #expect(
      try status("POST /propos", "als HTTP/1.1\r\ncontent-le", "ngth: 6\r\n\r\nli", "ttle")
        == "HTTP/1.1 204 No Content")
    #expect(try status(String(repeating: "x", count: 100_000), "100") == "")
    #expect(try status("GET / HTTP/1.1\r\n\r\n") == "HTTP/1.1 200 OK")
  }

  /// Sends each argument by itself, and prints the first line of the answer.
  private static let client = """
    import socket, sys
    client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
      parts = sys.argv[2:]
      # So many times the first.
      if parts[-1].isdigit(): parts = [parts[0]] * int(parts[-1])
      for part in parts:
        client.sendall(part.encode())
      print(client.makefile().readline().strip(), end="")
    except OSError:
      pass
    """
}
