// Finds the robots.txt of an origin among saved files or on the network, and returns it with the place where it was found.
import type { AccessResult, Hop, RobotsClient } from "@robots-stream/fetch";
import { robotsUrlOf } from "@robots-stream/url";
import { checkAsked, openSavedSource, type UsedFiles } from "@robots-stream/engine/internal";
import { type ClientSurroundings, openClient } from "../network/client.ts";
import type { RobotsSettings } from "./settings.ts";

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
      const { access, stored, failure } = await (await client).load(origin, { signal });
      checkAsked(stored);
      return {
        access,
        code: stored.code,
        failure: failure?.message,
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
