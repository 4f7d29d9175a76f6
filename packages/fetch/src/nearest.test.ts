// Every function with options refuses unknown names. The error names the option and the nearest known one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { nearestOf } from "@robots-stream/core/internal";
import { createRobotsClient } from "./client/client.ts";
import { FetchError, StoreError } from "./common/errors.ts";
import { createFtpTransport } from "./network/ftp.ts";
import { createHttpTransport } from "./network/http.ts";
import { limitsOf } from "./common/limits.ts";
import { createDirectLookup } from "./network/lookup.ts";
import { createRobotsClient as createPlatformClient } from "./platform/client.ts";
import { createFetchTransport } from "./platform/transport.ts";
import { accessPolicies } from "./access/policy.ts";
import { createMemoryStore } from "./stores/memory.ts";
import { createRedisStore } from "./stores/redis.ts";
import { createSqliteStore } from "./stores/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-nearest-"));
const client = createRobotsClient();
const store = createSqliteStore(join(folder, "store"));
afterAll(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Hides the type of a value, as in a call from JavaScript. */
const any = (options: object): never => options as never;

test.each<[what: string, call: () => unknown, told: string]>([
  [
    "createRobotsClient",
    () => createRobotsClient(any({ concurency: 3 })),
    "concurency is not an option; did you mean concurrency?",
  ],
  [
    "the client's limits",
    () => createRobotsClient({ limits: any({ maxByte: 1 }) }),
    "limits.maxByte is not an option; did you mean limits.maxBytes?",
  ],
  [
    "the client's freshness",
    () => createRobotsClient({ freshness: any({ minMS: 1 }) }),
    "did you mean freshness.minMs?",
  ],
  ["the client's retry", () => createRobotsClient({ retry: any({ attempt: 1 }) }), "did you mean retry.attempts?"],
  [
    "the client's policy",
    () => createRobotsClient({ policy: any({ ...accessPolicies.google, outages: [] }) }),
    "did you mean policy.outage?",
  ],
  ["load", () => client.load("http://a", any({ sginal: undefined })), "sginal is not an option; did you mean signal?"],
  ["createHttpTransport", () => createHttpTransport(any({ useragent: "a" })), "did you mean userAgent?"],
  ["createFtpTransport", () => createFtpTransport(any({ perAdress: 1 })), "did you mean perAddress?"],
  [
    "createFetchTransport",
    () => createFetchTransport(any({ opaqueRedirect: "follow" })),
    "did you mean opaqueRedirects?",
  ],
  ["the client over fetch", () => createPlatformClient(any({ fetsh: fetch })), "did you mean fetch?"],
  ["createDirectLookup", () => createDirectLookup(any({ server: [] })), "did you mean servers?"],
  ["limitsOf", () => limitsOf(any({ deadlineMS: 1 })), "did you mean limits.deadlineMs?"],
  ["createMemoryStore", () => createMemoryStore(any({ maxByte: 1 })), "did you mean maxBytes?"],
  ["createRedisStore", () => createRedisStore("redis://h", any({ prefx: "a" })), "did you mean prefix?"],
  ["createSqliteStore", () => createSqliteStore(join(folder, "none"), any({ busyMs_: 1 })), "did you mean busyMs?"],
  ["history", () => store.history("http://a", any({ limt: 1 })), "did you mean limit?"],
  ["prune", () => store.prune(any({ origin: [] })), "did you mean origins?"],
  ["no name is near", () => createRobotsClient(any({ sockets: 3 })), "sockets is not an option"],
  ["a very long name", () => createRobotsClient(any({ ["x".repeat(1e6)]: 3 })), `${"x".repeat(40)} is not an option`],
])("%s", async (_what, call, told) => {
  // A function that returns a promise rejects, every other function throws.
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FetchError);
  expect(error).toMatchObject({ name: "FetchError", code: "ERR_INVALID_OPTION" });
  expect((error as FetchError).message).toSatisfy((message: string) => message.endsWith(told));
});

test.each<[what: string, options: unknown, code: string | undefined]>([
  ["none", undefined, undefined],
  ["an empty object", {}, undefined],
  ["no signal", { signal: undefined }, undefined],
  ["a signal", { signal: new AbortController().signal }, undefined],
  ["null", null, "ERR_INVALID_OPTION"],
  ["a text", "signal", "ERR_INVALID_OPTION"],
  ["an invalid signal", { signal: {} }, "ERR_INVALID_OPTION"],
  ["a controller", { signal: new AbortController() }, "ERR_INVALID_OPTION"],
  ["an additional name", { signal: undefined, timeout: 1 }, "ERR_INVALID_OPTION"],
])("options of load: %s", async (_what, options, code) => {
  const exchange = (): Promise<never> => Promise.reject(new Error("asked"));
  const own = createRobotsClient({ transport: { exchange } });
  const error: unknown = await own.load("http://a.example", options as never).catch((reason: unknown) => reason);
  expect(error).toMatchObject(code === undefined ? { message: "asked" } : { code });
  await own.close();
});

test.each([
  ["perAdress", "perAddress"],
  ["PERADDRESS", "perAddress"],
  ["aPrdes", undefined],
  ["", undefined],
])("%s: %s", (typed, nearest) => {
  expect(nearestOf(typed, ["perAddress", "proxy", "resolver"])).toBe(nearest);
});

test("of two words that begin with what was typed, the one of the nearest length is meant", () => {
  expect(nearestOf("--robot", ["--robots-meta", "--robots", "--robots-history"])).toBe("--robots");
  expect(nearestOf("--outp", ["--output-file", "--output"])).toBe("--output");
});

test("a store's error is an error of this package", () => {
  const cause = new Error("disk");
  const error = new StoreError("ERR_STORE_FULL", "no room", { cause });
  expect(error).toBeInstanceOf(FetchError);
  expect(error).toMatchObject({ name: "StoreError", code: "ERR_STORE_FULL", cause });
});
