// Patterns of users' logs, and W3C logs whose fields change: a reader that continues at a resume point returns the same records as a
// reader of the whole log.
import { expect, test } from "vitest";
import { batchesOf, chunksOf, joined, readAll } from "../../../test/reading.ts";
import { inputFormatNamed } from "../registry/registry.ts";
import type { InputFormat } from "../input-format.ts";
import { logFormatInput } from "./lines.ts";

const pattern = '$remote_addr $host "$request" $status';
const own = logFormatInput(pattern, "test");

test("the name of a format contains its pattern", () => {
  expect(own.name).toBe(`log-format ${pattern}`);
});

const requests = (from: string): string =>
  Array.from({ length: 40 }, (_, index) => from.replace("N", String(index))).join("");

const line = '192.0.2.1 a.example "GET /N HTTP/1.1" 200';
const cri = (...tags: readonly string[]): string =>
  tags.map((tag) => `2026-11-21T06:55:09.391287654Z ${tag} ${line}\n`).join("");

test("fields like those of a CRI runtime, in a pattern that begins with a time: a line with the tag P and the next line are parts", async () => {
  const withTags = '$time_iso8601 $stream $tag $remote_addr $host "$request" $status';
  const text = cri("stdout F", "stdout P", "stdout F", "other P", "stderr F");
  const { urls, rejects } = await readAll(logFormatInput(withTags, "test"), [Buffer.from(text)]);
  expect([urls.length, rejects.map((reject) => reject.line)]).toEqual([3, [2, 3]]);
});

const w3c = inputFormatNamed("w3c")!;

test.each<[format: InputFormat, text: string]>([
  [own, requests('192.0.2.1 a.example "GET /N HTTP/1.1" 200\n')],
  [own, cri("stdout F") + requests(cri("stdout P", "stderr F", "stdout F"))],
  [
    w3c,
    `#Fields: date time cs-method cs-uri-stem cs-host\n${requests("2025-12-10 10:00:00 GET /N a.example\n")}#Fields: cs-host cs-uri-stem\n${requests("b.example /N\n")}oops\n`,
  ],
])("$name: reading continues from any resume point", async (format, text) => {
  const bytes = Buffer.from(text);
  const parts = await batchesOf(format, chunksOf(bytes, 97), { givesPlaces: true });
  const whole = joined(parts);
  const counts = format === w3c ? [80, 1] : text.includes("stdout") ? [41, 80] : [40, 0];
  expect([whole.urls.length, whole.rejects.length]).toEqual(counts);
  let places = 0;
  for (const [index, { place }] of parts.entries()) {
    if (place === undefined) continue;
    places++;
    const rest = await batchesOf(format, [bytes.subarray(place.offset)], { from: place });
    expect(joined(rest)).toEqual(joined(parts.slice(index + 1)));
  }
  expect(places).toBeGreaterThan(5);
});
