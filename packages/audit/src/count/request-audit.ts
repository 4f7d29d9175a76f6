// Judges and counts requests whose crawler, origin and target are known: each version that the crawler may have used decides its request.
import { type PolicyName, type Window, policyNames, unprovenOf, withOlderCopies } from "../history.ts";
import { type AuditDecision, isBoundBy } from "../states/judge.ts";
import type { LocatedRequest } from "./counter-input.ts";
import type { AuditCounter } from "./counter.ts";

/**
 * Decides a request by a version of its origin's robots.txt: a SHA-256 of the history, or `unavailableVersion`. Equal decisions should be
 * one object, because outcomes are cached by the identity of decisions. The request is valid only during the call.
 */
export type DecideRequest = (version: string, request: LocatedRequest) => AuditDecision;

/** The version of a candidate under each access policy: a file that is too long for YandexBot is "unavailable" under its policy. */
export type CandidateVersions = Readonly<Partial<Record<PolicyName, string>>>;

/** How requests are judged. */
export interface Judging {
  readonly decide: DecideRequest;
  /** By origin, the version that would replace the newest known one; `decide` is asked about it, too. Default: no candidates. */
  readonly candidates?: ReadonlyMap<string, CandidateVersions> | undefined;
}

/** The newest known version of an origin's robots.txt and its candidate, whose decisions are compared; by access policy. */
type Replacements = Partial<Record<PolicyName, { readonly newest: string; readonly candidate: string }>>;

/** The changes of a decision by a candidate. */
const unchanged = 0;
const newlyDisallowed = 1;
const newlyAllowed = 2;

/** Judges and counts requests. */
export class RequestAudit {
  readonly #counter: AuditCounter;
  readonly #decide: DecideRequest;
  readonly #candidates: ReadonlyMap<string, CandidateVersions>;
  /** The last origin, its number and its `Replacements`, cached because neighbouring requests usually have the same origin. */
  #origin = "";
  #originNumber = -1;
  #replacements: Replacements | undefined;
  /** The newest version in the window of the last request, and its decision. */
  #decidedBy: string | undefined;
  #decision: AuditDecision | undefined;

  constructor(counter: AuditCounter, { decide, candidates }: Judging) {
    this.#counter = counter;
    this.#decide = decide;
    this.#candidates = candidates ?? new Map();
  }

  /** Judges and counts a request. */
  count(request: LocatedRequest): void {
    const { crawler, origin } = request;
    if (crawler === 0) {
      this.#counter.count(request, 0, 0, unchanged);
      return;
    }
    const number = this.#numberOfOrigin(origin, crawler);
    const outcome = origin === "" ? 0 : this.#outcome(request, number);
    const flip = this.#replacements === undefined ? unchanged : this.#flip(request, this.#replacements);
    this.#counter.count(request, number, outcome, flip);
  }

  #numberOfOrigin(origin: string, crawler: number): number {
    if (origin === this.#origin && this.#originNumber >= 0) return this.#originNumber;
    this.#origin = origin;
    this.#replacements = this.#replacementsOf(origin);
    return (this.#originNumber = this.#counter.originOf(origin, crawler));
  }

  #replacementsOf(origin: string): Replacements | undefined {
    const candidates = this.#candidates.get(origin);
    if (candidates === undefined) return undefined;
    const intervals = this.#counter.history.of(origin)?.intervals ?? [];
    const found: Replacements = {};
    for (const policy of policyNames) {
      const candidate = candidates[policy];
      const newest = intervals.findLast(({ policies = policyNames }) => policies.includes(policy))?.version;
      if (candidate !== undefined && newest !== undefined) found[policy] = { newest, candidate };
    }
    return found;
  }

  #outcome(request: LocatedRequest, origin: number): number {
    const counter = this.#counter;
    const { crawler } = request;
    const known = counter.windowOf(origin, crawler, request.atSeconds);
    const isUncertain = request.isZoneless === true || request.hasServerPath === true;
    const { copyHours } = counter.crawlers[crawler - 1]!;
    let window = known;
    if (isUncertain) window = unprovenOf(known);
    else if (copyHours !== undefined) window = this.#withOlderCopies(known, request, origin, copyHours);
    const newest = window.versions.at(-1);
    this.#decidedBy = newest;
    this.#decision = newest === undefined ? undefined : this.#decide(newest, request);
    if (window.versions.length < 2) return counter.outcomeOf(origin, crawler, window, this.#decision);
    return counter.outcomeOfMany(origin, crawler, window, this.#decideByEach(window, request));
  }

  /** Like `#decideByEach`, a method of its own. */
  #withOlderCopies(known: Window, { crawler, atSeconds }: LocatedRequest, origin: number, copyHours: number): Window {
    return withOlderCopies(known, atSeconds, copyHours, (at) => this.#counter.windowOf(origin, crawler, at));
  }

  /** A method of its own, because V8 allocates a context in every call of a method whose parameters a closure uses. */
  #decideByEach({ versions }: Window, request: LocatedRequest): readonly AuditDecision[] {
    return versions.map((version) => this.#decisionOf(version, request));
  }

  #decisionOf(version: string, request: LocatedRequest): AuditDecision {
    return version === this.#decidedBy ? this.#decision! : this.#decide(version, request);
  }

  /**
   * Compares the decisions of the candidate and of the newest version about a request; `unchanged` if they are equal, or if one of them
   * does not bind the crawler.
   */
  #flip(request: LocatedRequest, replacements: Replacements): number {
    const { bound, accessPolicy } = this.#counter.crawlers[request.crawler - 1]!;
    const replacement = replacements[accessPolicy];
    if (bound === "no" || replacement === undefined) return unchanged;
    const ofCandidate = this.#decide(replacement.candidate, request);
    const ofNewest = this.#decisionOf(replacement.newest, request);
    if (ofNewest.allowed === ofCandidate.allowed || !isBoundBy([ofNewest, ofCandidate], bound)) return unchanged;
    return ofCandidate.allowed ? newlyAllowed : newlyDisallowed;
  }
}
