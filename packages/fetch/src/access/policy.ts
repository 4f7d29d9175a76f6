// Judges an exchange: computes its access result and code. Each policy is a table, and each row names its source (RFC 9309 §2.3.1). Pure.
import { type FailureCode, failureCodes } from "../common/failures.ts";
import type { AccessResult, Exchange, PaceView, StoredRobots } from "../common/types.ts";
import { saysNotFound } from "./soft-404.ts";

/** The condition of a row. All given members must hold; a condition without members applies to every exchange. */
export interface PolicyCondition {
  /** A range of response statuses, both ends included. */
  readonly status?: readonly [from: number, to: number];
  /** Failures with one of these codes, or every failure. */
  readonly failure?: readonly FailureCode[] | "any";
  /** Files of more than this number of bytes, and files that were cut at the size limit of the exchange. */
  readonly longerThan?: number;
  /** "Not found" pages, which `saysNotFound` recognizes (soft-404.ts). */
  readonly notFoundPage?: true;
}

/** One row of a policy. The first row that applies decides. */
export interface PolicyRow {
  readonly when: PolicyCondition;
  readonly access: AccessResult;
  /** Replaces the usual code: "ok" for "successful", "http-<status>" for another response, the failure's code for a failure. */
  readonly code?: string;
  /** The document that requires this. */
  readonly source: string;
}

/**
 * A step of an outage: what is in force from `fromMs` milliseconds after the start of the outage, until the next step (RFC 9309 §2.3.1.4,
 * Google's text).
 */
export interface OutageStep {
  readonly fromMs: number;
  /**
   * The effect when there is a copy from before the outage. "last-copy": the copy is in force. The other effects are as in `withoutCopy`.
   */
  readonly withCopy: "disallow" | "last-copy" | "allow" | "allow-if-answering";
  /**
   * The effect without a copy. "disallow": no access. "allow": no restrictions. "allow-if-answering": no restrictions if the origin
   * answers with a status, otherwise no access.
   */
  readonly withoutCopy: "disallow" | "allow" | "allow-if-answering";
  readonly source: string;
}

/** How much of a long file a crawler reads. */
export interface FileLength {
  /** The crawler reads at least this number of bytes. */
  readonly bytes: number;
  /** "ignored": the crawler reads nothing behind these bytes. "unknown": it may read more. */
  readonly rest: "ignored" | "unknown";
  readonly source: string;
}

