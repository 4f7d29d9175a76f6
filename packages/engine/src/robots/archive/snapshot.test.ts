// Indexed snapshots: every entry is found again, damage is reported and never gives a wrong entry, a replaced snapshot stays readable.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredRobots } from "@robots-stream/fetch";
import { hashOf } from "../../common/shard.ts";
import { openSavedSource } from "../saved/open.ts";
import type { SourcedRobots } from "../in-force.ts";
import { FetchJournal } from "./fetch-journal.ts";
import { journalName, manifestName, schemaVersion } from "./snapshot-manifest.ts";
import { openSnapshot, type Snapshot } from "./snapshot-read.ts";
import { SnapshotWriter, type SnapshotWriterOptions } from "./snapshot-write.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "robots-stream-snapshot-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const at = Date.UTC(2026, 10, 21);
const good: StoredRobots = {
  origin: "https://shop.example",
  fetchedAt: at,
  freshUntil: at + 86_400_000,
  access: "successful",
  code: "ok",
  status: 200,
  body: Buffer.from("User-agent: *\nDisallow: /cart\n"),
  headers: { "content-type": "text/plain" },
  hops: [{ url: "https://shop.example/robots.txt", status: 200 }],
};
const { body: _body, headers: _headers, ...bare } = good;
const gone: StoredRobots = {
  ...bare,
  origin: "https://gone.example",
  access: "unavailable",
  code: "http-404",
  status: 404,
  hops: [],
};
const down: StoredRobots = {
  ...bare,
  origin: "https://down.example",
  access: "unreachable",
  code: "http-503",
  status: 503,
  unreachableSince: at - 1,
  lastCopy: { fetchedAt: at - 2, access: "successful", code: "ok", status: 200, body: Buffer.from([0xff, 0]) },
};

async function write(
  path: string,
  entries: Iterable<StoredRobots>,
  options?: SnapshotWriterOptions,
): Promise<string[]> {
  const writer = new SnapshotWriter(path, options);
  const refused: string[] = [];
  for (const entry of entries) {
    const why = writer.add(entry);
    if (why !== undefined) refused.push(why);
  }
  await writer.finish();
  return refused;
}

const entryIn = (snapshot: Snapshot, origin: string): StoredRobots | undefined => withBuffers(snapshot.find(origin));

/** The entry with bodies as the tests make them, because a comparison distinguishes Buffer from Uint8Array. */
function withBuffers<Entry extends StoredRobots | undefined>(entry: Entry): Entry {
  if (entry === undefined) return entry;
  const { body, lastCopy } = entry;
  const last = lastCopy?.body && { lastCopy: { ...lastCopy, body: Buffer.from(lastCopy.body) } };
  return { ...entry, ...(body === undefined ? {} : { body: Buffer.from(body) }), ...last };
}

/** Entries of many origins, some with a history, in no order. */
function* many(count: number): Generator<StoredRobots> {
  for (let n = 0; n < count; n++) {
    const origin = `https://${"sub.".repeat(n % 7)}h${(n * 7919) % count}.example${n % 11 === 0 ? ":8443" : ""}`;
    const fetches = n % 50 === 0 ? 200 : n % 5 === 0 ? 3 : 1;
    for (let nth = 0; nth < fetches; nth++) {
      // The newest fetch is neither the first nor the last.
      const fetchedAt = at + ((nth + 1) % fetches);
      yield { ...good, origin, fetchedAt, body: Buffer.from(`# ${origin} ${fetchedAt - at}\n`.repeat(1 + (n % 40))) };
    }
  }
}

test.runIf(process.platform === "linux")("a journal that cannot be opened leaves no file open", async () => {
  const path = join(folder, "s");
  await write(path, [good, gone, down], { parts: 3 });
  mkdirSync(join(path, journalName));
  const openFiles = (): readonly string[] => readdirSync("/proc/self/fd").map((fd) => targetOf(`/proc/self/fd/${fd}`));
  const options = { isRefreshed: false, reject: () => undefined };
  expect(() => new FetchJournal(path, options)).toThrow(/is not a regular file/);
  expect(openFiles().filter((target) => target.startsWith(path))).toEqual([]);
});

