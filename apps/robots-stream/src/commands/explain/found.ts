// Finds the robots.txt of an origin among saved files or on the network, and records where it was found.
import type { AccessResult, Hop, RobotsClient } from "@robots-stream/fetch";
import { robotsUrlOf } from "@robots-stream/url";
import { checkAsked, openSavedSource, type UsedFiles } from "@robots-stream/engine/internal";
import { type ClientSurroundings, openClient } from "../../shell/network/client.ts";
import type { RobotsSettings } from "../../shell/robots-settings.ts";

/** A robots.txt, or the access result if there is none. */
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
  // Reads one byte beyond the limit, to find out whether the file is longer.
  const source = await openSavedSource(path, { maxBytes: maxBytes + 1, warn: say, used, signal });
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
        body: body?.subarray(0, maxBytes),
        truncated: isTruncated || (body !== undefined && body.length > maxBytes),
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
