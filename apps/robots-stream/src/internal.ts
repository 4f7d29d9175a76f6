// What robots-stream-kafka shares with the command: rows of flags, the parser of command lines, and what these flags open. It may change
// without notice.
export { requestedAgentsOf } from "./cli/requested-agents.ts";
export { notTogether, parseCommandLine } from "./cli/command-line.ts";
export { agentFieldFlag } from "./cli/input-settings.ts";
export { type Flag, flag, type Given, given, helpFlag } from "./cli/flag.ts";
export { exitCodeAfter, hearErrorEvents } from "./cli/ending.ts";
export { mostHelpColumns, renderRows, wrapHelp } from "./cli/help-text.ts";
export { inputFlag, maxLineBytesFlag, resultKeyFlag } from "./cli/input-settings.ts";
export { openClient } from "./cli/network/client.ts";
export { networkFlags, type ResolverName } from "./cli/network/flags.ts";
export {
  agentFlag,
  agentsFlag,
  crawlersFlag,
  noFallbackFlag,
  oneDialectFlag,
  targetFlag,
  tokenMatchFlag,
} from "./cli/question-settings.ts";
export { maxBytesFlag, robotsFlag, type RobotsSettings, robotsSettingsOf } from "./cli/robots/flags.ts";
export { oneOf, secondsFrom, sizeFrom, wholeFrom } from "./cli/values.ts";