/** A policy. It is data only: the client has no code for a particular policy. */
export interface AccessPolicy {
  readonly name: string;
  readonly rows: readonly PolicyRow[];
  /** How much of a long file counts. Default: at least 500 KiB, as RFC 9309 §2.5 requires. */
  readonly fileLength?: FileLength;
  /** Sorted by `fromMs`; the first step starts at 0. */
  readonly outage: readonly OutageStep[];
  /** How the policy treats Crawl-delay and Request-rate, which are not part of RFC 9309. */
  readonly pace?: { readonly crawlDelay: PaceView; readonly requestRate: PaceView };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const googleText = "Google, How Google interprets the robots.txt specification";
const rfc = (section: string): string => `RFC 9309 §${section}`;

const redirectFailures = ["redirect-limit", "redirect-loop", "redirect-invalid", "redirect-scheme"] as const;

const ftpNotFound: PolicyRow = {
  when: { failure: ["ftp-not-found"] },
  access: "unavailable",
  source: "RFC 959 §4.2.2, 550 file unavailable: the equivalent of 404 in HTTP",
};
const partial: PolicyRow = {
  when: { status: [206, 206] },
  access: "unreachable",
  code: "partial",
  source: "RFC 9110 §15.3.7: a part that was not requested is not a file",
};
const elsewhere: PolicyRow = {
  when: {},
  access: "unreachable",
  source: "not documented; a crawler that does not know the rules fetches nothing",
};

const googleRows: readonly PolicyRow[] = [
  partial,
  { when: { status: [200, 299] }, access: "successful", source: `${googleText}: 2xx (success)` },
  { when: { status: [300, 399] }, access: "unavailable", source: `${googleText}: 3xx not followed, as 404` },
  {
    when: { status: [429, 429] },
    access: "unreachable",
    source: `${googleText}: 4xx except 429; 429 as a server error`,
  },
  { when: { status: [400, 499] }, access: "unavailable", source: `${googleText}: 4xx (client errors)` },
  { when: { status: [500, 599] }, access: "unreachable", source: `${googleText}: 5xx (server errors)` },
  { when: { failure: redirectFailures }, access: "unavailable", source: `${googleText}: after five hops, as 404` },
  ftpNotFound,
  {
    when: { failure: "any" },
    access: "unreachable",
    source: `${googleText}: DNS and networking issues as server errors`,
  },
  elsewhere,
];

const rfcRows: readonly PolicyRow[] = [
  partial,
  { when: { status: [200, 299] }, access: "successful", source: rfc("2.3.1.1") },
  { when: { status: [300, 399] }, access: "unavailable", source: `${rfc("2.3.1.2")}, MAY` },
  { when: { status: [400, 499] }, access: "unavailable", source: `${rfc("2.3.1.3")}, MAY` },
  { when: { status: [500, 599] }, access: "unreachable", source: `${rfc("2.3.1.4")}, MUST` },
  { when: { failure: redirectFailures }, access: "unavailable", source: `${rfc("2.3.1.2")}, MAY` },
  ftpNotFound,
  { when: { failure: "any" }, access: "unreachable", source: `${rfc("2.3.1.4")}, MUST` },
  elsewhere,
];

/** The documented size of a robots.txt, in all three documents. */
const usualFileBytes = 512_000;
const googleLength: FileLength = {
  bytes: usualFileBytes,
  rest: "ignored",
  source: `${googleText}: content after 500 KiB is ignored`,
};
const rfcLength: FileLength = {
  bytes: usualFileBytes,
  rest: "unknown",
  source: `${rfc("2.5")}: at least 500 KiB, MUST`,
};

const yandexText = "Yandex, Using robots.txt";

const yandexRows: readonly PolicyRow[] = [
  {
    when: { status: [200, 200], longerThan: usualFileBytes },
    access: "unavailable",
    code: "too-large",
    source: `${yandexText}: a file over 500 KB means no restrictions`,
  },
  { when: { status: [200, 200] }, access: "successful", source: `${yandexText}: available with 200 OK` },
  {
    when: { status: [100, 599] },
    access: "unavailable",
    source: `${yandexText}: any other answer means no restrictions`,
  },
  { when: { failure: redirectFailures }, access: "unavailable", source: `${yandexText}: redirects` },
  ftpNotFound,
  elsewhere,
];

const googlePace = {
  crawlDelay: { heeded: false, source: `${googleText}: other fields such as crawl-delay are not supported` },
  requestRate: { heeded: false, source: `${googleText}: fields that are not listed are not supported` },
};
const rfcPace = {
  crawlDelay: { heeded: undefined, source: `${rfc("2.2.4")}: other records may be read; only sitemap is named` },
  requestRate: { heeded: undefined, source: `${rfc("2.2.4")}: other records may be read; only sitemap is named` },
};
const yandexPace = {
  crawlDelay: { heeded: false, source: `${yandexText}: Crawl-delay is not taken into account since 2018` },
  requestRate: { heeded: false, source: `${yandexText}: fields that are not listed are ignored` },
};

/** The name of a built-in policy. */
export type AccessPolicyName = "google" | "google-2024" | "rfc9309" | "yandex";

/** The built-in policies by name. */
export const accessPolicies: Readonly<Record<AccessPolicyName, AccessPolicy>> = {
  google: {
    name: "google",
    fileLength: googleLength,
    pace: googlePace,
    rows: googleRows,
    outage: [
      { fromMs: 0, withCopy: "disallow", withoutCopy: "disallow", source: `${googleText} (2026): the first 12 hours` },
      {
        fromMs: 12 * hourMs,
        withCopy: "last-copy",
        withoutCopy: "allow",
        source: `${googleText} (2026): up to 30 days`,
      },
      {
        fromMs: 30 * dayMs,
        withCopy: "allow-if-answering",
        withoutCopy: "allow-if-answering",
        source: `${googleText} (2026): after 30 days, if the rest of the site answers, as if there were no file`,
      },
    ],
  },
  "google-2024": {
    name: "google-2024",
    fileLength: googleLength,
    pace: googlePace,
    rows: googleRows,
    outage: [
      { fromMs: 0, withCopy: "disallow", withoutCopy: "disallow", source: `${googleText} (2024): while unreachable` },
      {
        fromMs: 30 * dayMs,
        withCopy: "last-copy",
        withoutCopy: "allow",
        source: `${googleText} (2024): after 30 days`,
      },
    ],
  },
  rfc9309: {
    name: "rfc9309",
    fileLength: rfcLength,
    pace: rfcPace,
    rows: rfcRows,
    outage: [
      { fromMs: 0, withCopy: "disallow", withoutCopy: "disallow", source: `${rfc("2.3.1.4")}, MUST` },
      {
        fromMs: 30 * dayMs,
        withCopy: "last-copy",
        withoutCopy: "allow",
        source: `${rfc("2.3.1.4")}, MAY after 30 days`,
      },
    ],
  },
  yandex: {
    name: "yandex",
    pace: yandexPace,
    rows: yandexRows,
    outage: [{ fromMs: 0, withCopy: "disallow", withoutCopy: "disallow", source: elsewhere.source }],
  },
};

/**
 * Returns the policy with an additional first row: a 5xx response with a "not found" page is "unavailable", as a 404 is. Needs a
 * transport that reads error pages.
 */
export function withSoft404(policy: AccessPolicy): AccessPolicy {
  const soft: PolicyRow = {
    when: { status: [500, 599], notFoundPage: true },
    access: "unavailable",
    code: "soft-404",
    source: `${googleText}: a site set up wrongly to answer 5xx instead of 404 for missing pages, as 404`,
  };
  return { ...policy, rows: [soft, ...policy.rows] };
}

/** An access result, and the code of the response or failure behind it. */
export interface AccessJudgement {
  readonly access: AccessResult;
  readonly code: string;
}

/** Judges an exchange by a policy; "unreachable" when no row applies. */
export function judge(exchange: Exchange, policy: AccessPolicy): AccessJudgement {
  const row = policy.rows.find(({ when }) => applies(when, exchange)) ?? elsewhere;
  return { access: row.access, code: row.code ?? codeOf(exchange, row.access) };
}

/** The access result of a response with this status and body, and without fields. */
export function accessOfStatus(
  status: number,
  policy: AccessPolicy,
  body: Uint8Array = new Uint8Array(0),
  truncated = false,
): AccessResult {
  return judge({ hops: [], startedAt: 0, endedAt: 0, response: { status, headers: {}, body, truncated } }, policy)
    .access;
}

/** How much of a long file counts under a policy. */
export function fileLengthOf({ fileLength = rfcLength }: AccessPolicy): FileLength {
  return fileLength;
}

/**
 * Whether the policy gives the exchange of an entry the same access result and code as in the entry. They may differ, because another
 * policy may have judged the exchange. An entry with the code `soft-404` does not contain the page, so the policy only needs a row for such
 * pages.
 */
export function isJudgedAlike(stored: StoredRobots, policy: AccessPolicy): boolean {
  if (stored.code === "soft-404") return policy.rows.some(({ when }) => when.notFoundPage === true);
  const { access, code } = judgeAgain(stored, policy);
  return access === stored.access && code === stored.code;
}

/**
 * Judges the exchange of an entry, or of the copy in it, by a policy, which may not be the one that judged it first. An entry whose
 * exchange is not known keeps its result. The result may be "successful" although the entry has no body: then another policy dropped it.
 */
export function judgeAgain(stored: JudgedEntry, policy: AccessPolicy): AccessJudgement {
  const { access, status, headers = {}, body = new Uint8Array(0), truncated = false, fetchedAt, hops = [] } = stored;
  const frame = { hops, startedAt: fetchedAt, endedAt: fetchedAt };
  const failure = status === undefined ? failureCodes.find((known) => known === stored.code) : undefined;
  if ((status === undefined && failure === undefined) || stored.code === "soft-404")
    return { access, code: stored.code };
  return judge(
    failure === undefined
      ? { ...frame, response: { status: status ?? 0, headers, body, truncated } }
      : { ...frame, failure: { code: failure, message: "", url: "" } },
    policy,
  );
}

/** The members of an entry, or of the copy in it, from which it is judged again. */
type JudgedEntry = Pick<StoredRobots, "access" | "code" | "fetchedAt"> &
  Partial<Pick<StoredRobots, "status" | "headers" | "body" | "truncated" | "hops">>;

function applies(when: PolicyCondition, { response, failure }: Exchange): boolean {
  if (when.failure !== undefined) {
    if (failure === undefined) return false;
    if (when.failure !== "any" && !when.failure.includes(failure.code)) return false;
  }
  if (when.status !== undefined) {
    if (response === undefined) return false;
    const [from, to] = when.status;
    if (response.status < from || response.status > to) return false;
  }
  if (when.notFoundPage === true && (response === undefined || !saysNotFound(response.body))) return false;
  if (when.longerThan === undefined) return true;
  return response !== undefined && (response.truncated || response.body.length > when.longerThan);
}

function codeOf({ response, failure }: Exchange, access: AccessResult): string {
  if (failure !== undefined) return failure.code;
  return access === "successful" ? "ok" : `http-${response.status}`;
}
