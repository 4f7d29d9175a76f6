// Audits a list of requests in one call.
import type { CounterOptions, LocatedRequest } from "./count/counter-input.ts";
import { AuditCounter } from "./count/counter.ts";
import { operatorOfReferrer } from "./count/referrers.ts";
import { type CandidateVersions, RequestAudit } from "./count/request-audit.ts";
import type { AuditDocument, DocumentInput, DocumentSettings } from "./document/types.ts";
import { type DocumentParts, documentOf } from "./document/write.ts";
import { AuditError } from "./errors.ts";
import { bytesOf } from "./hash.ts";
import { unavailableVersion } from "./history.ts";
import type { AuditDecision } from "./states/judge.ts";
import { type Verification, methodNumberOf, verifications } from "./states/states.ts";

/** A request whose crawler, origin and target are known. */
export interface AuditRequest {
  /** The product token of the crawler, one of the option `crawlers`. Default: no known crawler sent the request. */
  readonly crawler?: string | undefined;
  /** Scheme, host and port, such as `https://shop.example`; "" if the log does not tell it. */
  readonly origin: string;
  /** The path and the query, as the client sent them. */
  readonly target: string;
  /** Whole seconds since 1970. Default: the request has no time. */
  readonly atSeconds?: number | undefined;
  /** Default: GET. */
  readonly method?: string | undefined;
  /** The status code; 0 if the request got none. Default: the log records no statuses. */
  readonly status?: number | undefined;
  /** The number of bytes of the response. Default: not known. */
  readonly bytes?: number | undefined;
  /** The Referer header of a request that no known crawler sent: a visit may come from the page of an operator. Default: none. */
  readonly referrer?: string | undefined;
  /** Default: no-check. */
  readonly verification?: Verification | undefined;
}

/** The options of `auditRequests`. */
export interface AuditOptions extends CounterOptions, Omit<DocumentParts, "settings" | "inputs"> {
  /**
   * Decides a request of a crawler by a version of its origin's robots.txt, a SHA-256 of the history or of `candidates`. Equal decisions
   * should be one object, because outcomes are cached by the identity of decisions.
   */
  readonly decide: (version: string, request: AuditRequest) => AuditDecision;
  /** By origin, the version that would replace the newest known one. Default: no candidates. */
  readonly candidates?: ReadonlyMap<string, CandidateVersions> | undefined;
  /** Default: no registry, ranges and candidate, and the dialect rfc9309. */
  readonly settings?: DocumentSettings | undefined;
  readonly inputs?: readonly DocumentInput[] | undefined;
}

const noSettings: DocumentSettings = { registry: "", ranges: null, dialect: "rfc9309", candidate: null };

/** Everybody may fetch everything if there is no robots.txt (RFC 9309 §2.3.1.3). */
const unavailable: AuditDecision = { allowed: true, because: "unavailable" };

/**
 * Judges and counts requests, and returns the document of their counts. The order of the requests does not matter, and no request is
 * kept. Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for a crawler that is not one of `crawlers`, and for the options that
 * `AuditCounter` refuses.
 */
export function auditRequests(requests: Iterable<AuditRequest>, options: AuditOptions): AuditDocument {
  const { decide, candidates, settings = noSettings, inputs = [], textOf, lintOf } = options;
  const counter = new AuditCounter(options);
  const numbers = new Map(options.crawlers.map(({ productToken }, at) => [productToken, at + 1]));
  let current: AuditRequest = { origin: "", target: "" };
  const audit = new RequestAudit(counter, {
    decide: (version) => (version === unavailableVersion ? unavailable : decide(version, current)),
    candidates,
  });
  for (const request of requests) {
    current = request;
    const located = locatedOf(request, numbers);
    audit.count(located);
    const { referrer } = request;
    const operator = located.crawler > 0 || referrer === undefined ? undefined : operatorOfReferrer(referrer);
    if (operator !== undefined) counter.addReferral(request.origin, operator);
  }
  return documentOf(counter, { settings, inputs, textOf, lintOf });
}

function locatedOf(request: AuditRequest, numbers: ReadonlyMap<string, number>): LocatedRequest {
  const { crawler, origin, target, atSeconds = -1, method = "GET", status = -1, bytes = -1 } = request;
  const number = crawler === undefined ? 0 : numbers.get(crawler);
  if (number === undefined) {
    throw new AuditError("ERR_INVALID_OPTION", `crawlers: ${JSON.stringify(crawler)} is not one of them`);
  }
  const buffer = bytesOf(target);
  return {
    origin,
    crawler: number,
    verification: verifications.indexOf(request.verification ?? "no-check"),
    atSeconds,
    method: methodNumberOf(method),
    status,
    bytes,
    buffer,
    targetStart: 0,
    targetEnd: buffer.length,
  };
}
