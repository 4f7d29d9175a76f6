// The settings that speak about the network in, a client of @robots-stream/fetch out.
import type { Limits, RobotsClient, RobotsClientOptions } from "@robots-stream/fetch";
import {
  nodeCrypto,
  printableOf,
  readFileStart,
  readPipe,
  reasonOf,
  shownWordOf,
  UsageError,
} from "@robots-stream/engine/internal";
import type { NetworkSettings } from "./settings.ts";

/** What a client needs to know. */
export interface ClientSettings {
  readonly network: NetworkSettings;
  /** Bytes of one robots.txt. */
  readonly maxBytes: number;
}

/** What it gets from its surroundings. */
export interface ClientSurroundings {
  /** The variables that name proxies are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears what people should know about how is asked. */
  readonly say: (sentence: string) => void;
  /** Ends waiting for what `--ca` names. */
  readonly signal?: AbortSignal | undefined;
}

/** What a client may have besides. */
export type ClientMore = Pick<RobotsClientOptions, "store" | "isUsable" | "transport" | "onWaiting">;

/**
 * Loads @robots-stream/fetch and makes a client. Rejects with a `UsageError` for certificates that cannot be read and for
 * what is no proxy. `more` has the last word.
 */
export async function openClient(
  settings: ClientSettings,
  surroundings: ClientSurroundings,
  more: ClientMore = {},
): Promise<RobotsClient> {
  const ca = await caOf(settings.network.caPath, surroundings.signal);
  const { createRobotsClient, proxyOfEnv } = await import("@robots-stream/fetch");
  const { proxy = "", insecureTls } = settings.network;
  if (insecureTls) {
    surroundings.say(
      "--insecure-tls: certificates are not checked, so anybody in between can answer for an https origin",
    );
  }
  try {
    const chosen = proxy === "none" ? undefined : proxy === "" ? proxyOfEnv(surroundings.env) : proxy;
    return createRobotsClient({
      ...clientOptionsOf(settings, surroundings),
      ...(chosen === undefined ? {} : { proxy: chosen }),
      ...(ca === undefined ? {} : { ca }),
      ...more,
    });
  } catch (error) {
    // Everything else was checked before.
    const isUsage = error instanceof Error && "code" in error && error.code === "ERR_INVALID_OPTION";
    throw isUsage ? new UsageError("wrong-value", proxy === "" ? error.message : `--${error.message}`) : error;
  }
}

/** Whether something can be wrong that only opening a client shows: then it is opened before anything is read. */
export function needsCheck({ network }: ClientSettings, env: ClientSurroundings["env"]): boolean {
  return (
    network.caPath !== undefined ||
    network.proxy !== undefined ||
    Object.keys(env).some((name) => /_proxy$/i.test(name))
  );
}

/** No list of certificates is longer. */
const mostCaBytes = 16 * 1_048_576;

async function caOf(path: string | undefined, signal?: AbortSignal): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const shown = `--ca ${shownWordOf(path)}`;
  let bytes: Buffer;
  try {
    bytes = (await readPipe(path, mostCaBytes + 1, signal)) ?? readFileStart(path, mostCaBytes + 1);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("unreadable-ca", `${shown}: ${reasonOf(error)}`);
  }
  if (bytes.length > mostCaBytes) throw new UsageError("unreadable-ca", `${shown}: is too long for certificates`);
  const text = bytes.toString("utf8");
  // Node takes what is no certificate without a word, and then trusts nobody.
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    const { X509Certificate } = nodeCrypto();
    for (const certificate of certificates) void new X509Certificate(certificate).serialNumber;
  } catch {
    throw new UsageError("unreadable-ca", `${shown}: holds a certificate that cannot be read`);
  }
  if (certificates.length === 0) throw new UsageError("unreadable-ca", `${shown}: holds no certificate in PEM`);
  return text;
}

/** The limits that flags set; the client knows the others. */
export function limitsOfFlags({ network, maxBytes }: ClientSettings): Partial<Limits> {
  const { timeoutMs, connectTimeoutMs, headersTimeoutMs = timeoutMs, maxRedirects, maxHeaderBytes } = network;
  return {
    maxBytes,
    maxHeaderBytes,
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    // One bound for the whole origin: the one for waiting until a server answers must not end it earlier.
    ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }),
    ...(headersTimeoutMs === undefined ? {} : { headersTimeoutMs }),
  };
}

function clientOptionsOf({ network, maxBytes }: ClientSettings, { say }: ClientSurroundings): RobotsClientOptions {
  const { userAgent, retryWaitMs, concurrency } = network;
  return {
    ...(userAgent === undefined ? {} : { userAgent }),
    policy: network.accessPolicy,
    soft404: network.soft404,
    allowPrivate: network.allowPrivate,
    perAddress: network.perAddress,
    resolver: network.resolver,
    insecureTls: network.insecureTls,
    limits: limitsOfFlags({ network, maxBytes }),
    ...(retryWaitMs === undefined ? {} : { retry: retryWaitMs === 0 ? { attempts: 0 } : { maxWaitMs: retryWaitMs } }),
    maxInFlight: concurrency,
    onShortage({ message, maxInFlight }) {
      const code = /\bE[A-Z]+\b/.exec(message)?.[0] ?? printableOf(message);
      say(
        `no more sockets on this machine (${code}): ${maxInFlight} origins are asked at once instead of ${concurrency}; ` +
          "ulimit -n says how many files and sockets there may be",
      );
    },
    // Nothing is asked twice in a run: without a cache nothing is kept.
    store: { get: () => undefined, set: () => undefined },
  };
}
