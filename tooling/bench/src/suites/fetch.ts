// Compares the CPU time of one fetch by @robots-stream/fetch, by node:http and by curl from the same loopback server.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createCertificate } from "@robots-stream/raw-servers";
import { medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showNumber, showRatio, showTime, verdictAtMost } from "../report.ts";

const answerProgram = fileURLToPath(new URL("../programs/answer.ts", import.meta.url));
const askProgram = fileURLToPath(new URL("../programs/ask.ts", import.meta.url));
const mixedProgram = fileURLToPath(new URL("../programs/ask-mixed.mjs", import.meta.url));

/** The result of a client program. */
export interface Asked {
  readonly cpuMs: number;
  /** Number of correct responses. */
  readonly whole: number;
  /** The largest resident set of the process, in MB of 1,048,576 bytes. */
  readonly peakMb?: number;
}

type Scheme = "http" | "https";
type Way = "ours" | "node" | "curl";

/** Upper bounds of our CPU time relative to the CPU time of the other programs. */
const wanted: Readonly<Record<Scheme, Readonly<Record<"node" | "curl", number | null>>>> = {
  http: { node: 1.5, curl: 0.8 },
  https: { node: 1.2, curl: null },
};
/** Memory bounds in MB of 1,048,576 bytes, by concurrency, for origins of which every eleventh fails. The client's default concurrency is 256. */
const mostMb: Readonly<Record<number, number>> = { 1_024: 410, 256: 210 };

interface Setting {
  readonly scheme: Scheme;
  readonly count: number;
  readonly atOnce: number;
}

/** Runs with many fetches at a high concurrency, and curl's best case. TLS takes longer, so fewer fetches are enough. */
const settings: readonly Setting[] = [
  { scheme: "http", count: 20_000, atOnce: 1_024 },
  { scheme: "http", count: 4_000, atOnce: 256 },
  { scheme: "https", count: 4_000, atOnce: 256 },
];
const quickSettings: readonly Setting[] = [
  { scheme: "http", count: 500, atOnce: 256 },
  { scheme: "https", count: 500, atOnce: 256 },
];

/** Runs the suite: the clients take turns, each in its own process, against one server for each setting. */
export async function runFetch(options: SuiteOptions): Promise<Report> {
  const rounds = Math.min(options.rounds, 3);
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  const ways: readonly Way[] = hasCurl ? ["ours", "node", "curl"] : ["ours", "node"];
  const rows: Row[] = [];
  // A quick run still makes enough fetches for the shell's clock, which counts hundredths of a second.
  for (const setting of options.quick ? quickSettings : settings) {
    const { scheme, count, atOnce } = setting;
    if (!options.wants(scheme)) continue;
    const { child, port } = await startServer(scheme);
    const name = `${scheme}, ${count.toLocaleString("en")} at ${atOnce.toLocaleString("en")}`;
    try {
      const cpuNs = new Map<Way, number[]>(ways.map((way) => [way, []]));
      for (let round = 0; round < rounds; round++) {
        for (const way of ways) {
          options.progress(`${name}, ${way}, round ${round + 1} of ${rounds}`);
          const { cpuMs, whole } = way === "curl" ? askCurl(setting, port) : askNode(askProgram, way, setting, port);
          if (whole !== count) throw new Error(`${way}: ${whole} of ${count} responses arrived`);
          cpuNs.get(way)!.push((cpuMs * 1e6) / count);
        }
      }
      const oursNs = medianOf(cpuNs.get("ours")!);
      for (const way of ways) {
        if (way === "ours") continue;
        const theirsNs = medianOf(cpuNs.get(way)!);
        const ratio = oursNs / theirsNs;
        const most = wanted[scheme][way];
        const verdict = verdictAtMost(ratio, most);
        rows.push({ name, other: names[way], oursNs, theirsNs, ratio, wanted: most, verdict });
      }
      if (scheme === "http") {
        options.progress(`${name}, 1 in 11 fails`);
        const { cpuMs, whole, peakMb = 0 } = askNode(mixedProgram, "mixed", setting, port);
        if (whole !== count) throw new Error(`${whole} of ${count} origins got their expected result`);
        const wantedMb = mostMb[atOnce]!;
        const verdict = verdictAtMost(peakMb, wantedMb);
        rows.push({ name, other: "1 in 11 fails", oursNs: (cpuMs * 1e6) / count, peakMb, wantedMb, verdict });
      }
    } finally {
      child.stdin.end();
      await once(child, "close");
    }
  }
  return {
    suite: "fetch",
    title: "CPU time of one fetch of 2 KB, each from a host name of its own",
    columns: [
      { key: "name", heading: "fetches, at once" },
      { key: "other", heading: "against" },
      { key: "oursNs", heading: "ours", show: showTime },
      { key: "theirsNs", heading: "theirs", show: showTime },
      { key: "ratio", heading: "ours / theirs", show: showRatio },
      { key: "wanted", heading: "wanted ≤" },
      { key: "peakMb", heading: "peak MB", show: showNumber },
      { key: "wantedMb", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    rows,
    notes: [
      `Median of ${rounds} rounds. The server runs in its own process.`,
      "ours: client.load with address guard, deadlines and limits, which the other programs do not have. No connection is used twice.",
      "1 in 11 fails: 404, 500, a closed connection or a truncated body. Every origin got its expected result, kept in the default store.",
      ...(hasCurl ? [] : ["curl is not installed: no row for it."]),
    ],
  };
}

const names: Readonly<Record<"node" | "curl", string>> = {
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

function askNode(program: string, way: Way | "mixed", { scheme, count, atOnce }: Setting, port: string): Asked {
  const what = way === "mixed" ? [] : [way, scheme];
  const command = [...process.execArgv, program, ...what, port, String(count), String(atOnce)];
  const child = spawnSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (child.status !== 0) throw new Error(`${way} ended with ${child.status}`);
  return JSON.parse(child.stdout) as Asked;
}

/** curl's CPU time, as reported by the shell's `times` for its child processes. */
function askCurl({ scheme, count, atOnce }: Setting, port: string): Asked {
  const url = `${scheme}://n[1-${count}].localhost:${port}/robots.txt`;
  const curl = `curl -q -s -k --noproxy '*' --parallel --parallel-max ${atOnce} --fail-early --fail '${url}' -w '%{size_download}\\n' -o /dev/null`;
  const child = spawnSync("/bin/sh", ["-c", `${curl}; times`], { encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  const lines = child.stdout.trim().split("\n");
  const [user = 0, system = 0] = (lines.at(-1) ?? "").split(" ").map(secondsOf);
  const whole = lines.filter((line) => /^\d+$/u.test(line) && Number(line) > 1_000).length;
  return { cpuMs: (user + system) * 1_000, whole };
}

/** The seconds in the shell's notation: "1m2.345s" is 62.345. */
function secondsOf(text: string): number {
  const [, minutes = "0", seconds = "0"] = /^(\d+)m([\d.]+)s$/u.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
