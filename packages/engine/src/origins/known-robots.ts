// Stores the result of each origin's load, and returns it again after the origin's matchers were evicted. Keeps a few numbers per origin,
// and the bodies of files from the network, so that an eviction does not cause another request.
import type { AccessResult } from "@robots-stream/fetch";
import { KeptBodies } from "../files/temp-file.ts";
import { constantOf, robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";

/** Memory limit for the bodies of downloaded files, in bytes; further bodies go into a temporary file. */
const keptBytes = 16 * 1_048_576;

/** The result of an origin, and when it expires. */
interface Known {
  readonly access: AccessResult;
  readonly code: string;
  /**
   * How `again` returns the result. "constant": from the access result alone, because there is no file. "kept": from a stored body.
   * "at-hand": by calling the source again, which returns the result without a promise. "none": not at all.
   */
  readonly way: "constant" | "kept" | "at-hand" | "none";
  /** Of a stored body. */
  readonly position: number;
  readonly size: number;
  /** Seconds count from the creation of the table of origins. */
  dueSeconds: number;
}

/** Special values of an expiry second. `neverDue`: the result never expires. `isRefreshing`: the origin is being loaded again. */
export const neverDue: number = 0x3fff_ffff;
export const isRefreshing: number = neverDue - 1;

/** The results of origins. */
export class KnownRobots {
  readonly #source: RobotsSource;
  readonly #signal: AbortSignal;
  readonly #bodies = new KeptBodies(keptBytes);
  /** By origin number. */
  readonly #known: (Known | undefined)[] = [];
  /** No result expires before this second. */
  firstDue: number = neverDue;
  /** Bytes of stored bodies that were replaced by later ones. */
  deadBytes = 0;
  constructor(source: RobotsSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /**
   * Stores the source's result for an origin, in place of an earlier result. Returns whether `again` can return this result. `hadToWait`:
   * whether the source returned a promise or the load was queued. From `dueSeconds` on, the result has expired. Throws an `IoError` when
   * the body cannot be stored.
   */
  remember(
    number: number,
    { access, code, body }: SourcedRobots,
    hadToWait: boolean,
    dueSeconds: number = neverDue,
  ): boolean {
    const before = this.#known[number];
    if (before?.way === "kept") this.deadBytes += before.size;
    let way: Known["way"] = "constant";
    if (access === "successful") {
      if (!this.#source.isRemote && !hadToWait) way = "at-hand";
      else way = body === undefined ? "none" : "kept";
    }
    const [position, size] = way === "kept" ? [this.#bodies.keep(body!), body!.length] : [0, 0];
    while (this.#known.length < number) this.#known.push(undefined);
    this.#known[number] = { access, code, way, position, size, dueSeconds };
    this.firstDue = Math.min(this.firstDue, dueSeconds);
    return way !== "none";
  }

  /** The second at which the result of an origin expires; `neverDue` for an unknown origin. */
  dueOf(number: number): number {
    return this.#known[number]?.dueSeconds ?? neverDue;
  }

  /** Sets the second at which the result of an origin expires. */
  setDue(number: number, dueSeconds: number): void {
    const known = this.#known[number];
    if (known === undefined) return;
    known.dueSeconds = dueSeconds;
    this.firstDue = Math.min(this.firstDue, dueSeconds);
  }

  /** Whether a new result of an origin equals the stored one. False for a result that `again` would request from the source. */
  isSame(number: number, { access, code, body }: SourcedRobots): boolean {
    const known = this.#known[number];
    if (known === undefined || known.access !== access || known.code !== code) return false;
    if (known.way !== "kept") return known.way === "constant";
    return body?.length === known.size && Buffer.compare(this.#bodyOf(known), body) === 0;
  }

  /** Whether `again` can return the result of an origin. */
  has(number: number): boolean {
    return (this.#known[number]?.way ?? "none") !== "none";
  }

  /** Returns the result of an origin again; `name` is the name of its state. Call only when `has` returns true. */
  again(number: number, name: string): SourcedRobots {
    const known = this.#known[number]!;
    if (known.way === "constant") return constantOf(known.access, known.code);
    if (known.way === "kept") return robotsOf(this.#bodyOf(known), known.code);
    const robots = this.#source.load(name, this.#signal);
    if (robots instanceof Promise) throw new Error("a source that answered at once now returns a promise");
    return robots;
  }

  /** Frees the memory and the temporary file. */
  close(): void {
    this.#bodies.close();
  }

  #bodyOf({ position, size }: Known): Uint8Array {
    return this.#bodies.read(position, size);
  }
}
