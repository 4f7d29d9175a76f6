// Tells what the format of a source means for a run: that a base does not fully apply, and that the server may have rewritten the paths.
import { ownHostsSentence, withoutHostsSentence } from "../formats/logs/own-hosts.ts";
import type { InputFormat } from "../records/batch.ts";
import { mostDecidingLines } from "./deciding.ts";
import type { InputOptions } from "./open.ts";

/** Tells each notice at most once, about the first source to which it applies. */
export class FormatNotices {
  readonly #options: InputOptions;
  #hasToldHosts = false;
  #hasToldPaths = false;

  constructor(options: InputOptions) {
    this.#options = options;
  }

  /** `beginning`: the first lines of the source. */
  tell(source: string, hasBase: boolean, format: InputFormat, beginning: Uint8Array): void {
    const lines = Buffer.from(beginning)
      .toString("latin1")
      .split(/\r?\n|\r/, mostDecidingLines);
    if (!this.#hasToldHosts) this.#tellHosts(source, hasBase, format, lines);
    if (!this.#hasToldPaths && format.hasServerPaths?.(lines) === true) this.#tellPaths(source);
  }

  #tellHosts(source: string, hasBase: boolean, format: InputFormat, lines: readonly string[]): void {
    const { onOwnHosts, hostBases, urlField } = this.#options;
    const ofBase = hasBase ? ownHostsSentence(source, format, lines) : undefined;
    const ofHosts = hostBases === undefined ? undefined : withoutHostsSentence(source, format, urlField);
    const sentence = ofBase ?? ofHosts;
    if (onOwnHosts === undefined || sentence === undefined) return;
    this.#hasToldHosts = true;
    onOwnHosts(sentence);
  }

  #tellPaths(source: string): void {
    const { onAssumed, onServerPaths } = this.#options;
    this.#hasToldPaths = true;
    if (onServerPaths !== undefined) onServerPaths();
    else {
      onAssumed?.(
        `${source}: its paths are those after the server's rewrites ($uri), if it has any; crawlers may have requested other paths`,
        "log $request_uri, or $request, which have the path that the client sent",
      );
    }
  }
}
