// Names of Object.prototype as members of stored entries are plain data and change no object.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { RobotsStore, StoredRobots } from "../common/types.ts";
import { jsonOfStored, storedOfJson } from "./json.ts";
import { createMemoryStore } from "./memory.ts";
import { bytesOfEntry, entryOfBytes } from "./redis-value.ts";
import { createSqliteStore } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-prototype-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"] as const;
const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
afterEach(() => {
  // A change of Object.prototype would also affect all later tests.
  if (JSON.stringify(Object.getOwnPropertyNames(Object.prototype)) !== before)
    throw new Error("Object.prototype has changed");
});

/** A member as JSON text. In an object literal, `__proto__` would set the prototype instead. */
const memberOf = (name: string, value: string): string => `${JSON.stringify(name)}:${value}`;
const good = '"fetchedAt":1,"freshUntil":2,"access":"unavailable","code":"http-404","hops":[]';
const harm = '{"access":"successful","body":"","isAdmin":true}';

describe.each(names)("%s", (name) => {
  test("as a member of an entry, a copy and a hop is left out", () => {
    const hop = `{"url":"u","status":200,${memberOf(name, harm)}}`;
    const copy = `{"fetchedAt":1,"access":"unavailable","code":"http-404",${memberOf(name, harm)}}`;
    const text = `{"origin":"o",${memberOf(name, harm)},${good.replace("[]", `[${hop}]`)},"lastCopy":${copy}}`;
    const entry = storedOfJson(JSON.parse(text))!;
    expect(entry.access).toBe("unavailable");
    for (const each of [entry, entry.lastCopy!, entry.hops[0]!]) {
      expect(Object.hasOwn(each, name)).toBe(false);
      expect(Object.getPrototypeOf(each)).toBe(Object.prototype);
      expect("isAdmin" in each).toBe(false);
    }
  });

  test("does not supply missing members", () => {
    expect(storedOfJson(JSON.parse(`{"origin":"o",${memberOf(name, `{${good}}`)}}`))).toBeUndefined();
    expect(storedOfJson(JSON.parse(`{"origin":"o",${good},"headers":{${memberOf(name, harm)}}}`))).toBeUndefined();
  });

  test("is kept as a header name, an origin and a code: in JSON, a Redis value, the memory and SQLite stores", async () => {
    const text = `{${memberOf("origin", JSON.stringify(name))},${good.replace("http-404", name)},"headers":{${memberOf(name, '"x"')},"etag":"1"}}`;
    const entry = storedOfJson(JSON.parse(text))!;
    const check = (got: StoredRobots | undefined): void => {
      expect([got?.origin, got?.code, Object.entries(got?.headers ?? {})]).toEqual([
        name,
        name,
        [
          [name, "x"],
          ["etag", "1"],
        ],
      ]);
      expect(Object.getPrototypeOf(got!.headers)).toBe(Object.prototype);
    };
    check(entry);
    check(storedOfJson(JSON.parse(JSON.stringify(jsonOfStored(entry)))));
    check(entryOfBytes(bytesOfEntry(entry)));
    const path = join(folder, String(count++), "robots.sqlite");
    const stores: RobotsStore[] = [createMemoryStore(), createSqliteStore(path)];
    for (const store of stores) {
      expect(await store.get(name)).toBeUndefined();
      await store.set(entry);
      check(await store.get(name));
      await store.close?.();
    }
    const again = createSqliteStore(path);
    check(again.get(name));
    check(again.history(name)[0]);
    await again.close();
  });
});
