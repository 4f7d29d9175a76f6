// Lists the commands with a name, in the order of the help. An input file that has the name of a command, such as explain, must be given
// as "./explain".
import type { Command } from "../cli/command.ts";
import { agents } from "./agents/command.ts";
import { answer } from "./answer/command.ts";
import { audit } from "./audit/command.ts";
import { cache } from "./cache/command.ts";
import { census } from "./census/command.ts";
import { completion } from "./completion/command.ts";
import { detect } from "./detect/command.ts";
import { diff } from "./diff/command.ts";
import { explain } from "./explain/command.ts";
import { fetch } from "./fetch/command.ts";
import { lint } from "./lint/command.ts";
import { man } from "./man/command.ts";
import { merge } from "./merge/command.ts";
import { origins } from "./origins/command.ts";
import { ranges } from "./ranges/command.ts";
import { test } from "./check/command.ts";

export const commands: readonly Command[] = [
  explain,
  audit,
  census,
  merge,
  agents,
  ranges,
  lint,
  diff,
  test,
  detect,
  origins,
  fetch,
  answer,
  cache,
  completion,
  man,
];
