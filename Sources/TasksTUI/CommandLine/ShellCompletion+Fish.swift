extension ShellCompletion {
  static var fishScript: String {
    var lines = [
      """
      # Completion of tasks for fish: tasks --completion fish | source
      # The value of an option that the line has, with its name.
      function __tasks_option
        set -l before
        for word in (commandline -opc)
          if test "$before" = $argv[1]
            printf '%s\\n' $argv[1] (string replace -r -- '^~/' $HOME/ $word)
          else if string match -q -- $argv[1]'=*' $word
            set word (string replace -r -- '^[^=]*=' '' $word)
            printf '%s\\n' $argv[1] (string replace -r -- '^~/' $HOME/ $word)
          end
          set before $word
        end
      end
      function __tasks_lists
        tasks (__tasks_option --file) lists 2>/dev/null
      end
      # The tasks with a mark: "x" for completed ones, " " for open ones, "." for both.
      function __tasks_tasks
        set -l lists (__tasks_option --list)[2]
        test -n "$lists"; or set lists (__tasks_lists)
        for list in $lists
          tasks (__tasks_option --file) list --list $list 2>/dev/null \\
            | string replace -fr -- '^ *\\['$argv[1]'\\] (.*)' '$1'
        end
      end
      # The candidates for an operand: one that begins with a dash is an option, unless it follows --.
      function __tasks_operands
        if contains -- -- (commandline -opc)
          cat
        else
          # By itself, string reads no input of a function.
          cat | string match -v -- '-*'
        end
      end
      # Whether as many words as the first argument says follow one of the commands that come after it.
      function __tasks_operand
        set -l place $argv[1]
        set -l command
        set -l before
        set -l dashes
        for word in (commandline -opc)[2..-1]
          if contains -- "$before" \(valuedOptions.map(\.name).joined(separator: " "))
            set before
          else if test -z "$dashes"; and string match -q -- '-*' $word
            set before $word
            test $word = --; and set dashes 1
          else if test -z "$command"
            set command $word
          else
            set place (math $place - 1)
          end
        end
        test $place = 0; and contains -- "$command" $argv[2..-1]
      end
      complete -c tasks -f
      """
    ]
    func line(_ condition: String, _ option: OptionDescription) -> String {
      var line = "complete -c tasks -n '\(condition)' -l \(option.name)"
      switch option.value {
      case .file?: line += " -r -F"
      case .list?: line += " -x -a '(__tasks_lists)'"
      case .task?: line += " -x -a '(__tasks_tasks \" \")'"
      case .text?: line += " -x"
      case .choice(_, let values)?: line += " -x -a '\(values.joined(separator: " "))'"
      case nil: break
      }
      return line + " -d \(quoted(option.help))"
    }
    for option in CommandLineTable.options { lines.append(line("__fish_use_subcommand", option)) }
    for command in CommandLineTable.subcommands {
      let names = command.command.names.joined(separator: " ")
      lines.append("complete -c tasks -n __fish_use_subcommand -a '\(names)' -d \(quoted(command.summary))")
      for option in command.options { lines.append(line("__fish_seen_subcommand_from \(names)", option)) }
      for (place, operand) in command.operands.enumerated() {
        let condition = "complete -c tasks -n '__tasks_operand \(place) \(names)'"
        switch operand {
        case .task(let completed):
          lines.append(condition + " -a '(__tasks_tasks \"\(mark(ofTask: completed))\" | __tasks_operands)'")
        case .list: lines.append(condition + " -a '(__tasks_lists | __tasks_operands)'")
        case .file: lines.append(condition + " -F")
        case .word(let words) where command.command == .sync:
          for (word, form) in zip(words, command.forms) {
            lines.append(condition + " -a \(word) -d \(quoted(form.help))")
          }
        case .word(let words): lines.append(condition + " -a '\(words.joined(separator: " "))'")
        case .text: break
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
