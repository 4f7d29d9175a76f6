// Decides and prints the first messages of each partition, without joining the group, writing or committing.
import { decideMessages, type OriginLoader } from "@robots-stream/engine";
import type { ClientOptions } from "./kafka/connection.ts";
import { Reader } from "./kafka/fetch.ts";
import type { Settings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

/** Maximum number of messages read from one partition. */
const mostEach = 100;

/** Runs the dry run; resolves to the exit code. */
export async function dryRun(
  settings: Settings,
  options: ClientOptions,
  loader: OriginLoader,
  { say, print, signal }: Surroundings,
): Promise<number> {
  const { topic, urlFrom } = settings;
  const reader = new Reader(options, "dry-run", topic);
  let lines = 0;
  let rejects = 0;
  const decider = decideMessages<string>({
    ...settings.deciding,
    robots: loader,
    onPart({ message, rows, records, rejects: bad }) {
      lines += records;
      rejects += bad.length;
      if (rows.length > 0) print(rows.toString());
      for (const { line, code, reason } of bad) say(`${message}, line ${line}: ${code}: ${reason}`);
    },
  });
  try {
    const leaders = await reader.leaders();
    const partitions = leaders.map((_leader, partition) => ({ topic, partition }));
    const starts = await reader.edges(partitions, "earliest");
    let messages = 0;
    for (const { partition } of partitions) {
      if (signal.aborted) break;
      const offset = starts.get(partition) ?? 0n;
      const [fetched] = await reader.fetch(leaders[partition]!, [{ topic, partition, offset }], () => undefined);
      for (const { offset: at, key, value } of fetched?.records.slice(0, mostEach) ?? []) {
        messages++;
        const name = `${topic}/${partition}/${at}`;
        const bytes = urlFrom === "key" ? key && Buffer.from(JSON.stringify({ url: key.toString() })) : value;
        if (bytes === null) say(`${name}: has no ${urlFrom}`);
        else decider.add(name, bytes);
      }
    }
    decider.end();
    const stop = (): void => void decider.stop();
    signal.addEventListener("abort", stop, { once: true });
    await decider.done;
    say(
      `${countText(messages, "message")} of ${countText(partitions.length, "partition")}: ` +
        `${countText(lines, "record")} decided, ${countText(rejects, "line")} rejected; nothing was written or committed`,
    );
    return 0;
  } finally {
    await decider.stop();
    await reader.close();
  }
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
