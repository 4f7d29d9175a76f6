// What robots-stream-kafka shares with the command: rows of flags, the parser of command lines, and what these flags open. It may change
// without notice.
export { askedAgentsOf } from "./cli/asked-agents.ts";
export {
  type CommandLine,
  type FlagShape,
  type FlagValues,
  choiceOf,
  lastOf,
  notTogether,
  parseCommandLine,
} from "./cli/command-line.ts";
export { fieldFlag } from "./cli/field-flags.ts";
export { renderRows } from "./cli/flag-help.ts";
export { mostHelpColumns, wrapHelp } from "./cli/help-text.ts";
export { openClient } from "./cli/network/client.ts";
export { networkFlags } from "./cli/network/flags.ts";
export { questionOptionsOf, targetFormOf } from "./cli/question-settings.ts";
export { type RobotsSettings, robotsSettingsOf } from "./cli/robots/settings.ts";
export { oneDialectFlag, sharedFlag } from "./cli/shared-flags.ts";
export { numberOf, sizeOf, wholeOf } from "./cli/values.ts";
