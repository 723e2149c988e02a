/// The configuration file, while the app runs.
extension App {
  /// Takes over what has been changed in the file. What was set by hand since stays, as long as the file says of it what it
  /// said before.
  ///
  /// - Parameter text: The whole file. When something in it is wrong, that is said and everything stays as it was.
  func reload(_ text: String) {
    let new = Configuration(text)
    if let problem = new.problems.first {
      return context.say("config.toml:\(problem.line): \(problem.message). The settings stay as they were.")
    }
    var settings = context.settings
    settings.ownThemes = new.settings.ownThemes
    for setting in SettingTable.all {
      let value = setting.value(in: new.settings)
      guard value != setting.value(in: configuration.settings) else { continue }
      try? setting.set(value, in: &settings)
    }
    // The theme that is shown may have been taken out of the file.
    if !settings.themes.contains(where: { $0.name == settings.theme }) { settings.theme = new.settings.theme }
    configuration = new
    context.settings = settings
    context.keys = KeyMap(changing: new.keys)
    context.say("config.toml was read anew.")
  }

  /// Says what has kept the configuration, or a part of it, from being read.
  func complain(_ sentence: String) { context.say(sentence) }
}
