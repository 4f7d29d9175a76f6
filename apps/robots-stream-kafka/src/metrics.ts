// Renders a worker's counts in Prometheus' text format, and serves the counts and the health pages over HTTP.
import { createServer, type Server } from "node:http";
import type { Counts } from "./flow/counts.ts";
import { fates } from "./flow/counts.ts";
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

const prefix = "robots_stream_kafka";

/** The page `/metrics`. */
function metricsOf({ counts, pipeline, worker }: Shown): string {
  const lines: string[] = [];
  const add = (
    name: string,
    type: "counter" | "gauge",
    about: string,
    values: readonly (readonly [labels: string, value: number | bigint])[],
  ): void => {
    lines.push(`# HELP ${prefix}_${name} ${about}`, `# TYPE ${prefix}_${name} ${type}`);
    for (const [labels, value] of values) lines.push(`${prefix}_${name}${labels === "" ? "" : `{${labels}}`} ${value}`);
  };
  const fatesOf = (all: Counts["messages"]): [string, number][] =>
    fates.map((fate) => [`fate="${labelOf(fate)}"`, all[fate]]);
  const { messages, lines: records } = counts;
  add("messages_read_total", "counter", "Messages read.", [["", messages.in]]);
  add("messages_total", "counter", "Messages by fate.", [...fatesOf(messages), ['fate="abandoned"', counts.abandoned]]);
  add("lines_total", "counter", "Lines of messages by fate.", fatesOf(records));
  add("messages_under_way", "gauge", "Messages that were read and whose output is not acknowledged yet.", [
    ["", pipeline.messages],
  ]);
  add("bytes_under_way", "gauge", "Memory of the messages under way, in bytes.", [["", pipeline.bytes]]);
  const oldest = pipeline.oldest;
  add("oldest_seconds", "gauge", "The age of the oldest message under way.", [
    ["", oldest === undefined ? 0 : (Date.now() - oldest) / 1_000],
  ]);
  add(
    "messages_written_total",
    "counter",
    "Messages written and acknowledged.",
    [...counts.written].map(([topic, count]) => [`topic="${labelOf(topic)}"`, count] as const),
  );
  const partitions = [...worker.progress.values()];
  const each = (valueOf: (progress: (typeof partitions)[number]) => bigint | number): [string, bigint | number][] =>
    partitions.map((progress) => [`partition="${progress.partition}"`, valueOf(progress)]);
  add(
    "watermark",
    "gauge",
    "The offset below which all messages are complete.",
    each(({ watermark }) => watermark),
  );
  add(
    "committed",
    "gauge",
    "The committed offset.",
    each(({ committed }) => committed ?? -1n),
  );
  add(
    "lag",
    "gauge",
    "Offsets from the watermark to the end of the partition.",
    each(({ lag }) => lag),
  );
  const { origins, fetches, unavailable, unreachable } = pipeline.decider.summary;
  add("origins_total", "counter", "Origins that were loaded.", [["", origins]]);
  add("robots_fetched_total", "counter", "Origins that were loaded over the network.", [["", fetches]]);
  add("robots_failed_total", "counter", "Origins that were unavailable or unreachable, by result.", [
    ['result="unavailable"', unavailable],
    ['result="unreachable"', unreachable],
  ]);
  add("commits_total", "counter", "Commits, by result.", [
    ['result="done"', counts.commits],
    ['result="failed"', counts.failedCommits],
  ]);
  add("joins_total", "counter", "Number of times that the group assigned partitions to this worker.", [
    ["", counts.joins],
  ]);
  add("fetch_failures_total", "counter", "Failed requests for messages.", [["", counts.fetchFailures]]);
  add("out_of_range_total", "counter", "Number of times that the position to read from no longer existed.", [
    ["", counts.outOfRange],
  ]);
  add("offsets_lost_total", "counter", "Offsets that were deleted before they were read.", [["", counts.lost]]);
  return `${lines.join("\n")}\n`;
}

function labelOf(text: string): string {
  return text
    .replace(/([A-Z])/g, "_$1")
    .toLowerCase()
    .replace(/[\\"\n]/g, "_");
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
