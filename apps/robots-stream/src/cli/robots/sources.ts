// Finds and reads the robots.txt files that a command line names: by an origin or a URL (saved or on the network), a file name, or "-".
import { statSync } from "node:fs";
import { parseTarget, problemOf, robotsUrlOf } from "@robots-stream/url";
import { IoError, UsageError } from "@robots-stream/engine";
import {
  isFolder,
  openSource,
  printableOf,
  reasonOf,
  shownWordOf,
  type UsedFiles,
  openSavedSource,
  sourcedOf,
} from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import { readAll, type Source } from "../read-all.ts";
import type { NetworkSettings } from "../network/flags.ts";
import type { AccessResult, Hop, RobotsClient } from "@robots-stream/fetch";
import { type ClientSurroundings, openClient } from "../network/client.ts";
import type { RobotsSettings } from "./flags.ts";

/** Maximum numbers of bytes to read for a file name or stdin, and for a URL. Google reads only 512,000 bytes. */
const mostFileBytes = 64 * 1_048_576;
const mostUrlBytes = 4 * 1_048_576;

/** A robots.txt that the command line names. */
export interface RobotsSource {
  /** The name of a file, `-`, or the URL of the fetched robots.txt. */
  readonly name: string;
  readonly kind: "file" | "url" | "stdin";
}

/** Returns the name of a source as messages and texts show it: with control characters as escapes. */
export function shownNameOf({ kind, name }: RobotsSource): string {
  return kind === "stdin" ? "<stdin>" : printableOf(name, 500);
}

/** A robots.txt whose name was checked: the file exists, or the URL is valid. Its bytes are not read yet. */
export interface OpenSource extends RobotsSource {
  /**
   * Resolves to the bytes of the robots.txt, or to undefined when the origin has none. Rejects with an `IoError` or a `UsageError` that
   * states why the source cannot be read, or with the signal's reason.
   */
  read(signal: AbortSignal): Promise<Uint8Array | undefined>;
}

interface SourceOptions {
  readonly stdin: InputStream;
  readonly network: NetworkSettings;
  /** The saved files or the archive from which the robots.txt of a URL is read; undefined: the network. */
  readonly robotsPath: string | undefined;
  readonly used: UsedFiles;
  /** The environment variables, of which only the variables for proxies are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with a sentence about a missing robots.txt, or about a robots.txt that was not read to its end. */
  readonly say: (sentence: string) => void;
}

/** Creates a source for each name. Throws a `UsageError` for a name that is neither a valid URL nor an existing file nor "-". */
export function openSources(names: readonly string[], options: SourceOptions): OpenSource[] {
  if (names.filter((name) => name === "-").length > 1) throw new UsageError("unusable-input", '"-" is given twice');
  return names.map((name) => {
    if (name === "-") return openStdin(options);
    return isUrl(name) ? openUrl(name, options) : openFile(name, options);
  });
}

/** Whether a name begins with a scheme and "://". Such a name is read as a URL, any other name as a file name. */
export function isUrl(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(name);
}

function openStdin({ stdin, say }: SourceOptions): OpenSource {
  return { name: "-", kind: "stdin", read: (signal) => readStart(openSource("-", stdin), "<stdin>", say, signal) };
}

