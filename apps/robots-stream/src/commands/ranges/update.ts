// Fetches lists of addresses and stores them in a folder. Accepts only https URLs. The address guard of @robots-stream/fetch refuses
// private addresses, unless `--allow-private` is given.
import { printableOf } from "@robots-stream/engine/internal";
import type { Exchange } from "@robots-stream/fetch";
import { mostFileCharacters, type RangeFile, readRanges } from "@robots-stream/verify";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText } from "../../cli/figures.ts";
import { type ClientSurroundings, caOf, limitsOfFlags } from "../../cli/network/client.ts";
import type { NetworkSettings } from "../../cli/network/flags.ts";
import { storeRanges } from "../../cli/verify/range-folder.ts";

const concurrency = 8;

/** Fetches and stores lists. Resolves to the exit code. If a list cannot be fetched, its stored versions stay unchanged. */
export async function updateRanges(
  { lists, network }: { readonly lists: readonly RangeFile[]; readonly network: NetworkSettings },
  folder: string,
  { env, say, signal }: ClientSurroundings & { readonly signal?: AbortSignal | undefined },
): Promise<number> {
  const { createHttpTransport, limitsOf } = await import("@robots-stream/fetch/transports");
  const { proxyOfEnv } = await import("@robots-stream/fetch");
  const ca = await caOf(network.caPath, signal);
  const { proxy = "", userAgent, allowPrivate, resolver } = network;
  const chosen = proxy === "none" ? undefined : proxy === "" ? proxyOfEnv(env) : proxy;
  const transport = createHttpTransport({
    allowPrivate,
    resolver,
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(chosen === undefined ? {} : { proxy: chosen }),
    ...(ca === undefined ? {} : { ca }),
  });
  const limits = limitsOf(limitsOfFlags({ network, maxBytes: mostFileCharacters }));
  let failed = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < lists.length) {
      const list = lists[next++]!;
      signal?.throwIfAborted();
      const exchange = await transport.exchange(list.url, limits, signal);
      signal?.throwIfAborted();
      const told = takeExchange(list, exchange, folder);
      if (told.isFailure) failed++;
      say(`${list.name}: ${told.text}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, lists.length) }, work));
  } finally {
    await transport.close?.();
  }
  if (failed > 0)
    say(`${failed} of ${countText(lists.length, "list")} could not be fetched; their stored versions are still used`);
  return failed > 0 ? exitCodes.failed : exitCodes.done;
}

interface Told {
  readonly text: string;
  readonly isFailure: boolean;
}

/** Stores the list in the response of an exchange, and returns a message. Throws a `UsageError` when the folder cannot be written. */
function takeExchange({ name }: RangeFile, { hops, response, failure, endedAt }: Exchange, folder: string): Told {
  const fail = (text: string): Told => ({ text: printableOf(text, 200), isFailure: true });
  if (failure !== undefined) return fail(`${failure.code}: ${failure.message}`);
  if (hops.some(({ url }) => !url.startsWith("https:"))) return fail("was redirected to a URL without https");
  if (response.status !== 200) return fail(`the server answered ${response.status}`);
  if (response.truncated) return fail(`is longer than ${mostFileCharacters} bytes`);
  const body = Buffer.from(response.body).toString("utf8");
  const read = readRanges(body);
  if (read.ranges === undefined) return fail(read.message);
  storeRanges(folder, name, body, endedAt);
  const { table, ignored, createdAtMs } = read.ranges;
  const created = createdAtMs === undefined ? "" : `, of ${new Date(createdAtMs).toISOString().slice(0, 10)}`;
  return { text: `${entriesText(table.prefixes.length, ignored)}${created}`, isFailure: false };
}

/** The number of prefixes of a list, and the number of entries that are not readable, if there are any. */
export function entriesText(prefixes: number, ignored: number): string {
  const lost = ignored === 0 ? "" : `, ${countText(ignored, "entry", "entries")} not readable`;
  return `${countText(prefixes, "prefix", "prefixes")}${lost}`;
}
