// A server on loopback → the CPU of one fetch by @robots-stream/fetch, by node:http and by curl, side by side.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createCertificate } from "@robots-stream/fetch/testing";
import { medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showRatio, showTime } from "../report.ts";

const answerProgram = fileURLToPath(new URL("../programs/answer.ts", import.meta.url));
const askProgram = fileURLToPath(new URL("../programs/ask.ts", import.meta.url));

/** What a program that asked says. */
export interface Asked {
  readonly cpuMs: number;
  /** Answers that came whole. */
  readonly whole: number;
}

type Scheme = "http" | "https";
type Way = "ours" | "node" | "curl";

/** CPU of ours in others' at most. */
const wanted: Readonly<Record<Scheme, Readonly<Record<Exclude<Way, "ours">, number | null>>>> = {
  http: { node: 1.5, curl: 0.8 },
  https: { node: 1.2, curl: null },
};
const schemes: readonly Scheme[] = ["http", "https"];
const atOnce = 256;

/** Runs the suite: each way in a process of its own, in turns, against one server for each scheme. */
export async function runFetch(options: SuiteOptions): Promise<Report> {
  // Enough that the clock of the shell, in hundredths of a second, sees it.
  const count = options.quick ? 500 : 4_000;
  const rounds = Math.min(options.rounds, 3);
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  const ways: readonly Way[] = hasCurl ? ["ours", "node", "curl"] : ["ours", "node"];
  const rows: Row[] = [];
  for (const scheme of schemes) {
    if (!options.wants(scheme)) continue;
    const { child, port } = await startServer(scheme);
    try {
      const cpuNs = new Map<Way, number[]>(ways.map((way) => [way, []]));
      for (let round = 0; round < rounds; round++) {
        for (const way of ways) {
          options.progress(`${scheme}, ${way}, round ${round + 1} of ${rounds}`);
          const { cpuMs, whole } = way === "curl" ? askCurl(scheme, port, count) : askNode(way, scheme, port, count);
          if (whole !== count) throw new Error(`${way}: ${whole} of ${count} answers came`);
          cpuNs.get(way)!.push((cpuMs * 1e6) / count);
        }
      }
      const oursNs = medianOf(cpuNs.get("ours")!);
      for (const way of ways) {
        if (way === "ours") continue;
        const theirsNs = medianOf(cpuNs.get(way)!);
        const ratio = oursNs / theirsNs;
        const most = wanted[scheme][way];
        const verdict = most === null || options.quick ? "" : ratio <= most ? "ok" : "ABOVE";
        rows.push({ scheme, other: names[way], oursNs, theirsNs, ratio, wanted: most, verdict });
      }
    } finally {
      child.stdin.end();
      await once(child, "close");
    }
  }
  return {
    suite: "fetch",
    title: "CPU of one fetch of 2 KB, each from a host name of its own",
    columns: [
      { key: "scheme", heading: "scheme" },
      { key: "other", heading: "against" },
      { key: "oursNs", heading: "ours", show: showTime },
      { key: "theirsNs", heading: "theirs", show: showTime },
      { key: "ratio", heading: "ours / theirs", show: showRatio },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    rows,
    notes: [
      `${count} fetches a round, ${atOnce} at once, median of ${rounds} rounds; the server runs in a process of its own.`,
      "ours: client.load with guard, deadlines and limits; the others take what comes. No connection is used twice.",
      ...(hasCurl ? [] : ["curl is not installed here: no row for it."]),
    ],
  };
}

const names: Readonly<Record<Way, string>> = {
  ours: "@robots-stream/fetch",
  node: "node:http(s), agent: false",
  curl: "curl --parallel",
};

async function startServer(scheme: Scheme): Promise<{ child: ChildProcessWithoutNullStreams; port: string }> {
  const { key, cert } = createCertificate();
  const secrets = scheme === "https" ? [key, cert] : [];
  const child = spawn(process.execPath, [...process.execArgv, answerProgram, ...secrets]);
  child.stderr.pipe(process.stderr);
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { child, port: port.toString().trim() };
}

function askNode(way: Way, scheme: Scheme, port: string, count: number): Asked {
  const command = [...process.execArgv, askProgram, way, scheme, port, String(count), String(atOnce)];
  const child = spawnSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (child.status !== 0) throw new Error(`${way} ended with ${child.status}`);
  return JSON.parse(child.stdout) as Asked;
}

/** The shell's `times` tells what its children used. */
function askCurl(scheme: Scheme, port: string, count: number): Asked {
  const url = `${scheme}://n[1-${count}].localhost:${port}/robots.txt`;
  const curl = `curl -q -s -k --noproxy '*' --parallel --parallel-max ${atOnce} --fail-early --fail '${url}' -w '%{size_download}\\n' -o /dev/null`;
  const child = spawnSync("/bin/sh", ["-c", `${curl}; times`], { encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  const lines = child.stdout.trim().split("\n");
  const [user = 0, system = 0] = (lines.at(-1) ?? "").split(" ").map(secondsOf);
  const whole = lines.filter((line) => /^\d+$/u.test(line) && Number(line) > 1_000).length;
  return { cpuMs: (user + system) * 1_000, whole };
}

/** "1m2.345s" → 62.345. */
function secondsOf(text: string): number {
  const [, minutes = "0", seconds = "0"] = /^(\d+)m([\d.]+)s$/u.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
