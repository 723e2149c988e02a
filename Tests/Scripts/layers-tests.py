#!/usr/bin/env python3
"""Runs Scripts/layers.py on made-up sources, and looks whether it finds what is wrong with them, and nothing else."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts/layers.py"
DOCUMENT = """# Architecture

### Sources/LiveStore

| Folder | Holds |
|---|---|
| `SQLite/` | What is below. |
| `Store/` | What is above. |
"""


class LayersTests(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "Scripts").mkdir()
        shutil.copy(SCRIPT, self.root / "Scripts")
        self.write("Documentation/Architecture.md", DOCUMENT)
        self.write("Scripts/layers-allowed.txt", "")
        self.write("Sources/LiveStore/SQLite/Value.swift", "struct Value { func read() { sqlite3_step() } }")
        self.write("Sources/LiveStore/Store/Store.swift", "final class Store { var value = Value() }")

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")

    def complaints(self):
        run = subprocess.run([self.root / "Scripts/layers.py"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1 if run.stderr else 0, run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        return run.stderr.splitlines()

    def assert_complaint(self, part):
        complaints = self.complaints()
        self.assertEqual(len(complaints), 1, complaints)
        self.assertIn(part, complaints[0])

    def test_sources_in_order_pass(self):
        self.assertEqual(self.complaints(), [])

    def test_a_use_against_the_order_is_found_in_its_line(self):
        self.write("Sources/LiveStore/SQLite/Reader.swift", "struct Reader {\n  let store: Store\n}")
        self.assert_complaint("Sources/LiveStore/SQLite/Reader.swift:2: SQLite/ uses Store of Store/")

    def test_a_use_is_found_in_an_extension_an_interpolation_and_behind_the_name_of_the_module(self):
        for use in ("extension Store {}", 'let text = "\\(Store.self)"', "let store: LiveStore.Store? = nil"):
            self.write("Sources/LiveStore/SQLite/Reader.swift", use)
            self.assert_complaint("uses Store of Store/")

    def test_functions_and_constants_are_uses_too(self):
        self.write("Sources/LiveStore/Store/Bits.swift", "func bit(_ column: Int) -> Int { column }\nlet limit = 3")
        self.write("Sources/LiveStore/SQLite/Reader.swift", "let one = bit(1)")
        self.assert_complaint("uses bit of Store/")
        self.write("Sources/LiveStore/SQLite/Reader.swift", "let one = limit")
        self.assert_complaint("uses limit of Store/")

    def test_comments_texts_members_and_labels_are_no_uses(self):
        self.write(
            "Sources/LiveStore/SQLite/Reader.swift",
            '// Store\n/* Store /* Store */ Store */\n/// ``Store``\nlet text = "Store \\" Store"\nlet raw = #"Store " Store"#\n'
            'let long = """\n  Store "" Store\n  """\nlet member = text.Store\n')
        self.assertEqual(self.complaints(), [])

    def test_what_a_file_keeps_to_itself_is_no_use_of_another(self):
        self.write("Sources/LiveStore/Store/Hidden.swift", "private struct Mark {}\nfileprivate func look() {}")
        self.write("Sources/LiveStore/SQLite/Reader.swift", "struct Reader { struct Mark {}\n func look() { look() } }")
        self.assertEqual(self.complaints(), [])

    def test_an_allowed_use_passes_and_needs_a_reason(self):
        self.write("Sources/LiveStore/SQLite/Reader.swift", "extension Store {}")
        self.write("Scripts/layers-allowed.txt", "Sources/LiveStore/SQLite/Reader.swift uses Store: it leads back")
        self.assertEqual(self.complaints(), [])
        self.write("Scripts/layers-allowed.txt", "Sources/LiveStore/SQLite/Reader.swift uses Store")
        self.assert_complaint("gives no reason")

    def test_an_entry_that_is_not_needed_is_an_error(self):
        self.write("Scripts/layers-allowed.txt", "Sources/LiveStore/SQLite/Reader.swift uses Store: it leads back")
        self.assert_complaint("is no longer needed")

    def test_folders_and_the_table_agree(self):
        self.write("Sources/LiveStore/Keys/Key.swift", "struct Key {}")
        self.assert_complaint("Sources/LiveStore/Keys/ has no place")
        shutil.rmtree(self.root / "Sources/LiveStore/Keys")
        self.write("Documentation/Architecture.md", DOCUMENT + "| `Rows/` | Nothing. |")
        self.assert_complaint("Sources/LiveStore/Rows/ of Documentation/Architecture.md does not exist")

    def test_two_types_of_one_name_are_found_in_all_targets(self):
        self.write("Sources/App/Value.swift", "private enum Value {}")
        self.assert_complaint("Value stands for 2 types")

    def test_a_type_inside_another_does_not_hide_one_of_its_target(self):
        self.write("Sources/LiveStore/Store/Cursor.swift", "struct Cursor {\n  enum Value {}\n}")
        self.assert_complaint("Sources/LiveStore/Store/Cursor.swift: a type inside another hides the top-level type Value")
        shutil.rmtree(self.root / "Sources/LiveStore/Store")
        self.write("Sources/LiveStore/Store/Store.swift", "final class Store {}")
        self.write("Sources/App/Cursor.swift", "struct Cursor {\n  enum Value {}\n}")
        self.assertEqual(self.complaints(), [])

    def test_sqlite_is_called_in_its_folder_alone(self):
        self.write("Sources/LiveStore/Store/Hook.swift", "func hook() { sqlite3_preupdate_hook() }")
        self.assert_complaint("Sources/LiveStore/Store/Hook.swift:1: sqlite3_preupdate_hook is called outside")

    def test_what_the_document_names_exists(self):
        for span, complaint in (
            ("`Store/Stores.swift`", "there is no file Store/Stores.swift"),
            ("`Stores/`", "there is no folder Stores/"),
            ("`Stores`", "nothing in Sources is named Stores"),
            ("`Store.values`", "nothing in Sources is named values"),
        ):
            self.write("Documentation/Architecture.md", DOCUMENT + "\nSee " + span)
            self.assert_complaint(complaint)
        self.write("Documentation/Architecture.md", DOCUMENT + "\nSee `Store/Store.swift`, `Store/`, `Store.value`, `read`.")
        self.assertEqual(self.complaints(), [])

    def test_a_step_names_functions_of_its_files(self):
        self.write("Documentation/Architecture.md", DOCUMENT + "\n1. First `value` of\n   `Store/Store.swift`.\n2. Then `read`.")
        self.assert_complaint("read is in no file that the step names")


if __name__ == "__main__":
    unittest.main()
