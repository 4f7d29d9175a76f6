// Creates a client of @robots-stream/fetch from the settings of the network.
import type { Limits, RobotsClient, RobotsClientOptions, StoredRobots } from "@robots-stream/fetch";
import { UsageError } from "@robots-stream/engine";
import { printableOf, readFileStart, readPipe, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import type { NetworkSettings } from "./flags.ts";

export interface ClientSettings {
  readonly network: NetworkSettings;
  /** Maximum size of one robots.txt. */
  readonly maxBytes: number;
}

/** What `openClient` needs besides the settings. */
export interface ClientSurroundings {
  /** The environment; only its proxy variables are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reports a warning. */
  readonly say: (sentence: string) => void;
  /** Aborts the read of a pipe that `--ca` names. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the client that `openClient` cannot derive from `ClientSettings`. */
export type ClientMore = Pick<RobotsClientOptions, "store" | "isUsable" | "transport" | "onWaiting" | "freshness">;

/**
 * Loads @robots-stream/fetch and creates a client. Rejects with a `UsageError` for certificates that cannot be read and for an invalid
 * proxy. `more` overrides the options that are derived from `settings`.
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
      "--insecure-tls: certificates are not checked, so an attacker on the network path can answer for any https origin",
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
    // All options except the proxy were checked earlier.
    const isUsage = error instanceof Error && "code" in error && error.code === "ERR_INVALID_OPTION";
    throw isUsage ? new UsageError("wrong-value", proxy === "" ? error.message : `--${error.message}`) : error;
  }
}

/**
 * Whether the settings name certificates or a proxy, or the environment has a proxy variable. Mistakes in these are found only when a
 * client is opened, so such a run opens the client before it reads any input.
 */
export function needsCheck({ network }: ClientSettings, env: ClientSurroundings["env"]): boolean {
  return (
    network.caPath !== undefined ||
    network.proxy !== undefined ||
    Object.keys(env).some((name) => /_proxy$/i.test(name))
  );
}

const mostCaBytes = 16 * 1_048_576;

/**
 * The text of a file of certificates (PEM); undefined without a path. Rejects with a `UsageError` for a file that cannot be read, is too
 * large, or has an invalid certificate or none. Rejects with the signal's reason when the signal aborts.
 */
export async function caOf(path: string | undefined, signal?: AbortSignal): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const shown = `--ca ${shownWordOf(path)}`;
  let bytes: Buffer;
  try {
    bytes = (await readPipe(path, mostCaBytes + 1, signal)) ?? readFileStart(path, mostCaBytes + 1);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("unreadable-ca", `${shown}: ${reasonOf(error)}`);
  }
  if (bytes.length > mostCaBytes)
    throw new UsageError("unreadable-ca", `${shown}: is too large for a file of certificates`);
  const text = bytes.toString("utf8");
  // Node silently accepts a file without certificates and then trusts no server.
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    const { X509Certificate } = process.getBuiltinModule("node:crypto");
    for (const certificate of certificates) void new X509Certificate(certificate).serialNumber;
  } catch {
    throw new UsageError("unreadable-ca", `${shown}: holds a certificate that cannot be read`);
  }
  if (certificates.length === 0) throw new UsageError("unreadable-ca", `${shown}: holds no certificate in PEM`);
  return text;
}

/** The limits that flags set. The client's defaults apply for all other limits. */
export function limitsOfFlags({ network, maxBytes }: ClientSettings): Partial<Limits> {
  const { timeoutMs, connectTimeoutMs, headersTimeoutMs = timeoutMs, maxRedirects, maxHeaderBytes } = network;
  return {
    maxBytes,
    maxHeaderBytes,
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    // --timeout limits the whole exchange, so the shorter default limit for headers must not end it earlier.
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
    concurrency,
    onShortage({ message, concurrency: left }) {
      const code = /\bE[A-Z]+\b/.exec(message)?.[0] ?? printableOf(message);
      say(
        `out of sockets (${code}): ${left} origins are fetched at the same time instead of ${concurrency}; ` +
          "ulimit -n shows the limit of open files and sockets",
      );
    },
    // Without a cache, the client stores nothing, because the engine itself keeps loaded results.
    store: { get: () => undefined, set: () => undefined },
  };
}

/** Whether the origin itself has a private address that was not requested. False if only a redirect leads to a private address. */
export function isPrivateOrigin({ code, hops }: Pick<StoredRobots, "code" | "hops">): boolean {
  return code === "blocked-address" && hops.length === 0;
}

export const privateOriginsSentence =
  "origins with private addresses are requested only with --allow-private: their robots.txt files count as unreachable (blocked-address)";
