// Reads the items of a list of directives, by the grammar that X-Robots-Tag and the `content` of a tag share.
import { isWeekday } from "./dates.ts";
import { valueKindOf } from "./known-directives.ts";
import type { Directive } from "./types.ts";
import { asciiLowerOf, trimmedOf } from "./words.ts";

/**
 * Reads a list from its beginning to its end, in linear time. A comma ends an item, except the comma after the weekday of an
 * `unavailable_after`.
 */
export class ItemReader {
  readonly #text: string;
  #at = 0;
  /**
   * The offsets, after `#seek`, of the first comma and the first colon at or after `#at`; the length of the text if there is none. They are
   * kept so that each character is searched only once.
   */
  #comma = -1;
  #colon = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether another item follows, even an empty one. */
  get hasMore(): boolean {
    return this.#at <= this.#text.length;
  }

  /** The trimmed text before the first colon of the next item; undefined if the item has no colon. */
  nameBeforeColon(): string | undefined {
    this.#seek();
    return this.#colon < this.#comma ? trimmedOf(this.#text, this.#at, this.#colon) : undefined;
  }

  /** Moves past the next colon. */
  passColon(): void {
    this.#at = this.#colon + 1;
  }

  /** Reads the next item, or the rest of an item after `passColon`. Returns undefined for an empty item. */
  take(): Directive | undefined {
    const name = asciiLowerOf(this.nameBeforeColon() ?? "");
    const kind = valueKindOf(name);
    if (kind === undefined) return this.#takeWhole();
    this.passColon();
    this.#seek();
    const start = this.#at;
    if (kind === "date" && isWeekday(trimmedOf(this.#text, start, this.#comma))) {
      this.#at = this.#comma + 1;
      this.#seek();
    }
    const value = trimmedOf(this.#text, start, this.#comma);
    this.#at = this.#comma + 1;
    return { name, value };
  }

  #takeWhole(): Directive | undefined {
    const name = asciiLowerOf(trimmedOf(this.#text, this.#at, this.#comma));
    this.#at = this.#comma + 1;
    return name === "" ? undefined : { name, value: undefined };
  }

  #seek(): void {
    if (this.#comma < this.#at) this.#comma = this.#next(",");
    if (this.#colon < this.#at) this.#colon = this.#next(":");
  }

  #next(character: string): number {
    const index = this.#text.indexOf(character, this.#at);
    return index === -1 ? this.#text.length : index;
  }
}
