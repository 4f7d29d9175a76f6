// Stores the result of each origin's load, and returns it again after the origin's matchers were evicted. Keeps a few numbers per origin,
// and the bodies of files from the network, so that an eviction does not cause another request.
import type { AccessResult } from "@robots-stream/fetch";
import { KeptBodies } from "../files/temp-file.ts";
import { constantOf, robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";

/** Memory limit for the bodies of downloaded files, in bytes; further bodies go into a temporary file. */
const keptBytes = 16 * 1_048_576;

/**
 * Values of `#ways`, which select how `again` returns a result. `isConstant`: from the access result alone, because there is no file.
 * `isKept`: from a stored body. `isAtHand`: by calling the source again, which returns the result without a promise. 0: not at all.
 */
const isConstant = 1;
const isKept = 2;
const isAtHand = 3;

/** Special values of an expiry second. `neverDue`: the result never expires. `isRefreshing`: the origin is being loaded again. */
export const neverDue: number = 0x3fff_ffff;
export const isRefreshing: number = neverDue - 1;

/** The results of origins. Each of the five arrays has one element per origin number. */
export class KnownRobots {
  readonly #source: RobotsSource;
  readonly #signal: AbortSignal;
  readonly #bodies = new KeptBodies(keptBytes);
  #ways = new Uint8Array(1_024);
  #outcomes = new Uint32Array(1_024);
  #positions = new Float64Array(1_024);
  #sizes = new Int32Array(1_024);
  /** By origin number: the second at which the result expires. Seconds count from the creation of the table of origins. */
  #dueSeconds = new Int32Array(1_024).fill(neverDue);
  /** A lower bound of `#dueSeconds`: no result expires before this second. */
  firstDue: number = neverDue;
  /** Bytes of stored bodies that were replaced by later ones. */
  deadBytes = 0;
  /**
   * The access result and code for each number in `#outcomes`. Usually there are few different ones, but a program's loader may return a
   * code of its own for each origin.
   */
  readonly #allOutcomes: { readonly access: AccessResult; readonly code: string }[] = [];
  readonly #outcomeNumbers = new Map<string, number>();
  /** The number that `#outcomeOf` returned last; it is tried first, because nearly all results are "successful" and "ok". */
  #lastOutcome = 0;

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
    if (number >= this.#ways.length) this.#enlarge(number);
    if (this.#ways[number] === isKept) this.deadBytes += this.#sizes[number]!;
    this.#ways[number] = 0;
    this.setDue(number, dueSeconds);
    let way = isConstant;
    if (access === "successful" && !this.#source.isRemote && !hadToWait) way = isAtHand;
    else if (access === "successful") {
      if (body === undefined) return false;
      way = isKept;
      this.#positions[number] = this.#bodies.keep(body);
      this.#sizes[number] = body.length;
    }
    this.#ways[number] = way;
    this.#outcomes[number] = this.#outcomeOf(access, code);
    return true;
  }

  /** The second at which the result of an origin expires; `neverDue` for an unknown origin. */
  dueOf(number: number): number {
    return this.#dueSeconds[number] ?? neverDue;
  }

  /** Sets the second at which the result of an origin expires. */
  setDue(number: number, dueSeconds: number): void {
    if (number >= this.#dueSeconds.length) return;
    this.#dueSeconds[number] = dueSeconds;
    this.firstDue = Math.min(this.firstDue, dueSeconds);
  }

  /** Whether a new result of an origin equals the stored one. False for a result that `again` would request from the source. */
  isSame(number: number, { access, code, body }: SourcedRobots): boolean {
    const way = this.#ways[number] ?? 0;
    if (way === 0 || this.#outcomes[number] !== this.#outcomeNumbers.get(`${access} ${code}`)) return false;
    if (way !== isKept) return way === isConstant;
    if (body === undefined || body.length !== this.#sizes[number]) return false;
    return Buffer.compare(this.#bodies.read(this.#positions[number]!, body.length), body) === 0;
  }

  /** Whether `again` can return the result of an origin. */
  has(number: number): boolean {
    return (this.#ways[number] ?? 0) !== 0;
  }

  /** Returns the result of an origin again; `name` is the name of its state. Call only when `has` returns true. */
  again(number: number, name: string): SourcedRobots {
    const way = this.#ways[number];
    const { access, code } = this.#allOutcomes[this.#outcomes[number]!]!;
    if (way === isConstant) return constantOf(access, code);
    if (way === isKept) return robotsOf(this.#bodies.read(this.#positions[number]!, this.#sizes[number]!), code);
    const robots = this.#source.load(name, this.#signal);
    if (robots instanceof Promise) throw new Error("a source that answered at once now returns a promise");
    return robots;
  }

  /** Frees the memory and the temporary file. */
  close(): void {
    this.#bodies.close();
  }

  #outcomeOf(access: AccessResult, code: string): number {
    const last = this.#allOutcomes[this.#lastOutcome];
    if (last !== undefined && last.access === access && last.code === code) return this.#lastOutcome;
    const name = `${access} ${code}`;
    let outcome = this.#outcomeNumbers.get(name);
    if (outcome === undefined) {
      outcome = this.#allOutcomes.push({ access, code }) - 1;
      this.#outcomeNumbers.set(name, outcome);
    }
    return (this.#lastOutcome = outcome);
  }

  #enlarge(number: number): void {
    const length = Math.max(number + 1, this.#ways.length * 2);
    this.#ways = enlarged(this.#ways, new Uint8Array(length));
    this.#outcomes = enlarged(this.#outcomes, new Uint32Array(length));
    this.#positions = enlarged(this.#positions, new Float64Array(length));
    this.#sizes = enlarged(this.#sizes, new Int32Array(length));
    this.#dueSeconds = enlarged(this.#dueSeconds, new Int32Array(length).fill(neverDue));
  }
}

function enlarged<T extends { set(from: ArrayLike<number>): void }>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}
