// Runs the command `cache`, which lists, shows, exports, imports and removes cache entries, and returns its exit code.
import { existsSync } from "node:fs";
import type { SqliteStore } from "@robots-stream/fetch/sqlite";
import { IoError, UsageError } from "@robots-stream/engine";
import { openOutput, printTo } from "../../cli/command-output.ts";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText, numberText } from "../../cli/figures.ts";
import { filesOfCache, usedFilesOf } from "../../cli/named-files.ts";
import { type CacheAction, type CacheCommand, cacheCommandOf, renderCacheHelp } from "./flags.ts";
import { exportEntries } from "./export.ts";
import { importFiles } from "./import.ts";
import { listEntries } from "./list.ts";
import { originOf } from "./named-origin.ts";
import type { ActionContext } from "./action.ts";
import { type CachePlace, cachePlaceOf, shownPlace } from "../../cli/cache/place.ts";
import { showOrigins } from "./show.ts";
import { listSitemaps } from "./sitemaps.ts";

/** Runs an action of `cache` and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runCache(run: CommandRun): Promise<number> {
  return runToExitCode(run, async (say) => {
    const command = cacheCommandOf(run.argv);
    if (command === "help") return { help: renderCacheHelp() };
    const place = cachePlaceOf(command.cacheText, run.env);
    if (place.kind === "none")
      throw new UsageError("wrong-value", "there is no cache: --cache none, or no home folder");
    const { action } = command;
    return action === "path" ? `${shownPlace(place)}\n` : act({ ...command, action }, place, run, say);
  });
}

async function act(
  command: CacheCommand & { readonly action: StoreAction },
  place: Exclude<CachePlace, { kind: "none" }>,
  { stdin, stdout, stderr, signal }: CommandRun,
  say: (sentence: string) => void,
): Promise<number> {
  if (place.kind === "redis") {
    throw new UsageError(
      "wrong-value",
      `cache ${command.action} works on a folder; use the tools of the server for a cache on a server`,
    );
  }
  const inputs = command.action !== "import" ? [] : command.names.length === 0 ? ["-"] : command.names;
  const { path } = command.output;
  const rowsTo = path === undefined ? stdout : undefined;
  const named = [...command.namedFiles, ...filesOfCache(place.path)];
  const used = usedFilesOf(named, { inputs, stdin, stdout: rowsTo, stderr });
  used.check();
  if (command.action !== "import" && !existsSync(place.path)) {
    say(`there is no cache at ${shownPlace(place)} yet`);
    if (command.action === "show") return exitCodes.conditionMet;
    // Truncates the file of --output-file. Otherwise the output of an earlier command could be mistaken for the output of this command.
    return printTo(command.output, stdout, used, () => Promise.resolve(exitCodes.done));
  }
  const { StoreError, createSqliteStore } = await import("@robots-stream/fetch/sqlite");
  const output = openOutput(command.output, stdout, used);
  let store: SqliteStore | undefined;
  try {
    const { action, maxBytes } = command;
    store = createSqliteStore(place.path, action === "import" && maxBytes !== undefined ? { maxBytes } : {});
    const write = async (data: string | Uint8Array): Promise<void> => {
      signal?.throwIfAborted();
      await writeText(output.stream, data);
    };
    const context: ActionContext = { command, store, say, write, stdin, stdout: output.stream, signal };
    const code = await actions[command.action](context);
    // Without an entry for an origin, the output file keeps its content: an empty file would be a robots.txt that allows everything.
    if (code === exitCodes.done) await output.finish();
    return code;
  } catch (error) {
    if (error instanceof StoreError) throw new IoError("input", `cache ${shownPlace(place)}`, error);
    throw error;
  } finally {
    await store?.close().catch(() => undefined);
    output.close();
  }
}

/** The actions that open the store. */
type StoreAction = Exclude<CacheAction, "path">;

const actions: Readonly<Record<StoreAction, (context: ActionContext) => Promise<number>>> = {
  ls: listEntries,
  show: showOrigins,
  sitemaps: listSitemaps,
  export: exportEntries,
  import: importFiles,
  prune,
};

async function prune({ command, store, say }: ActionContext): Promise<number> {
  const { names, isAll, isSuperseded, olderThanMs, maxBytes } = command;
  const before = store.size();
  await store.prune({
    origins: names.map(originOf),
    superseded: isSuperseded,
    ...(isAll
      ? { beforeMs: Number.MAX_SAFE_INTEGER }
      : olderThanMs === undefined
        ? {}
        : { beforeMs: Date.now() - olderThanMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const after = store.size();
  say(
    `${numberText(before.fetches - after.fetches)} of ${countText(before.fetches, "fetch", "fetches")} removed; ` +
      `${numberText(after.fetches)} of ${countText(after.origins, "origin")} ${after.fetches === 1 ? "is" : "are"} left, ` +
      `in ${countText(after.bytes, "byte")}`,
  );
  return exitCodes.done;
}
