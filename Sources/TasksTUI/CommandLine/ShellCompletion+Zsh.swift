extension ShellCompletion {
  static var zshScript: String {
    func lines(_ options: [OptionDescription], _ indent: String) -> String {
      options.map { indent + zshSpecification($0) }.joined(separator: " \\\n")
    }
    let cases = CommandLineTable.subcommands.map { command in
      let names = command.command.names.joined(separator: "|")
      let operands = command.operands.enumerated().compactMap { place, operand in
        zshAction(operand, of: command).map { " \\\n      " + quoted("\(place + 1):\($0)") }
      }
      return "    \(names)) _arguments -S \\\n" + lines(command.options + [CommandLineTable.help], "      ")
        + operands.joined() + " ;;"
    }
    let commands = CommandLineTable.subcommands.map { quoted("\($0.name):\($0.summary)") }
    let forms = Subcommand.sync.description.forms.map {
      quoted("\($0.operands.prefix { $0 != " " }):\($0.help)")
    }
    return """
      #compdef tasks
      # Completion of tasks for zsh: source <(tasks --completion zsh), or put it as _tasks into a folder of
      # $fpath.
      # Takes the file and the list that the line names.
      _tasks_options() {
        local before word
        for word in "${all[@]}"; do
          [[ $before == --file ]] && file=(--file "${(Q)word/#\\~\\//$HOME/}")
          [[ $word == --file=* ]] && file=("${(Q)word/#--file=\\~\\//--file=$HOME/}")
          [[ $before == --list ]] && list=("${(Q)word}")
          [[ $word == --list=* ]] && list=("${(Q)word#--list=}")
          before=$word
        done
      }
      # For an operand it leaves out the names that are taken for options: those that begin with a dash and do
      # not follow --.
      _tasks_lists() {
        local -a file list names
        _tasks_options
        names=("${(@f)$(tasks "${file[@]}" lists 2>/dev/null)}")
        [[ $1 == operand && ${all[(I)--]} == 0 ]] && names=("${(@)names:#-*}")
        compadd -a names
      }
      # Offers the tasks with a mark: "x" for completed ones, " " for open ones, "." for both; for an operand
      # as above.
      _tasks_tasks() {
        local -a file list found
        local name line
        _tasks_options
        (( $#list )) || list=("${(@f)$(tasks "${file[@]}" lists 2>/dev/null)}")
        for name in "${list[@]}"; do
          for line in "${(@f)$(tasks "${file[@]}" list --list "$name" 2>/dev/null)}"; do
            line=${line#    }
            [[ $1 == . || ${line[2]} == "$1" ]] && found+=("${line[5,-1]}")
          done
        done
        [[ $2 == operand && ${all[(I)--]} == 0 ]] && found=("${(@)found:#-*}")
        compadd -a found
      }
      _tasks_commands() {
        local -a commands
        commands=(\(commands.joined(separator: " ")))
        _describe command commands
      }
      _tasks_sync() {
        local -a commands
        commands=(\(forms.joined(separator: " ")))
        _describe command commands
      }
      _tasks() {
        local curcontext=$curcontext state line
        local -A opt_args
        # Words before a command are gone from $words after it.
        local -a all=("${words[@]}")
        _arguments -C \\
      \(lines(CommandLineTable.options, "    ")) \\
          '1:command:_tasks_commands' '*::argument:->rest'
        [[ $state == rest ]] || return
        case $words[1] in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then _tasks "$@"; else compdef _tasks tasks; fi

      """
  }

  /// The specification of an option, for `_arguments`.
  private static func zshSpecification(_ option: OptionDescription) -> String {
    let action =
      switch option.value {
      case nil: ""
      case .file?: ":file:_files"
      case .list?: ":list:_tasks_lists"
      case .task?: ":task:{_tasks_tasks \" \"}"
      case .text(let name)?: ":\(name.lowercased()): "
      case .choice(let name, let values)?: ":\(name.lowercased()):(\(values.joined(separator: " ")))"
      }
    // Brackets and colons would end a description.
    let help = option.help.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
    return quoted("--\(option.name)[\(help)]\(action)")
  }

  /// The message and the action of an operand, for `_arguments`.
  private static func zshAction(_ operand: CommandOperand, of command: SubcommandDescription) -> String? {
    switch operand {
    case .task(let completed): "task:{_tasks_tasks \"\(mark(ofTask: completed))\" operand}"
    case .list: "list:{_tasks_lists operand}"
    case .file: "file:_files"
    case .word(let words):
      switch command.command {
      case .sync: "command:_tasks_sync"
      case .help: "command:_tasks_commands"
      default: "word:(\(words.joined(separator: " ")))"
      }
    case .text: nil
    }
  }
}
