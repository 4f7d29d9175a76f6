// Tests that an archive whose indexing fails leaves no copies of its lines behind, in memory or in a temporary file.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { KeptBodies } from "../../files/temp-file.ts";
import { openSavedSource } from "../saved/open.ts";
import { openArchive, openPipedArchive } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const options = { maxBytes: 100, warn: () => undefined };
const entry = { freshUntil: 2, access: "unavailable", code: "http-404", status: 404, hops: [] };
const lines = Array.from({ length: 20_000 }, (_, number) =>
  JSON.stringify({ origin: `https://${number}.example`, fetchedAt: 1, ...entry }),
);
const text = Buffer.from(`${lines.join("\n")}\n`);

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(text);
  throw new Error("the pipe broke");
}

async function* stopping(controller: AbortController): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(text);
  controller.abort(new Error("stopped"));
  yield text;
}

function pathOf(name: string, content: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test.each<readonly [what: string, open: () => Promise<unknown>, message: RegExp]>([
  ["a pipe that breaks", () => openPipedArchive("-", failing(), options), /the pipe broke/],
  [
    "a run that is stopped",
    () => {
      const controller = new AbortController();
      return openPipedArchive("-", stopping(controller), { ...options, signal: controller.signal });
    },
    /stopped/,
  ],
  [
    "a truncated gzip file",
    () => openSavedSource(pathOf("cut.gz", gzipSync(text).subarray(0, -1_000)), options),
    /cut\.gz/,
  ],
])("%s: the copies are closed once", async (_what, open, message) => {
  const keep = vi.spyOn(KeptBodies.prototype, "keep");
  const close = vi.spyOn(KeptBodies.prototype, "close");
  await expect(open()).rejects.toThrow(message);
  expect(keep).toHaveBeenCalled();
  expect(close).toHaveBeenCalledTimes(1);
});

test("a file without an entry is refused, and closed only once", async () => {
  const path = pathOf("none.ndjson", Buffer.from('{"origin":"https://a.example"}\n'));
  await expect(openArchive(path, "ndjson", options)).rejects.toMatchObject({ code: "ERR_UNUSABLE_ROBOTS" });
});
