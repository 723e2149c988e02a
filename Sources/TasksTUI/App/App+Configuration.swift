import TasksModel
import TerminalUI

/// Settings while the app runs: from the configuration file, the command line and the terminal.
extension App {
  /// Applies the changes of the file, if there are any, or reports why it cannot be read.
  func reload(from watch: ConfigurationWatch?) {
    do throws(RuntimeError) {
      if let text = try watch?.change() { reload(text) }
    } catch {
      say("\(error)")
    }
  }

  /// Applies the changes of the file. Settings made by hand since stay, unless the file changed them.
  ///
  /// - Parameter text: The whole file. If it has an error, that is reported and everything stays as it was.
  func reload(_ text: String) {
    let new = AppConfiguration(text)
    if let complaint = new.complaint {
      return context.say("\(complaint) The settings stay as they were.")
    }
    var settings = context.settings
    settings.ownThemes = new.settings.ownThemes
    for setting in SettingTable.all {
      let value = setting.value(in: new.settings)
      guard value != setting.value(in: configuration.settings) else { continue }
      try? setting.set(value, in: &settings)
    }
    // The file may no longer contain the theme that is shown.
    if !settings.themes.contains(where: { $0.name == settings.theme }) { settings.theme = new.settings.theme }
    configuration = new
    let wasHiding = context.settings.hideCompleted
    context.settings = settings
    if settings.hideCompleted != wasHiding { renewScreens() }
    updatePresence()
    takeKeys()
    context.say("Reloaded config.toml.")
    _ = Self.list(namedIn: new, context)
  }

  /// Returns the list that a configuration names to be opened first; says why if it is not there.
  static func list(namedIn configuration: AppConfiguration, _ context: ScreenContext) -> TaskList? {
    let name = configuration.settings.list
    if name.isEmpty { return nil }
    do throws(RuntimeError) {
      return try context.store.list(named: name)
    } catch {
      return context.say("config.toml: \(error).")
    }
  }

  func takeKeys() {
    context.keys = KeyMap(changing: configuration.keys)
    let changed = configuration.editingKeys
    context.editingKeys = readsLines || changed.isEmpty ? .usual : EditingKeys(changing: changed)
  }

  /// - Parameter colors: `COLORFGBG`, in which some terminals provide the numbers of their colors.
  func guessBackground(_ colors: String?) {
    guard let number = colors?.split(separator: ";").last.flatMap({ Int($0) }) else { return }
    context.terminalBackground = number == 7 || number == 15 ? .white : .black
  }

  /// Hides the completed tasks, or shows them again, also at the next start.
  func toggleHiding() {
    context.settings.hideCompleted.toggle()
    let hides = context.settings.hideCompleted
    stateFile?.remember(hidesCompleted: hides)
    screen.drop()
    renewScreens()
    context.say(
      hides
        ? "Completed tasks are hidden; \(context.key(.app(.hide))) shows them again."
        : "Completed tasks are shown.")
  }

  /// Runs the argument of `set`: nothing, a setting's name, or its name and a value.
  func set(_ text: String) {
    let words = text.split(maxSplits: 1, whereSeparator: { $0.isWhitespace || $0 == "=" })
    guard let name = words.first else {
      // The reader of lines has room for one sentence only.
      let all = SettingTable.all.map { "\($0.name) \($0.valueInWords(context.settings))" }
      guard !readsLines else { return context.say(all.joined(separator: ", ")) }
      return screens.push(HelpScreen(context: context, about: KeyLegend.settingsTitle))
    }
    guard let setting = SettingTable.setting(named: String(name)) else {
      return context.refuse("There is no setting \(String(name).quoted).")
    }
    guard words.count > 1 else {
      let values = setting.valuesInWords(context.settings)
      let all = if case .text = setting.kind { "; it may be \(values)." } else { ", of \(values)." }
      return context.say("\(name) is \(setting.valueInWords(context.settings))\(all)")
    }
    let value = words[1].drop { $0.isWhitespace || $0 == "=" }
    do throws(SettingDescription.Problem) {
      let wasHiding = context.settings.hideCompleted
      try setting.set(String(value), in: &context.settings)
      if context.settings.hideCompleted != wasHiding { renewScreens() }
      context.say("\(name) is \(setting.valueInWords(context.settings)) now.")
    } catch {
      context.refuse("\(error.message).")
    }
  }
}
