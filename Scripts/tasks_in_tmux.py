"""What the scripts share that show `tasks` as it runs: a file made for the purpose, and windows on it in tmux."""

import os
import sqlite3
import subprocess
import sys
import time


class Tasks:
    """The program with a file of its own in a folder, and a tmux server for its windows."""

    def __init__(self, program, folder, **variables):
        self.program = os.path.abspath(program)
        self.file = os.path.join(folder, "tasks.db")
        self.socket = os.path.join(folder, "tmux")
        self.environment = dict(
            os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color", COLORTERM="truecolor", XDG_STATE_HOME=folder,
            XDG_CONFIG_HOME=folder, **variables)

    def add(self, *arguments):
        self.run("add", *arguments)

    def run(self, command, *arguments):
        subprocess.run([self.program, command, "--file", self.file, *arguments], check=True, env=self.environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def complete(self, *texts):
        """As a program that knows nothing of `tasks` does."""
        with sqlite3.connect(self.file) as database:
            database.executemany("UPDATE TaskItem SET completed = 1 WHERE text = ?", [(text,) for text in texts])

    def open(self, window, columns, lines, command=None):
        """Opens a window of tmux, with the program in it or with a command."""
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", window, "-x", str(columns), "-y", str(lines),
                  command or "%s --file %s" % (self.program, self.file))
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-t", window, "-x", str(columns), "-y", str(lines))

    def send(self, window, keys):
        """Types a text, or strikes keys by their tmux names."""
        if isinstance(keys, str):
            self.tmux("send-keys", "-t", window, "-l", keys)
        else:
            self.tmux("send-keys", "-t", window, *keys)

    def screens(self, *windows):
        """The cells of windows with their colours, taken at one moment."""
        captures = [["capture-pane", "-t", window, "-p", "-e", "-N"] for window in windows]
        return self.tmux(*[word for capture in captures for word in [*capture, ";"]][:-1])

    def wait(self, window, text, times=1):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            screen = self.tmux("capture-pane", "-t", window, "-p")
            if screen.count(text) >= times:
                return
        sys.exit("tasks did not show “%s”:\n%s" % (text, screen))

    def end(self):
        self.tmux("kill-server")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self.socket, *arguments], check=True, text=True, capture_output=True,
                              env=self.environment).stdout
