// SPDX-License-Identifier: GPL-3.0-or-later
// One line per subcommand: the descriptor at the end of its file, in the order of the help text.
COMMAND(commandInfo)
COMMAND(commandBake)
COMMAND(commandRender)
COMMAND(commandJoin)
COMMAND(commandFarm)
COMMAND(commandEval)
COMMAND(commandBench)
