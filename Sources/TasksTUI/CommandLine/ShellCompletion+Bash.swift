extension ShellCompletion {
  static var bashScript: String {
    func cases(_ names: [String]) -> String { names.joined(separator: "|") }
    func completing(_ words: [String]) -> String {
      "mapfile -t COMPREPLY < <(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")"
    }
    let commands = Subcommand.allCases.map { command in
      "      \(cases(command.names))) command=\(command.rawValue) ;;"
    }
    let options = CommandLineTable.subcommands.map { command in
      let names = (command.options + [CommandLineTable.help]).map { "--" + $0.name }
      return "    \(command.name)) words=\"\(names.joined(separator: " "))\" ;;"
    }
    let first = Subcommand.allCases.flatMap(\.names) + CommandLineTable.options.map { "--" + $0.name }
    let choices = valuedOptions.compactMap { option -> String? in
      guard case .choice(_, let words) = option.value else { return nil }
      return "    \(option.name)) \(completing(words)); return ;;"
    }
    let operands = CommandLineTable.subcommands.flatMap { command in
      command.operands.enumerated().compactMap { place, operand -> String? in
        let action: String
        switch operand {
        case .task(let completed): action = "_tasks_tasks '\(mark(ofTask: completed))'"
        case .list: action = "_tasks_lists"
        case .file: action = "_tasks_files"
        case .word(let words): action = completing(words)
        case .text: return nil
        }
        return "    \(command.name)-\(place)) \(action); return ;;"
      }
    }
    return """
      # Completion of tasks for bash: source <(tasks --completion bash)
      _tasks_files() {
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames
      }
      # Offers a text if it begins with what is typed, in quotes, with backslashes, or plain. One that begins
      # with a dash is taken for an option, unless it is the value of one or follows --.
      _tasks_offer() {
        local quoted
        [[ $1 == -* && ! $dashes ]] && return
        case $current in
          [\\"\\']*) [[ $1 == "${current:1}"* ]] && COMPREPLY+=("$1") ;;
          *)
            printf -v quoted %q "$1"
            [[ $quoted == "$current"* || $1 == "$current"* ]] && COMPREPLY+=("$quoted") ;;
        esac
      }
      _tasks_lists() {
        local name
        while IFS= read -r name; do _tasks_offer "$name"; done < <(tasks "${file[@]}" lists 2>/dev/null)
      }
      # Offers the tasks with a mark: "x" for completed ones, " " for open ones, "." for both.
      _tasks_tasks() {
        local name line
        while IFS= read -r name; do
          while IFS= read -r line; do
            line=${line#    }
            [[ $1 == . || ${line:1:1} == "$1" ]] && _tasks_offer "${line:4}"
          done < <(tasks "${file[@]}" list --list "$name" 2>/dev/null)
        done < <([[ $list ]] && printf '%s\\n' "$list" || tasks "${file[@]}" lists 2>/dev/null)
      }
      # xargs takes away the quotes, and expands nothing.
      _tasks_unquoted() { xargs printf %s <<< "$1" 2> /dev/null; }
      _tasks() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words name
        local before= command= place=0 list= file=() dashes=
        local valued="\(valuedOptions.map(\.name).joined(separator: " "))"
        if [[ $current == "=" ]]; then
          current=
        elif [[ $previous == "=" ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for name in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          [[ $name == "=" ]] && continue
          if [[ $name == --*=* ]]; then
            before=${name%%=*} name=${name#*=}
          elif [[ $name == -* && ! $dashes && " $valued " != *" $before "* ]]; then
            [[ $name == -- ]] && dashes=1
            before=$name
            continue
          fi
          case $before in
            --file)
              file=(--file "$(_tasks_unquoted "$name")")
              [[ $name == "~/"* ]] && file[1]=$HOME/${file[1]:2} ;;
            --list) list=$(_tasks_unquoted "$name") ;;
            \(cases(valuedOptions.map(\.name).filter { $0 != "--file" && $0 != "--list" }))) ;;
            *) if [[ $command ]]; then ((++place)); else case $name in
      \(commands.joined(separator: "\n"))
            esac; fi ;;
          esac
          before=
        done
        COMPREPLY=()
        case $previous in
          \(cases(names { $0 == .file } + ["--check"]))) _tasks_files; return ;;
          \(cases(names { $0 == .list }))) list= dashes=1; _tasks_lists; return ;;
          \(cases(names { $0 == .task }))) dashes=1; _tasks_tasks " "; return ;;
          \(cases(names { if case .text = $0 { true } else { false } }))) return ;;
      \(choices.joined(separator: "\n"))
        esac
        [[ $current == -* && ! $dashes ]] || case $command-$place in
      \(operands.joined(separator: "\n"))
        esac
        [[ $dashes ]] && return
        case $command in
          "") words="\(first.joined(separator: " "))" ;;
      \(options.joined(separator: "\n"))
        esac
        \(completing(["$words"]))
      }
      complete -F _tasks tasks

      """
  }
}
