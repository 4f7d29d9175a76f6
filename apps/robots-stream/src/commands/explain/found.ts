// Finds the robots.txt of an origin among saved files or on the network, and records where it was found.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AccessResult, Hop, RobotsClient } from "@robots-stream/fetch";
import { robotsUrlOf } from "@robots-stream/url";
import {
  checkAsked,
  createSavedSource,
  keysOf,
  readFileStart,
  readPipe,
  reasonOf,
  shownWordOf,
  UsageError,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { type ClientSurroundings, openClient } from "../../shell/network/client.ts";
import type { RobotsSettings } from "../../shell/robots-settings.ts";

/** A robots.txt, or the access result without one. */
export interface FoundRobots {
  readonly access: AccessResult;
  /** The reason for the access result: "ok", "http-404", "timeout", "not-saved" … */
  readonly code: string;
  /** The status of the response; undefined after a failure, and for a saved file. */
  readonly status: number | undefined;
  /** The URL or path of the robots.txt. */
  readonly place: string;
  readonly isSaved: boolean;
  /** The answered requests. */
  readonly hops: readonly Hop[];
  /** The content of the robots.txt; present when `access` is "successful". */
  readonly body: Uint8Array | undefined;
  /** Whether the file is longer than `body`. */
  readonly truncated: boolean;
}

/** Finds robots.txt files. */
interface Finder {
  /** Rejects only when `signal` aborts; failures of the network are results. */
  find(origin: string, signal: AbortSignal): Promise<FoundRobots>;
  close(): Promise<void>;
}

/** The parts of the process that a finder uses. */
export interface FinderSurroundings extends ClientSurroundings {
  /** The files that the command uses. */
  readonly used: UsedFiles;
  readonly signal: AbortSignal;
}

/** Creates a finder for the saved files in the settings, else for the network. Rejects with a `UsageError` for unusable settings. */
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
  // Reads one byte beyond the limit to see whether the file is longer.
  const oneFile = await readUnlessDirectory(path, maxBytes + 1, signal);
  if (oneFile !== undefined) {
    const found = savedOf(path, "successful", "ok", oneFile, maxBytes);
    return { find: () => Promise.resolve(found), close: () => Promise.resolve() };
  }
  const source = createSavedSource(path, maxBytes, say, used);
  const names = readdirSync(path);
  return {
    async find(origin, stopping) {
      const { access, code } = await source.load(origin, stopping);
      const name = nameFor(origin, names);
      const place = name === undefined ? path : join(path, name);
      const bytes = access === "successful" ? readFileStart(place, maxBytes + 1) : undefined;
      return savedOf(place, access, code, bytes, maxBytes);
    },
    close: async () => source.close(),
  };
}

/** A file's first bytes, or undefined for a directory. The file is read once, because it may be a pipe. */
async function readUnlessDirectory(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    if (statSync(path).isDirectory()) return undefined;
    return (await readPipe(path, maxBytes, signal)) ?? readFileStart(path, maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError("unusable-robots", `--robots ${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}

function savedOf(
  place: string,
  access: AccessResult,
  code: string,
  bytes: Uint8Array | undefined,
  maxBytes: number,
): FoundRobots {
  return {
    access,
    code,
    status: undefined,
    place,
    isSaved: true,
    hops: [],
    body: bytes?.subarray(0, maxBytes),
    truncated: bytes !== undefined && bytes.length > maxBytes,
  };
}

/** The name of an origin's file among the names in a directory. */
function nameFor(origin: string, names: readonly string[]): string | undefined {
  for (const key of keysOf(origin)) {
    const found = names.find((name) => {
      const lower = name.toLowerCase();
      return lower.startsWith(`${key}.`) && /^(?:txt|[45]\d\d)$/.test(lower.slice(key.length + 1));
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function createNetworkFinder(settings: RobotsSettings, surroundings: ClientSurroundings): Finder {
  let client: Promise<RobotsClient> | undefined;
  return {
    async find(origin, signal) {
      client ??= openClient(settings, surroundings);
      const { access, stored } = await (await client).load(origin, { signal });
      checkAsked(stored);
      return {
        access,
        code: stored.code,
        status: stored.status,
        place: robotsUrlOf(origin),
        isSaved: false,
        hops: stored.hops,
        body: access === "successful" ? stored.body : undefined,
        truncated: stored.truncated === true,
      };
    },
    close: async () => (await client)?.close(),
  };
}
