// Sightings of robots.txt files in, the observations that an audit judges by and the rules of each version out.
import { createHash } from "node:crypto";
import { lintSeverities, type LintRow, type Observation, unavailableVersion } from "@robots-stream/audit";
import { lint, sentenceOf } from "@robots-stream/core/lint";
import { constantOf, robotsOf, type SourcedRobots } from "@robots-stream/engine/internal";

const mostLintRows = 100;

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

  /** What the linter finds in a version: at most as many findings as a document keeps, the worst ones; undefined without a file. */
  lintOf(version: string): readonly LintRow[] | undefined {
    const body = this.#bodies.get(version);
    if (body === undefined) return undefined;
    return lint(body)
      .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity))
      .slice(0, mostLintRows)
      .toSorted((one, other) => one.line - other.line)
      .map((finding) => [finding.line, finding.severity, finding.code, sentenceOf(finding)]);
  }

  /** The text of a version; undefined for one without a file. */
  textOf(version: string): string | undefined {
    const body = this.#bodies.get(version);
    return body === undefined ? undefined : new TextDecoder().decode(body);
  }
}