/** The target of a link; "" if it has been removed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

describe("what was written is found", () => {
  test.each([
    ["all members", [good, gone, down], {}],
    [
      "an empty file and bytes that cannot be compressed",
      [
        { ...good, body: Buffer.alloc(0) },
        { ...gone, body: Buffer.from([1, 2]) },
      ],
      {},
    ],
    ["a truncated file", [{ ...good, truncated: true }], {}],
    ["no entries", [], {}],
    ["no entries, in parts", [], { parts: 3 }],
    ["few entries, in many parts", [good, gone, down], { parts: 9 }],
  ] as const)("%s", async (_what, entries, options) => {
    await write(join(folder, "s"), entries, options);
    const snapshot = openSnapshot(join(folder, "s"));
    for (const entry of entries) expect(entryIn(snapshot, entry.origin)).toEqual(entry);
    for (const origin of ["https://none.example", "https://shop.example:8443", "https://shop.exampl", "a", ""]) {
      expect(entryIn(snapshot, origin)).toBeUndefined();
    }
    expect(snapshot.manifest).toMatchObject({ origins: entries.length, entries: entries.length, schemaVersion });
    snapshot.close();
  });

  test.each([{}, { parts: 4 }])("many origins with histories: the newest fetch is found, %o", async (options) => {
    const count = isThorough ? 20_000 : 600;
    const newest = new Map<string, StoredRobots>();
    for (const entry of many(count)) {
      if (entry.fetchedAt >= (newest.get(entry.origin)?.fetchedAt ?? 0)) newest.set(entry.origin, entry);
    }
    await write(join(folder, "s"), many(count), options);
    const snapshot = openSnapshot(join(folder, "s"));
    expect(snapshot.manifest.origins).toBe(newest.size);
    for (const [origin, entry] of newest) {
      expect(entryIn(snapshot, origin)?.body?.toString()).toBe(entry.body?.toString());
      expect(entryIn(snapshot, `${origin}x`)).toBeUndefined();
      expect(entryIn(snapshot, origin.slice(0, -1))).toEqual(newest.get(origin.slice(0, -1)));
    }
    if (options.parts !== undefined) {
      for (const [index, { origins }] of snapshot.manifest.parts.entries()) {
        expect([...newest.keys()].filter((origin) => hashOf(origin) % options.parts === index)).toHaveLength(origins);
      }
    }
    snapshot.close();
  });

  test("the order of writing changes neither the manifest nor the names of the files", async () => {
    const entries = [...many(isThorough ? 300 : 120)];
    await write(join(folder, "a"), entries);
    await write(join(folder, "b"), entries.toReversed());
    expect(readFileSync(join(folder, "b", manifestName))).toEqual(readFileSync(join(folder, "a", manifestName)));
    expect(readdirSync(join(folder, "b"))).toEqual(readdirSync(join(folder, "a")));
  });

  test("entries that were added twice are given once", async () => {
    const entries = [...many(60)];
    await write(join(folder, "s"), [...entries, ...entries.slice(5, 40)], { parts: 2 });
    const snapshot = openSnapshot(join(folder, "s"));
    expect(snapshot.manifest.entries).toBe(entries.length);
    expect([...snapshot.entries()]).toHaveLength(entries.length);
    snapshot.close();
  });

  test("origins with long names are found; origins with names that are too long are left out", async () => {
    const named = (length: number): StoredRobots => ({ ...good, origin: `https://${"a".repeat(length)}` });
    const lengths = [8_184, 8_183, 8_000, 4_000, 300];
    const refused = await write(join(folder, "s"), [...lengths, 8_185, 70_000].map(named));
    expect(refused).toEqual(["its name is too long", "its name is too long"]);
    const snapshot = openSnapshot(join(folder, "s"));
    for (const length of lengths) expect(entryIn(snapshot, named(length).origin)).toEqual(named(length));
    for (const length of [8_185, 70_000]) expect(entryIn(snapshot, named(length).origin)).toBeUndefined();
    snapshot.close();
  });
});

const load = async (
  path: string,
  origin: string,
  warn: (sentence: string) => void = () => undefined,
): Promise<SourcedRobots> => {
  const source = await openSavedSource(path, { maxBytes: 512_000, warn });
  try {
    return await source.load(origin, new AbortController().signal);
  } finally {
    await source.close();
  }
};

describe("damage", () => {
  // Older entries with another code, which must not be read as the newest. Their ids differ from those of the newest entries in one bit.
  const before = [good, gone, down].map((entry) => ({
    ...bare,
    origin: entry.origin,
    fetchedAt: at - 10,
    code: "old",
  }));
  const filling = [...many(40)];
  const entries = [
    ...[...before, filling[0]!].map((entry) => ({ ...entry, access: "unavailable" as const })),
    good,
    gone,
    down,
    ...filling.slice(1),
  ];
  /** By origin: the code of its entry in an undamaged snapshot. */
  const expected = new Map([
    [good.origin, "ok"],
    [gone.origin, "http-404"],
    [down.origin, "http-503"],
    ["https://none.example", "not-saved"],
  ]);
  const partOf = (path: string): string =>
    join(
      path,
      readdirSync(path).find((name) => name.endsWith(".robots"))!,
    );

  test("an inverted bit is reported, or changes nothing", async () => {
    const path = join(folder, "s");
    await write(path, entries);
    let told = 0;
    for (const file of [join(path, manifestName), partOf(path)]) {
      const bytes = readFileSync(file);
      // The manifest is short, and a part has pages that are mostly empty.
      const step = file.endsWith(".json") ? 67 : isThorough ? 211 : 6_007;
      for (let bit = 3; bit < bytes.length * 8; bit += step) {
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(file, damaged);
        for (const [origin, code] of expected) {
          const warnings: string[] = [];
          try {
            const robots = await load(path, origin, (sentence) => warnings.push(sentence));
            if (robots.code === "not-readable") {
              told++;
              expect(robots.access).toBe("unreachable");
              expect(warnings).toEqual([expect.stringContaining(".robots: it is damaged: ")]);
            } else expect(robots.code).toBe(code);
          } catch (error) {
            told++;
            expect(error).toMatchObject({
              code: "ERR_UNUSABLE_ROBOTS",
              message: expect.stringContaining("s: ") as string,
            });
          }
        }
      }
      writeFileSync(file, bytes);
    }
    expect(told).toBeGreaterThan(20);
  });

  test.each<readonly [what: string, change: (path: string) => void, told: string]>([
    ["a part that was cut", (path) => truncateSync(partOf(path), 40_000), "is damaged"],
    ["an empty part", (path) => truncateSync(partOf(path), 0), "it is an empty database"],
    ["a part that is missing", (path) => rmSync(partOf(path)), "is missing"],
    [
      "a part that is a link",
      (path) => (
        renameSync(partOf(path), join(folder, "p")),
        symlinkSync(
          join(folder, "p"),
          join(path, JSON.parse(readFileSync(join(path, manifestName), "utf8")).parts[0].file),
        )
      ),
      "is not a regular file",
    ],
    [
      "a part that is a folder",
      (path) => {
        const part = partOf(path);
        rmSync(part);
        mkdirSync(part);
      },
      "is not a regular file",
    ],
    ["a manifest that was cut", (path) => truncateSync(join(path, manifestName), 100), "is damaged"],
    ["an empty manifest", (path) => truncateSync(join(path, manifestName), 0), "is damaged"],
    [
      "a manifest of something else",
      (path) => writeFileSync(join(path, manifestName), '{"format":"other"}'),
      "is not the manifest",
    ],
    [
      "a newer version",
      (path) => changeManifest(path, { schemaVersion: 4 }),
      "another version of robots-stream wrote it (4)",
    ],
    ["an earlier version", (path) => changeManifest(path, { schemaVersion: 1 }), "make a new one"],
    ["a name that leads out of the folder", (path) => changeParts(path, { file: "../p" }), "is damaged"],
    ["a name of another file", (path) => changeParts(path, { file: "/etc/passwd" }), "is damaged"],
    ["no parts", (path) => changeManifest(path, { parts: [] }), "is damaged"],
    ["parts that are null", (path) => changeManifest(path, { parts: [null] }), "is damaged"],
    ["an impossible count", (path) => changeParts(path, { entries: 1e300 }), "is damaged"],
    ["other counts", (path) => changeParts(path, { entries: 1 }), "is not the part that"],
    ["a part of another snapshot", (path) => copyFileSync(otherPart(), partOf(path)), "is not the part that"],
  ])("%s: the snapshot is refused with a `UsageError`", async (_what, change, told) => {
    const path = join(folder, "s");
    await write(path, entries);
    await write(join(folder, "other"), [{ ...good, body: Buffer.from("# other") }, ...entries.slice(1)]);
    change(path);
    await expect(load(path, good.origin)).rejects.toMatchObject({
      code: "ERR_UNUSABLE_ROBOTS",
      message: expect.stringContaining(told) as string,
    });
  });

  const otherPart = (): string => partOf(join(folder, "other"));

  /** Changes members of a manifest, and gives it a valid checksum. */
  function changeManifest(path: string, change: object): void {
    const { checksum: _checksum, ...manifest } = JSON.parse(
      readFileSync(join(path, manifestName), "utf8"),
    ) as object & { checksum: string };
    const changed = { ...manifest, ...change };
    const checksum = crc32(JSON.stringify(changed)).toString(16).padStart(8, "0");
    writeFileSync(join(path, manifestName), JSON.stringify({ ...changed, checksum }));
  }

  function changeParts(path: string, change: object): void {
    const { parts } = JSON.parse(readFileSync(join(path, manifestName), "utf8")) as { parts: object[] };
    changeManifest(path, { parts: [{ ...parts[0], ...change }] });
  }

  test("many damaged records: the first ones are reported one by one", async () => {
    const path = join(folder, "s");
    const all = [...new Set([...many(60)].map(({ origin }) => origin))];
    await write(path, many(60));
    const warnings: string[] = [];
    const source = await openSavedSource(path, { maxBytes: 512_000, warn: (sentence) => warnings.push(sentence) });
    // Overwrites the part with zeros while it is open. The header of the part and the root of its index were read before.
    const size = readFileSync(partOf(path)).length;
    writeFileSync(partOf(path), Buffer.alloc(size), { flag: "r+" });
    const codes = await Promise.all(
      all.map(async (origin) => (await source.load(origin, new AbortController().signal)).code),
    );
    expect(new Set(codes)).toEqual(new Set(["not-readable"]));
    expect(warnings).toHaveLength(11);
    await source.close();
  });
});

