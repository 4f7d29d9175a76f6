// Defines the rows of the app suite: each row's input, app flags, comparison program and bounds.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AccessLogFormat, writeAccessLog } from "../data/access-logs.ts";
import { type RecordFormat, type Width, writeBodies, writeEntries, writeList, writeRecords } from "../data/records.ts";
import { hostOf } from "../data/urls.ts";
import { cli, runCli } from "../whole-process.ts";

/** Parameters of an input generator. */
interface Size {
  readonly count: number;
  readonly origins: number;
  readonly seed: number;
}

export interface AppInput {
  readonly name: string;
  readonly origins: number;
  readonly write: (path: string, size: Size) => void;
  /** Saves the robots.txt files into a new folder; default: one file per origin. */
  readonly save?: (folder: string, size: Size) => void;
  /** The app's command line, given the folder of saved robots.txt files. */
  readonly ours: (robots: string) => readonly string[];
  /** The comparison program (a). The program reads the same file as the app unless `write` makes another file. */
  readonly other: {
    readonly is: string;
    readonly program: (robots: string) => readonly string[];
    readonly write?: (path: string, size: Size) => void;
  };
  /** The comparison program (b), which only parses and writes. */
  readonly loop?: readonly string[];
  /** Upper bounds: wall and CPU time relative to (a), CPU time relative to (b), and memory. */
  readonly wanted: {
    readonly wall: number;
    readonly cpu: number;
    readonly loop: number | null;
    readonly peakMb: number;
  };
}

const plainScript = fileURLToPath(new URL("../programs/plain-script.mjs", import.meta.url));
const plainLogScript = fileURLToPath(new URL("../programs/plain-log-script.mjs", import.meta.url));
const jsonLoop = [fileURLToPath(new URL("../programs/json-loop.mjs", import.meta.url))];

/** The app's command line for a format; the crawler is bingbot unless the flags name others. */
function app(format: string, ...flags: readonly string[]): AppInput["ours"] {
  const asked = flags.some((flag) => flag.startsWith("--agent")) ? [] : ["--agent", "bingbot"];
  return (robots) => {
    return [cli, ...asked, ...flags, "--no-fallback", "--robots", robots, "--input", format, "--output", "ndjson"];
  };
}

function recordsRow(
  name: string,
  { format, width, origins }: { format: RecordFormat; width: Width; origins: number },
  wanted: AppInput["wanted"],
): AppInput {
  return {
    name,
    origins,
    write: (path, size) => writeRecords(path, { format, width, ...size }),
    ours: app(format),
    other: { is: "plain script", program: (robots) => [plainScript, robots, format] },
    ...(format === "ndjson" ? { loop: jsonLoop } : {}),
    wanted,
  };
}

function logRow(format: AccessLogFormat, name: string, flags: readonly string[], asked: string): AppInput {
  const base = `https://${hostOf(0)}`;
  return {
    name,
    origins: 1000,
    write: (path, size) => writeAccessLog(path, { format, ...size }),
    ours: app(format, ...flags, ...(format === "combined" ? ["--base", base] : [])),
    other: {
      is: "plain script",
      program: (robots) => [plainLogScript, robots, format, base, asked],
    },
    wanted: { wall: 0.25, cpu: 0.25, loop: null, peakMb: 200 },
  };
}

const snapshotIn = (folder: string): string => join(folder, "snapshot");

/** Saves an indexed snapshot for the app, and the same robots.txt files in the form that the plain script reads into memory. */
function saveSnapshot(folder: string, { origins, seed }: Size): void {
  const [entries, cache] = [join(folder, "entries.ndjson"), join(folder, "cache")];
  writeBodies(folder, origins, seed);
  writeEntries(entries, origins, seed);
  runCli("cache", "import", entries, "--cache", cache);
  runCli("cache", "export", "--snapshot", snapshotIn(folder), "--cache", cache);
  rmSync(entries);
  rmSync(cache, { recursive: true });
}

export const appInputs: readonly AppInput[] = [
  recordsRow(
    "NDJSON thin",
    { format: "ndjson", width: "thin", origins: 1000 },
    { wall: 0.15, cpu: 0.18, loop: 1.7, peakMb: 180 },
  ),
  recordsRow(
    "NDJSON wide",
    { format: "ndjson", width: "wide", origins: 1000 },
    { wall: 0.16, cpu: 0.18, loop: 1.1, peakMb: 180 },
  ),
  recordsRow(
    "CSV wide",
    { format: "csv", width: "wide", origins: 1000 },
    { wall: 0.105, cpu: 0.12, loop: null, peakMb: 200 },
  ),
  recordsRow(
    "NDJSON thin, many origins",
    { format: "ndjson", width: "thin", origins: 100_000 },
    { wall: 0.175, cpu: 0.19, loop: null, peakMb: 320 },
  ),
  {
    ...recordsRow(
      "NDJSON thin, snapshot",
      { format: "ndjson", width: "thin", origins: 100_000 },
      { wall: 0.22, cpu: 0.22, loop: null, peakMb: 320 },
    ),
    save: saveSnapshot,
    ours: (robots) => app("ndjson")(snapshotIn(robots)),
    other: { is: "plain script, files in memory", program: (robots) => [plainScript, robots, "ndjson"] },
  },
  logRow("combined", "combined log, --agent-field", ["--agent-field", "user_agent"], "by-header"),
  logRow("combined", "combined log, --agent", [], "bingbot"),
  logRow("vhost_combined", "vhost_combined log, --agent-field", ["--agent-field", "user_agent"], "by-header"),
  logRow("vhost_combined", "vhost_combined log, --agent", [], "bingbot"),
  logRow("cloudfront", "CloudFront log, --agent", [], "bingbot"),
  logRow("cloudfront", "CloudFront log, --agent-field", ["--agent-field", "user_agent"], "by-header"),
  logRow("squid", "Squid log, --agent", [], "bingbot"),
  logRow("envoy", "Envoy log, --agent", [], "bingbot"),
  logRow("elb", "Classic ELB log, --agent", [], "bingbot"),
  logRow("haproxy", "HAProxy log, --agent", [], "bingbot"),
  {
    ...logRow("nginx_json", "nginx as JSON, --agent-field", ["--agent-field", "user_agent"], "by-header"),
    wanted: { wall: 1, cpu: 1, loop: null, peakMb: 200 },
  },
  {
    name: "plain lines",
    origins: 1000,
    write: writeList,
    ours: app("lines"),
    other: {
      is: "NDJSON of the same URLs",
      program: app("ndjson"),
      write: (path, size) => writeRecords(path, { format: "ndjson", width: "thin", ...size }),
    },
    wanted: { wall: 1, cpu: 1, loop: null, peakMb: 180 },
  },
];
