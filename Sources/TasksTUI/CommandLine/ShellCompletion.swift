/// `tasks --completion SHELL`: the completion script of a shell.
enum ShellCompletion: String, CaseIterable, Sendable {
  case bash, fish, zsh

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .fish: Self.fishScript
    case .zsh: Self.zshScript
    }
  }

  private static var subcommandNames: String {
    Subcommand.allCases.flatMap(\.names).joined(separator: " ")
  }

  /// The labels of the options whose values are of a kind.
  private static func labels(where applies: (OptionDescription.Value) -> Bool) -> String {
    CommandLineTable.allOptions.map(\.option).filter { $0.value.map(applies) ?? false }
      .map { "--" + $0.name }.joined(separator: "|")
  }

  /// The names of the commands with an operand that is a file.
  private static var fileCommands: String {
    let operands: Set = ["FILE", "NEWFILE", "INPUT", "OUTPUT"]
    return CommandLineTable.subcommands.filter { command in
      command.forms.contains { form in
        form.operands.split { " []|".contains($0) }.contains { operands.contains(String($0)) }
      }
    }
    .flatMap(\.command.names).joined(separator: "|")
  }

  /// The names of the commands whose first operand is a list.
  private static var listCommands: String {
    CommandLineTable.subcommands.filter { $0.forms.contains { $0.operands.hasPrefix("LIST") } }
      .flatMap(\.command.names).joined(separator: "|")
  }

  // MARK: bash

  // Names of lists are compared, never expanded: a list may be named $(anything).
  private static var bashScript: String {
    let commands = Subcommand.allCases.map { command in
      "      \(command.names.joined(separator: "|"))) command=\(command.rawValue) ;;"
    }
    let words = CommandLineTable.subcommands.map { command in
      var options = (command.options + [CommandLineTable.help]).map { "--" + $0.name }
      if command.command == .help { options.append(subcommandNames) }
      if command.command == .sync {
        options += command.forms.map { String($0.operands.prefix { $0 != " " }) }
      }
      return "    \(command.name)) words=\"\(options.joined(separator: " "))\" ;;"
    }
    let choices = CommandLineTable.allOptions.map(\.option).compactMap { option -> String? in
      guard case .choice(_, let values)? = option.value else { return nil }
      return
        "    --\(option.name)) mapfile -t COMPREPLY < <(compgen -W \"\(values.joined(separator: " "))\" -- "
        + "\"$current\"); return ;;"
    }
    return """
      # Completion of tasks for bash: source <(tasks --completion bash)
      _tasks_files() {
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames
      }
      _tasks_lists() {
        while IFS= read -r name; do
          [[ $name == "$current"* ]] && COMPREPLY+=("$(printf %q "$name")")
        done < <(tasks "${file[@]}" lists 2>/dev/null)
      }
      _tasks() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words name
        local before= file=()
        for name in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          [[ $name == "=" ]] && continue
          if [[ $before == --file || $name == --file=* ]]; then
            name=${name#--file=}
            # xargs takes away the quotes, and expands nothing.
            file=(--file "$(xargs printf %s <<< "$name" 2> /dev/null)") before=
            [[ $name == "~/"* ]] && file[1]=$HOME/${file[1]:2}
            continue
          fi
          before=$name
          [[ $command ]] || case $name in
      \(commands.joined(separator: "\n"))
          esac
        done
        COMPREPLY=()
        case $previous in
          \(labels { $0 == .file })|--check) _tasks_files; return ;;
          \(labels { $0 == .list })) _tasks_lists; return ;;
          \(listCommands)) [[ $current == -* ]] || { _tasks_lists; return; } ;;
          \(labels { if case .text = $0 { true } else { false } })) return ;;
      \(choices.joined(separator: "\n"))
        esac
        case $command in
          "") words="\(subcommandNames) \(CommandLineTable.options.map { "--" + $0.name }.joined(separator: " "))" ;;
      \(words.joined(separator: "\n"))
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        [[ $current == -* ]] || case $command in
          \(fileCommands)) _tasks_files ;;
        esac
      }
      complete -F _tasks tasks

      """
  }

  // MARK: fish

  private static var fishScript: String {
    var lines = [
      """
      # Completion of tasks for fish: tasks --completion fish | source
      function __tasks_lists
        set -l options
        set -l before
        for word in (commandline -opc)
          if test "$before" = --file
            set options --file=(string replace -r -- '^~/' $HOME/ $word)
          else if string match -q -- '--file=*' $word
            set options (string replace -r -- '^--file=~/' --file=$HOME/ $word)
          end
          set before $word
        end
        tasks $options lists 2>/dev/null
      end
      complete -c tasks -f
      """
    ]
    func line(_ condition: String, _ option: OptionDescription) -> String {
      var line = "complete -c tasks -n '\(condition)' -l \(option.name)"
      switch option.value {
      case .file?: line += " -r -F"
      case .list?: line += " -x -a '(__tasks_lists)'"
      case .text?: line += " -x"
      case .choice(_, let values)?: line += " -x -a '\(values.joined(separator: " "))'"
      case nil: break
      }
      return line + " -d \(quoted(option.help))"
    }
    for option in CommandLineTable.options { lines.append(line("__fish_use_subcommand", option)) }
    for command in CommandLineTable.subcommands {
      let names = command.command.names.joined(separator: " ")
      lines.append(
        "complete -c tasks -n __fish_use_subcommand -a '\(names)' -d \(quoted(command.forms[0].help))")
      for option in command.options { lines.append(line("__fish_seen_subcommand_from \(names)", option)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: zsh

  private static var zshScript: String {
    func specification(_ option: OptionDescription) -> String {
      let action =
        switch option.value {
        case nil: ""
        case .file?: ":file:_files"
        case .list?: ":list:_tasks_lists"
        case .text(let name)?: ":\(name.lowercased()): "
        case .choice(let name, let values)?: ":\(name.lowercased()):(\(values.joined(separator: " ")))"
        }
      // Brackets and colons would end a description.
      let help = option.help.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
      return quoted("--\(option.name)[\(help)]\(action)")
    }
    func lines(_ options: [OptionDescription], _ indent: String) -> String {
      options.map { indent + specification($0) }.joined(separator: " \\\n")
    }
    let cases = CommandLineTable.subcommands.map { command in
      let options = lines(command.options + [CommandLineTable.help], "      ")
      let names = command.command.names.joined(separator: "|")
      return "    \(names)) _arguments \\\n\(options) \\\n      '*: :_files' ;;"
    }
    let commands = CommandLineTable.subcommands.map { quoted("\($0.name):\($0.forms[0].help)") }
    return """
      #compdef tasks
      # Completion of tasks for zsh: put it as _tasks into a folder of $fpath
      _tasks_lists() {
        local -a names file
        local before word
        for word in "${all[@]}"; do
          [[ $before == --file ]] && file=(--file "${(Q)word/#\\~\\//$HOME/}")
          [[ $word == --file=* ]] && file=("${(Q)word/#--file=\\~\\//--file=$HOME/}")
          before=$word
        done
        names=("${(@f)$(tasks "${file[@]}" lists 2>/dev/null)}")
        compadd -a names
      }
      _tasks_commands() {
        local -a commands
        commands=(\(commands.joined(separator: " ")))
        _describe command commands
      }
      # Words before a command are gone from $words after it.
      local -a all=("${words[@]}")
      _arguments -C \\
      \(lines(CommandLineTable.options, "  ")) \\
        '1:command:_tasks_commands' '*::argument:->rest'
      if [[ $state == rest ]]; then
        case $words[1] in
      \(cases.joined(separator: "\n"))
        esac
      fi

      """
  }

  /// A text in quotes of a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
