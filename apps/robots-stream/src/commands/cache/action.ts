// Defines the arguments of the actions of `cache`: the parsed command, the open store, and the output.
import type { SqliteStore } from "@robots-stream/fetch/sqlite";
import type { CommandRun } from "../../cli/command.ts";
import type { CacheCommand } from "./flags.ts";

/** The arguments of an action. */
export interface ActionContext extends Omit<CommandRun, "argv" | "env" | "stderr"> {
  readonly command: CacheCommand;
  readonly store: SqliteStore;
  readonly say: (sentence: string) => void;
  readonly write: (data: string | Uint8Array) => Promise<void>;
}
