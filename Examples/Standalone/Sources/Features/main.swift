try keepRules()
try selectTeams()
try searchMessages()
