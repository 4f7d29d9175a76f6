// Reads the files of `--candidate`. A candidate is a version of robots.txt that would replace the newest known version of an origin.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { type CandidateVersions, unavailableVersion } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import {
  locateUrl,
  readCandidate,
  SeenRobots,
  shownWordOf,
  type UsedFile,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { type PolicyName, policyNames } from "@robots-stream/fetch/history";
import { shownFlag } from "../../cli/named-files.ts";

/** A value of `--candidate`: a file or a folder. */
export interface CandidateFile {
  readonly path: string;
  /** The origin to which the file applies; undefined for a folder, in which the name of each file states its origin. */
  readonly origin: string | undefined;
}

/** The candidates of a run. */
export interface Candidates {
  readonly seen: SeenRobots;
  /** The version of each origin's candidate by access policy: its SHA-256, or `unavailableVersion`. */
  readonly versions: ReadonlyMap<string, CandidateVersions>;
  /** SHA-256 of all origins and versions; null without candidates. */
  readonly digest: string | null;
}

/**
 * Parses a value of `--candidate`: `FILE`, `ORIGIN=FILE` or `DIR`. `base`: the origin for `FILE`. Throws a `UsageError` if `FILE` has no
 * origin, and if `ORIGIN` is not an origin.
 */
export function candidateFileOf(text: string, base: string | undefined): CandidateFile {
  const [, written, path] = /^(https?:\/\/[^=]+)=(.+)$/.exec(text) ?? [];
  if (written !== undefined && path !== undefined) {
    const located = locateUrl(`${written.replace(/\/$/, "")}/`);
    if (typeof located === "string" || located.target !== "/") {
      throw new UsageError(
        "wrong-value",
        `--candidate ${shownWordOf(text, 80)}: must begin with an http or https origin`,
        "for example: --candidate https://shop.example=new-robots.txt",
      );
    }
    return { path, origin: located.origin };
  }
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory() === true) return { path: text, origin: undefined };
  if (base === undefined) {
    throw new UsageError(
      "wrong-value",
      `--candidate ${shownWordOf(text, 80)}: a FILE without ORIGIN= needs --base`,
      "for example: --candidate https://shop.example=new-robots.txt",
    );
  }
  return { path: text, origin: base };
}

/** Returns the files of candidates, without folders, for the check that the run writes none of them. */
export function filesOfCandidates(files: readonly CandidateFile[]): readonly UsedFile[] {
  return files
    .filter(({ origin }) => origin !== undefined)
    .map(({ path }) => ({ shown: shownFlag("candidate", path), use: "reads", at: path }));
}

/** Reads the candidates. The caller must close `seen` of the result. Throws a `UsageError` for a file that cannot be read. */
export function readCandidates(
  files: readonly CandidateFile[],
  options: {
    readonly maxBytes: number;
    readonly used: UsedFiles;
    readonly say: (sentence: string) => void;
  },
): Candidates {
  const seen = new SeenRobots(options.maxBytes);
  for (const { path, origin } of files) readCandidate(seen, path, { origin, ...options });
  const versions = new Map<string, CandidateVersions>();
  const names = new Map<string, string>();
  for (const { origin, access, sha256 } of seen.observations) {
    const found: Partial<Record<PolicyName, string>> = {};
    for (const policy of policyNames) {
      const result = typeof access === "string" ? access : access[policy];
      if (result === "unavailable") found[policy] = unavailableVersion;
      else if (result === "successful" && sha256 !== undefined) found[policy] = sha256;
    }
    if (Object.keys(found).length === 0) continue;
    versions.set(origin, found);
    names.set(origin, sha256 ?? unavailableVersion);
  }
  const lines = [...names].map(([origin, name]) => `${origin} ${name}\n`).toSorted();
  const digest = lines.length === 0 ? null : createHash("sha256").update(lines.join("")).digest("hex");
  return { seen, versions, digest };
}