function openFile(name: string, { stdin, say }: SourceOptions): OpenSource {
  const shown = shownWordOf(name);
  try {
    if (statSync(name).isDirectory()) throw isFolder(name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const meant = meantUrlOf(name);
    throw new UsageError(
      "unreadable-input",
      `${shown}: ${reasonOf(error)}`,
      meant === undefined ? undefined : `did you mean ${shownWordOf(meant)}?`,
    );
  }
  return { name, kind: "file", read: (signal) => readStart(openSource(name, stdin), shown, say, signal) };
}

function openUrl(url: string, { network, robotsPath, used, env, say }: SourceOptions): OpenSource {
  const target = parseTarget(url);
  if (target === undefined) {
    const isOther = problemOf(url) === "unsupported-scheme";
    throw new UsageError(
      "wrong-value",
      `${shownWordOf(url)}: ${isOther ? "robots.txt applies to http, https and ftp URLs only" : "this is not a URL"}`,
    );
  }
  const name = robotsUrlOf(target.origin);
  return {
    name,
    kind: "url",
    async read(signal) {
      const settings = { robotsPath, network, maxBytes: mostUrlBytes };
      const finder = await createFinder(settings, { env, say, used, signal });
      try {
        const found = await finder.find(target.origin, signal);
        if (found.access === "unreachable")
          throw new IoError("input", name, new Error(`unreachable (${found.code})${adviceOn(found.code)}`));
        if (found.access === "unavailable") {
          say(`${printableOf(name)}: there is no robots.txt (${printableOf(found.code)}): everything is allowed`);
          return undefined;
        }
        if (found.truncated) sayCut(say, printableOf(name), mostUrlBytes);
        return found.body;
      } finally {
        await finder.close();
      }
    },
  };
}

function adviceOn(code: string): string {
  return code === "blocked-address" ? ": a private address, which is requested only with --allow-private" : "";
}

async function readStart(
  source: Source,
  shown: string,
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await readAll(source, mostFileBytes + 1, shown, signal);
  if (bytes.length <= mostFileBytes) return bytes;
  sayCut(say, shown, mostFileBytes);
  return bytes.subarray(0, mostFileBytes);
}

function sayCut(say: (sentence: string) => void, shown: string, bytes: number): void {
  say(`${shown}: only the first ${bytes} bytes were read`);
}

/** The result of the search for the robots.txt of one origin: the access result, its reason, and the content if there is one. */
export interface FoundRobots {
  readonly access: AccessResult;
  /** The reason for the access result: "ok", "http-404", "timeout", "not-saved" … */
  readonly code: string;
  /** What ended the request, in words that may quote the server; undefined when a response ended it, and for a saved file. */
  readonly failure?: string | undefined;
  /** The HTTP status of the last response; undefined if no response came, and for a saved file. */
  readonly status: number | undefined;
  /** The URL of the robots.txt, or the path of the saved file. */
  readonly place: string;
  readonly isSaved: boolean;
  /** The requests that servers answered: the first request and its redirects; empty for a saved file. */
  readonly hops: readonly Hop[];
  /** The content of the robots.txt; present when `access` is "successful". */
  readonly body: Uint8Array | undefined;
  /** Whether the file is longer than `body`. */
  readonly truncated: boolean;
}

interface Finder {
  /**
   * Finds the robots.txt of an origin. A failure of the network is a result, not an error. Rejects when `signal` aborts, and with an
   * `IoError` when this machine has no file descriptors, ports or memory left.
   */
  find(origin: string, signal: AbortSignal): Promise<FoundRobots>;
  close(): Promise<void>;
}

/** Arguments of a finder besides the settings. */
export interface FinderSurroundings extends ClientSurroundings {
  /** The files that the command uses. */
  readonly used: UsedFiles;
  readonly signal: AbortSignal;
}

/** Creates a finder for the saved files at `robotsPath`, else for the network. Rejects with a `UsageError` for unusable settings. */
export async function createFinder(settings: RobotsSettings, surroundings: FinderSurroundings): Promise<Finder> {
  return settings.robotsPath === undefined
    ? createNetworkFinder(settings, surroundings)
    : await createSavedFinder(settings.robotsPath, settings.maxBytes, surroundings);
}

async function createSavedFinder(
  path: string,
  maxBytes: number,
  { say, used, signal }: FinderSurroundings,
): Promise<Finder> {
  const source = await openSavedSource(path, { maxBytes, warn: say, used, signal });
  return {
    async find(origin, stopping) {
      const { access, code, body, isTruncated = false } = await source.load(origin, stopping);
      return {
        access,
        code,
        status: undefined,
        place: source.fileOf?.(origin) ?? path,
        isSaved: true,
        hops: [],
        body,
        truncated: isTruncated,
      };
    },
    close: async () => source.close(),
  };
}

function createNetworkFinder(settings: RobotsSettings, surroundings: ClientSurroundings): Finder {
  let client: Promise<RobotsClient> | undefined;
  return {
    async find(origin, signal) {
      client ??= openClient(settings, surroundings);
      const loaded = await (await client).load(origin, { signal });
      const { stored, failure } = loaded;
      const { access, body, isTruncated = false } = sourcedOf(origin, loaded);
      return {
        access,
        code: stored.code,
        failure: failure?.message,
        status: stored.status,
        place: robotsUrlOf(origin),
        isSaved: false,
        hops: stored.hops,
        body,
        truncated: isTruncated,
      };
    },
    close: async () => (await client)?.close(),
  };
}

/** Endings of file names. A word with such an ending is not treated as a host, even if its last label could be a top-level domain. */
const fileEnding = /\.(?:txt|log|csv|tsv|json|ndjson|jsonl|html?|xml|gz|zst|bz2|xz|list|urls|conf|bak|old|parquet)$/i;

/** The URL of a word that looks like a host, perhaps with a port and a path; undefined for other words and for names of files. */
export function meantUrlOf(word: string): string | undefined {
  const host = /^([\w-]+(?:\.[\w-]+)+)(?:[:/?].*)?$/.exec(word)?.[1];
  if (host === undefined || fileEnding.test(host)) return undefined;
  const meant = `https://${word}`;
  return parseTarget(meant) !== undefined && shownWordOf(meant, Infinity) === meant ? meant : undefined;
}
