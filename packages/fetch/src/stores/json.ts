// Converts an entry to JSON and back, for exports and for stores that keep text. A body that is UTF-8 becomes text.
import { definedOf } from "../common/defined.ts";
import type { AccessResult, Hop, LastCopy, StoredRobots } from "../common/types.ts";

/** A body in JSON: one of the two members; neither of them if there is no body. */
interface BodyJson {
  /** The body, if it is valid UTF-8. A byte order mark stays in the text. */
  readonly body?: string;
  readonly bodyBase64?: string;
}

/** A `LastCopy` in JSON. */
export type LastCopyJson = Omit<LastCopy, "body"> & BodyJson;

/** A `StoredRobots` in JSON: the same names, times in milliseconds since the epoch. */
export type StoredRobotsJson = Omit<StoredRobots, "body" | "lastCopy"> & {
  readonly lastCopy?: LastCopyJson;
} & BodyJson;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Converts an entry to plain JSON values. `storedOfJson` restores the same entry, byte for byte. */
export function jsonOfStored(entry: StoredRobots): StoredRobotsJson {
  const { body, lastCopy, hops, ...rest } = entry;
  return {
    ...rest,
    ...(lastCopy && { lastCopy: lastCopyJsonOf(lastCopy) }),
    hops,
    ...bodyJsonOf(body),
  };
}

function lastCopyJsonOf({ body, ...rest }: LastCopy): LastCopyJson {
  return { ...rest, ...bodyJsonOf(body) };
}

function bodyJsonOf(body: Uint8Array | undefined): BodyJson {
  if (body === undefined) return {};
  try {
    return { body: strictUtf8.decode(body) };
  } catch {
    return { bodyBase64: Buffer.from(body).toString("base64") };
  }
}

/** Converts JSON to an entry; undefined when it is not an entry. Accepts any value and never throws. Unknown members are left out. */
export function storedOfJson(value: unknown): StoredRobots | undefined {
  if (!isObject(value)) return undefined;
  const body = bodyOf(value);
  const lastCopy = value["lastCopy"] === undefined ? undefined : lastCopyOf(value["lastCopy"]);
  if (!hasMembersOfEntry(value) || lastCopy === null || body === null) return undefined;
  const { origin, fetchedAt, freshUntil, access, code, status, truncated, cutAtBytes, headers, hops } = value;
  const { unreachableSince } = value;
  return definedOf<StoredRobots>({
    origin,
    fetchedAt,
    freshUntil,
    access,
    code,
    status,
    body,
    truncated,
    cutAtBytes,
    headers,
    unreachableSince,
    lastCopy,
    hops: hops.map(({ url, status: answered }) => ({ url, status: answered })),
  });
}

/** Whether every member except `lastCopy` and the body is valid in a `StoredRobots`. Never throws. */
export function hasMembersOfEntry(value: Readonly<Record<string, unknown>>): value is Members<StoredRobots> {
  return (
    typeof value["origin"] === "string" &&
    isTime(value["fetchedAt"]) &&
    isTime(value["freshUntil"]) &&
    isAccess(value["access"]) &&
    typeof value["code"] === "string" &&
    isOptional(value["status"], isStatus) &&
    isOptional(value["truncated"], (flag) => typeof flag === "boolean") &&
    isOptional(value["cutAtBytes"], isTime) &&
    isOptional(value["headers"], isHeaders) &&
    isOptional(value["unreachableSince"], isTime) &&
    Array.isArray(value["hops"]) &&
    value["hops"].every(isHop)
  );
}

/** Whether every member except the body is valid in a `LastCopy`. Accepts any value and never throws. */
export function hasMembersOfCopy(value: unknown): value is Members<LastCopy> {
  if (!isObject(value)) return false;
  const { fetchedAt, access, code, status, truncated, cutAtBytes } = value;
  const isKnown = isAccess(access) && access !== "unreachable" && typeof code === "string";
  const hasCut = isOptional(truncated, (is) => typeof is === "boolean") && isOptional(cutAtBytes, isTime);
  return isTime(fetchedAt) && isKnown && isOptional(status, isStatus) && hasCut;
}

type Members<T> = Omit<T, "body" | "lastCopy"> & Readonly<Record<string, unknown>>;

/** Converts JSON to a `LastCopy`; null for an invalid one. */
function lastCopyOf(value: unknown): LastCopy | null {
  if (!hasMembersOfCopy(value)) return null;
  const { fetchedAt, access, code, status, truncated, cutAtBytes } = value;
  const body = bodyOf(value);
  return body === null ? null : definedOf<LastCopy>({ fetchedAt, access, code, status, body, truncated, cutAtBytes });
}

/** Decodes the body; undefined without a body, null for an invalid one. */
function bodyOf({ body, bodyBase64 }: Readonly<Record<string, unknown>>): Uint8Array | undefined | null {
  if (body !== undefined)
    return typeof body === "string" && bodyBase64 === undefined ? Buffer.from(body, "utf8") : null;
  if (bodyBase64 === undefined) return undefined;
  if (typeof bodyBase64 !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(bodyBase64)) return null;
  return Buffer.from(bodyBase64, "base64");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999;
}

function isAccess(value: unknown): value is AccessResult {
  return value === "successful" || value === "unavailable" || value === "unreachable";
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isHop(value: unknown): value is Hop {
  return isObject(value) && typeof value["url"] === "string" && isStatus(value["status"]);
}

function isHeaders(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((field) => typeof field === "string");
}
