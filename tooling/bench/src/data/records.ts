// Generates, from a seed, files of URL records over many origins (thin and wide, NDJSON and CSV), and a saved robots.txt for each origin.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { type Random, createRandom } from "./random.ts";
import { createRobotsFiles } from "./robots-files.ts";
import { createTarget, hostOf } from "./urls.ts";

/** `thin`: only a URL, about 70 bytes as NDJSON; `wide`: nine fields, about 320 bytes as NDJSON. */
export type Width = "thin" | "wide";
export type RecordFormat = "ndjson" | "csv";

const userAgents = [
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
];

/** Writes a saved robots.txt per origin into a folder, under the name that the app and the plain script expect. */
export function writeRobots(folder: string, origins: number, seed: number): void {
  mkdirSync(folder, { recursive: true });
  createRobotsFiles(origins, seed).forEach((text, at) => writeFileSync(`${folder}/${hostOf(at)}.txt`, text));
}

/** Writes the robots.txt files of `writeRobots` as bodies.json and bodies.bin, which the plain script reads into memory. */
export function writeBodies(folder: string, origins: number, seed: number): void {
  mkdirSync(folder, { recursive: true });
  const bodies = createRobotsFiles(origins, seed).map((text) => Buffer.from(text));
  writeFileSync(`${folder}/bodies.bin`, Buffer.concat(bodies));
  writeFileSync(`${folder}/bodies.json`, JSON.stringify(bodies.map(({ length }, at) => [hostOf(at), length])));
}

/** Writes the robots.txt files of `writeRobots` as cache entries, one per line, for `cache import`. */
export function writeEntries(path: string, origins: number, seed: number): void {
  const fetchedAt = Date.UTC(2026, 10, 1);
  const file = openSync(path, "w");
  for (const [at, body] of createRobotsFiles(origins, seed).entries()) {
    const origin = `https://${hostOf(at)}`;
    const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
    const freshUntil = fetchedAt + 86_400_000;
    const entry = { origin, fetchedAt, freshUntil, access: "successful", code: "ok", status: 200, hops, body };
    writeSync(file, `${JSON.stringify(entry)}\n`);
  }
  closeSync(file);
}

/**
 * Writes a file of records. A few origins have many records and most origins have few, as in logs. If `lineOf` is given, it converts the
 * values of a record to a line; otherwise, `format` determines the line.
 */
export function writeRecords(
  path: string,
  {
    format,
    width,
    count,
    origins,
    seed,
  }: { format: RecordFormat; width: Width; count: number; origins: number; seed: number },
  lineOf?: (values: readonly (string | number)[]) => string,
): void {
  const random = createRandom(seed, `records ${format} ${width} ${origins}`);
  const names =
    width === "thin"
      ? ["url"]
      : ["time", "method", "url", "status", "bytes", "duration_ms", "referer", "user_agent", "id"];
  const file = openSync(path, "w");
  let text = format === "csv" ? `${names.join(",")}\n` : "";
  for (let at = 0; at < count; at++) {
    const origin = `https://${hostOf(Math.floor(random.next() ** 2 * origins))}`;
    const values = width === "thin" ? [origin + createTarget(random)] : wideValues(origin, at, random);
    text +=
      lineOf !== undefined
        ? lineOf(values)
        : format === "csv"
          ? `${values.map(csvOf).join(",")}\n`
          : `{${values.map((value, index) => `"${names[index]}":${JSON.stringify(value)}`).join(",")}}\n`;
    if (text.length > 1_000_000) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

/** Writes the URLs of the thin records of `writeRecords`, one per line. */
export function writeList(
  path: string,
  { count, origins, seed }: { count: number; origins: number; seed: number },
): void {
  writeRecords(path, { format: "ndjson", width: "thin", count, origins, seed }, (values) => `${values[0]}\n`);
}

function wideValues(origin: string, at: number, random: Random): (string | number)[] {
  return [
    `2025-06-${String(1 + (at % 28)).padStart(2, "0")}T${String(random.below(24)).padStart(2, "0")}:12:${String(random.below(60)).padStart(2, "0")}.000Z`,
    random.chance(0.9) ? "GET" : "HEAD",
    origin + createTarget(random),
    random.pick([200, 200, 200, 301, 304, 404, 500]),
    random.below(200_000),
    random.below(3000),
    random.chance(0.5) ? `${origin}${createTarget(random)}` : "",
    random.pick(userAgents),
    random.next().toString(16).slice(2).padEnd(16, "0"),
  ];
}

function csvOf(value: string | number): string {
  const text = String(value);
  return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
