try keepRules()
try selectTeams()