describe("replacing", () => {
  test("an open snapshot stays unchanged; opening it again gives the new one", async () => {
    const path = join(folder, "s");
    await write(path, [good, gone]);
    const before = openSnapshot(path);
    const newer = { ...good, fetchedAt: at + 5, body: Buffer.from("# newer\n") };
    await write(path, [newer]);
    expect(entryIn(before, good.origin)).toEqual(good);
    expect(entryIn(before, gone.origin)).toEqual(gone);
    before.close();
    const after = openSnapshot(path);
    expect(entryIn(after, good.origin)).toEqual(newer);
    expect(entryIn(after, gone.origin)).toBeUndefined();
    expect(readdirSync(path)).toHaveLength(2);
    after.close();
  });

  test("a writer that gives up leaves the earlier snapshot", async () => {
    const path = join(folder, "s");
    await write(path, [good]);
    const names = readdirSync(path);
    const writer = new SnapshotWriter(path);
    writer.add(gone);
    writer.close();
    const stopped = new SnapshotWriter(path);
    for (let n = 0; n < 3; n++)
      stopped.add({ ...good, body: Buffer.from(Array.from({ length: 700_000 }, () => Math.random() * 256)) });
    await expect(stopped.finish(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(readdirSync(path)).toEqual(names);
    expect((await load(path, good.origin)).code).toBe("ok");
  });

  test.each<readonly [what: string, make: (path: string) => void, told: string]>([
    ["a folder with other files", (path) => (mkdirSync(path), writeFileSync(join(path, "notes.txt"), "")), "notes.txt"],
    ["a file", (path) => writeFileSync(path, ""), "EEXIST"],
    [
      "a snapshot of a newer version",
      (path) => (
        mkdirSync(path),
        writeFileSync(join(path, manifestName), '{"format":"robots-stream snapshot","schemaVersion":9}')
      ),
      "another version",
    ],
  ])("%s is not written into", (_what, make, told) => {
    const path = join(folder, "s");
    make(path);
    const before = cpTree(path);
    expect(() => new SnapshotWriter(path)).toThrow(
      expect.objectContaining({ code: "ERR_UNUSABLE_OUTPUT", message: expect.stringContaining(told) as string }),
    );
    expect(cpTree(path)).toEqual(before);
  });

  function cpTree(path: string): string[] {
    const copy = mkdtempSync(join(folder, "copy-"));
    cpSync(path, join(copy, "c"), { recursive: true });
    return readdirSync(copy, { recursive: true }).map(String).toSorted();
  }
});
