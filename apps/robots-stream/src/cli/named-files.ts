// Lists every file that a command reads or writes, from its flags, arguments and streams.
import type { Writable } from "node:stream";
import type { Flag, FlagValues } from "./flag.ts";
import { nameOf, shownWordOf, type UsedFile, UsedFiles } from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";

/** The files named by flags. A flag can name a file if its row in the table has `file`. */
export function filesOfFlags(table: readonly Flag[], values: FlagValues): readonly UsedFile[] {
  return table.flatMap(({ name, file }) => {
    const paths = file === undefined ? [] : (values.get(name) ?? []).filter((value) => value !== "");
    return paths.flatMap((path) =>
      file?.isNone?.(path) === true
        ? []
        : [{ shown: shownFlag(name, path), use: file!.use, at: file?.pathOf?.(path) ?? path }],
    );
  });
}

/** A flag and its path, for messages. */
export function shownFlag(flag: string, path: string): string {
  return `--${flag} ${shownWordOf(path)}`;
}

/** The files of a command that no flag names. */
export interface Streams {
  /** Names of input files; "-" is stdin. */
  readonly inputs: readonly string[];
  readonly stdin?: InputStream | undefined;
  /** Undefined when the command does not write to stdout. */
  readonly stdout: Writable | undefined;
  readonly stderr: Writable;
}

/** Collects all files that a command uses. `check()` of the result compares the files with each other. */
export function usedFilesOf(named: readonly UsedFile[], { inputs, stdin, stdout, stderr }: Streams): UsedFiles {
  const open = (shown: string, use: UsedFile["use"], stream: unknown): readonly UsedFile[] => {
    const fd = (stream as { readonly fd?: unknown } | undefined)?.fd;
    return typeof fd === "number" ? [{ shown, use, at: fd }] : [];
  };
  return new UsedFiles([
    ...inputs.flatMap((path) =>
      path === "-" ? open("stdin", "reads", stdin) : [{ shown: nameOf(path), use: "reads", at: path } as const],
    ),
    ...named,
    ...open("stdout", "writes", stdout),
    ...open("stderr", "writes", stderr),
  ]);
}

/** The files of a SQLite cache: the database, its write-ahead log, the log's index, and the rollback journal. */
export function filesOfCache(path: string): readonly UsedFile[] {
  return ["", "-wal", "-shm", "-journal"].map((ending) => ({
    shown: `the cache ${shownWordOf(path + ending)}`,
    use: "writes",
    at: path + ending,
  }));
}
