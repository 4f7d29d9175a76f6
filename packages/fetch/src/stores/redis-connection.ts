// A Redis URL → a connection that answers commands within a time, or rejects with a StoreError that tells no password.
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../failures.ts";
import { StoreError, type StoreErrorCode } from "../errors.ts";

/** The server answered with an error: `word` is its first one, which is its code. */
export class RedisReplyError extends StoreError {
  readonly word: string;

  constructor(word: string) {
    super(replyCodes.get(word) ?? "ERR_STORE_UNREACHABLE", `the server said: ${word}`);
    this.word = word;
  }
}

/** Errors of a server that can be read and takes no writes: full, a replica, without its disk or replicas, by its ACL. */
const replyCodes: ReadonlyMap<string, StoreErrorCode> = new Map([
  ["OOM", "ERR_STORE_FULL"],
  ["READONLY", "ERR_STORE_ACCESS"],
  ["MISCONF", "ERR_STORE_ACCESS"],
  ["NOREPLICAS", "ERR_STORE_ACCESS"],
  ["NOPERM", "ERR_STORE_ACCESS"],
]);

/** A server that has just started reads its data first; commands wait meanwhile, within their time. */
const loadingPauseMs = 100;

/** One connection. */
export interface RedisConnection {
  /** Sends a command, strings and bytes; bulk strings come back as Buffers. Rejects with a `StoreError`. */
  command(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Tries to get back to a server that went away, with a pause before each; commands wait meanwhile, within their time. */
const reconnectPausesMs: readonly number[] = [50, 100, 200, 400, 800];

/** Errors of the package by which commands end whose answer was still to come. */
const lossNames: ReadonlySet<string> = new Set(["SocketClosedUnexpectedlyError", "DisconnectsClientError"]);
const lossCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

function isLoss(error: unknown): boolean {
  return error instanceof Error && (lossNames.has(error.constructor.name) || lossCodes.has(codeOf(error)));
}

/** No answer came in time. */
class LateError extends StoreError {
  constructor() {
    super("ERR_STORE_UNREACHABLE", "no answer in time");
  }
}

/**
 * Connects. Rejects with a `StoreError` when the package, or the server, is not there. A client that has not answered in time is
 * destroyed, and the next command makes another one: what a server goes on sending after that would fill the memory.
 */
export async function connectRedis(url: string, timeoutMs: number): Promise<RedisConnection> {
  const library = await loadClient();
  const within = async <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new LateError()), timeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw error instanceof StoreError ? error : unreachable(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const openClient = async (): Promise<RedisClient> => {
    const client = createClient(library, url, timeoutMs);
    try {
      await within(client.connect());
      return client;
    } catch (error) {
      client.destroy();
      throw error;
    }
  };
  let opened: Promise<RedisClient> | undefined = openClient();
  await opened;

  const command = async (parts: readonly (string | Buffer)[]): Promise<unknown> => {
    const opening = (opened ??= openClient());
    const forget = (): void => {
      if (opened === opening) opened = undefined;
    };
    const client = await opening.catch((error: unknown) => {
      forget();
      throw error;
    });
    try {
      return await within(send(client, parts, timeoutMs));
    } catch (error) {
      if (error instanceof LateError) {
        forget();
        client.destroy();
      }
      throw error;
    }
  };
  return {
    command,
    async close() {
      const client = await opened?.catch(() => undefined);
      try {
        if (client !== undefined) await within(client.close());
      } catch {
        client?.destroy();
      }
    },
  };
}

function createClient({ make, buffers }: RedisLibrary, url: string, timeoutMs: number): RedisClient {
  const client = make({
    url,
    RESP: 2,
    disableClientInfo: true,
    commandOptions: { typeMapping: buffers },
    socket: {
      connectTimeout: timeoutMs,
      reconnectStrategy: (retries: number, cause: Error) => reconnectPausesMs[retries] ?? cause,
    },
  });
  // Each command that fails tells of it; unheard "error" events would end the process.
  client.on("error", () => undefined);
  return client;
}

/** Sends a command: once more when the connection was lost, and again while the server reads its data. */
async function send(client: RedisClient, parts: readonly (string | Buffer)[], timeoutMs: number): Promise<unknown> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let isLost = false; ;) {
    try {
      return await client.sendCommand(parts);
    } catch (error) {
      if (replyWordOf(error) === "LOADING" && performance.now() < giveUpAt) await sleep(loadingPauseMs);
      // The connection went, and a new one is being made. Every command here may be done twice.
      else if (!isLost && isLoss(error)) isLost = true;
      else throw error;
    }
  }
}

/** What is used of the package. */
interface RedisClient {
  on(name: "error", hear: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
}

interface RedisLibrary {
  readonly make: (options: object) => RedisClient;
  /** Has bulk strings come as Buffers. */
  readonly buffers: object;
}

async function loadClient(): Promise<RedisLibrary> {
  try {
    const { createClient: create, RESP_TYPES } = await import("@redis/client");
    return {
      // Its own type says all that the server can do; here a few words are enough.
      make: (options) => create(options),
      buffers: { [RESP_TYPES.BLOB_STRING]: Buffer },
    };
  } catch (error) {
    throw new StoreError("ERR_STORE_UNREACHABLE", "the package @redis/client is not installed", { cause: error });
  }
}

/** The first word of a server's error, which is its code; undefined for all other errors. */
function replyWordOf(error: unknown): string | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === "string" ? undefined : /^[A-Z]{3,20}\b/.exec(String(message))?.[0];
}

/**
 * The server's word or the system's, never the URL: a server's answer may hold what was sent, so of it only the first
 * word is told. The error itself is left out for the same reason.
 */
function unreachable(error: unknown): StoreError {
  const first = firstOf(error);
  const word = replyWordOf(first);
  if (word !== undefined) return new RedisReplyError(word);
  const name = codeOf(first) || (first instanceof Error ? first.constructor.name : "an error");
  return new StoreError("ERR_STORE_UNREACHABLE", `the connection ended with: ${name}`);
}

/** The error behind others: behind giving up, behind trying several addresses. */
function firstOf(error: unknown): unknown {
  if (error instanceof AggregateError) return firstOf(error.errors[0]);
  const { socketError } = error as { readonly socketError?: unknown };
  return socketError === undefined ? error : firstOf(socketError);
}
