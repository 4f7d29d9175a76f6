// The flags about robots.txt in, the observations that an audit judges by and the rules of each version out.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { type Observation, unavailableVersion } from "@robots-stream/audit";
import {
  constantOf,
  openSavedSource,
  robotsOf,
  type SourcedRobots,
  UsageError,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { createNetworkSource } from "../../shell/network/network.ts";
import type { ClientSurroundings } from "../../shell/network/client.ts";
import { type AuditSettings, originOfBase } from "./flags.ts";
import { readFolder } from "./robots-folder.ts";

/** What is known of robots.txt files. */
export class ObservedRobots {
  readonly observations: Observation[] = [];
  /** The rules of each version, by its name. */
  readonly versions: Map<string, Pick<SourcedRobots, "robotsIn" | "matcherOf">> = new Map([
    [unavailableVersion, constantOf("unavailable", "http-404")],
  ]);
  readonly #bodies = new Map<string, Uint8Array>();

  /** Adds what was seen of an origin; `body` is the file of a successful exchange. */
  add(
    origin: string,
    atSeconds: number | undefined,
    { access, body }: { readonly access: SourcedRobots["access"]; readonly body?: Uint8Array | undefined },
  ): void {
    if (access !== "successful") {
      this.observations.push({ origin, atSeconds, access });
      return;
    }
    const bytes = body ?? new Uint8Array();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (!this.versions.has(sha256)) {
      this.versions.set(sha256, robotsOf(bytes));
      this.#bodies.set(sha256, bytes);
    }
    this.observations.push({ origin, atSeconds, access, sha256 });
  }

  /** The text of a version; undefined for one without a file. */
  textOf(version: string): string | undefined {
    const body = this.#bodies.get(version);
    return body === undefined ? undefined : new TextDecoder().decode(body);
  }
}

/** Reads the folders and files of the settings, or loads the robots.txt of `--base`. Throws a `UsageError` for what cannot be used. */
export async function observe(
  settings: AuditSettings,
  used: UsedFiles,
  surroundings: ClientSurroundings,
): Promise<ObservedRobots> {
  const { robotsPath, historyPath, base, maxBytes } = settings;
  const { say, signal } = surroundings;
  const observed = new ObservedRobots();
  if (historyPath !== undefined) {
    readFolder(observed, historyPath, { flag: "robots-history", isDated: true, maxBytes, used, say });
  } else if (robotsPath !== undefined && isDirectory(robotsPath)) {
    readFolder(observed, robotsPath, { flag: "robots", isDated: false, maxBytes, used, say });
  } else if (base === undefined) {
    const hint = "for example: --base https://shop.example; or a folder with a file for each host";
    throw new UsageError("wrong-value", "--robots FILE needs --base, the site whose robots.txt it is", hint);
  } else {
    const source =
      robotsPath === undefined
        ? createNetworkSource(settings, surroundings)
        : await openSavedSource(robotsPath, { maxBytes, warn: say, used, signal });
    try {
      await source.check?.();
      const origin = originOfBase(base);
      const loaded = await source.load(origin, signal ?? new AbortController().signal);
      const endedAt = loaded.exchange?.endedAt;
      observed.add(origin, endedAt === undefined ? undefined : Math.floor(endedAt / 1_000), loaded);
      if (loaded.access === "unreachable") say(`${origin}: its robots.txt is unreachable (${loaded.code})`);
    } finally {
      await source.close();
    }
  }
  return observed;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
