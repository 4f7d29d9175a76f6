// Compares the CPU time of one fetch by @robots-stream/fetch, by node:http and by curl from the same loopback server.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createCertificate } from "@robots-stream/raw-servers";
import { medianOf } from "../measure.ts";
import {
  type Report,
  type Row,
  type SuiteOptions,
  judged,
  judgement,
  showRatio,
  showTime,
  showWhole,
} from "../report.ts";
import { runShell } from "../whole-process.ts";

const answerProgram = fileURLToPath(new URL("../programs/answer.ts", import.meta.url));
const askProgram = fileURLToPath(new URL("../programs/ask.ts", import.meta.url));
const mixedProgram = fileURLToPath(new URL("../programs/ask-mixed.mjs", import.meta.url));

/** The result of a client program. */
export interface Asked {
  readonly cpuMs: number;
  /** Number of correct responses. */
  readonly whole: number;
  /** The largest resident set of the process, in MB of 1,048,576 bytes. */
  readonly MB?: number;
}

type Scheme = "http" | "https";
type Way = "ours" | "node" | "curl";

/** Upper bound of our CPU time relative to that of node:http(s). */
const wanted: Readonly<Record<Scheme, number>> = { http: 1.5, https: 1.2 };
/** Fetches, and how many of them at once: the client's default. */
const fetches = 4_000;
const atOnce = 256;

interface Setting {
  readonly scheme: Scheme;
  readonly count: number;
  readonly port: string;
}

/** Runs the suite: the clients take turns, each in its own process, against one server for each setting. */
export async function runFetch(options: SuiteOptions): Promise<Report> {
  const rounds = Math.min(options.rounds, 3);
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  const ways: readonly Way[] = hasCurl ? ["ours", "node", "curl"] : ["ours", "node"];
  const rows: Row[] = [];
  // A quick run still makes enough fetches for the shell's clock, which counts hundredths of a second.
  const count = options.quick ? 500 : fetches;
  for (const scheme of ["http", "https"] as const) {
    if (!options.wants(scheme)) continue;
    const { child, port } = await startServer(scheme);
    const setting: Setting = { scheme, count, port };
    const name = `${scheme}, ${count.toLocaleString("en")} fetches`;
    try {
      const cpuNs = new Map<Way, number[]>(ways.map((way) => [way, []]));
      for (let round = 0; round < rounds; round++) {
        for (const way of ways) {
          options.progress(`${name}, ${way}, round ${round + 1} of ${rounds}`);
          const { cpuMs, whole } = way === "curl" ? askCurl(setting) : askNode(askProgram, way, setting);
          if (whole !== count) throw new Error(`${way}: ${whole} of ${count} responses arrived`);
          cpuNs.get(way)!.push((cpuMs * 1e6) / count);
        }
      }
      const oursNs = medianOf(cpuNs.get("ours")!);
      for (const way of ways) {
        if (way === "ours") continue;
        const theirsNs = medianOf(cpuNs.get(way)!);
        const row = { name, other: names[way], oursNs, theirsNs, ratio: oursNs / theirsNs };
        // curl is what a shell script would take; nobody changes the program for a few microseconds of a fetch.
        rows.push(
          judged(row, way === "node" ? [["ratio", "≤", wanted[scheme]]] : [], "a crawler that has its own client"),
        );
      }
      if (scheme === "http") {
        options.progress(`${name}, 1 in 11 fails`);
        const { cpuMs, whole, MB = 0 } = askNode(mixedProgram, "mixed", setting);
        if (whole !== count) throw new Error(`${whole} of ${count} origins got their expected result`);
        const row = { name, other: "1 in 11 fails", oursNs: (cpuMs * 1e6) / count, MB };
        rows.push(judged(row, [["MB", "≤", 256]], "a crawler in a small container"));
      }
    } finally {
      child.stdin.end();
      await once(child, "close");
    }
  }
  return {
    suite: "fetch",
    title: `CPU time of one fetch of 2 KB, each from a host name of its own, ${atOnce} at once`,
    columns: [
      { key: "name", heading: "fetches" },
      { key: "other", heading: "against" },
      { key: "oursNs", heading: "ours", show: showTime },
      { key: "theirsNs", heading: "theirs", show: showTime },
      { key: "ratio", heading: "ours / theirs", show: showRatio },
      { key: "MB", heading: "peak MB", show: showWhole },
      ...judgement,
    ],
    rows,
    notes: [
      `Median of ${rounds} rounds. The server runs in its own process. No connection is used twice.`,
      "ours: client.load with address guard, deadlines and limits, which the other programs do not have.",
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

function askNode(program: string, way: Way | "mixed", { scheme, count, port }: Setting): Asked {
  const what = way === "mixed" ? [] : [way, scheme];
  const command = [...process.execArgv, program, ...what, port, String(count), String(atOnce)];
  const child = spawnSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (child.status !== 0) throw new Error(`${way} ended with ${child.status}`);
  return JSON.parse(child.stdout) as Asked;
}

function askCurl({ scheme, count, port }: Setting): Asked {
  const url = `${scheme}://n[1-${count}].localhost:${port}/robots.txt`;
  const curl = `curl -q -s -k --noproxy '*' --parallel --parallel-max ${atOnce} --fail-early --fail '${url}' -w '%{size_download}\\n' -o /dev/null 2> /dev/null`;
  const { cpuMs, stdout } = runShell(curl, process.cwd());
  return { cpuMs, whole: stdout.split("\n").filter((size) => Number(size) > 1_000).length };
}
