// The errors that stop a run: wrong usage, and input or output that failed.
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** The mistakes that a `UsageError` reports. Their names appear in output. */
export type UsageMistake =
  | "unknown-flag"
  | "missing-value"
  | "unexpected-value"
  | "wrong-value"
  | "invalid-option"
  | "repeated-flag"
  | "missing-agent"
  | "no-agent-field"
  | "no-time-field"
  | "no-text-field"
  | "no-product-token"
  | "no-input"
  | "unreadable-input"
  | "unusable-input"
  | "no-url-field"
  | "no-urls"
  | "unasked-host"
  | "several-url-fields"
  | "several-agent-fields"
  | "several-time-fields"
  | "several-text-fields"
  | "missing-base"
  | "taken-column"
  | "unusable-robots"
  | "unreadable-ca"
  | "unwritable-rejects"
  | "same-file"
  | "different-fields"
  | "read-twice"
  | "changed-input"
  | "changed-output"
  | "other-settings"
  | "unusable-checkpoint"
  | "unusable-output";

/** The name of a mistake as a code: "no-input" becomes "ERR_NO_INPUT". */
type CodeOf<Name extends string> = `ERR_${Uppercase<SnakeOf<Name>>}`;
type SnakeOf<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${First}_${SnakeOf<Rest>}` : Name;

/** The codes of `UsageError`. */
export type UsageErrorCode = CodeOf<UsageMistake>;

/** The base class of `UsageError` and `IoError`. `code` is stable, `message` may change. */
export abstract class EngineError extends Error {
  abstract readonly code: string;
}

/** A mistake of the caller. Programs compare `code`; `message` and `hint` are for people. */
export class UsageError extends EngineError {
  readonly code: UsageErrorCode;
  readonly mistake: UsageMistake;
  readonly hint: string | undefined;

  constructor(mistake: UsageMistake, message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.code = `ERR_${mistake.toUpperCase().replaceAll("-", "_")}` as UsageErrorCode;
    this.mistake = mistake;
    this.hint = hint;
  }
}

/** A failure of input or output during a run. `side` says which input or output failed, `cause` is the original error. */
export class IoError extends EngineError {
  readonly code = "ERR_IO";
  readonly side: "input" | "output" | "rejects" | "spill" | "checkpoint" | "report";

  constructor(side: IoError["side"], name: string, cause: unknown) {
    super(`${name}: ${reasonOf(cause)}`, { cause });
    this.name = "IoError";
    this.side = side;
  }
}

/**
 * Returns an `IoError` when `error` or one of its causes is a shortage of file descriptors, for any file: an input, a module of the
 * program, a file of a library. Returns undefined for all other errors. Node's module loader reports a file that it cannot open as missing.
 * So when a module is reported missing, this function tries to open a file.
 */
export function shortageOf(error: unknown): IoError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    const isShort = code === "EMFILE" || code === "ENFILE" || /(?:^|: |\()E[MN]FILE(?:$|: |\))/.test(at.message);
    if (isShort || (code !== undefined && loaderCodes.has(code) && !canOpen())) {
      return new IoError("input", "no file descriptors left", new Error(`${shortCode(at)}; ulimit -n may be too low`));
    }
  }
  return undefined;
}

const loaderCodes: ReadonlySet<string> = new Set(["ERR_MODULE_NOT_FOUND", "ERR_INVALID_PACKAGE_CONFIG"]);

function shortCode(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENFILE" ? "too many open files on this machine (ENFILE)" : "too many open files (EMFILE)";
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch {
    return false;
  }
}

/** The names of errors whose messages this program writes itself; messages of other errors may quote input. */
const ownErrors: ReadonlySet<string> = new Set([
  "ArchiveError",
  "Error",
  "FetchError",
  "UrlError",
  "DamagedError",
  "IoError",
  "StoreError",
  "UsageError",
  "WarcError",
]);

/**
 * The reason of a failure, without any text of the input. For an error of the system, it is the system's description and code ("no such
 * file or directory (ENOENT)"); for the program's own errors, the message; for all other errors, the result of `bugTextOf`; for a value
 * that is not an error, a fixed text.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed with a value that is not an error";
  const { code } = error as NodeJS.ErrnoException;
  const isSystems = typeof code === "string" && /^E[A-Z0-9]+$/.test(code);
  const match = isSystems ? new RegExp(`^${code}: ([^,]+)`).exec(error.message)?.[1] : undefined;
  if (match !== undefined) return `${match} (${code})`;
  return ownErrors.has(error.name) ? error.message : bugTextOf(error);
}

/**
 * The description of an unexpected error: its class, code and position in the program. Its message is left out, because it may quote the
 * input.
 */
export function bugTextOf(error: unknown): string {
  if (!(error instanceof Error)) return `a value was thrown that is not an error (${typeof error})`;
  const { name, message, stack = "" } = error;
  const { code } = error as NodeJS.ErrnoException;
  const what = typeof code === "string" && /^\w{1,60}$/.test(code) ? `${name} (${code})` : name;
  const at = stack.indexOf(message);
  // The stack entries follow the message, whose own lines may look like stack entries.
  const places =
    at < 0
      ? []
      : stack
          .slice(at + message.length)
          .split("\n")
          .slice(1, 11);
  return [what, ...places].join("\n");
}

export type Compression = "gzip" | "zstd";

/**
 * The error for compressed data, or a Parquet file, that is truncated or wrong. All text before the damage in compressed data was yielded,
 * except when the error is a `DroppedTextError`.
 */
export class DamagedError extends Error {
  constructor(kind: Compression | "parquet", reason: string) {
    super(`the ${kind} data is ${reason}`);
    this.name = "DamagedError";
  }
}
