#!/usr/bin/env python3
"""Runs Scripts/snippets.py on made-up articles, and looks whether it finds what is wrong with them, and nothing else."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts/snippets.py"
PROGRAM = "import Foundation\nimport LiveStore\n\nlet store = Store()\nlet old = Date()\nprint(store)"


class SnippetTests(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "Scripts").mkdir()
        shutil.copy(SCRIPT, self.root / "Scripts")
        self.write("Examples/Standalone/Sources/Readme/main.swift", PROGRAM)
        self.write("Tests/LiveStoreTests/Documentation/Tests.swift", "@testable import LiveStore\nfunc test() {\n  run()\n}")
        self.write("README.md", "# Nothing")

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")

    def complaints(self, article, *blocks):
        path = article if article == "README.md" else f"Sources/LiveStore/LiveStore.docc/{article}"
        self.write(path, "".join(f"Text.\n\n```swift\n{block}\n```\n" for block in blocks))
        run = subprocess.run([self.root / "Scripts/snippets.py"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1 if run.stderr else 0, run.stderr)
        return run.stderr

    def test_a_part_of_a_file_may_be_shown_with_some_of_its_imports(self):
        self.assertEqual(self.complaints("README.md", "import LiveStore\n\nlet store = Store()"), "")
        self.assertEqual(self.complaints("Article.md", "import LiveStore\n\nrun()"), "")

    def test_lines_follow_one_another(self):
        self.assertIn("shows what is not", self.complaints("README.md", "import LiveStore\nlet store = Store()\nprint(store)"))

    def test_the_readme_is_taken_from_the_package_alone(self):
        self.assertIn("shows what is not", self.complaints("README.md", "import LiveStore\nrun()"))

    def test_imports_are_shown_before_they_are_needed(self):
        self.assertIn("import Foundation", self.complaints("README.md", "import LiveStore\nlet old = Date()"))
        self.assertEqual(self.complaints("README.md", "import Foundation\nimport LiveStore", "let old = Date()"), "")
        self.assertIn("does not import LiveStore", self.complaints("Article.md", "run()"))

    def test_a_file_has_the_imports_that_are_shown_with_its_code(self):
        self.assertIn("does not have", self.complaints("Article.md", "import LiveStore\nimport Glibc\nrun()"))


if __name__ == "__main__":
    unittest.main()
