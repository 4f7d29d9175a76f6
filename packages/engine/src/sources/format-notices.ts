// Tells what the format of a source means for a run: that a base does not fully apply, and that the server may have rewritten the paths.
import { optionText } from "../common/caller-words.ts";
import type { InputFormat, ReadOptions } from "../formats/input-format.ts";

/** What a notice depends on, and whom it tells. */
export interface NoticeOptions extends Pick<ReadOptions, "urlField" | "hostBases"> {
  /**
   * Called with an assumption and a hint: when the format of a pipe was assumed because the pipe was silent; and, once each, when NUL bytes
   * are skipped, and when the paths of a log are those after the server's rewrites.
   */
  readonly onAssumed?: ((assumed: string, hint: string) => void) | undefined;
  /** Whether the caller says itself which records have paths after the server's rewrites; `onAssumed` is then not called about them. */
  readonly tellsServerPaths?: boolean | undefined;
  /**
   * Called at most once, with a notice about the first source to which a base does not fully apply. Either the records name their own
   * hosts, which take precedence over `base`, or they have no host to which `hostBases` could apply.
   */
  readonly onOwnHosts?: ((sentence: string) => void) | undefined;
}

/** Tells each notice at most once, about the first source to which it applies. */
export class FormatNotices {
  readonly #options: NoticeOptions;
  #hasToldHosts = false;
  #hasToldPaths = false;

  constructor(options: NoticeOptions) {
    this.#options = options;
  }

  /** `lines`: the first lines of the source, among which may be a heading that names the fields. */
  tell(source: string, hasBase: boolean, format: InputFormat, lines: readonly string[]): void {
    const { onOwnHosts, hostBases, urlField, onAssumed, tellsServerPaths = false } = this.#options;
    const { name, namesHost } = format;
    const hasOwn = hasBase && namesHost === true && lines.every((line) => format.headingNamesHost?.(line) !== false);
    const hasNone = hostBases !== undefined && namesHost === undefined && typeof urlField !== "object";
    if (!this.#hasToldHosts && (hasOwn || hasNone)) {
      this.#hasToldHosts = true;
      onOwnHosts?.(
        hasOwn
          ? `${source}: where records of ${name} name the requested host, ${optionText("base")} does not apply`
          : `${source}: ${optionText("base", "host:NAME=ORIGIN")} applies to logs and to fields with a host; the URLs of ${name} stay unchanged`,
      );
    }
    if (this.#hasToldPaths || format.hasServerPaths?.(lines) !== true) return;
    this.#hasToldPaths = true;
    if (tellsServerPaths) return;
    onAssumed?.(
      `${source}: its paths are those after the server's rewrites, if it has any; crawlers may have requested other paths`,
      "log the path that the client sent: $request_uri of nginx, X-ENVOY-ORIGINAL-PATH?:PATH of Envoy",
    );
  }
}
