// Renders a worker's counts in Prometheus' text format, and serves the counts and the health pages over HTTP.
import { createServer, type Server } from "node:http";
import { type Counts, type FateCounts, fates } from "./flow/counts.ts";
import type { Pipeline } from "./flow/pipeline.ts";
import type { Worker } from "./flow/worker.ts";

/** The state that the pages show. */
export interface Shown {
  readonly counts: Counts;
  readonly pipeline: Pipeline;
  readonly worker: Worker;
  isAlive(): boolean;
  isReady(): boolean;
}

type Value = number | bigint;

/** The page `/metrics`. */
function metricsOf({ counts, pipeline, worker }: Shown): string {
  const { messages, lines, written, commits, failedCommits } = counts;
  const { origins, fetches, unavailable, unreachable } = pipeline.decider.summary;
  const fatesOf = (all: FateCounts) => fates.map((fate): [string, Value] => [fate, all[fate]]);
  const partitions = [...worker.progress.values()];
  const each = (valueOf: (progress: (typeof partitions)[number]) => Value) =>
    labelled("partition", new Map(partitions.map((progress) => [String(progress.partition), valueOf(progress)])));
  const fateValues = labelled("fate", [...fatesOf(messages), ["abandoned", counts.abandoned]]);
  const failures = { unavailable, unreachable };
  const results = { done: commits, failed: failedCommits };
  const rows: readonly (readonly [name: string, about: string, value: Value | readonly string[]])[] = [
    ["messages_read_total", "Messages read.", messages.in],
    ["messages_total", "Messages by fate.", fateValues],
    ["lines_total", "Lines of messages by fate.", labelled("fate", fatesOf(lines))],
    ["messages_under_way", "Messages that were read and whose output is not acknowledged yet.", pipeline.messages],
    ["bytes_under_way", "Memory of the messages under way, in bytes.", pipeline.bytes],
    ["oldest_seconds", "The age of the oldest message under way.", pipeline.oldestMs / 1_000],
    ["messages_written_total", "Messages written and acknowledged.", labelled("topic", written)],
    ["watermark", "The offset below which all messages are complete.", each(({ watermark }) => watermark)],
    ["committed", "The committed offset.", each(({ committed }) => committed ?? -1n)],
    ["lag", "Offsets from the watermark to the end of the partition.", each(({ lag }) => lag)],
    ["origins_total", "Origins that were loaded.", origins],
    ["robots_fetched_total", "Origins that were loaded over the network.", fetches],
    [
      "robots_failed_total",
      "Origins that were unavailable or unreachable, by result.",
      labelled("result", Object.entries(failures)),
    ],
    ["commits_total", "Commits, by result.", labelled("result", Object.entries(results))],
    ["joins_total", "Number of times that the group assigned partitions to this worker.", counts.joins],
    ["fetch_failures_total", "Failed requests for messages.", counts.fetchFailures],
    ["out_of_range_total", "Number of times that the position to read from no longer existed.", counts.outOfRange],
    ["offsets_lost_total", "Offsets that were deleted before they were read.", counts.offsetsLost],
  ];
  const texts = rows.flatMap(([short, about, value]) => {
    const name = `robots_stream_kafka_${short}`;
    const values = typeof value === "object" ? value : [` ${value}`];
    const type = short.endsWith("_total") ? "counter" : "gauge";
    return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...values.map((text) => `${name}${text}`)];
  });
  return `${texts.join("\n")}\n`;
}

/** The values of a name, each with its label. */
function labelled(label: string, values: Iterable<readonly [string, Value]>): readonly string[] {
  return Array.from(values, ([text, value]) => {
    const shown = text.replace(/([A-Z])/g, "_$1").toLowerCase();
    return `{${label}="${shown.replace(/[\\"\n]/g, "_")}"} ${value}`;
  });
}

/** Serves the pages. Rejects if the port is taken. */
export function serve({ host, port }: { readonly host: string; readonly port: number }, shown: Shown): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = "text/plain"): void => {
      response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "only GET and HEAD\n");
    const path = request.url?.split("?")[0];
    if (path === "/metrics") return answer(200, metricsOf(shown), "text/plain; version=0.0.4");
    if (path === "/livez") return shown.isAlive() ? answer(200, "ok\n") : answer(503, "not alive\n");
    if (path === "/readyz") return shown.isReady() ? answer(200, "ok\n") : answer(503, "not ready\n");
    return answer(404, "/livez, /readyz, /metrics\n");
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
